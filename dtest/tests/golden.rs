//! Golden files of the emitter: for each program of `tests/golden/`, its translation and its suite.
//!
//! `NAME.dfy` is a program of a few lines that shows one construct of the language or one kind of
//! test. `NAME.rs` has its translation, and `NAME.suite.rs` the files of its suite, one after the
//! other, both without the preamble that all generated files share. A change of the emitter is
//! reviewed as a diff of these files, which
//!
//! ```sh
//! DTEST_GOLDEN_WRITE=1 cargo test -p dtest --test golden
//! ```
//!
//! writes. Suites are generated with the options of [`DEFAULTS`], unless the first line of the
//! program has others: `// gen --strength mutants`.
//!
//! A second test compiles all programs as one crate, and runs their tests.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of programs whose first line has none. Tests that only kill mutants are left out: they change
/// whenever the search is improved.
const DEFAULTS: &str = "--strength coverage";

/// The first line of a program that has options of its own begins with this.
const OPTIONS: &str = "// gen ";

/// The variable that makes [`translations_and_suites_are_as_reviewed`] write the files.
const WRITE: &str = "DTEST_GOLDEN_WRITE";

/// The generated files of one program, by their paths in its package.
type Generated = BTreeMap<String, String>;

#[test]
fn translations_and_suites_are_as_reviewed() {
    let directory = goldens();
    let mut expected = BTreeMap::new();
    for (name, files) in generate(&directory) {
        expected.insert(format!("{name}.rs"), translation(&name, &files));
        expected.insert(format!("{name}.suite.rs"), suite(&files));
    }
    let found: BTreeSet<String> = names(&directory)
        .into_iter()
        .filter(|f| f.ends_with(".rs"))
        .collect();
    let orphans: Vec<&String> = found
        .iter()
        .filter(|f| !expected.contains_key(*f))
        .collect();
    if std::env::var_os(WRITE).is_some() {
        for (file, text) in &expected {
            std::fs::write(directory.join(file), text).unwrap();
        }
        for file in orphans {
            std::fs::remove_file(directory.join(file)).unwrap();
        }
        return;
    }
    let mut differences = String::new();
    for (file, new) in &expected {
        // A file that is missing differs in every line.
        let old = std::fs::read_to_string(directory.join(file)).unwrap_or_default();
        if old != *new {
            let patch = diffy::create_patch(&old, new);
            writeln!(differences, "{file}\n{patch}").unwrap();
        }
    }
    for file in orphans {
        writeln!(differences, "{file} belongs to no program").unwrap();
    }
    assert!(
        differences.is_empty(),
        "{differences}\nTo write the files anew: {WRITE}=1 cargo test -p dtest --test golden"
    );
}

#[test]
fn all_programs_compile_as_one_crate_and_their_tests_pass() {
    let programs = generate(&goldens());
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    for folder in ["src", "tests"] {
        let _ = std::fs::remove_dir_all(root.join(folder));
    }
    let mut library = String::new();
    let mut main = String::new();
    let mut tests = 0;
    for (name, files) in &programs {
        writeln!(library, "pub mod {name};").unwrap();
        writeln!(main, "mod {name};").unwrap();
        for (path, text) in files {
            tests += text.matches("#[dunit(").count();
            match path.strip_prefix("tests/dtest/") {
                // The modules of the suite are below a module that is named after the program.
                Some("main.rs") => {
                    let modules = text.split_once(" as subject;\n").unwrap().1;
                    write(&root.join("tests/dtest").join(name).join("mod.rs"), modules);
                }
                Some(file) => write(
                    &root.join("tests/dtest").join(name).join(file),
                    &text.replace("crate::spec", &format!("crate::{name}::spec")),
                ),
                None if path == "src/lib.rs" => {}
                None => write(&root.join(path), text),
            }
        }
    }
    // The suites share a preamble. That of the first program is the crate's.
    let first = &programs.values().next().unwrap()["tests/dtest/main.rs"];
    let preamble = first.split_once("\nuse ").unwrap().0;
    write(&root.join("src/lib.rs"), &library);
    write(
        &root.join("tests/dtest/main.rs"),
        &format!("{preamble}\nuse golden as subject;\n\n{main}"),
    );
    let runtime = |name: &str| format!("{name} = {{ path = {:?} }}\n", repository().join(name));
    write(
        &root.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"golden\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}{}",
            runtime("dunit"),
            runtime("dmock")
        ),
    );
    std::fs::copy(repository().join("Cargo.lock"), root.join("Cargo.lock")).unwrap();

    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "--test", "dtest"])
        .env("CARGO_TARGET_DIR", root.join("target"))
        .current_dir(&root)
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("warning: "), "{text}");
    assert!(
        text.contains(&format!("ok. {tests} passed")),
        "expected {tests} tests\n{text}"
    );
}

/// Generates the packages of all programs, by their names. Programs with the same options are
/// generated by one run of the tool.
fn generate(directory: &Path) -> BTreeMap<String, Generated> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in names(directory) {
        if let Some(name) = file.strip_suffix(".dfy") {
            let text = std::fs::read_to_string(directory.join(&file)).unwrap();
            let options = text.lines().next().and_then(|l| l.strip_prefix(OPTIONS));
            let group = groups.entry(options.unwrap_or(DEFAULTS).to_owned());
            group.or_default().push(name.to_owned());
        }
    }
    let mut programs = BTreeMap::new();
    for (options, group) in groups {
        let package = tempfile::tempdir().unwrap();
        for name in &group {
            let file = format!("{name}.dfy");
            let text = std::fs::read_to_string(directory.join(&file)).unwrap();
            write(&package.path().join("src").join(file), &text);
        }
        let output = tool()
            .args(["dtest", "gen", "--quiet", "--no-cache", "--each"])
            .args(["--out", "made"])
            .args(options.split(' '))
            .args(group.iter().map(|name| format!("src/{name}.dfy")))
            .current_dir(package.path())
            .env("DTEST_RUNTIME", repository().join("dunit"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "gen {options}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        for name in group {
            let files = rust_files(&package.path().join("made").join(&name));
            programs.insert(name, files);
        }
    }
    programs
}

/// Returns a command for the binary, isolated from the user's environment.
fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dtest"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("DTEST_") {
            command.env_remove(name);
        }
    }
    command
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_TERM_COLOR");
    command
}

/// Returns the Rust files of a package, by their paths.
fn rust_files(package: &Path) -> Generated {
    let walk = walkdir::WalkDir::new(package).into_iter().flatten();
    walk.filter(|e| e.path().extension().is_some_and(|e| e == "rs"))
        .map(|e| {
            let path = e.path().strip_prefix(package).unwrap();
            (
                path.to_string_lossy().replace('\\', "/"),
                std::fs::read_to_string(e.path()).unwrap(),
            )
        })
        .collect()
}

/// Returns the translation of a program as its golden file has it.
fn translation(name: &str, files: &Generated) -> String {
    without_preamble(&files[&format!("src/{name}.rs")]).to_owned()
}

/// Returns the suite of a program as its golden file has it: the files under headings.
fn suite(files: &Generated) -> String {
    let tests = files
        .iter()
        .filter(|(path, _)| path.starts_with("tests/") && !path.ends_with("/main.rs"));
    let texts: Vec<String> = tests
        .map(|(path, text)| format!("// {path}\n\n{}", without_preamble(text)))
        .collect();
    texts.join("\n")
}

/// Returns a generated file without the lines at its beginning that depend on versions and hashes,
/// and without the list of lints, which is the same in every file.
fn without_preamble(text: &str) -> &str {
    let is_preamble =
        |line: &str| line == "\n" || line.starts_with("// ") || line.starts_with("#![");
    let length: usize = text
        .split_inclusive('\n')
        .take_while(|l| is_preamble(l))
        .map(str::len)
        .sum();
    &text[length..]
}

/// Returns the names of the files in a directory, in order.
fn names(directory: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn goldens() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
