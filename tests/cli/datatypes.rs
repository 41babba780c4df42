//! The code that the translation derives from datatypes and classes has tests: discriminators,
//! destructors, printed forms, constants, members of traits.

use super::Package;
use super::suite::cargo_test;

const SHAPES: &str = "\
datatype Shape = Dot | Bar(w: int, h: int, filled: bool) | On(what: object?, name: string) {
  const corners := if Bar? then 4 else 0
}

codatatype Stream = End | More(head: int, tail: Stream)

function From(n: int): (Stream, seq<int>) { (Up(n), [n]) }

function Up(n: int): Stream { More(n, Up(n + 1)) }

class Tag<U(0)> extends Sized<U> {
  static const limit := 12
  function Fits(n: int): bool reads this { n <= size }
}

trait Sized<U(0)> extends object {
  var size: int
  const wide := size > 3
  function Fits(n: int): bool reads this
}
";

#[test]
fn a_declaration_has_a_suite_that_kills_every_mutant_of_its_parts() {
    let package = Package::new(&[("src/lib.dfy", SHAPES)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout
            .contains("2 datatypes have a test of constructors"),
        "{}",
        run.shown()
    );
    let suite = std::fs::read_to_string(package.root().join("tests/dtest/shape.rs")).unwrap();
    assert!(
        suite.contains("src/lib.dfy:1:24: Bar.filled") && suite.contains("\"Shape.Bar("),
        "{suite}"
    );
    let (passed, text) = cargo_test(&package, "datatypes");
    assert!(passed && text.contains("8 passed"), "{text}");

    let library = package.root().join("src/lib.rs");
    let right = std::fs::read_to_string(&library).unwrap();
    let wrong = [
        (
            "matches!(self, Shape::Bar { .. })",
            "true",
            "src/lib.dfy:1:",
        ),
        (
            "Shape::Bar { h, .. } => h",
            "Shape::Bar { w, .. } => w",
            "Bar.h",
        ),
        (
            "Shape::Bar { filled, .. } => *filled",
            "Shape::Bar { .. } => true",
            "Bar.filled",
        ),
        ("\"Shape.Dot\"", "\"Dot\"", "Dot, printed"),
        (
            "if self.is_bar() { int(4)",
            "if self.is_bar() { int(3)",
            "Shape.corners",
        ),
        ("int(12)", "int(13)", "Tag<int>.limit"),
        (
            "&self.size",
            "Box::leak(Box::new(Field::new(int(0))))",
            "Tag<int>.size, seen as `Sized`",
        ),
        (
            "<dyn Sized<U>>::default_wide(",
            "true || <dyn Sized<U>>::default_wide(",
            "Tag<int>.wide",
        ),
        (
            "Tag::fits(self, a0)",
            "!Tag::fits(self, a0)",
            "Fits by Dafny's semantics",
        ),
        ("matches!(self, Stream::End)", "false", "End"),
        ("matches!(self, Stream::More { .. })", "true", "5:21: End"),
        ("\"Stream.More\"", "\"More\"", "More, printed"),
        (
            "up(&(&n + 1))",
            "up(&(&n - 1))",
            "From by Dafny's semantics: .0.tail.head",
        ),
    ];
    for (from, to, said) in wrong {
        assert!(right.contains(from), "{from} is not in\n{right}");
        std::fs::write(&library, right.replace(from, to)).unwrap();
        let (passed, text) = cargo_test(&package, "datatypes");
        assert!(!passed && text.contains(said), "{from} → {to}: {text}");
    }
}

#[test]
fn a_package_may_be_called_like_a_module_of_the_program() {
    let manifest =
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    let source = "module Shop {\n  function Half(n: nat): nat { n / 2 }\n}\n";
    let package = Package::new(&[("Cargo.toml", manifest), ("src/lib.dfy", source)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let (passed, text) = cargo_test(&package, "datatypes");
    assert!(passed && text.contains("1 passed"), "{text}");
}
