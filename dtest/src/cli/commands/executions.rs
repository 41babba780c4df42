//! `check --executions` and `check --halts`: the executions that a search explores, in order, and
//! whether an `expect` can halt.

use super::super::Environment;
use super::super::args::{CheckArgs, CheckFailOn, MessageFormat, StrategyArg};
use super::super::error::CommandResult;
use super::effort::Work;
use crate::exit_code::ExitCode;
use crate::pipeline;
use crate::report::explore::{HaltCounts, HaltReport};
use dtest_search::check::{Explore, Strategy};

/// Explores the selected units and prints their executions.
pub(super) fn run(args: &CheckArgs, work: &Work, env: &Environment) -> CommandResult {
    let Work {
        programs,
        code,
        filter,
        included,
        effort,
    } = work;
    let how = explored(args);
    let (mut executed, mut violated, mut counted) = (0, 0, 0);
    // Each unit is explored and reported on its own; the counts are for the summary.
    for program in programs {
        let units = super::check::units(args, program, filter.as_ref(), *included);
        let progress = env.terminal.progress("exploring units", units.len());
        let found = pipeline::explore::search(
            &program.ir,
            &units,
            &effort.options,
            how,
            effort.jobs,
            &|done| progress.set(done),
        );
        progress.finish();
        for (unit, found) in units.iter().zip(&found) {
            let report = pipeline::explore::report(
                &program.ir,
                &program.sources,
                unit,
                found,
                &effort.options,
                how,
            );
            (executed, violated, counted) = (
                executed + report.executed,
                violated + report.violated,
                counted + 1,
            );
            env.terminal
                .result(&if env.terminal.format == MessageFormat::Json {
                    report.json()
                } else {
                    report.text()
                });
        }
    }
    effort.close();
    if counted == 0 {
        env.terminal.note(super::check::no_unit(args));
    } else if counted > 1 && env.terminal.format != MessageFormat::Json {
        env.terminal.result(&format!(
            "{counted} units, {executed} executions, {violated} of them violate an obligation\n"
        ));
    }
    let fails = args.fail_on.unwrap_or_default() != CheckFailOn::None && violated > 0;
    Ok(if fails {
        super::worse(*code, ExitCode::Findings)
    } else {
        *code
    })
}

/// Prints for every `expect` of the selected units whether an execution can halt there.
pub(super) fn halts(args: &CheckArgs, work: &Work, env: &Environment) -> CommandResult {
    let Work {
        programs,
        code,
        filter,
        included,
        effort,
    } = work;
    let mut counts = HaltCounts::default();
    for program in programs {
        let mut units = super::check::units(args, program, filter.as_ref(), *included);
        // The question is which `expect` statements can fail, so units without one have no answer.
        units.retain(|u| !pipeline::explore::expects(&program.ir, u).is_empty());
        let progress = env.terminal.progress("exploring units", units.len());
        let how = Explore::default();
        let found = pipeline::explore::search(
            &program.ir,
            &units,
            &effort.options,
            how,
            effort.jobs,
            &|done| progress.set(done),
        );
        progress.finish();
        let reports: Vec<HaltReport> = units
            .iter()
            .zip(&found)
            .flat_map(|(unit, found)| {
                pipeline::explore::halts(
                    &program.ir,
                    &program.sources,
                    unit,
                    found,
                    &effort.options,
                    how,
                )
            })
            .collect();
        reports.iter().for_each(|r| counts.add(r));
        if env.terminal.format == MessageFormat::Json {
            reports.iter().for_each(|r| env.terminal.result(&r.json()));
        } else {
            let said: Vec<_> = reports.into_iter().map(|r| r.diagnostic).collect();
            env.terminal.diagnostics(&said, &program.sources);
        }
    }
    effort.close();
    if env.terminal.format != MessageFormat::Json {
        env.terminal.note(&counts.text());
    }
    Ok(*code)
}

fn explored(args: &CheckArgs) -> Explore {
    let default = Explore::default();
    Explore {
        strategy: match args.strategy {
            Some(StrategyArg::Depth) => Strategy::Depth,
            Some(StrategyArg::Breadth) => Strategy::Breadth,
            Some(StrategyArg::Generational) => Strategy::Generational,
            None => default.strategy,
        },
        depth: args.depth.unwrap_or(default.depth),
        ..default
    }
}
