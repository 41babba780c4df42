//! Generated tests kill mutants of the translation: for each fixture, one statement of the
//! translation is replaced, and the suite, which passed before, must fail.
//!
//! All packages are members of one workspace, each fixture in its original form and as a mutant, so
//! that the run-time library is compiled once and the rest in parallel.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use dtest_sorted::SortedMap;

/// A fixture, a text that occurs once in its translation, the replacement, and parts of the failing
/// test's message.
const MUTATIONS: &[(&str, &str, &str, &[&str])] = &[
    (
        "aliasing",
        "b.content.set(b.content.get() + 1)",
        "b.content.set(b.content.get() + 2)",
        &[],
    ),
    ("arrays", "border += 1;", "border += 2;", &[]),
    (
        "bank",
        "this.accounts.get().update(number.clone(), account.clone())",
        "this.accounts.get()",
        &[],
    ),
    (
        "bounded-queue",
        "at -= this.data.get().len();",
        "at -= 1;",
        &[],
    ),
    (
        "keyring",
        "this.uses.set(this.uses.get() + 1);",
        "this.uses.set(this.uses.get() + 2);",
        &["Use by Dafny's semantics"],
    ),
    // The answer of a synthesized object.
    (
        "keyring",
        "move |_key, factor| &strength - factor",
        "move |_key, factor| &strength + factor",
        &["AnOddKeyOpensForBob"],
    ),
    (
        "linked-list",
        "(node.next.get(), &i + 1)",
        "(node.clone(), &i + 1)",
        &[],
    ),
    ("matrix", "m.length(0) == 3", "m.length(0) == 1", &[]),
    // The wrong field is assigned.
    (
        "ownership",
        "this.top.set(this.top.get().next.get());",
        "this.top.get().next.set(Ref::null());",
        &[
            "Pop by Dafny's semantics",
            "got: Ownership.Node#2    from this.top.get()",
            "want: null",
        ],
    ),
    // An object outside of the frame is changed.
    (
        "ownership",
        "target.total.set(this.total.get());",
        "target.total.set(this.total.get()); this.repr.set(this.repr.get() + set![upcast::<dyn Dynamic, _>(target)]);",
        &[
            "modifies target, target.counts",
            "this.Repr is modified, but is not in the frame",
        ],
    ),
    // The ghost state does not follow.
    (
        "ownership",
        "this.repr.set(this.repr.get() + &owned);",
        "",
        &["Push by Dafny's semantics", "from this.repr.get()"],
    ),
    ("sensors", "return int(0);", "return int(2);", &[]),
    (
        "visitor",
        "!folder.locked.get()",
        "folder.locked.get()",
        &[],
    ),
];

#[test]
fn a_wrong_statement_in_the_translation_of_a_fixture_fails_its_suite() {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    let mut members = Vec::new();
    for (number, (fixture, right, wrong, _)) in MUTATIONS.iter().enumerate() {
        generate(&workspace, fixture);
        let text = std::fs::read_to_string(workspace.join(fixture).join("src/lib.rs")).unwrap();
        assert_eq!(
            text.matches(right).count(),
            1,
            "{fixture}: `{right}`\n{text}"
        );
        let mutant = mutant(fixture, number);
        copy(&workspace.join(fixture), &workspace.join(&mutant));
        write(
            &workspace.join(&mutant).join("src/lib.rs"),
            &text.replace(right, wrong),
        );
        for name in [fixture.to_string(), mutant] {
            write(
                &workspace.join(&name).join("Cargo.toml"),
                &manifest(fixture, &name),
            );
            if !members.contains(&name) {
                members.push(name);
            }
        }
    }
    write(
        &workspace.join("Cargo.toml"),
        &format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"),
    );
    std::fs::copy(root().join("Cargo.lock"), workspace.join("Cargo.lock")).unwrap();
    let suites = build(&workspace);
    for (number, (fixture, right, wrong, says)) in MUTATIONS.iter().enumerate() {
        let (passes, text) = run(&suites[*fixture]);
        assert!(
            passes,
            "{fixture}: a test of the right program fails\n{text}"
        );
        let (passes, text) = run(&suites[&mutant(fixture, number)]);
        assert!(
            !passes && text.contains("test result: FAILED"),
            "{fixture}: no test notices `{wrong}` for `{right}`\n{text}"
        );
        for part in *says {
            assert!(
                text.contains(part),
                "{fixture}: without `{part}` for `{wrong}`\n{text}"
            );
        }
    }
}

fn mutant(fixture: &str, number: usize) -> String {
    format!("{fixture}-mutant{number}")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Generates the translation and the suite of a fixture.
fn generate(workspace: &Path, fixture: &str) {
    let directory = workspace.join(fixture);
    let _ = std::fs::remove_dir_all(&directory);
    copy(&root().join("fixtures").join(fixture), &directory);
    write(
        &directory.join("Cargo.toml"),
        &(manifest(fixture, fixture) + "\n[workspace]\n"),
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dtest"));
    let output = command
        .args(["dtest", "gen", "--quiet"])
        .current_dir(&directory)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{fixture}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns the manifest of a package whose library has the name of the fixture's.
fn manifest(fixture: &str, name: &str) -> String {
    let library = format!("fixture_{}", fixture.replace('-', "_"));
    let runtime = |crate_name: &str| {
        format!(
            "{crate_name} = {{ path = {:?} }}\n",
            root().join(crate_name)
        )
    };
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\nname = \"{library}\"\n\n[dependencies]\n{}{}",
        runtime("dunit"),
        runtime("dmock")
    )
}

/// Compiles all suites. Returns the executables by package.
fn build(workspace: &Path) -> SortedMap<String, PathBuf> {
    let output = Command::new(env!("CARGO"))
        .args([
            "test",
            "--offline",
            "--quiet",
            "--workspace",
            "--tests",
            "--no-run",
            "--message-format=json",
        ])
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        .current_dir(workspace)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut suites = SortedMap::new();
    for line in text.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let (Some(program), Some(manifest)) = (
            message["executable"].as_str(),
            message["manifest_path"].as_str(),
        ) else {
            continue;
        };
        if message["target"]["kind"][0] == "test" {
            let package = Path::new(manifest).parent().unwrap().file_name().unwrap();
            suites.insert(
                package.to_string_lossy().into_owned(),
                PathBuf::from(program),
            );
        }
    }
    suites
}

/// Runs a suite. Returns whether it passes, and its output. (Every test has a time limit of its
/// own.)
fn run(suite: &Path) -> (bool, String) {
    let output = Command::new(suite).output().unwrap();
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

/// Copies a directory without its `target`.
fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.ends_with("target") {
            continue;
        }
        if path.is_dir() {
            copy(&path, &target);
        } else {
            write(&target, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Writes a file unless it has that text already, so that Cargo does not rebuild it.
fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
