//! Classes, datatypes and type parameters behind traits: the generated suite compiles and passes,
//! and the translation prints the same as the interpreter.

use super::Package;
use super::suite::cargo_test;

#[test]
fn a_hierarchy_of_traits_is_translated_tested_and_run() {
    let package = Package::new(&[
        (
            "dtest.toml",
            include_str!("../../fixtures/traits/dtest.toml"),
        ),
        (
            "src/lib.dfy",
            include_str!("../../fixtures/traits/src/lib.dfy"),
        ),
    ]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();

    let run = package.run(&["run", "src/lib.dfy"]);
    assert_eq!(
        run.stdout,
        "147 2 1 1 heavy vehicle 1 -2\n",
        "{}",
        run.shown()
    );

    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let translation = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    for line in [
        "pub trait Vehicle: Dynamic + Priced<Int> {",
        "    fn crossings(&self) -> &Field<Int>;",
        "impl<Load: Value> Vehicle for Ref<Lorry<Load>> {",
        "impl Priced<Int> for Ticket {",
        "pub fn dearest<P: Value + Dynamic>(a: &P, b: &P) -> P {",
    ] {
        assert!(translation.contains(line), "no `{line}` in\n{translation}");
    }
    let (passed, text) = cargo_test(&package, "traits");
    assert!(passed, "{text}");
}

#[test]
fn newtypes_behind_a_trait_are_translated_tested_checked_and_run() {
    let package = Package::new(&[
        (
            "dtest.toml",
            include_str!("../../fixtures/parcels/dtest.toml"),
        ),
        (
            "src/lib.dfy",
            include_str!("../../fixtures/parcels/src/lib.dfy"),
        ),
    ]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();

    let run = package.run(&["run", "src/lib.dfy"]);
    assert_eq!(
        run.stdout,
        "2473 2 grams kilograms bundle 420 [1, 2, 3]\n",
        "{}",
        run.shown()
    );

    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        !run.stdout.contains("\nsrc/lib.dfy:"),
        "every goal has a test:\n{}",
        run.shown()
    );
    let label = std::fs::read_to_string(package.root().join("tests/dtest/label.rs")).unwrap();
    for line in ["&KilogramsObject(real(\"12.5\"))", "&BundleObject(seq!["] {
        assert!(label.contains(line), "no `{line}` in\n{label}");
    }
    let (passed, text) = cargo_test(&package, "parcels");
    assert!(passed, "{text}");

    let run = package.run(&["dead"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = package.run(&["check"]);
    assert!(!run.shown().contains("violated]"), "{}", run.shown());
    // A clause that is wrong for one newtype alone is violated by a value of it.
    let wrong = include_str!("../../fixtures/parcels/src/lib.dfy").replace(
        "(this as real * 1000.0).Floor",
        "(this as real * 1000.0).Floor - 1",
    );
    std::fs::write(package.root().join("src/lib.dfy"), wrong).unwrap();
    let run = package.run(&["check"]);
    assert!(
        run.shown().contains("violated") && run.shown().contains("0.0"),
        "{}",
        run.shown()
    );
}

#[test]
fn inherited_members_and_mocks_have_distinct_names() {
    let package = Package::new(&[("src/lib.dfy", include_str!("shelves.dfy"))]);
    let run = package.run(&["gen", "src/lib.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(!run.shown().contains("not executed"), "{}", run.shown());
    let read = |path: &str| std::fs::read_to_string(package.root().join(path)).unwrap();

    // A mock answers the calls of the contract, including ghost functions.
    let count = read("tests/dtest/shop/count.rs");
    let without_spaces: String = count.split_whitespace().collect();
    for code in [
        ".on_valid().answers(true)",
        ".on_model(Anything).answers(seq![",
        "Rack::model(&*s,true).len()>n,",
    ] {
        assert!(without_spaces.contains(code), "no `{code}` in\n{count}");
    }
    assert!(!count.contains("Not decided"), "{count}");
    // The common part of many elements is written once.
    let roll = read("tests/dtest/rolls/roll.rs");
    assert!(
        roll.contains("seq![seq![int(0); 32]; 4096]") && roll.len() < 10_000,
        "{roll}"
    );
    let first = read("tests/dtest/rolls/first.rs");
    assert!(first.contains(".concat(&seq![int(0); "), "{first}");
    // A constructor that stores its object can still assign other fields.
    assert!(read("src/lib.rs").contains(
        "            this.owners.set(set![upcast::<dyn Dynamic, _>(&this)]);\n            this\n"
    ));

    let (passed, text) = cargo_test(&package, "shelves");
    assert!(passed, "{text}");
}

/// The repository pattern: ghost contents, which methods without bodies update by equations.
const REPOSITORY: &str = "\
trait Repository extends object {
  ghost var Contents: map<int, int>
  method Put(k: int, v: int)
    modifies this
    ensures Contents == old(Contents)[k := v]
  method Get(k: int) returns (found: bool, v: int)
    ensures found <==> k in Contents
    ensures found ==> v == Contents[k]
  method Remove(k: int)
    modifies this
    ensures Contents == old(Contents) - {k}
}

method Increase(r: Repository, k: int, step: int) returns (before: int)
  modifies r
  ensures k in r.Contents && r.Contents[k] == before + step
{
  var found, v := r.Get(k);
  if found {
    before := v;
  } else {
    before := 0;
  }
  r.Put(k, before + step);
}

method Move(r: Repository, a: int, b: int) returns (ok: bool)
  modifies r
{
  var found, v := r.Get(a);
  if !found {
    return false;
  }
  r.Remove(a);
  r.Put(b, v);
  var again, w := r.Get(b);
  return again && w == v;
}
";

#[test]
fn a_mock_keeps_the_ghost_contents_that_its_contracts_update() {
    let package = Package::new(&[("src/lib.dfy", REPOSITORY)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen", "--strength", "coverage"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for unit in ["increase", "move_"] {
        let path = package.root().join(format!("tests/dtest/{unit}.rs"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            text.contains(".changes(|mock| mock.contents.set(") && text.contains(".answers_once(("),
            "{text}"
        );
    }
    let (passed, text) = cargo_test(&package, "repository");
    assert!(passed, "{text}");
    // A step that is taken twice is seen in the contents.
    let library = package.root().join("src/lib.rs");
    let translation = std::fs::read_to_string(&library).unwrap();
    let changed = translation.replacen("(&before_ + step)", "(&before_ + step + step)", 1);
    assert_ne!(translation, changed, "{translation}");
    std::fs::write(&library, changed).unwrap();
    let (passed, text) = cargo_test(&package, "repository");
    assert!(!passed, "{text}");
}
