//! Lowers Dafny programs and counts units, goals and what is not lowered: a tool for developers.
//!
//! `cargo run -p dtest --example lower_corpus -- [--function-syntax N] [--each] [--show NAME] [--reasons] DIR-OR-FILE…`
//!
//! All files are one program; with `--each`, every file and what it includes is one. `--show` prints the
//! blocks of callables whose path contains the name; `--reasons` says where each reason stands first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dtest::ir::print::Printer;
use dtest::ir::{Procedure, Program, Terminator};
use dtest::source::SourceMap;
use dtest::typed::Options;

#[derive(Default)]
struct Totals {
    programs: usize,
    refused: usize,
    units: usize,
    goals: usize,
    blocks: usize,
    functions: usize,
    lambdas: usize,
    open_units: usize,
    reasons: BTreeMap<String, (usize, String)>,
    lowering: Duration,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut each, mut reasons, mut show, mut paths) = (false, false, None, Vec::new());
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--each" => each = true,
            "--reasons" => reasons = true,
            "--show" => show = args.next(),
            "--function-syntax" => options.function_syntax = args.next().and_then(|v| v.parse().ok()).unwrap_or(4),
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let files: Vec<PathBuf> = paths.iter().flat_map(|p| dafny_files(p)).collect();
    let programs: Vec<Vec<PathBuf>> = if each { files.into_iter().map(|f| vec![f]).collect() } else { vec![files] };
    let mut totals = Totals::default();
    for files in &programs {
        lower(files, &options, show.as_deref(), &mut totals);
    }
    let t = &totals;
    println!("{} programs lowered, {} refused before", t.programs, t.refused);
    println!("{} units, {} goals, {} blocks; {} units with something not lowered", t.units, t.goals, t.blocks, t.open_units);
    println!("{} functions as expressions, {} lambdas; {:.3} s in lowering", t.functions, t.lambdas, t.lowering.as_secs_f64());
    for (reason, (count, first)) in &t.reasons {
        println!("  {count:5} {reason}{}", if reasons { format!("  ({first})") } else { String::new() });
    }
}

fn lower(files: &[PathBuf], options: &Options, show: Option<&str>, totals: &mut Totals) {
    let (map, trees, clean) = load(files);
    let (typed, diagnostics) = dtest::resolve::resolve(trees, options.clone());
    if !clean || diagnostics.iter().any(|d| d.is_error()) {
        totals.refused += 1;
        return;
    }
    let typed = Arc::new(typed);
    let started = Instant::now();
    let program = dtest::lower::lower(typed.clone());
    totals.lowering += started.elapsed();
    totals.programs += 1;
    totals.functions += program.functions.len();
    totals.lambdas += program.lambdas.len();
    let named = |s: dtest::source::Span| map.file_at(s.start).is_some_and(|f| f.1.named);
    for unit in dtest::lower::units::units(&typed, named) {
        let Some(procedure) = program.procedures.get(&unit.callable) else {
            println!("{}: a unit without a procedure", unit.path);
            continue;
        };
        totals.units += 1;
        totals.goals += procedure.goals().count();
        totals.blocks += procedure.blocks.len();
        check(&unit.path, procedure);
        let found = unsupported(&program, procedure);
        totals.open_units += usize::from(!found.is_empty());
        for reason in found {
            let entry =
                totals.reasons.entry(reason).or_insert_with(|| (0, format!("{} {}", map.locate(typed[unit.callable].span), unit.path)));
            entry.0 += 1;
        }
        if show.is_some_and(|s| unit.path.contains(s)) {
            println!("{}", Printer::new(&program, Some(&map)).procedure(procedure));
        }
    }
}

/// What must hold of every procedure: jumps stay inside.
fn check(path: &str, p: &Procedure) {
    for b in &p.blocks {
        let inside = b.terminator.successors().iter().all(|s| (s.0 as usize) < p.blocks.len());
        let loops = matches!(b.terminator, Terminator::Branch { then, els, .. } if then == els);
        if !inside || loops {
            println!("{path}: a jump to nowhere, or a branch that decides nothing");
        }
    }
}

/// The reasons for which something in a procedure is not lowered, taken from its printed form so that none is
/// missed.
fn unsupported(program: &Program, p: &Procedure) -> Vec<String> {
    let text = Printer::new(program, None).procedure(p);
    let mut reasons = Vec::new();
    for line in text.lines() {
        if let Some(at) = line.find("unsupported: ") {
            reasons.push(line[at + 13..].to_owned());
        }
        let mut rest = line;
        while let Some(at) = rest.find("unsupported(") {
            rest = &rest[at + 12..];
            let end = rest.find(')').unwrap_or(rest.len());
            reasons.push(rest[..end].to_owned());
        }
    }
    reasons
}

fn dafny_files(path: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(path).sort_by_file_name();
    let files = walk.into_iter().filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    files.filter(|p| p.extension().is_some_and(|e| e == "dfy")).collect()
}

/// The files and what they include, parsed; whether all of it could be read.
fn load(files: &[PathBuf]) -> (SourceMap, Vec<dtest::syntax::ast::File>, bool) {
    let (mut map, mut trees, mut clean) = (SourceMap::new(), Vec::new(), true);
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut queue: Vec<(PathBuf, bool)> = files.iter().map(|f| (f.clone(), true)).collect();
    let mut next = 0;
    while let Some((path, named)) = queue.get(next).cloned() {
        next += 1;
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&real) {
            continue;
        }
        seen.push(real);
        let Ok(text) = std::fs::read_to_string(&path) else {
            clean = false;
            continue;
        };
        let Some(id) = map.add(path.display().to_string(), text.as_str(), named) else { continue };
        let (tree, found) = dtest::syntax::parse(map.file(id).map_or(0, |f| f.base), &text);
        clean &= !found.iter().any(|d| d.is_error());
        let dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
        queue.extend(tree.includes.iter().map(|i| (dir.join(&i.path), false)));
        trees.push(tree);
    }
    (map, trees, clean)
}
