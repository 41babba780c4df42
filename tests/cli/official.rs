//! `gen --convention dafny`: suites against what `dafny translate rs` wrote.
//!
//! In the package `official/`, `src/implementation_from_dafny.rs` is what Dafny 4.11.0 writes for
//! `dafny/kinds.dfy`: `dafny translate rs kinds.dfy --no-verify --enforce-determinism
//! --rust-module-name implementation_from_dafny`.

use super::Package;
use super::suite::cargo_test;

const KINDS: &str = include_str!("official/dafny/kinds.dfy");
const TRANSLATION: &str = include_str!("official/src/implementation_from_dafny.rs");

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
fn what_has_no_counterpart_costs_its_test_alone() {
    let program = "\
class Cell {
  var x: int
  constructor () { x := 1; }
  method Set(y: int) modifies this { x := y; }
}

function Apply(f: int -> int, x: int): int { f(x) }
function {:extern \"other\"} Renamed(x: int): int { x }
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
            "Apply" => "does not convert functions",
            "Renamed" => "{:extern}",
            _ => "objects",
        };
        let reason = unit["not_emitted"].as_str().unwrap();
        assert!(reason.contains(expected), "{unit}");
    }
}
