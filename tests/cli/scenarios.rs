//! `gen --scenarios`: tests that call several methods of one object.

use super::Package;
use super::suite::cargo_test;

/// A ring that forgets its oldest element, and a generic class in a module.
const RING: &str = "\
class Ring {
  const capacity: nat
  var items: seq<int>
  constructor (capacity: nat)
    requires capacity > 0
    ensures this.capacity == capacity && items == []
  {
    this.capacity, items := capacity, [];
  }
  method Add(x: int)
    modifies this
    ensures |items| > 0 && items[|items| - 1] == x
  {
    items := items + [x];
    if |items| > capacity {
      items := items[1..];
    }
  }
  method Take() returns (x: int)
    requires |items| > 0
    modifies this
    ensures old(items) == [x] + items
  {
    x := items[0];
    items := items[1..];
  }
  function Items(): seq<int>
    reads this
  {
    items
  }
}

module Stacks {
  datatype Last<T> = Nothing | Just(value: T)
  class Stack<T> {
    var items: seq<T>
    constructor ()
      ensures items == []
    {
      items := [];
    }
    method Push(t: T)
      modifies this
      ensures items == [t] + old(items)
    {
      items := [t] + items;
    }
    method Drop()
      modifies this
      ensures items == if old(items) == [] then [] else old(items)[1..]
    {
      if items != [] {
        items := items[1..];
      }
    }
    function Top(): Last<T>
      reads this
    {
      if items == [] then Nothing else Just(items[0])
    }
    predicate IsHigherThan(n: nat)
      reads this
    {
      |items| > n
    }
  }
}
";

fn package() -> Package {
    let package = Package::new(&[("src/lib.dfy", RING)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    package
}

#[test]
fn methods_of_one_object_interact_and_a_lost_state_is_caught() {
    let package = package();
    let arguments = ["gen", "--strength", "coverage", "--scenarios", "2"];
    let run = package.run(&arguments);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr.contains("scenario tests are in the suite"),
        "{}",
        run.shown()
    );
    let text = std::fs::read_to_string(package.root().join("tests/dtest/scenarios.dfy")).unwrap();
    for expected in [
        "include \"../../src/lib.dfy\"",
        "method {:test} TestsOfRing_Add_Then_Take()",
        "import opened Stacks",
        "new Stack<int>()",
        ".IsHigherThan(",
        "Just(",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    // The limit of the ring is reached.
    let ring = text.split("new Ring(").nth(1).unwrap_or_default();
    let capacity: usize = ring
        .split(')')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or_default();
    let adds = ring
        .split('}')
        .next()
        .unwrap_or_default()
        .matches(".Add(")
        .count();
    assert!(capacity > 0 && adds > capacity, "{text}");
    // The same bytes once more.
    let again = package.run(&[&arguments[..], &["--check"]].concat());
    assert_eq!(again.code, 0, "{}", again.shown());
    let (passed, shown) = cargo_test(&package, "scenarios");
    assert!(passed, "{shown}");
    // A call whose effect depends on an earlier one: what is dropped is the newest element.
    let library = package.root().join("src/lib.rs");
    let translation = std::fs::read_to_string(&library).unwrap();
    let changed = translation.replacen(
        "if this.items.get().len() > this.capacity",
        "if false && this.items.get().len() > this.capacity",
        1,
    );
    assert_ne!(translation, changed, "{translation}");
    std::fs::write(&library, changed).unwrap();
    let (passed, shown) = cargo_test(&package, "scenarios");
    assert!(!passed && shown.contains("tests_of_ring_add"), "{shown}");
}

#[test]
fn scenarios_are_in_suites_in_dafny_and_off_by_default() {
    let package = package();
    let run = package.run(&["gen", "--strength", "coverage"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(!package.root().join("tests/dtest/scenarios.dfy").exists());
    let run = package.run(&[
        "gen",
        "--strength",
        "coverage",
        "--emit",
        "dafny",
        "--scenarios",
        "1",
        "--out",
        "dafny",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let text = std::fs::read_to_string(package.root().join("dafny/lib.tests.dfy")).unwrap();
    assert!(text.contains("TestsOfRing_Add_Then_Take"), "{text}");
    // The tests pass in the interpreter.
    let run = package.run(&["run", "--test", "dafny/lib.tests.dfy", "--included"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}
