//! Snapshots of every diagnostic of parser and resolver. For each id, `diagnostics/ID.dfy` is a
//! small program with the diagnostic, and `ID.snap` its rendered form. An id without a program
//! fails the test, so that every message has been reviewed.
//!
//! The first or second line of a program may be `// options: --NAME=VALUE`, as in the tests of
//! verdicts.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    missing_docs,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dafny_resolve::resolve_text;
use dafny_resolve::typed::{GeneralTraits, Options};
use dafny_source::diagnostic::{Diagnostic, human};
use walkdir::WalkDir;

/// Ids that no program in the folder can produce, with the reason.
const WITHOUT_PROGRAM: &[(&str, &str)] = &[
    ("load/too-large", "a text of 4 GiB"),
    (
        "resolve/not-a-module",
        "names of modules are looked up among modules only; the match has an arm for what else there is",
    ),
    (
        "resolve/synonym-members",
        "the parser takes no members of a synonym; trees may come from elsewhere",
    ),
];

/// Programs that are generated, because they are too large to store.
fn generated() -> BTreeMap<&'static str, String> {
    let deep = format!(
        "const Deep := {}1{}\n",
        "(".repeat(3_000),
        ")".repeat(3_000)
    );
    let doubled = |i: usize| format!("type T{} = (T{i}, T{i})\n", i + 1);
    let large = format!(
        "type T0 = int\n{}const Large: T40 := 3\n",
        (0..40).map(doubled).collect::<String>()
    );
    let wrong = "method ( {}\n".repeat(200);
    BTreeMap::from([
        ("syntax/too-deep", deep),
        ("resolve/type-too-large", large),
        ("syntax/too-many-errors", wrong),
    ])
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder of crates")
        .to_path_buf()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

/// The ids in the source of the front end: literals of the form `family/name`, outside of tests.
fn ids() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for name in ["dafny-syntax", "dafny-resolve"] {
        for entry in WalkDir::new(crates().join(name).join("src"))
            .into_iter()
            .filter_map(Result::ok)
        {
            let is_source = entry.path().extension().is_some_and(|e| e == "rs");
            let text = if is_source {
                fs::read_to_string(entry.path()).expect("a text")
            } else {
                String::new()
            };
            ids.extend(
                text.split('"')
                    .filter(|part| is_id(part))
                    .map(str::to_owned),
            );
        }
    }
    ids
}

fn is_id(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let families = ["load", "syntax", "resolve"];
    text.split_once('/')
        .is_some_and(|(family, name)| families.contains(&family) && is_word(name))
}

/// The programs by id.
fn programs() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in WalkDir::new(folder()).into_iter().filter_map(Result::ok) {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "dfy") {
            let id = path
                .strip_prefix(folder())
                .expect("a path in the folder")
                .with_extension("");
            found.insert(
                id.to_string_lossy().replace('\\', "/"),
                fs::read_to_string(path).expect("a program"),
            );
        }
    }
    found
}

/// The options in the head of a program.
fn options(text: &str) -> Options {
    let mut options = Options::default();
    let words = text
        .lines()
        .take(2)
        .find_map(|line| line.strip_prefix("// options: "))
        .unwrap_or_default();
    for word in words.split_whitespace() {
        match word {
            "--enforce-determinism=true" => options.enforce_determinism = true,
            "--unicode-char=false" => options.unicode_char = false,
            "--reads-clauses-on-methods=true" => options.reads_clauses_on_methods = true,
            "--type-system-refresh=true" => options.type_system_refresh = true,
            "--general-newtypes=true" => options.general_newtypes = true,
            "--general-traits=datatype" => options.general_traits = GeneralTraits::Datatype,
            "--general-traits=full" => options.general_traits = GeneralTraits::Full,
            other => panic!("{other}: no option of these tests"),
        }
    }
    options
}

/// The diagnostics of a program for an id, and their rendered form. For a syntax error, only syntax
/// errors: the tool does not resolve such a program, unlike the library.
fn said(id: &str, text: &str) -> (Vec<Diagnostic>, String) {
    let (sources, _, mut diagnostics) = resolve_text("program.dfy", text, options(text));
    let is_syntax = |d: &Diagnostic| d.id.starts_with("syntax/");
    if id.starts_with("syntax/") {
        diagnostics.retain(is_syntax);
    }
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|d| human::render(d, &sources, false))
        .collect();
    (diagnostics, shown.join("\n\n"))
}

#[test]
fn every_diagnostic_has_a_program_that_shows_it() {
    let (programs, generated) = (programs(), generated());
    let excused: BTreeSet<&str> = WITHOUT_PROGRAM.iter().map(|(id, _)| *id).collect();
    let is_shown = |id: &&String| {
        programs.contains_key(*id)
            || generated.contains_key(id.as_str())
            || excused.contains(id.as_str())
    };
    let ids = ids();
    let missing: Vec<&String> = ids.iter().filter(|id| !is_shown(id)).collect();
    assert!(
        missing.is_empty(),
        "write tests/diagnostics/ID.dfy for each of {missing:?}"
    );
    let known = programs
        .keys()
        .map(String::as_str)
        .chain(generated.keys().copied())
        .chain(excused.iter().copied());
    let idle: Vec<&str> = known.filter(|id| !ids.contains(*id)).collect();
    assert!(idle.is_empty(), "no longer ids: {idle:?}");
    let both: Vec<&&str> = excused
        .iter()
        .filter(|id| programs.contains_key(**id))
        .collect();
    assert!(both.is_empty(), "have programs: {both:?}");
}

#[test]
fn every_program_has_its_diagnostic_and_matches_its_snapshot() {
    let mut wrong = Vec::new();
    for (id, text) in programs() {
        let (diagnostics, shown) = said(&id, &text);
        if diagnostics.iter().all(|d| d.id != id) {
            wrong.push(format!(
                "{id}: {:?}",
                diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
            ));
            continue;
        }
        let (family, name) = id.split_once('/').expect("an id");
        insta::with_settings!({ snapshot_path => folder().join(family), prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown);
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_that_are_too_large_are_reported() {
    for (id, text) in generated() {
        let work = move || said(id, &text).0;
        let thread = std::thread::Builder::new()
            .stack_size(1 << 29)
            .spawn(work)
            .expect("a thread");
        let diagnostics = thread.join().expect("an answer");
        let found = diagnostics.iter().find(|d| d.id == id);
        assert!(
            found.is_some_and(|d| !d.message.is_empty()),
            "{id}: {:?}",
            diagnostics.iter().map(|d| d.id).collect::<BTreeSet<_>>()
        );
    }
}
