//! `cargo dev lower`: lowers Dafny programs and counts units, goals, and constructs that are not
//! lowered.
//!
//! `cargo dev lower [--function-syntax N] [--each] [--show NAME] [--reasons] DIR-OR-FILE…`
//!
//! All files form one program. With `--each`, every file with its includes is a program. `--show`
//! prints the blocks of callables whose path contains the name. `--reasons` prints the first
//! occurrence of each reason.

use crate::Args;
use crate::support;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dtest::cli::args::DafnyArgs;
use dtest_ir::print::Printer;
use dtest_ir::{Expr, ExprKind, Procedure, Stmt, StmtKind, Terminator};
use dtest_sorted::SortedMap;

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
    reasons: SortedMap<String, (usize, String)>,
    lowering: Duration,
}

pub(crate) fn run(mut args: Args) {
    let (mut each, mut reasons, mut show, mut paths) = (false, false, None, Vec::new());
    let mut settings = DafnyArgs::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--each" => each = true,
            "--reasons" => reasons = true,
            "--show" => show = args.next(),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let jobs = support::all_jobs(&paths, &settings, !each);
    let mut totals = Totals::default();
    for job in &jobs {
        lower(job, show.as_deref(), &mut totals);
    }
    let t = &totals;
    println!(
        "{} programs lowered, {} refused before",
        t.programs, t.refused
    );
    println!(
        "{} units, {} goals, {} blocks; {} units with something not lowered",
        t.units, t.goals, t.blocks, t.open_units
    );
    println!(
        "{} functions as expressions, {} lambdas; {:.3} s in lowering",
        t.functions,
        t.lambdas,
        t.lowering.as_secs_f64()
    );
    for (reason, (count, first)) in &t.reasons {
        println!(
            "  {count:5} {reason}{}",
            if reasons {
                format!("  ({first})")
            } else {
                String::new()
            }
        );
    }
}

fn lower(job: &support::Job, show: Option<&str>, totals: &mut Totals) {
    let support::Program {
        sources: map,
        trees,
        errors,
    } = job.load();
    let (typed, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
    if !errors.is_empty() || diagnostics.iter().any(|d| d.is_error()) {
        totals.refused += 1;
        return;
    }
    let typed = Arc::new(typed);
    let started = Instant::now();
    let program = dtest_lower::lower(typed.clone());
    totals.lowering += started.elapsed();
    totals.programs += 1;
    totals.functions += program.functions.len();
    totals.lambdas += program.lambdas.len();
    let named = |s: dafny_source::Span| map.file_at(s.start).is_some_and(|f| f.1.named);
    for unit in dtest_lower::units::units(&typed, named) {
        let Some(procedure) = program.procedures.get(&unit.callable) else {
            println!("{}: a unit without a procedure", unit.path);
            continue;
        };
        totals.units += 1;
        totals.goals += procedure.goal_blocks().count();
        totals.blocks += procedure.blocks.len();
        check(&unit.path, procedure);
        let found = unsupported(procedure);
        totals.open_units += usize::from(!found.is_empty());
        for reason in found {
            let entry = totals.reasons.entry(reason).or_insert_with(|| {
                (
                    0,
                    format!("{} {}", map.locate(typed[unit.callable].span), unit.path),
                )
            });
            entry.0 += 1;
        }
        if show.is_some_and(|s| unit.path.contains(s)) {
            println!(
                "{}",
                Printer::new(&program, Some(&map)).procedure(procedure)
            );
        }
    }
}

/// Checks an invariant of procedures: the targets of jumps exist.
fn check(path: &str, p: &Procedure) {
    for b in &p.blocks {
        let inside = b
            .terminator
            .successors()
            .iter()
            .all(|s| (s.0 as usize) < p.blocks.len());
        let loops = matches!(b.terminator, Terminator::Branch { then, els, .. } if then == els);
        if !inside || loops {
            println!("{path}: a jump to nowhere, or a branch that decides nothing");
        }
    }
}

/// The reasons why constructs of a procedure are not lowered.
fn unsupported(p: &Procedure) -> Vec<String> {
    let mut reasons = Vec::new();
    for block in &p.blocks {
        let decides = match &block.terminator {
            Terminator::Branch { cond, .. } => Some(cond),
            Terminator::Choose { open, .. } => open.as_ref(),
            Terminator::Goto(_) | Terminator::Return | Terminator::Stop => None,
        };
        let mut work: Vec<&Expr> = block
            .stmts
            .iter()
            .flat_map(Stmt::operands)
            .chain(decides)
            .collect();
        while let Some(e) = work.pop() {
            if let ExprKind::Unsupported(reason) = &e.kind {
                reasons.push(reason.to_string());
            }
            work.extend(e.children());
        }
        reasons.extend(block.stmts.iter().filter_map(|s| {
            let StmtKind::Unsupported { reason } = &s.kind else {
                return None;
            };
            Some(reason.to_string())
        }));
    }
    reasons
}
