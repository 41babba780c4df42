//! `cargo dev judge-boogie [--show] DIR`: compares the Boogie parser and resolver with Boogie's own
//! tests.
//!
//! A file whose `.expect` ends in errors of syntax, names or types has to be rejected at the line
//! of the first error. Any other file has to be accepted. Programs of the concurrent extension are
//! counted separately, as are programs that need Boogie's library (`-lib:`) or inferred `modifies`
//! clauses, and files that are no tests.

use crate::Args;
use std::path::{Path, PathBuf};

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{SourceMap, Span};

#[derive(Default)]
struct Table {
    right: usize,
    wrong: usize,
    line: usize,
    concurrent: usize,
    library: usize,
    other: usize,
}

pub(crate) fn run(args: Args) {
    let mut arguments: Vec<String> = args.collect();
    let show = arguments
        .iter()
        .position(|a| a == "--show")
        .map(|i| arguments.remove(i))
        .is_some();
    let mut files = Vec::new();
    arguments
        .iter()
        .for_each(|a| collect(Path::new(a), &mut files));
    files.sort();
    let mut table = Table::default();
    for file in &files {
        compare(file, show, &mut table);
    }
    let judged = table.right + table.wrong + table.line;
    let Table {
        concurrent,
        library,
        other,
        ..
    } = table;
    println!(
        "{} programs: {concurrent} of the concurrent extension, {library} that need the library, {other} that are no tests or infer clauses",
        files.len()
    );
    println!(
        "{judged} judged: {} as expected, {} with another first line, {} with the other verdict",
        table.right, table.line, table.wrong
    );
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_file() && path.extension().is_some_and(|x| x == "bpl") {
        out.push(path.to_owned());
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), out);
    }
}

/// The first line of the expected errors, if the test expects a rejection.
fn expected(file: &Path) -> Option<u32> {
    let expect = [".expect", ".p.expect"]
        .iter()
        .find_map(|s| std::fs::read_to_string(format!("{}{s}", file.display())).ok())?;

    let kinds = [
        "parse error",
        "name resolution error",
        "type checking error",
    ];
    if !expect.lines().any(|l| {
        kinds
            .iter()
            .any(|k| l.contains(k) && l.contains("detected in"))
    }) {
        return None;
    }
    let lines = expect
        .lines()
        .filter_map(|l| l.split_once('(')?.1.split_once(',')?.0.parse().ok());
    Some(lines.min().unwrap_or(0))
}

fn errors(text: &str) -> (Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::new();
    let _ = sources.add("f.bpl", text, true);
    let (program, diagnostics) = boogie_syntax::parse(0, text);
    let found = if diagnostics.is_empty() {
        boogie_resolve::resolve(&program).err().unwrap_or_default()
    } else {
        diagnostics
    };
    (found, sources)
}

fn compare(file: &Path, show: bool, table: &mut Table) {
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
    let (found, sources) = errors(&text);
    let civl = file.components().any(|c| c.as_os_str() == "civl");
    if civl || found.iter().any(|d| d.id == "boogie/concurrent") {
        table.concurrent += 1;
        return;
    }
    if text
        .lines()
        .any(|l| l.contains("RUN:") && l.contains("lib:"))
    {
        table.library += 1;
        return;
    }
    let is_test = text.contains("RUN:") || !file.components().any(|c| c.as_os_str() == "boogie");
    if !is_test || text.contains("inferModifies") {
        table.other += 1;
        return;
    }
    let line = |span: Option<Span>| {
        span.and_then(|s| sources.line_column(s.start))
            .map_or(0, |l| l.line)
    };
    let first = found.iter().map(|d| line(d.span)).min();
    let wanted = expected(file);
    let said = || {
        found
            .first()
            .map_or_else(String::new, |d| format!("{}: {}", line(d.span), d.message))
    };
    match (wanted, first) {
        (None, None) => table.right += 1,
        (Some(w), Some(f)) if w == f => table.right += 1,
        (Some(w), Some(_)) => {
            table.line += 1;
            if show {
                println!("LINE   {} expected {w}, found {}", file.display(), said());
            }
        }
        (None, Some(_)) => {
            table.wrong += 1;
            if show {
                println!("REFUSE {} {}", file.display(), said());
            }
        }
        (Some(w), None) => {
            table.wrong += 1;
            if show {
                println!("ACCEPT {} expected an error in line {w}", file.display());
            }
        }
    }
}
