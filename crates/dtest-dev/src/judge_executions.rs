//! `cargo dev judge-executions [--show KIND] [--filter TEXT] DIR`: compares executions of Boogie
//! programs with Boogie's own tests.
//!
//! An assertion, postcondition, precondition or invariant that Boogie reports as failing has to be
//! violated by an execution, either with bodies or modularly, by contracts and invariants. If
//! Boogie reports nothing, no execution may violate an obligation. KIND is `missed`, `false` or
//! `all`.

use crate::Args;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boogie_resolve::typed::{ProcedureId, Program};
use dafny_source::{SourceMap, Span};
use dtest_boogie::{Ending, Limits, Modular, Options, Pool, Proofs, Standing, Verdicts};
use dtest_sorted::{SortedMap, SortedSet};

/// Options of Boogie runs without verification, or that verify a changed program.
const OTHER: [&str; 14] = [
    "noVerify",
    "contractInfer",
    "infer:j",
    "inline:spec",
    "printInlined",
    "lib:",
    "loopUnroll",
    "stratifiedInline",
    "extractLoops",
    "PROVER_PATH",
    "inferModifies",
    "soundLoopUnrolling",
    "printInstrumented",
    "smoke",
];

/// An error that Boogie reports.
#[derive(Clone, Debug)]
struct Reported {
    line: u32,
    /// The positions of the violated obligation, if different.
    related: Vec<u32>,
    text: String,
}

#[derive(Default)]
struct Table {
    skipped: usize,
    refused: usize,
    programs: usize,
    errors: usize,
    shown: usize,
    procedures: usize,
    wrong: usize,
    reasons: SortedMap<String, usize>,
}

pub(crate) fn run(args: Args) {
    let mut arguments: Vec<String> = args.collect();
    let mut option = |name: &str| {
        arguments
            .iter()
            .position(|a| a == name)
            .map(|i| arguments.drain(i..i + 2).nth(1).unwrap_or_default())
    };
    let (show, filter) = (option("--show").unwrap_or_default(), option("--filter"));
    let mut files = Vec::new();
    arguments
        .iter()
        .for_each(|a| collect(Path::new(a), &mut files));
    files.sort();
    files.retain(|f| {
        filter
            .as_ref()
            .is_none_or(|t| f.display().to_string().contains(t.as_str()))
    });
    let mut table = Table::default();
    for file in &files {
        compare(file, &show, &mut table);
    }
    println!(
        "{} programs: {} judged, {} not run for proofs, {} not read",
        files.len(),
        table.programs,
        table.skipped,
        table.refused
    );
    println!(
        "{} errors reported, {} shown by an execution ({} %)",
        table.errors,
        table.shown,
        table.shown * 100 / table.errors.max(1)
    );
    println!(
        "{} procedures verified, {} obligations of them broken",
        table.procedures, table.wrong
    );
    table
        .reasons
        .iter()
        .for_each(|(why, n)| println!("{n:5} missed: {why}"));
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_file() && path.extension().is_some_and(|x| x == "bpl") {
        out.push(path.to_owned());
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), out);
    }
}

/// The errors that Boogie reports for a file. `None` if its output has another form.
fn expected(file: &Path, text: &str) -> Option<Vec<Reported>> {
    let clean = text.contains("diff NoErrors.expect");
    let at = if clean {
        file.with_file_name("NoErrors.expect")
    } else {
        PathBuf::from(format!("{}.expect", file.display()))
    };
    let expect = std::fs::read_to_string(at).ok()?;
    // Reports with custom messages have no positions.
    if !expect.contains(" verified, ") || text.contains("{:msg ") {
        return None;
    }
    let line_of = |l: &str| l.split_once('(')?.1.split_once(',')?.0.parse::<u32>().ok();
    let mut out: Vec<Reported> = Vec::new();
    for l in expect.lines() {
        if l.contains(": Error: ") || l.contains(": Error BP") {
            let text = l
                .split_once(": Error")
                .map_or("", |x| x.1)
                .trim_start_matches(": ");
            out.push(Reported {
                line: line_of(l)?,
                related: Vec::new(),
                text: text.to_owned(),
            });
        } else if l.contains("Related location")
            && let Some(last) = out.last_mut()
        {
            last.related.extend(line_of(l));
        }
    }
    Some(out)
}

fn compare(file: &Path, show: &str, table: &mut Table) {
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
    let runs: String = text.lines().filter(|l| l.contains("RUN:")).collect();
    let is_other = file.components().any(|c| c.as_os_str() == "civl")
        || OTHER.iter().any(|o| runs.contains(o));
    let Some(reported) = expected(file, &text).filter(|_| !is_other) else {
        table.skipped += 1;
        return;
    };
    let mut sources = SourceMap::new();
    let _ = sources.add("f.bpl", text.as_str(), true);
    let (parsed, diagnostics) = boogie_syntax::parse(0, &text);
    let Some(program) = boogie_resolve::resolve(&parsed)
        .ok()
        .filter(|_| diagnostics.is_empty())
    else {
        table.refused += 1;
        return;
    };
    table.programs += 1;
    let start = Instant::now();
    let line = |s: Span| sources.line_column(s.start).map_or(0, |l| l.line);
    // The starts of declarations, to map an error to its declaration.
    let begins: SortedSet<u32> = program
        .procedures
        .iter()
        .flat_map(|p| {
            p.implementations
                .iter()
                .map(|i| line(i.span))
                .chain([line(p.span)])
        })
        .collect();
    let owner = |l: u32| begins.range(..=l).next_back().copied().unwrap_or(0);
    let inlined = inlined(&program, &parsed);
    let bodies = program
        .procedures
        .iter()
        .filter(|p| !p.implementations.is_empty())
        .count();
    let pool = || Pool::new(12_000_000, Some(Duration::from_secs(10)), bodies);
    let mut pools = (pool(), pool());
    let mut proofs = Proofs::new(&program);
    let mut broken: SortedSet<u32> = SortedSet::new();
    let mut open: SortedMap<u32, String> = SortedMap::new();
    for (i, p) in program
        .procedures
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.implementations.is_empty())
    {
        let id = ProcedureId(i as u32);
        let owners: SortedSet<u32> = p
            .implementations
            .iter()
            .map(|b| line(b.span))
            .chain([line(p.span)])
            .collect();
        // Boogie reports nothing for a procedure that verifies, so that a violation in it is wrong.
        let is_verified = !reported.iter().any(|r| owners.contains(&owner(r.line)));
        table.procedures += usize::from(is_verified);
        // With bodies of callees, and by their contracts only.
        for modular in [true, false] {
            let pool = if modular { &mut pools.0 } else { &mut pools.1 };
            for (clause, at, kind) in violations(
                &program,
                id,
                modular.then_some(inlined.as_slice()),
                pool,
                &mut proofs,
                &mut open,
                &line,
            ) {
                broken.extend([clause, at]);
                let is_reported = reported
                    .iter()
                    .any(|r| r.line == clause || r.line == at || r.related.contains(&clause));
                if is_verified && !is_reported {
                    table.wrong += 1;
                    if show == "false" || show == "all" {
                        println!(
                            "FALSE {} {} line {clause} ({kind}, modular: {modular}) in {}",
                            file.display(),
                            at,
                            p.name
                        );
                    }
                }
            }
        }
    }
    // Each reported error has to be violated by some execution.
    for r in &reported {
        table.errors += 1;
        if broken.contains(&r.line) || r.related.iter().any(|l| broken.contains(l)) {
            table.shown += 1;
            continue;
        }
        let why = [r.line]
            .iter()
            .chain(&r.related)
            .find_map(|l| open.get(l))
            .cloned()
            .unwrap_or_else(|| "not looked at".into());
        if show == "missed" || show == "all" {
            println!(
                "MISSED {} line {} {}: {why}",
                file.display(),
                r.line,
                r.text
            );
        }
        *table.reasons.entry(why).or_default() += 1;
    }
    if start.elapsed() > Duration::from_secs(20) {
        println!(
            "SLOW {} {:.0}s",
            file.display(),
            start.elapsed().as_secs_f64()
        );
    }
}

/// The procedures that Boogie inlines.
fn inlined(program: &Program, parsed: &boogie_syntax::ast::Program) -> Vec<ProcedureId> {
    use boogie_syntax::ast::Decl;
    let mut out = Vec::new();
    for d in &parsed.decls {
        if let Decl::Procedure(p) | Decl::Implementation(p) = d
            && p.attributes.iter().any(|a| &*a.name.name == "inline")
        {
            out.extend(program.procedure_named(&p.name.name));
        }
    }
    out
}

/// The violations that executions find: the lines of the obligation and of the violation. Verdicts
/// on other obligations are added to `open`.
fn violations(
    program: &Program,
    id: ProcedureId,
    inlined: Option<&[ProcedureId]>,
    pool: &mut Pool,
    proofs: &mut Proofs<'_>,
    open: &mut SortedMap<u32, String>,
    line: &impl Fn(Span) -> u32,
) -> Vec<(u32, u32, &'static str)> {
    // In modular mode, all calls are by contract, except those of inlined procedures.
    let mut modular = Modular::default();
    let is_modular = inlined.is_some();
    if let Some(inlined) = inlined {
        let all = (0..program.procedures.len()).map(|i| ProcedureId(i as u32));
        modular.by_contract = all.filter(|p| !inlined.contains(p)).collect();
        let blocks = program
            .procedures
            .iter()
            .flat_map(|p| &p.implementations)
            .flat_map(|b| &b.blocks);
        modular.by_invariant = blocks
            .filter_map(|b| b.head.as_ref())
            .map(|h| h.span)
            .collect();
    }
    let limits = Limits {
        tried: 64,
        solutions: 1,
        rounds: 20,
        ..Limits::default()
    };
    let options = pool.next(&Options {
        limits,
        modular,
        timeout: Some(Duration::from_secs(5)),
        ..Options::default()
    });
    let found: Verdicts = dtest_boogie::verdicts(program, id, &options, proofs);
    pool.take(&found.explored);
    let mut out = Vec::new();
    for ((kind, span), standing) in &found.obligations {
        match standing {
            Some(Standing::Violated(e)) => {
                if let Ending::Failed(f) = &e.ending {
                    out.push((line(f.clause), line(f.at), kind.text()));
                }
            }
            Some(Standing::Proved) => _ = open.insert(line(*span), "PROVED".into()),
            Some(Standing::Holds) => _ = open.entry(line(*span)).or_insert_with(|| "holds".into()),
            Some(Standing::Kept(_)) => _ = open.insert(line(*span), "kept".into()),
            Some(Standing::NotDecided(stop)) => {
                let why = match stop {
                    dtest_boogie::Stop::Unsupported(what, _) => format!("unsupported: {what}"),
                    dtest_boogie::Stop::Limit(which) => format!("limit: {which}"),
                    dtest_boogie::Stop::Undecided(s) => {
                        format!(
                            "quantified fact{}",
                            if is_modular {
                                format!(" in line {}", line(*s))
                            } else {
                                String::new()
                            }
                        )
                    }
                };
                open.insert(line(*span), why);
            }
            None => {}
        }
    }
    out
}
