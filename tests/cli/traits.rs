//! Classes, datatypes and type parameters behind traits: the generated suite compiles and passes, and the translation
//! prints what the interpreter does.

use super::Package;
use super::suite::cargo_test;

#[test]
fn a_hierarchy_of_traits_is_translated_tested_and_run() {
    let package = Package::new(&[
        ("dtest.toml", include_str!("../../fixtures/traits/dtest.toml")),
        ("src/lib.dfy", include_str!("../../fixtures/traits/src/lib.dfy")),
    ]);
    std::fs::copy(super::package::runtime().join("../Cargo.lock"), package.root().join("Cargo.lock")).unwrap();

    let run = package.run(&["run", "src/lib.dfy"]);
    assert_eq!(run.stdout, "147 2 1 1 heavy vehicle 1 -2\n", "{}", run.shown());

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
