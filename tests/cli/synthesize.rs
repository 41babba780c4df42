//! `{:synthesize}`: objects from postconditions, in every part of the tool; and unsupported forms.

use super::Package;
use super::suite::cargo_test;

const KEYRING: &str = include_str!("../../fixtures/keyring/src/lib.dfy");

#[test]
fn synthesized_objects_behave_as_described_in_the_interpreter_and_in_rust() {
    let package = Package::new(&[("src/lib.dfy", KEYRING)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();

    let run = package.run(&["run", "src/lib.dfy"]);
    assert_eq!(run.stdout, "odd 4 true 2 k\n", "{}", run.shown());

    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr
            .contains("added the dependency `dmock` to Cargo.toml"),
        "{}",
        run.shown()
    );
    let translation = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    for line in [
        "#[derive(dmock::Mock)]",
        "#[mock(default = int(2))]",
        "#[dmock::mockable(strength, opens, r#use)]",
        "move |_key, factor| &strength - factor",
        "first.next.set(second.clone());",
    ] {
        assert!(translation.contains(line), "no `{line}` in\n{translation}");
    }
    let (passed, text) = cargo_test(&package, "keyring");
    assert!(passed, "{text}");
}

#[test]
fn a_form_that_cannot_be_met_is_an_error_at_its_place() {
    let text = "class Key {
  const bits: int
  const size: int := 3
  const other: Key?
  var uses: int
  function F(x: int, y: int): int { x + y }
  function G<T>(x: T): T { x }
}

method {:synthesize} Make(n: int) returns (a: Key, b: Key)
  ensures a.bits > 3
  ensures n == 3
  ensures a.size == 4
  ensures a.other == b
  ensures forall x :: a.uses == x
  ensures forall x :: a.F(x, x + 1) == 0
  ensures forall x :: a.F(n, n) == x
  ensures a.G(3) == 3
  ensures b.bits == 1 && b.bits == 2

class Factory {
  method {:synthesize} One() returns (k: Key, n: int)
}
";
    let run = Package::new(&[("src/lib.dfy", text)]).run(&["gen"]);
    insta::assert_snapshot!("unfit_syntheses", run.shown(), text);
}

#[test]
fn a_mock_of_an_unknown_class_is_a_usage_error_that_names_the_nearest_class() {
    let package = Package::new(&[(
        "src/lib.dfy",
        "module M { class Key { function F(n: int): int { n } } datatype D = D }\n",
    )]);
    for (name, expected) in [
        ("M.Kye", "did you mean `M.Key`?"),
        ("Key", "did you mean `M.Key`?"),
        ("M.D", "the classes are M.Key"),
    ] {
        let run = package.run(&["gen", "--mock", name]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(
            run.stderr.contains(&format!(
                "`--mock {name}`: the program has no class of this name"
            )) && run.stderr.contains(expected),
            "{}",
            run.stderr
        );
    }
    assert_eq!(
        package
            .run(&["translate", "--mock", "M.Key", "--mock", "*"])
            .code,
        0
    );
}

#[test]
fn a_mock_of_the_configuration_that_this_program_lacks_is_no_error() {
    let package = Package::new(&[
        (
            "src/lib.dfy",
            "class Key { method Get() returns (n: int) ensures n > 0 }\n",
        ),
        (
            "src/other.dfy",
            "function F(n: nat): nat { if n > 3 then n else 0 }\n",
        ),
        ("dtest.toml", "mock = [\"Key\"]\n"),
    ]);
    let run = package.run(&["gen", "src/other.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr
            .contains("\"Key\" under `mock` in dtest.toml is not a class of the program"),
        "{}",
        run.stderr
    );
}
