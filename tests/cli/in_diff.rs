//! `--in-diff`: only the units that a change affects.

use super::Package;
use super::package::Run;
use super::suite::cargo_test;

const BEFORE: &str = "\
ghost predicate Small(n: int) {
  n < 100
}

const LIMIT := 10

function Inner(n: int): (r: int)
  ensures Small(r) || n >= 100
{
  if n < LIMIT then n else 0
}

function Outer(n: int): int {
  if Inner(n) == 3 then 1 else 2
}

function Apart(n: int): (r: int)
  ensures Small(r)
{
  if n == 7 then 8 else 9
}
";

/// Returns the diff between two texts of `src/lib.dfy`.
pub fn diff(before: &str, after: &str) -> String {
    let mut options = diffy::DiffOptions::new();
    options
        .set_original_filename("a/src/lib.dfy")
        .set_modified_filename("b/src/lib.dfy");
    options.create_patch(before, after).to_string()
}

/// Applies the change, and generates with it. Returns the searched units, and the number of
/// unaffected ones.
fn change(package: &Package, before: &str, after: &str) -> (Vec<String>, u64) {
    package.write("src/lib.dfy", after);
    package.write("target/change.diff", diff(before, after));
    let run = package.run(&[
        "gen",
        "--in-diff",
        "target/change.diff",
        "--no-cache",
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let units = run
        .lines("unit")
        .iter()
        .map(|u| u["unit"].as_str().unwrap().to_owned())
        .collect();
    (
        units,
        run.lines("summary")[0]["left_alone"].as_u64().unwrap(),
    )
}

#[test]
fn only_units_whose_code_contract_or_callees_change_are_searched() {
    for (from, to, expected) in [
        ("n == 7", "n == 6", &["Apart"][..]),
        ("Inner(n) == 3", "Inner(n) == 4", &["Outer"]),
        ("LIMIT then n", "LIMIT then n + 0", &["Inner", "Outer"]),
        ("LIMIT := 10", "LIMIT := 11", &["Inner", "Outer"]),
        ("n < 100", "n < 101", &["Inner", "Outer", "Apart"]),
        ("|| n >= 100", "|| n >= 99", &["Inner", "Outer"]),
        ("const LIMIT", "// What is little.\nconst LIMIT", &[]),
        (
            "  ensures Small(r)\n{\n  if n == 7",
            "{\n  if n == 7",
            &["Apart"],
        ),
    ] {
        let package = Package::new(&[("src/lib.dfy", BEFORE)]);
        let (units, left_alone) = change(&package, BEFORE, &BEFORE.replacen(from, to, 1));
        assert_eq!(units, expected, "{from} to {to}");
        assert_eq!(left_alone, 3 - expected.len() as u64);
    }
}

#[test]
fn tests_of_other_units_stay_and_the_suite_passes() {
    let package = Package::new(&[("src/lib.dfy", BEFORE)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    assert_eq!(package.run(&["gen"]).code, 0);
    let before = package.files();
    let after = BEFORE.replace("n == 7", "n == 6");
    assert_eq!(
        change(&package, BEFORE, &after),
        (vec!["Apart".to_owned()], 2)
    );
    let files = package.files();
    for name in ["inner", "outer"] {
        let path = format!("tests/dtest/{name}.rs");
        assert_eq!(before[&path], files[&path]);
    }
    assert_ne!(
        before["tests/dtest/apart.rs"],
        files["tests/dtest/apart.rs"]
    );
    let modules = |text: &str| {
        text.lines()
            .filter(|l| l.starts_with("mod "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        modules(&before["tests/dtest/main.rs"]),
        modules(&files["tests/dtest/main.rs"])
    );
    let (passed, text) = cargo_test(&package, "in-diff");
    assert!(passed, "{text}");

    // The tests of a removed unit are removed.
    let gone = after.replace(
        "function Outer(n: int): int {\n  if Inner(n) == 3 then 1 else 2\n}\n",
        "",
    );
    assert_eq!(change(&package, &after, &gone), (vec![], 2));
    assert!(!package.files().contains_key("tests/dtest/outer.rs"));
    let shown: Run = package.run(&["gen", "--in-diff", "target/change.diff"]);
    assert!(
        shown
            .stdout
            .contains("2 units not affected by the change were skipped"),
        "{}",
        shown.shown()
    );
}

#[test]
fn a_diff_of_something_else_is_refused() {
    let package = Package::new(&[
        ("src/lib.dfy", BEFORE),
        ("no.diff", "@@ nonsense @@\n--- a\n+++ b\n@@ -1 +x @@\n"),
    ]);
    let refused = |file: &str, message: &str| {
        let run = package.run(&["gen", "--in-diff", file]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stderr.contains(message), "{}", run.stderr);
    };
    package.write(
        "old.diff",
        diff(BEFORE, &BEFORE.replace("n == 7", "n == 6")),
    );
    refused(
        "old.diff",
        "the diff does not match the sources: line 20 of `src/lib.dfy`",
    );
    refused("no.diff", "`no.diff` is not a unified diff: line 4: ");
    refused("none.diff", "cannot read `none.diff`");
}

#[test]
fn tests_that_a_filter_leaves_out_stay_unless_the_filter_is_the_packages() {
    let more =
        "datatype Pair = Pair(a: int, b: bool)\nmethod {:test} Own() { expect Inner(3) == 3; }\n";
    let package = Package::new(&[("src/lib.dfy", &format!("{BEFORE}{more}"))]);
    assert_eq!(package.run(&["gen"]).code, 0);
    let before = package.files();
    assert!(
        ["apart", "inner", "outer", "own", "pair"]
            .iter()
            .all(|n| before.contains_key(&format!("tests/dtest/{n}.rs"))),
        "{before:?}"
    );

    let part = || package.run(&["gen", "--filter", "Apart", "--message-format", "json"]);
    let first = part();
    assert_eq!(
        (first.code, first.lines("unit").len()),
        (0, 1),
        "{}",
        first.shown()
    );
    assert_eq!(before, package.files());
    assert_eq!(
        package.run(&["gen", "--filter", "Apart", "--check"]).code,
        0
    );
    assert_eq!(
        part().lines("summary")[0]["stages"]["parse"].as_f64(),
        Some(0.0),
        "what stays is known too"
    );
    package.write("tests/dtest/inner.rs", "// @generated by cargo dtest\n");
    assert!(part().lines("summary")[0]["stages"]["parse"].as_f64() > Some(0.0));

    // The filter matches nothing, as after a typo: an error, and no file changes.
    package.write("tests/dtest/inner.rs", &before["tests/dtest/inner.rs"]);
    assert_eq!(package.run(&["gen", "--filter", "Apsrt"]).code, 1);
    assert_eq!(before, package.files());

    // In `dtest.toml` the filter determines the contents of the suite.
    package.write("dtest.toml", "filter = \"Apart\"\n");
    assert_eq!(package.run(&["gen"]).code, 0);
    let files = package.files();
    assert!(
        files.contains_key("tests/dtest/apart.rs") && !files.contains_key("tests/dtest/inner.rs"),
        "{files:?}"
    );
}
