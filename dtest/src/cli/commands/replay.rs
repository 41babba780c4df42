//! `run --replay`: repeats executions that `check` recorded.

use std::fmt;
use std::path::Path;

use serde::Deserialize;

use super::super::args::{MessageFormat, RunArgs};
use super::super::error::CommandResult;
use super::super::{Environment, files};
use super::Ready;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::{self, replay};
use crate::report::explore::{Kept, OutcomeKind, ReplayReport};
use dafny_source::diagnostic::Diagnostic;
use dtest_ir::Criteria;
use dtest_ir::reason::Reason;
use dtest_lower::units::Unit;
use dtest_search as search;

/// A record of `check` that has an execution; other fields are ignored.
#[derive(Deserialize)]
struct Record {
    unit: String,
    execution: Kept,
}

/// Repeats the recorded executions of a file. The exit code is 7 if an execution violates an
/// obligation.
pub(super) fn run(args: &RunArgs, file: &Path, env: &Environment) -> CommandResult {
    let wrong = |message: String| -> CommandResult {
        let help = "create it with `cargo dtest check --message-format json > FILE`";
        Err(Diagnostic::global(
            MessageId::RunReplay,
            format!("{}: {message}", file.display()),
        )
        .with_help(help)
        .into())
    };
    let records = match files::read_text(file)
        .map_err(|e| e.to_string())
        .map(|text| records(&text))
    {
        Ok(records) if records.is_empty() => return wrong("it contains no execution".into()),
        Ok(records) => records,
        Err(message) => return wrong(message),
    };
    let super::Programs {
        ready: programs,
        mut code,
        ..
    } = super::ready(&args.program, &Criteria::obligations(), env)?;
    for (i, record) in records.iter().enumerate() {
        match repeat(i + 1, record, args, &programs, env) {
            Ok(is_broken) if is_broken => code = super::worse(code, ExitCode::Findings),
            Ok(_) => {}
            Err(error) => {
                let failed = wrong(format!("the execution of `{}`: {error}", record.unit));
                code = super::worse(code, env.settle(failed));
            }
        }
    }
    Ok(code)
}

/// Returns the records of executions among lines of JSON.
fn records(text: &str) -> Vec<Record> {
    text.lines()
        .filter_map(|l| serde_json::from_str(l).ok())
        .collect()
}

/// The reason why a recorded execution cannot be repeated.
#[derive(Debug)]
enum ReplayError {
    /// No program has the unit.
    UnknownUnit,
    /// The record cannot be read.
    Record(replay::RecordError),
    /// The interpreter cannot execute it.
    NotExecuted(Reason),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownUnit => f.write_str("unknown unit"),
            Self::Record(e) => e.fmt(f),
            Self::NotExecuted(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Record(e) => Some(e),
            Self::UnknownUnit | Self::NotExecuted(_) => None,
        }
    }
}

/// Repeats an execution and prints it. Returns whether it violates an obligation.
fn repeat(
    number: usize,
    record: &Record,
    args: &RunArgs,
    programs: &[Ready],
    env: &Environment,
) -> Result<bool, ReplayError> {
    let units = |p: &Ready| pipeline::check::units(&p.ir, &p.sources, true, None);
    let found = programs
        .iter()
        .find_map(|p| Some((p, units(p).into_iter().find(|u| u.path == record.unit)?)));
    let (program, unit): (&Ready, Unit) = found.ok_or(ReplayError::UnknownUnit)?;
    let keeper = replay::Keeper::new(&program.ir, std::slice::from_ref(&unit));
    let (inputs, chosen) = keeper
        .read(unit.callable, &record.execution)
        .map_err(ReplayError::Record)?;
    let fuel = search::Options::default().fuel;
    let options = search::Options {
        fuel: args.fuel.unwrap_or(fuel),
        ..search::Options::default()
    };
    let (explored, trace) =
        search::check::replay(&program.ir, unit.callable, inputs, chosen, &options)
            .map_err(ReplayError::NotExecuted)?;
    let mut execution =
        pipeline::explore::execution(&program.ir, &program.sources, &unit, &explored);
    execution.number = number;
    let trace = args
        .trace
        .then(|| pipeline::trace::describe(&program.ir, &program.sources, &trace));
    let report = ReplayReport { execution, trace };
    env.terminal
        .result(&if env.terminal.format == MessageFormat::Json {
            report.json()
        } else {
            report.text()
        });
    Ok(matches!(
        report.execution.outcome,
        OutcomeKind::Violated | OutcomeKind::ViolatedAssuming
    ))
}
