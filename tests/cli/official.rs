//! `gen --convention dafny`: suites against what `dafny translate rs` wrote.
//!
//! In the package `official/`, `src/implementation_from_dafny.rs` is what Dafny 4.11.0 writes for
//! `dafny/kinds.dfy`: `dafny translate rs kinds.dfy --no-verify --enforce-determinism
//! --rust-module-name implementation_from_dafny`. `official_objects/` has the same for a program
//! with objects.

use super::Package;
use super::suite::cargo_test;

const KINDS: &str = include_str!("official/dafny/kinds.dfy");
const TRANSLATION: &str = include_str!("official/src/implementation_from_dafny.rs");

/// A program with objects, and its translation.
const OBJECTS: [&str; 2] = [
    include_str!("official_objects/objects.dfy"),
    include_str!("official_objects/implementation_from_dafny.rs"),
];

/// Arguments of the command.
const GEN: [&str; 6] = [
    "gen",
    "dafny/kinds.dfy",
    "--against",
    "crate::implementation_from_dafny",
    "--convention",
    "dafny",
];

/// A package with a translation by Dafny.
fn package(translation: &str) -> Package {
    let package = Package::new(&[
        ("dafny/kinds.dfy", KINDS),
        ("src/lib.rs", "pub mod implementation_from_dafny;\n"),
        ("src/implementation_from_dafny.rs", translation),
    ]);
    manifest(&package, "dafny-runtime = \"0.3.1\"\n");
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    package
}

fn manifest(package: &Package, dependencies: &str) {
    let head =
        "[package]\nname = \"official\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    package.write(
        "Cargo.toml",
        format!("{head}\n[dependencies]\n{dependencies}"),
    );
}

#[test]
fn a_suite_against_dafnys_rust_passes_and_catches_planted_bugs() {
    let of_dafny = package(TRANSLATION);
    let run = of_dafny.run(&[&GEN[..], &["--message-format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    // Every unit of the program has a counterpart.
    let units = run.lines("unit");
    assert_eq!(units.len(), 15, "{}", run.shown());
    for unit in &units {
        assert!(unit["not_emitted"].is_null(), "{unit}");
        assert_ne!(unit["valued_tests"], 0, "{unit}");
    }
    // What is written is the suite alone, and the tests alone need the run-time library.
    let files = of_dafny.files();
    assert_eq!(files["src/implementation_from_dafny.rs"], TRANSLATION);
    assert_eq!(files["src/lib.rs"], "pub mod implementation_from_dafny;\n");
    let manifest: toml::Table = files["Cargo.toml"].parse().unwrap();
    assert!(manifest["dependencies"].get("dunit").is_none());
    assert!(manifest["dev-dependencies"].get("dunit").is_some());
    let (passed, text) = cargo_test(&of_dafny, "official");
    assert!(passed, "{text}\n{}", files["tests/dtest/official.rs"]);

    for (line, bug, test) in [
        ("second: a.clone(),", "second: b.clone(),", "mix"),
        ("b + 1", "b + 2", "next"),
    ] {
        assert!(TRANSLATION.contains(line), "{line}");
        of_dafny.write(
            "src/implementation_from_dafny.rs",
            TRANSLATION.replacen(line, bug, 1),
        );
        let (passed, text) = cargo_test(&of_dafny, "official");
        assert!(!passed && text.contains(test), "{line}: {text}");
    }
}

#[test]
fn objects_are_converted_and_their_states_are_compared() {
    let [program, translation] = OBJECTS;
    let of_dafny = package(translation);
    of_dafny.write("dafny/kinds.dfy", program);
    let run = of_dafny.run(&[&GEN[..], &["--message-format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    for unit in run.lines("unit") {
        // Arrays are no objects in Dafny's Rust.
        let reason = unit["not_emitted"].as_str().unwrap_or_default();
        let expected = match unit["unit"].as_str() {
            Some("Objects.IsSafe") => "does not convert `array<int>` as a value of type `object",
            _ => "",
        };
        assert!(
            reason.contains(expected) && reason.is_empty() == expected.is_empty(),
            "{unit}"
        );
        // The output is compared as text.
        assert!(
            unit["valued_tests"] != 0 || unit["unit"] == "Objects.Stars",
            "{unit}"
        );
    }
    let (passed, text) = cargo_test(&of_dafny, "official");
    assert!(
        passed,
        "{text}\n{}",
        of_dafny.files()["tests/dtest/official.rs"]
    );

    // In turn: a constructor, a field of the receiver, an object that is returned and also linked,
    // a circle, an element of an array, a function, a call of a mock, a trait's object, and output.
    for (line, bug, test) in [
        (
            "__i_step_k, _set___i_step_k, int!(1)",
            "__i_step_k, _set___i_step_k, int!(2)",
            "counter_starting_at",
        ),
        (
            "times.clone() * self._step_k()",
            "self._step_k()",
            "counter_up",
        ),
        (
            "modify_field!(self.next, node.clone());",
            "modify_field!(self.next, Object(None));",
            "node_append",
        ),
        (
            "modify_field!(self.next, Object::<_>::from_ref(self));",
            "",
            "node_close",
        ),
        (
            "[__idx0] = t.clone();",
            "[__idx0] = t.clone() + int!(1);",
            "swap",
        ),
        ("if less(a, b) {", "if less(b, a) {", "smaller"),
        (
            "Turn(rd!(lock.clone()), code, true)",
            "Turn(rd!(lock.clone()), code, false)",
            "try",
        ),
        ("lock = a.clone();", "lock = b.clone();", "choose"),
        ("string_of(\"*\")", "string_of(\"+\")", "stars"),
    ] {
        assert!(translation.contains(line), "{line}");
        of_dafny.write(
            "src/implementation_from_dafny.rs",
            translation.replacen(line, bug, 1),
        );
        let (passed, text) = cargo_test(&of_dafny, "official");
        assert!(!passed && text.contains(test), "{line}: {text}");
    }
}

#[test]
fn a_suite_against_dafnys_rust_reads_like_one_against_ours() {
    let of_dafny = package(TRANSLATION);
    let run = of_dafny.run(&GEN);
    assert_eq!(run.code, 0, "{}", run.shown());
    let files = of_dafny.files();
    // The header has hashes and versions.
    let body = |path: &str| {
        let lines = files[path].lines().skip(3).map(|l| format!("{l}\n"));
        lines.collect::<String>()
    };
    insta::assert_snapshot!(format!(
        "{}\n{}",
        body("tests/dtest/kinds/mix.rs"),
        body("tests/dtest/official.rs")
    ));
}

#[test]
fn what_is_wrong_with_the_package_is_said_with_what_to_change() {
    let check = |package: &Package, arguments: &[&str], id: &str, words: &[&str]| {
        let run = package.run(arguments);
        assert_eq!(run.code, 1, "{}", run.shown());
        for word in words.iter().chain([&id]) {
            assert!(run.stderr.contains(word), "{word}: {}", run.shown());
        }
        assert!(!package.root().join("tests").exists());
    };
    let of_dafny = package(TRANSLATION);
    manifest(&of_dafny, "");
    check(
        &of_dafny,
        &GEN,
        "cli/convention",
        &["dafny-runtime", "cargo add"],
    );
    manifest(&of_dafny, "dafny-runtime = \"0.2.0\"\n");
    check(&of_dafny, &GEN, "cli/convention", &["0.2.0", "0.3"]);
    manifest(
        &of_dafny,
        "dafny-runtime = { version = \"0.3.1\", features = [\"sync\"] }\n",
    );
    of_dafny.write("src/lib.rs", "mod implementation_from_dafny;\n");
    check(&of_dafny, &GEN, "cli/no-module", &["private", "pub mod"]);
    of_dafny.write("src/lib.rs", "pub mod other;\n");
    of_dafny.write("src/other.rs", "");
    check(
        &of_dafny,
        &GEN,
        "cli/no-module",
        &["does not declare", "--against"],
    );
    let without = ["gen", "dafny/kinds.dfy", "--convention", "dafny"];
    check(&of_dafny, &without, "cli/convention", &["--against"]);
    let unknown = of_dafny.run(&[&GEN[..5], &["csharp"]].concat());
    assert_eq!(unknown.code, 1, "{}", unknown.shown());
    assert!(unknown.stderr.contains("dafny"), "{}", unknown.shown());
}

#[test]
fn init_finds_dafnys_rust_and_the_sources() {
    let of_dafny = package(TRANSLATION);
    let run = of_dafny.run(&["init", "--convention", "dafny"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for word in [
        "found `crate::implementation_from_dafny` in src/implementation_from_dafny.rs",
        "found `dafny/kinds.dfy`",
        "dev-dependency `dunit`",
    ] {
        assert!(run.stderr.contains(word), "{word}: {}", run.shown());
    }
    // `gen` needs nothing more.
    let generated = of_dafny.run(&["gen"]);
    assert_eq!(generated.code, 0, "{}", generated.shown());
    assert!(of_dafny.files().contains_key("tests/dtest/official.rs"));

    let twice = of_dafny.run(&["init", "--convention", "dafny"]);
    assert_eq!(twice.code, 1, "{}", twice.shown());
    assert!(
        twice.stderr.contains("convention = \"dafny\""),
        "{}",
        twice.shown()
    );

    let private = package(TRANSLATION);
    private.write("src/lib.rs", "mod implementation_from_dafny;\n");
    manifest(&private, "");
    let run = private.run(&["init", "--convention", "dafny"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for word in ["is private", "cargo add dafny-runtime@0.3.1"] {
        assert!(run.stderr.contains(word), "{word}: {}", run.shown());
    }

    let without = Package::new(&[("src/lib.rs", "")]);
    let run = without.run(&["init", "--convention", "dafny"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("cli/convention"), "{}", run.shown());
}

#[test]
fn modules_may_have_a_suffix() {
    let of_dafny = package("pub mod _Kinds_Compile {\n}\n");
    let run = of_dafny.run(&GEN);
    assert_eq!(run.code, 0, "{}", run.shown());
    let mix = &of_dafny.files()["tests/dtest/kinds/mix.rs"];
    assert!(
        mix.contains("crate::theirs::_Kinds_Compile::_default::Mix("),
        "{mix}"
    );
}

#[test]
fn what_has_no_counterpart_costs_its_test_alone() {
    let program = "\
codatatype Stream = Next(head: int, tail: Stream)
class Link {
  const next: Link?
  var x: int
  constructor () { next := null; x := 0; }
}
trait Sized { const size: int }
class Box extends Sized { constructor () { size := 1; } }

newtype Digit = x: int | 0 <= x < 10 { predicate IsZero() { this == 0 } }
function Last(d: Digit): Digit { d }
function Half(x: real): real { x / 2.0 }
function Head(s: Stream): int { s.head }
function Wide(x: bv200): bv200 { x }
method Buffer(n: nat) returns (a: array<int>) { a := new int[n]; }
method Read(l: Link) returns (x: int) { x := l.x; }
method Size(b: Box) returns (n: int) { n := b.size; }
method {:extern \"a-b\"} Renamed(x: int) returns (y: int) { y := x; }
function Plain(x: int): int { if x > 3 then 1 else x }
";
    let of_dafny = package(TRANSLATION);
    of_dafny.write("dafny/kinds.dfy", program);
    of_dafny.write(
        "src/implementation_from_dafny.rs",
        "pub mod _module { pub struct _default {} }\n",
    );
    let run = of_dafny.run(&[&GEN[..], &["--message-format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    for unit in run.lines("unit") {
        let expected = match unit["unit"].as_str().unwrap() {
            "Plain" => {
                assert!(unit["not_emitted"].is_null(), "{unit}");
                continue;
            }
            "Half" => "reals",
            "Last" => "a newtype with members",
            "Digit.IsZero" => "no members of newtypes",
            "Head" => "codatatypes",
            "Wide" => "more than 128 bits",
            "Buffer" => "leaves elements without values",
            "Link._ctor" | "Read" => "may be its own object",
            "Box._ctor" | "Size" => "the field `size` of a trait",
            "Renamed" => "is not a path in Rust",
            other => panic!("{other}"),
        };
        let reason = unit["not_emitted"].as_str().unwrap_or_default();
        assert!(reason.contains(expected), "{unit}");
    }
}
