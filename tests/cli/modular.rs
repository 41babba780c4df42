//! `check --by-contract`, `--by-invariant`, `--modular`: violations that only abstraction by
//! specifications allows.

use super::Package;

const SOURCE: &str = "method Abs(x: int) returns (y: int)
  ensures y >= 0
{
  if x < 0 { y := -x; } else { y := x; }
}

method Use() {
  var v := Abs(3);
  assert v == 3;
  assert v >= 0;
}

method Count(n: nat) returns (s: nat)
  ensures s == n
{
  s := 0;
  var i := 0;
  while i < n
    invariant i <= n
  {
    i := i + 1;
    s := s + 1;
  }
}

method Steps(n: nat) {
  var i, j := 0, 2 * n;
  while i < n
    invariant j != 1
    invariant i >= 0
  {
    i := i + 1;
    j := j - 2;
  }
}

method Wrong(x: int) {
  var v := Abs(x);
  assert v != 5;
}
";

#[test]
fn violations_that_only_a_contract_allows_are_shown_as_weak_specifications() {
    let package = Package::new(&[("src/lib.dfy", SOURCE)]);
    let run = package.run(&["check", "--by-contract", "Abs"]);
    let weak: Vec<&str> = run
        .stderr
        .split("\n\n")
        .filter(|d| d.starts_with("warning[check/weak-specification]"))
        .collect();
    assert_eq!(weak.len(), 1, "{}", run.shown());
    assert!(weak[0].contains("src/lib.dfy:9:10"), "{}", weak[0]);
    assert!(
        weak[0].contains("`Abs(3)` may return 0 by its contract; its body returns 3"),
        "{}",
        weak[0]
    );
    // An obligation that an execution violates is reported as violated all the same.
    assert!(
        run.code == 7 && run.stderr.contains("in `Wrong` with x = "),
        "{}",
        run.shown()
    );
}

#[test]
fn violations_that_only_invariants_allow_are_shown_as_weak_specifications() {
    let package = Package::new(&[("src/lib.dfy", SOURCE)]);
    let run = package.run(&[
        "check",
        "--by-invariant",
        "src/lib.dfy:28",
        "--message-format",
        "short",
    ]);
    let weak: Vec<&str> = run
        .stderr
        .lines()
        .filter(|l| l.contains("[check/weak-specification]"))
        .collect();
    assert_eq!(
        weak,
        [
            "src/lib.dfy:29:15: warning: by specifications alone, this loop invariant does not hold after an iteration [check/weak-specification]"
        ]
    );
    let all = package.run(&[
        "check",
        "--modular",
        "--filter",
        "Count|Steps",
        "--message-format",
        "json",
    ]);
    let records: Vec<serde_json::Value> = all
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).expect("a record"))
        .collect();
    let weak: Vec<&str> = records
        .iter()
        .filter(|r| r["kind"] == "weak-specification")
        .filter_map(|r| r["unit"].as_str())
        .collect();
    assert_eq!(
        (all.code, weak),
        (0, vec!["Count", "Steps"]),
        "{}",
        all.shown()
    );
    let steps = records
        .iter()
        .find(|r| r["unit"] == "Steps" && r["kind"] == "weak-specification")
        .unwrap();
    assert_eq!(
        steps["allowed"][0].as_str().unwrap().split(", ").last(),
        Some("j = 3"),
        "{steps}"
    );
    assert_eq!(steps["by"][0]["kind"], "invariants", "{steps}");
}

#[test]
fn names_and_places_that_mean_nothing_are_refused() {
    let package = Package::new(&[("src/lib.dfy", SOURCE)]);
    let name = package.run(&["check", "--by-contract", "Nobody"]);
    assert!(
        name.code == 1
            && name.stderr.contains(
                "`--by-contract Nobody`: the program has no method or function of this name"
            ),
        "{}",
        name.shown()
    );
    let place = package.run(&["check", "--by-invariant", "src/lib.dfy:9"]);
    assert!(
        place.code == 1
            && place
                .stderr
                .contains("loops begin at src/lib.dfy:18:3, src/lib.dfy:28:3"),
        "{}",
        place.shown()
    );
}

#[test]
fn the_index_of_a_loop_stays_in_its_range() {
    let source = "method Sum(n: nat) returns (s: int)\n  ensures s == n\n{\n  s := 0;\n  for i := 0 to n\n    invariant s == i\n  {\n    s := s + 1;\n  }\n}\n";
    let run = Package::new(&[("src/lib.dfy", source)]).run(&["check", "--modular"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        !run.shown().contains("weak-specification"),
        "{}",
        run.shown()
    );
}
