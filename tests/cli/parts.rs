//! `check` on a part of the program, and the statements that can halt.

use super::Package;
use super::in_diff::diff;

const BEFORE: &str = "method One(x: int) {
  assert x != 1;
}

method Two(x: int) {
  expect x != 2, \"two\";
  expect x != 2;
}
";

/// Returns the units whose obligations are in the records of a run.
fn units(package: &Package, arguments: &[&str]) -> Vec<String> {
    let run = package.run(&[&["check", "--message-format", "json"], arguments].concat());
    let records = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).expect("a record"));
    records
        .filter(|r| r["kind"] == "obligation")
        .map(|r| r["unit"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn only_units_affected_by_a_diff_are_checked() {
    let package = Package::new(&[("src/lib.dfy", BEFORE)]);
    let after = BEFORE.replace("x != 2;", "x != 2; assert x != 3;");
    package.write("src/lib.dfy", &after);
    package.write("change.diff", diff(BEFORE, &after));
    assert_eq!(units(&package, &["--in-diff", "change.diff"]), ["Two"]);
    assert_eq!(package.run(&["check", "--in-diff", "nowhere.diff"]).code, 1);
}

#[test]
fn shards_are_parts_that_make_up_the_whole() {
    let package = Package::new(&[(
        "src/lib.dfy",
        &BEFORE.replace("x != 2;", "x != 2; assert x != 3;"),
    )]);
    let mut all: Vec<String> = ["1/3", "2/3", "3/3"]
        .into_iter()
        .flat_map(|shard| units(&package, &["--shard", shard]))
        .collect();
    all.sort();
    assert_eq!(all, ["One", "Two"]);
    assert_eq!(package.run(&["check", "--shard", "4/3"]).code, 1);
}

#[test]
fn fail_on_is_a_key_of_the_package() {
    let package = Package::new(&[
        ("src/lib.dfy", BEFORE),
        ("dtest.toml", "[check]\nfail-on = \"none\"\n"),
    ]);
    assert_eq!(package.run(&["check"]).code, 0);
    assert_eq!(package.run(&["check", "--fail-on", "violated"]).code, 7);
}

#[test]
fn every_expect_is_listed_with_whether_it_can_halt() {
    let package = Package::new(&[("src/lib.dfy", BEFORE)]);
    let run = package.run(&["check", "--halts", "--message-format", "short"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr
            .contains("src/lib.dfy:6:3: note: an execution can halt here [check/halts]"),
        "{}",
        run.shown()
    );
    assert!(
        run.stderr.contains(
            "src/lib.dfy:7:3: note: no execution within the bounds halts here [check/never-halts]"
        ),
        "{}",
        run.shown()
    );
    assert!(
        package
            .run(&["check", "--halts"])
            .stderr
            .contains("= note: in `Two` with x = 2\n"),
        "{}",
        run.shown()
    );
}
