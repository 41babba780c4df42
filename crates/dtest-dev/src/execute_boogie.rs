//! `cargo dev execute-boogie [--modular] FILE [ENTRY [TRIED [SHOWN]]]`: executes a Boogie procedure
//! and prints the executions with their times.

use crate::Args;
use std::time::Instant;

use boogie_resolve::typed::ProcedureId;
use dafny_source::SourceMap;
use dtest_boogie::{Ending, Limits, Modular, Options};

pub(crate) fn run(args: Args) {
    let mut arguments: Vec<String> = args.collect();
    let is_modular = arguments
        .iter()
        .position(|a| a == "--modular")
        .map(|i| arguments.remove(i))
        .is_some();
    let [file, rest @ ..] = arguments.as_slice() else {
        return;
    };
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let number =
        |i: usize, default: usize| rest.get(i).and_then(|n| n.parse().ok()).unwrap_or(default);
    let (tried, shown) = (number(1, 20), number(2, 20));
    let mut sources = SourceMap::new();
    let _ = sources.add(file.clone(), text.as_str(), true);
    let (program, diagnostics) = boogie_syntax::parse(0, &text);
    diagnostics
        .iter()
        .for_each(|d| println!("{:?} {}", d.span.map(|s| sources.locate(s)), d.message));
    let program = match boogie_resolve::resolve(&program) {
        Ok(program) => program,
        Err(found) => {
            return found
                .iter()
                .for_each(|d| println!("{:?} {}", d.span.map(|s| sources.locate(s)), d.message));
        }
    };
    let entry = rest.first().map_or("Main", String::as_str);
    let Some(entry) = program.procedure_named(entry) else {
        return println!("no procedure `{entry}`");
    };
    let start = Instant::now();
    // In modular mode, all calls are by contract and all loops by invariant.
    let mut modular = Modular::default();
    if is_modular {
        modular.by_contract = (0..program.procedures.len())
            .map(|i| ProcedureId(i as u32))
            .collect();
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
    let options = Options {
        limits: Limits {
            tried,
            ..Limits::default()
        },
        minimize: true,
        modular,
        ..Options::default()
    };
    let mut n = 0;
    let explored = dtest_boogie::explore(
        &program,
        entry,
        &options,
        |_| true,
        |e| {
            n += 1;
            let ending = if let Ending::Failed(f) = &e.ending {
                format!("{} {} broken", f.kind.text(), sources.locate(f.clause))
            } else if let Ending::Infeasible(s) = &e.ending {
                format!("infeasible at {}", sources.locate(*s))
            } else {
                format!("{:?}", e.ending)
            };
            if n <= shown {
                println!(
                    "{:.2}s {ending} after {} steps",
                    start.elapsed().as_secs_f64(),
                    e.steps
                );
                println!(
                    "   {:?} => {:?} {:?} {:?}",
                    e.inputs,
                    e.outputs,
                    e.calls.iter().map(|c| &c.0).collect::<Vec<_>>(),
                    e.printed
                );
            }
            true
        },
    );
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} tried, complete: {}, {} points, {seconds:.2}s",
        explored.tried, explored.is_complete, explored.effort
    );
}
