//! `dead`: blocks that no input reaches, with the strength of the claim and the reasons.
//!
//! [`run`] searches each program ([`of_program`]) and shows the blocks that are not allowed. A dead
//! block is allowed by the attribute `{:testDead}` ([`Mark`]) or by an entry of `dtest.toml`
//! ([`AllowList`]); both warn if they allow nothing.

use std::time::Instant;

use super::super::Environment;
use super::super::args::{DeadArgs, FailOn, MessageFormat};
use super::super::error::CommandResult;
use super::Ready;
use super::effort::{Effort, Work};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline;
use crate::report::dead::{self, DeadReport, Sureness};
use dafny_resolve::typed::{self, AttributeArg, Attributes};
use dafny_source::Span;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_ir::{Criteria, Criterion};
use dtest_lower::units::Unit;
use dtest_sorted::SortedSet;

/// The attribute that allows dead blocks in a callable, a type or a module.
const ATTRIBUTE: &str = "testDead";

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
    // The allow list is one for all programs, so that its unused entries are known only at the end.
    let mut listed = AllowList::new(&env.config.allow);
    let mut report = DeadReport::default();
    for program in &programs {
        let units = pipeline::units(&program.ir, &program.sources, included, filter.as_ref());
        let part = of_program(program, &units, &effort, &mut listed, env);
        show(&part, program, args.show_allowed, env);
        report.append(part);
    }
    // Entries for units that were not searched are not stale.
    let is_whole = filter.is_none() && args.entry.is_empty() && args.program.files.is_empty();
    effort.close();
    for message in listed.stale(is_whole) {
        let mut diagnostic = Diagnostic::global(MessageId::DeadStaleAllowance, message);
        diagnostic.severity = Severity::Warning;
        env.terminal.diagnostic(diagnostic);
    }
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
    let fails = match args.fail_on.unwrap_or_default() {
        FailOn::Proved => report.has_dead(Sureness::Proved),
        FailOn::Any => report.has_dead(Sureness::WithinBounds),
        FailOn::None => false,
    };
    if fails {
        code = super::worse(code, ExitCode::Gate);
    }
    Ok(code)
}

/// Searches one program for dead blocks, and warns of attributes that allow nothing.
fn of_program(
    program: &Ready,
    units: &[Unit],
    effort: &Effort,
    listed: &mut AllowList,
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
    listed.seen(units);
    let report = pipeline::dead::report(
        &program.ir,
        &program.sources,
        units,
        &results,
        |unit, goal| {
            let path = units.get(unit).map_or("", |u| u.path.as_str());
            let by_list = listed.allows(path, goal);
            let mark = marks.get(unit).and_then(Option::as_ref);
            used.extend(mark.map(|m| m.span));
            mark.map(|m| m.text.clone()).or(by_list)
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
fn show(report: &DeadReport, program: &Ready, show_allowed: bool, env: &Environment) {
    if env.terminal.format == MessageFormat::Json {
        return;
    }
    let dead = report
        .dead
        .iter()
        .filter(|d| d.inside.is_none() && (show_allowed || d.allowed.is_none()))
        .map(|d| {
            let mut diagnostic = d.diagnostic.clone();
            if let Some(by) = &d.allowed {
                diagnostic.severity = Severity::Note;
                diagnostic.help = Some(format!("allowed by {by}"));
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

/// The entries of `[dead]` in `dtest.toml`, with a record of their use.
struct AllowList {
    /// The text of the entry, its unit, and its goal without white space and quotes.
    entries: Vec<(String, String, Option<String>)>,
    used: SortedSet<usize>,
    /// Indices of the entries whose units were searched.
    known: SortedSet<usize>,
}

impl AllowList {
    fn new(entries: &[String]) -> Self {
        let parse = |entry: &String| {
            let (unit, goal) = entry
                .split_once(':')
                .map_or((entry.as_str(), None), |(u, g)| (u, Some(plain(g))));
            (entry.clone(), unit.trim().to_owned(), goal)
        };
        Self {
            entries: entries.iter().map(parse).collect(),
            used: SortedSet::new(),
            known: SortedSet::new(),
        }
    }

    /// Records that these units were searched.
    fn seen(&mut self, units: &[Unit]) {
        for (i, (_, unit, _)) in self.entries.iter().enumerate() {
            if units.iter().any(|u| u.path == *unit) {
                self.known.insert(i);
            }
        }
    }

    /// Returns the entry that allows a dead block, and records its use.
    fn allows(&mut self, unit: &str, goal: &str) -> Option<String> {
        let goal = plain(goal);
        let fits = |(_, u, g): &(String, String, Option<String>)| {
            u == unit && g.as_ref().is_none_or(|g| *g == goal)
        };
        let found: Vec<usize> = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, e)| fits(e))
            .map(|(i, _)| i)
            .collect();
        self.used.extend(&found);
        let (entry, ..) = self.entries.get(*found.first()?)?;
        Some(format!("{entry:?} in dtest.toml"))
    }

    /// Returns the entries that allowed nothing. An entry of a unit that was not searched counts
    /// only if all units were searched (`is_whole`).
    fn stale(&self, is_whole: bool) -> Vec<String> {
        let unused = self
            .entries
            .iter()
            .enumerate()
            .filter(|(i, _)| !self.used.contains(i));
        let message = |(i, (entry, unit, _)): (usize, &(String, String, Option<String>))| match self
            .known
            .contains(&i)
        {
            true => Some(format!(
                "{entry:?} under [dead] in dtest.toml is unused: that code is no longer dead"
            )),
            false => is_whole.then(|| {
                format!("{entry:?} under [dead] in dtest.toml is unused: there is no unit `{unit}`")
            }),
        };
        unused.filter_map(message).collect()
    }
}

/// Normalizes the description of a goal: removes white space and quotes.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '`')
        .collect()
}
