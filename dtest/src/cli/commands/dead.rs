//! `dead`: blocks that no input reaches, with the strength of the claim and the reasons.
//!
//! [`run`] searches each program ([`of_program`]) and shows the blocks that are not allowed. A dead
//! block is allowed by the attribute `{:testDead}` ([`Mark`]), by an entry of `dtest.toml` or by a
//! baseline ([`Accepted`]).

use std::time::Instant;

use super::super::Environment;
use super::super::accepted::{self, Accepted};
use super::super::args::{AcceptedArgs, DeadArgs, FailOn, MessageFormat};
use super::super::config::AllowTable;
use super::super::error::CommandResult;
use super::Ready;
use super::effort::{Effort, Work};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline;
use crate::report::dead::{self, DeadReport, Sureness};
use crate::report::junit;
use dafny_resolve::typed::{self, AttributeArg, Attributes};
use dafny_source::Span;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_ir::{Criteria, Criterion};
use dtest_lower::units::Unit;
use dtest_sorted::SortedSet;

/// The attribute that allows dead blocks in a callable, a type or a module.
const ATTRIBUTE: &str = "testDead";

/// Dead blocks as findings. A claim of any strength is the same finding.
const ACCEPTED: accepted::Kind = accepted::Kind {
    table: AllowTable::Dead,
    command: "dead",
    levels: &["dead"],
    stale: MessageId::DeadStaleAllowance,
    state: "that code is no longer dead",
};

/// Runs the command.
pub fn run(args: &DeadArgs, env: &Environment) -> CommandResult {
    let start = Instant::now();
    let Work {
        mut programs,
        mut code,
        filter,
        included,
        effort,
    } = Work::begin(
        &args.program,
        args.filter.as_ref(),
        (&args.limits, &args.kept),
        &Criteria::new([Criterion::Flow]).unwrap_or_default(),
        env,
    )?;
    super::entry::enter(&mut programs, &args.entry, included, None, env)?;
    // One list for all programs: its unused entries are known only at the end.
    let mut accepted = Accepted::new(ACCEPTED, &args.accepted, None, env)?;
    let mut report = DeadReport::default();
    for program in &programs {
        let begun = Instant::now();
        let units = pipeline::units(&program.ir, &program.sources, included, filter.as_ref());
        let mut part = of_program(program, &units, &effort, &mut accepted, env);
        show(&part, program, &args.accepted, env);
        part.programs = program.row(part.totals(), begun, programs.len());
        report.append(part);
    }
    // Entries for units that were not searched are not stale.
    let is_whole = filter.is_none() && args.entry.is_empty() && args.program.files.is_empty();
    effort.close();
    accepted.close(is_whole, false, env)?;
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&dead::json(&report));
    } else if env.terminal.wants_summary() {
        env.terminal
            .result(&dead::table(&report, start.elapsed().as_secs_f64()));
    }
    if report.units == 0 {
        env.terminal
            .note("no units: the named files declare no compiled function or method with a body");
    }
    // The gate, by `--fail-on`.
    let least = match args.fail_on.unwrap_or_default() {
        FailOn::Proved => Some(Sureness::Proved),
        FailOn::Any => Some(Sureness::WithinBounds),
        FailOn::None => None,
    };
    env.terminal.cases(junit::dead(&report, least));
    if least.is_some_and(|least| report.has_dead(least)) {
        code = super::worse(code, ExitCode::Gate);
    }
    Ok(code)
}

/// Searches one program for dead blocks, and warns of attributes that allow nothing.
fn of_program(
    program: &Ready,
    units: &[Unit],
    effort: &Effort,
    accepted: &mut Accepted,
    env: &Environment,
) -> DeadReport {
    let progress = env
        .terminal
        .progress("looking for dead code in units", units.len());
    let results = pipeline::dead::search(
        &program.ir,
        units,
        &effort.options,
        effort.jobs,
        effort.kept(),
        &|done| progress.set(done),
    );
    progress.finish();
    // Both attributes in the program and the allow list in `dtest.toml` can allow dead code.
    let marks: Vec<Option<Mark>> = units.iter().map(|u| mark(&program.ir.typed, u)).collect();
    let mut used = SortedSet::new();
    accepted.searched(units);
    let report = pipeline::dead::report(
        &program.ir,
        &program.sources,
        units,
        &results,
        |unit, key| {
            let mark = marks.get(unit).and_then(Option::as_ref);
            used.extend(mark.map(|m| m.span));
            mark.map(|m| m.text.clone()).or_else(|| accepted.by(key, 0))
        },
    );
    // Attributes that allow nothing are reported, so that they do not outlive their reason.
    let unused: SortedSet<Span> = marks
        .iter()
        .flatten()
        .map(|m| m.span)
        .filter(|s| !used.contains(s))
        .collect();
    let warn = |span: Span| {
        Diagnostic::warning(
            MessageId::DeadStaleAllowance,
            span,
            "unused allowance: nothing is dead here any longer",
        )
        .with_help("remove the attribute")
    };
    env.terminal.diagnostics(
        &unused.into_iter().map(warn).collect::<Vec<_>>(),
        &program.sources,
    );
    report
}

/// Shows dead blocks as diagnostics, one for each outermost block that is not allowed.
fn show(report: &DeadReport, program: &Ready, accepted: &AcceptedArgs, env: &Environment) {
    if env.terminal.format == MessageFormat::Json {
        return;
    }
    let dead = report
        .dead
        .iter()
        .filter(|d| d.inside.is_none() && (accepted.show_allowed || d.allowed.is_none()))
        .map(|d| {
            let mut diagnostic = d.diagnostic.clone();
            if let Some(by) = &d.allowed {
                diagnostic.severity = Severity::Note;
                diagnostic.help = Some(format!("allowed by {by}"));
            }
            if accepted.show_keys {
                diagnostic = diagnostic.with_note(format!("key: {}", d.key.toml()));
            }
            diagnostic
        });
    let open = report
        .by_choice
        .iter()
        .chain(&report.by_finding)
        .chain(&report.open)
        .filter(|o| o.inside.is_none())
        .map(|o| o.diagnostic.clone());
    env.terminal
        .diagnostics(&dead.chain(open).collect::<Vec<_>>(), &program.sources);
}

/// An attribute that allows the dead blocks of a unit.
struct Mark {
    span: Span,
    /// The attribute as source text, for messages.
    text: String,
}

/// Finds the attribute of the unit, of its type or of an enclosing module; `{:testDead false}`
/// allows nothing.
fn mark(program: &typed::Program, unit: &Unit) -> Option<Mark> {
    let callable = &program[unit.callable];
    let own = callable.attribute(ATTRIBUTE);
    let of_type = callable.owner.and_then(|t| program[t].attribute(ATTRIBUTE));
    let of_module = program[callable.module].attribute(ATTRIBUTE);
    let attribute = own.or(of_type).or(of_module)?;
    let reason = match attribute.args.first() {
        Some(AttributeArg::Bool(false)) => return None,
        Some(AttributeArg::String(reason)) => format!(" {reason:?}"),
        Some(_) | None => String::new(),
    };
    Some(Mark {
        span: attribute.span,
        text: format!("{{:{ATTRIBUTE}{reason}}}"),
    })
}
