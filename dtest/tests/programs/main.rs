//! Small programs with their output: the interpreter and the translation must both print what Dafny
//! prints.
//!
//! A row of a table is a name, a program and its output. A program without `Main` is the body of
//! one. All translations are compiled as one program, which runs once per row.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod assignments;
mod branches;
mod failures;
mod foralls;
mod iterators;
mod loops;
mod proofs;
mod traits;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use dafny_resolve::typed::{Options, Program};
use dafny_source::SourceMap;
use dtest_emit::{Placement, translate};
use dtest_interp::{Interp, Limits, Outcome};
use dtest_sorted::SortedMap;

/// Name, program, output.
pub type Row = (&'static str, &'static str, &'static str);

const TABLES: [&[Row]; 8] = [
    assignments::ROWS,
    branches::ROWS,
    failures::ROWS,
    foralls::ROWS,
    iterators::ROWS,
    loops::ROWS,
    proofs::ROWS,
    traits::ROWS,
];

fn resolved(source: &str) -> Result<(SourceMap, Arc<Program>), String> {
    let whole = if source.contains("method Main") {
        source.to_owned()
    } else {
        format!("method Main() {{ {source} }}")
    };
    let mut map = SourceMap::new();
    map.add("test.dfy", &*whole, true).unwrap();
    let (tree, mut found) = dafny_syntax::parse(0, &whole);
    let (program, more) = dafny_resolve::resolve(vec![tree], Options::default());
    found.extend(more);
    let errors: Vec<_> = found
        .iter()
        .filter(|d| d.is_error())
        .map(|d| (&d.message, d.span.map(|s| map.locate(s))))
        .collect();
    if errors.is_empty() {
        Ok((map, Arc::new(program)))
    } else {
        Err(format!("{errors:?}"))
    }
}

fn interpreted(map: &SourceMap, program: Arc<Program>) -> String {
    let ir = dtest_lower::lower(program);
    let mut printed = String::new();
    // Compiled programs do not check preconditions of calls.
    let limits = Limits {
        check_calls: false,
        ..Limits::default()
    };
    let result = Interp::new(&ir, limits).run_main(&[], &mut |text| printed.push_str(text));
    match result.outcome {
        Outcome::Returned(_) => {}
        Outcome::Halted { span, message } => {
            printed += &format!(
                "[Program halted] {}: {message}\n",
                map.locate_as_dafny(span)
            )
        }
        other => printed += &format!("{other:?}"),
    }
    printed
}

/// Creates one crate of all programs; its only argument is the name of a row.
fn translated(rows: &[(&Row, SourceMap, Arc<Program>)]) -> SortedMap<&'static str, String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    let (mut results, mut files) = (SortedMap::new(), Vec::new());
    let (mut modules, mut arms) = (String::new(), String::new());
    for (i, ((name, ..), map, program)) in rows.iter().enumerate() {
        let placement = Placement::single(
            format!("src/p{i}.rs"),
            format!("crate::p{i}"),
            "// Written by a test.",
        );
        let translation = translate(program, map, &placement);
        match &translation.main {
            Some(entry) => {
                files.extend(translation.files);
                modules += &format!("mod p{i};\n");
                let prelude = if entry.needs_prelude {
                    "use dunit::prelude::*; "
                } else {
                    ""
                };
                arms += &format!(
                    "{name:?} => run_main(|| {{ {prelude}use crate::p{i} as subject; {}; }}),\n",
                    entry.call
                );
            }
            None => {
                results.insert(
                    *name,
                    format!("not translated: {:?}", translation.unsupported),
                );
            }
        }
    }
    let main = format!(
        "use dunit::harness::run_main;\n{modules}\nfn main() -> std::process::ExitCode {{\n\
         match std::env::args().nth(1).unwrap_or_default().as_str() {{\n{arms}_ => std::process::ExitCode::FAILURE,\n}}\n}}\n"
    );
    files.push(("src/main.rs".into(), main));
    let _ = std::fs::remove_dir_all(directory.join("src"));
    write(&directory, &files);
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .env("RUSTFLAGS", "-Awarnings")
        .current_dir(&directory)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    for (name, ..) in rows.iter().map(|(row, ..)| row) {
        if !results.contains_key(name) {
            let output = Command::new(directory.join("target/debug/programs"))
                .arg(name)
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            results.insert(*name, text);
        }
    }
    results
}

fn write(directory: &Path, files: &[(String, String)]) {
    let workspace: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = format!(
        "[package]\nname = \"programs\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\ndunit = {{ path = {:?} }}\n\n[workspace]\n",
        workspace.join("dunit")
    );
    for (path, text) in files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .chain([("Cargo.toml", manifest.as_str())])
    {
        let path = directory.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::copy(workspace.join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
}

#[test]
fn interpreter_and_translation_print_the_same_as_dafny() {
    let rows: Vec<&Row> = TABLES.iter().flat_map(|t| t.iter()).collect();
    let (mut wrong, mut programs) = (String::new(), Vec::new());
    for row in &rows {
        match resolved(row.1) {
            Ok((map, program)) => programs.push((*row, map, program)),
            Err(errors) => wrong += &format!("{} does not resolve: {errors}\n", row.0),
        }
    }
    let mut compare = |name: &str, who: &str, printed: &str, expected: &str| {
        if printed != expected {
            wrong += &format!("{name}: the {who} prints {printed:?}, not {expected:?}\n");
        }
    };
    for ((name, _, expected), map, program) in &programs {
        compare(
            name,
            "interpreter",
            &interpreted(map, program.clone()),
            expected,
        );
    }
    let printed = translated(&programs);
    assert_eq!(printed.len(), programs.len(), "two rows have the same name");
    for ((name, _, expected), ..) in &programs {
        compare(
            name,
            "translation",
            printed.get(name).map_or("", |s| s),
            expected,
        );
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
