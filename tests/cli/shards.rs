//! Searches that are divided among several machines.

use super::Package;
use super::package::Run;

/// Modules with functions, a method with a loop, a violated obligation and an unreachable branch.
fn program() -> String {
    let mut text = String::new();
    for i in 0..7 {
        text += &format!(
            "module M{i} {{\n  function Step(n: int): int {{\n    if n < {i} then n + 1 else if n == {} then 0 else n\n  }}\n  \
             method Walk(s: seq<int>) returns (r: int) {{\n    r := 0;\n    for k := 0 to |s| {{\n      if Step(s[k]) == {i} {{ r := r + 1; }}\n    }}\n  }}\n}}\n",
            i + 5
        );
    }
    text + "function Cap(n: nat): (h: nat) ensures h <= 10 { if n > 10 then n else 0 }\nfunction Never(n: int): int { if n * n < 0 then 1 else 2 }\n"
}

const SHARDS: [&str; 4] = ["1/4", "2/4", "3/4", "4/4"];

fn report(shard: &str) -> String {
    format!("part-{}.json", &shard[..1])
}

/// Returns the lines of the report without seconds and without the origin of results.
fn units(run: &Run) -> Vec<serde_json::Value> {
    let mut lines = run.lines("unit");
    for line in &mut lines {
        line.as_object_mut()
            .unwrap()
            .retain(|key, _| key != "seconds" && key != "cached");
    }
    lines
}

#[test]
fn four_shards_together_are_one_run() {
    let whole = Package::new(&[
        ("src/lib.dfy", &program()),
        ("dtest.toml", "max-size = 8\n"),
    ]);
    let alone = whole.run(&["gen", "--seed", "1"]);
    assert_eq!(alone.code, 7, "{}", alone.shown());

    let dealt = Package::new(&[
        ("src/lib.dfy", &program()),
        ("dtest.toml", "max-size = 8\n"),
    ]);
    let mut count = 0;
    for shard in SHARDS {
        let run = dealt.run(&[
            "gen",
            "--shard",
            shard,
            "--report",
            &report(shard),
            "--seed",
            "1",
            "--no-cache",
        ]);
        assert_eq!(run.code, 0, "{}", run.shown());
        let text = std::fs::read_to_string(dealt.root().join(report(shard))).unwrap();
        let here = serde_json::from_str::<serde_json::Value>(&text).unwrap()["units"][0]
            .as_array()
            .unwrap()
            .len();
        assert!(
            (3..=5).contains(&here),
            "{here} of 16 units are in shard {shard}"
        );
        count += here;
    }
    assert_eq!(count, 16);
    assert!(
        !dealt.root().join("tests").exists(),
        "a shard writes no suite"
    );

    let merged = dealt.run(&[
        "merge",
        "part-4.json",
        "part-1.json",
        "part-2.json",
        "part-3.json",
    ]);
    assert_eq!(
        alone
            .shown()
            .replace("added the dependency `dunit` to Cargo.toml\n", ""),
        merged
            .shown()
            .replace("added the dependency `dunit` to Cargo.toml\n", "")
    );
    let mut files = dealt.files();
    files.retain(|path, _| !path.starts_with("part-"));
    assert_eq!(whole.files(), files);

    let parts = ["part-1.json", "part-2.json", "part-3.json", "part-4.json"];
    let json = dealt.run(
        &[
            &["merge", "--message-format", "json"],
            &parts[..],
            &["--", "--check"],
        ]
        .concat(),
    );
    assert_eq!(json.code, 7, "{}", json.shown());
    assert_eq!(
        units(&json),
        units(&whole.run(&["gen", "--seed", "1", "--message-format", "json"]))
    );
    assert!(
        json.lines("unit").iter().all(|u| u["cached"] == true),
        "`merge` searches nothing"
    );
    assert_eq!(
        dealt
            .run(&[&["merge"], &parts[..], &["--", "--fail-under", "100"]].concat())
            .code,
        7
    );
}

#[test]
fn shards_of_a_filtered_search_leave_the_tests_of_other_units_as_they_are() {
    let source = "function One(x: int): int { if x < 0 then 1 else 2 }\nfunction Two(x: int): int { if x < 0 then 3 else 4 }\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    assert_eq!(package.run(&["gen"]).code, 0);
    let before = package.files();
    for shard in ["1/2", "2/2"] {
        assert_eq!(
            package
                .run(&[
                    "gen",
                    "--filter",
                    "One",
                    "--shard",
                    shard,
                    "--report",
                    &report(shard)
                ])
                .code,
            0
        );
    }
    let merged = package.run(&["merge", "part-1.json", "part-2.json"]);
    assert_eq!(merged.code, 0, "{}", merged.shown());
    let mut after = package.files();
    after.retain(|path, _| !path.starts_with("part-"));
    assert!(
        before.values().any(|text| text.contains("Two")),
        "{before:?}"
    );
    assert_eq!(before, after);
}

#[test]
fn reports_that_do_not_belong_together_are_refused() {
    let package = Package::new(&[("src/lib.dfy", &program())]);
    for shard in ["1/2", "2/2"] {
        assert_eq!(
            package
                .run(&["gen", "--shard", shard, "--report", &report(shard)])
                .code,
            0
        );
    }
    assert_eq!(
        package
            .run(&[
                "gen",
                "--shard",
                "2/2",
                "--unroll",
                "3",
                "--report",
                "other.json"
            ])
            .code,
        0
    );
    package.write("broken.json", "{\"kind\": \"cargo dtest shard\"}");
    let refused = |arguments: &[&str], message: &str| {
        let run = package.run(&[&["merge"], arguments].concat());
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stderr.contains(message), "{message}: {}", run.stderr);
    };
    refused(&["part-1.json"], "the report of shard 2/2 is missing");
    refused(&["part-1.json", "part-1.json"], "duplicate shard 1/2");
    refused(
        &["part-1.json", "other.json"],
        "`other.json` and `part-1.json` are from different searches",
    );
    refused(
        &["part-1.json", "broken.json"],
        "`broken.json` is not a shard report",
    );
    refused(&["part-1.json", "none.json"], "cannot read `none.json`");
    refused(
        &["part-1.json", "part-2.json", "--", "--unroll", "3"],
        "16 units differ from those that the shards searched",
    );
    package.write("src/lib.dfy", program().replace("n * n < 0", "n * n < 1"));
    refused(
        &["part-1.json", "part-2.json"],
        "1 units differ from those that the shards searched, `Never` among them",
    );
    assert!(!package.root().join("tests").exists());

    let run = package.run(&["gen", "--shard", "3/2"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("a shard must be K/N"), "{}", run.stderr);
}
