//! Nondeterminism in Dafny: the messages about it, and that no test expects more than Dafny
//! guarantees.

use super::Package;
use super::suite::cargo_test;

const SIZES: &str = "\
method Size(x: int) returns (r: int)
  ensures 1 <= r <= 3
{
  if {
    case x >= 0 => r := 1;
    case x >= 2 => r := 2;
    case x < 0 => r := 3;
  }
}

const Start: int := var y: int :| 5 <= y < 10; y

method First() returns (r: int)
  ensures 5 <= r < 10
{
  r := Start;
}

method Exact(x: int) returns (r: int) {
  if {
    case x > 0 => r := 1;
    case x <= 0 => r := 2;
  }
}
";

/// A resolution of every choice that differs from ours.
const MINE: &str = "
pub mod sizes {
use dunit::prelude::*;

pub fn size(x: &Int) -> Int {
    if *x >= 2 { int(2) } else if *x >= 0 { int(1) } else { int(3) }
}

pub fn first() -> Int {
    int(8)
}

pub fn exact(x: &Int) -> Int {
    if *x > 0 { int(1) } else { int(2) }
}
}
";

#[test]
fn code_with_other_choices_conforms_and_goals_that_only_it_reaches_are_reported() {
    let package = Package::new(&[
        ("src/sizes.dfy", SIZES),
        ("src/lib.rs", "pub mod mine;\n"),
        ("src/mine.rs", MINE),
    ]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen", "src/sizes.dfy", "--against", "crate::mine"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let said = "Size: alternative `x >= 2`: reached only if nondeterministic choices are resolved otherwise than in tests";
    assert!(run.shown().contains(said), "{}", run.shown());
    let suite = |unit: &str| {
        std::fs::read_to_string(package.root().join(format!("tests/dtest/{unit}.rs"))).unwrap()
    };
    assert!(
        !suite("first").contains("by Dafny's semantics"),
        "{}",
        suite("first")
    );
    assert!(
        suite("exact").contains("by Dafny's semantics"),
        "{}",
        suite("exact")
    );
    let (passed, text) = cargo_test(&package, "choices");
    assert!(passed, "{text}");
    let dead = package.run(&["dead", "src/sizes.dfy"]);
    assert_eq!(dead.code, 0, "{}", dead.shown());
    assert!(
        dead.shown().contains("note[dead/choice]"),
        "{}",
        dead.shown()
    );
}
