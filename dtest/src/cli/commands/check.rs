//! `check`: executions that violate the obligations of the program.
//!
//! [`run`] resolves the options to programs, units and places, lets [`crate::pipeline::check`]
//! search for violations, and shows the results as diagnostics ([`show`]) and as a report. With
//! `--from-dafny` and `--dafny-command`, the errors and counterexamples of Dafny's verifier select the obligations
//! ([`errors`]) and are validated ([`counterexamples`]).

use std::io::ErrorKind;
use std::process::Command;
use std::time::{Duration, Instant};

use super::super::accepted::{self, Accepted};
use super::super::args::{CheckArgs, CheckFailOn, MessageFormat};
use super::super::config::AllowTable;
use super::super::error::{CommandResult, ExpectedError};
use super::super::places::{self, Place, Reported};
use super::super::{Environment, external, files, isolate};
use super::effort::{Effort, Work};
use super::reported::{Answers, answered};
use super::{Ready, executions, generate, keep};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline;
use crate::pipeline::counterexample::{self, Counterexample};
use crate::pipeline::implied::Explain;
use crate::pipeline::modular::{Modular, ObligationId};
use crate::report::check::{self, CheckReport, ObligationReport, Standing};
use crate::report::{junit, reported};
use dafny_resolve::typed::CallableId;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{Name, Span};
use dtest_ir::Criteria;
use dtest_lower::units::Unit;
use dtest_search::check::CheckResult;
use dtest_sorted::SortedSet;

/// Maximum time of the verifier.
const VERIFICATION: Duration = Duration::from_secs(30 * 60);

/// Obligations as findings.
pub(super) const ACCEPTED: accepted::Kind = accepted::Kind {
    table: AllowTable::Violations,
    command: "check",
    levels: &["violated", "assuming", "not-decided"],
    stale: MessageId::CheckStaleAllowance,
    state: "that obligation is no longer violated or undecided",
};

/// Runs the command.
pub fn run(args: &CheckArgs, env: &Environment) -> CommandResult {
    // Load the program, and validate the options before any search.
    let start = Instant::now();
    let mut work = Work::begin(
        &args.program,
        args.filter.as_ref(),
        (&args.limits, &args.kept),
        &Criteria::obligations(),
        env,
    )?;
    work.effort.options.rounds = args.unroll_choice;
    generate::in_diff(&mut work.programs, args.in_diff.as_deref(), env)?;
    if let Some(name) = unknown_entry(&args.entry, &work.programs, work.included) {
        return Err(name.into());
    }
    // `--at` and `--from-dafny` restrict the search to obligations at the named places.
    let errors = errors(args, &work.programs)?;
    if asks_dafny(args) && errors.is_empty() {
        env.terminal
            .note("Dafny reports no errors: there is nothing to check");
        return Ok(work.code);
    }
    let places = places(args, &errors, &work);
    // Two modes have their own search and report.
    if args.executions {
        return executions::run(args, &work, env);
    }
    if args.halts {
        return executions::halts(args, &work, env);
    }
    let Work {
        programs,
        mut code,
        filter,
        included,
        effort,
    } = work;
    let mut accepted = Accepted::new(ACCEPTED, &args.accepted, part(args), env)?;
    let mut report = CheckReport::default();
    let mut found: Vec<keep::Found> = Vec::new();
    let mut answers = Answers::new(&errors);
    // Places at which no unit has an obligation; what is left at the end is an error of the user.
    let mut unknown: Vec<&Place> = places.iter().flatten().collect();
    for program in &programs {
        let begun = Instant::now();
        let all = units(args, program, filter.as_ref(), included);
        let stands = |p: &Place| {
            all.iter()
                .flat_map(|u| pipeline::check::places(&program.ir, u))
                .any(|(s, _)| p.is_in(&program.sources, s))
        };
        unknown.retain(|p| !stands(p));
        counterexamples(&errors, program, &all, &effort, env);
        let pipeline::check::Outcome {
            report: mut part,
            units,
            results,
        } = of_program(
            program,
            &all,
            places.as_deref(),
            &errors,
            (args, &effort, env),
        );
        accepted.searched(&units);
        accept(&mut part, &mut accepted);
        answers.add(&program.sources, &part.obligations);
        show(&part, program, args, args.all || places.is_some(), env);
        if let Err(error) = weak_specifications(args, program, (&units, &results), &effort, env) {
            code = super::worse(code, env.settle(Err(error)));
        }
        part.programs = program.row(part.totals(), begun, programs.len());
        report.append(part);
        found.push((units, results));
    }
    let is_whole = filter.is_none() && is_whole_program(args);
    accepted.close(is_whole, part(args).is_some(), env)?;
    // Report: obligations, then notes on what was not searched or is not shown.
    effort.close();
    let fails_open = args.fail_on == Some(CheckFailOn::NotDecided);
    env.terminal.cases(junit::obligations(&report, fails_open));
    print(&report, answers, args, start, env);
    if let Some(place) = unknown
        .first()
        .filter(|_| !args.at.is_empty() || report.units == 0)
    {
        return Err(no_obligation(place, &programs).into());
    }
    if let Some(note) = hidden(&report).filter(|_| !args.all && places.is_none()) {
        env.terminal.note(&note);
    }
    // Tests for the violations.
    if args.write {
        let written = keep::write(args, &programs, &found, env);
        code = super::worse(code, env.settle(written));
    }
    if report.units == 0 {
        env.terminal.note(no_unit(args));
    }
    Ok(super::worse(code, gate(args, &report)))
}

/// Prints the report: records, or the table of totals and, with `--from-dafny`, that of answers.
fn print(
    report: &CheckReport,
    answers: Answers<'_>,
    args: &CheckArgs,
    start: Instant,
    env: &Environment,
) {
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&check::json(report));
        env.terminal.result(&reported::json(&answers.finish()));
    } else if env.terminal.wants_summary() {
        env.terminal
            .result(&check::table(report, start.elapsed().as_secs_f64()));
        if asks_dafny(args) {
            env.terminal.result(&reported::table(&answers.finish()));
        }
    }
}

/// Whether the errors of Dafny's verifier select the obligations.
fn asks_dafny(args: &CheckArgs) -> bool {
    args.from_dafny.is_some() || args.dafny_command.is_some()
}

/// The option that selects some of the obligations of a unit, if one does.
fn part(args: &CheckArgs) -> Option<&'static str> {
    let options = [
        (!args.at.is_empty(), "--at"),
        (args.from_dafny.is_some(), "--from-dafny"),
        (args.dafny_command.is_some(), "--dafny-command"),
        (args.in_diff.is_some(), "--in-diff"),
    ];
    options
        .into_iter()
        .find_map(|(is_set, name)| is_set.then_some(name))
}

/// Marks the obligations that the list of `dtest.toml` or the baseline accepts.
fn accept(report: &mut CheckReport, accepted: &mut Accepted) {
    for obligation in &mut report.obligations {
        let level = match obligation.standing {
            Standing::Violated => 0,
            Standing::ViolatedAssuming => 1,
            Standing::NotDecided => 2,
            Standing::HoldsWithinBounds
            | Standing::Holds
            | Standing::HoldsAssuming
            | Standing::NotReached => continue,
        };
        obligation.allowed = accepted.by(&obligation.key, level);
    }
}

/// Checks the units `all` of one program. With `places`, only the obligations there are wanted;
/// `errors` are those of the verifier.
fn of_program(
    program: &Ready,
    all: &[Unit],
    places: Option<&[Place]>,
    errors: &[Reported],
    (args, effort, env): (&CheckArgs, &Effort, &Environment),
) -> pipeline::check::Outcome {
    let wanted = |span: Span, clause: Option<Span>| {
        let is_at = |place: &Place, span: Span| place.is_in(&program.sources, span);
        let is_here = |p: &Place| is_at(p, span) || clause.is_some_and(|c| is_at(p, c));
        places.is_none_or(|places| places.iter().any(is_here))
    };
    let reported = |all: &[ObligationReport]| answered(errors, &program.sources, all);
    let options = pipeline::check::Options {
        search: &effort.options,
        jobs: effort.jobs,
        kept: effort.kept(),
        is_partial: places.is_some(),
        follow: follows(args, env, effort),
        // The options on specifications have a search of their own.
        explain: if has_abstractions(args) {
            Explain::Nothing
        } else if asks_dafny(args) {
            Explain::Reported(&reported)
        } else {
            Explain::Open
        },
    };
    pipeline::check::check(
        &program.ir,
        &program.sources,
        all,
        &wanted,
        &options,
        &env.terminal.begin(),
    )
}

/// The exit code of the gate, by `--fail-on`.
fn gate(args: &CheckArgs, report: &CheckReport) -> ExitCode {
    match args.fail_on.unwrap_or_default() {
        CheckFailOn::None => ExitCode::Done,
        CheckFailOn::Violated | CheckFailOn::NotImplied | CheckFailOn::NotDecided
            if report.failing(Standing::Violated) > 0 =>
        {
            ExitCode::Findings
        }
        CheckFailOn::NotImplied if report.failing_not_implied() > 0 => ExitCode::Gate,
        CheckFailOn::NotDecided if report.failing(Standing::NotDecided) > 0 => ExitCode::Gate,
        CheckFailOn::Violated | CheckFailOn::NotImplied | CheckFailOn::NotDecided => ExitCode::Done,
    }
}

/// A note on the number of undecided obligations that are not shown, with the option that shows
/// them; `None` if there are none.
fn hidden(report: &CheckReport) -> Option<String> {
    let is_hidden = |p: &&ObligationReport| {
        p.standing == Standing::NotDecided && !p.is_candidate && p.not_implied.is_none()
    };
    let all = report.count(Standing::NotDecided);
    match report.obligations.iter().filter(is_hidden).count() {
        0 => None,
        1 if all == 1 => {
            Some("1 obligation is not decided: `--all` shows it, with the reason".into())
        }
        _some => Some(format!(
            "{all} obligations are not decided: `--all` shows them, with the reasons"
        )),
    }
}

/// Whether an option abstracts code by its specification.
fn has_abstractions(args: &CheckArgs) -> bool {
    args.modular || !args.by_contract.is_empty() || !args.by_invariant.is_empty()
}

/// Whether the arguments leave out no part of the program.
fn is_whole_program(args: &CheckArgs) -> bool {
    args.entry.is_empty() && args.shard.is_none() && args.program.files.is_empty()
}

/// With the options on specifications, shows contracts and invariants that are too weak to prove the
/// obligations from.
fn weak_specifications(
    args: &CheckArgs,
    program: &Ready,
    (units, results): (&[Unit], &[CheckResult]),
    effort: &Effort,
    env: &Environment,
) -> Result<(), ExpectedError> {
    if let Some(known) = modular(args, program, units)? {
        specifications(program, units, results, (&known, args.modular), effort, env);
    }
    Ok(())
}

/// Resolves the options on specifications to the callables and loops that are abstracted; `None` if
/// no option is set.
fn modular(
    args: &CheckArgs,
    program: &Ready,
    units: &[Unit],
) -> Result<Option<Modular>, Diagnostic> {
    if !has_abstractions(args) {
        return Ok(None);
    }
    let typed = &program.ir.typed;
    let mut known = Modular::default();
    // Callables named by the user must exist; a misspelled name gets the closest one as help.
    for name in &args.by_contract {
        let ids: Vec<CallableId> = (0..typed.callables.len() as u32).map(CallableId).collect();
        let Some(id) = ids
            .into_iter()
            .find(|id| *typed.callable_path(*id) == **name)
        else {
            let known = dtest_desugar::known_by_contract(typed)
                .into_iter()
                .map(|id| Name::from(typed.callable_path(id)));
            let paths: dtest_sorted::SortedSet<Name> = known.collect();
            return Err(with_closest(
                Diagnostic::global(
                    MessageId::CliByContract,
                    format!(
                        "`--by-contract {name}`: the program has no method or function of this name"
                    ),
                ),
                name,
                &paths,
            ));
        };
        known.callables.insert(id);
    }
    // Loops are named by the line on which they begin.
    let loops: Vec<Span> = units
        .iter()
        .flat_map(|u| pipeline::modular::loops(&program.ir, u.callable))
        .collect();
    let is_at = |place: &Place, span: Span| {
        let line = program.sources.line_column(span.start).map(|at| at.line);
        place.is_in(&program.sources, span) && line == Some(place.line)
    };
    if let Some(place) = args
        .by_invariant
        .iter()
        .find(|p| !loops.iter().any(|l| is_at(p, *l)))
    {
        let lines: Vec<String> = loops.iter().map(|l| program.sources.locate(*l)).collect();
        let diagnostic = Diagnostic::global(
            MessageId::CliByInvariant,
            format!("no loop begins at {place}"),
        );
        return Err(if lines.is_empty() {
            diagnostic
        } else {
            diagnostic.with_help(format!("loops begin at {}", lines.join(", ")))
        });
    }
    known.loops = loops
        .into_iter()
        .filter(|l| args.by_invariant.iter().any(|p| is_at(p, *l)))
        .collect();
    Ok(Some(known))
}

/// Searches for obligations that are violated only if callees and loops are abstracted by their
/// specifications, and shows them.
fn specifications(
    program: &Ready,
    units: &[Unit],
    results: &[CheckResult],
    (known, is_modular): (&Modular, bool),
    effort: &Effort,
    env: &Environment,
) {
    let ir = &program.ir;
    // `--modular` abstracts in each unit what the verifier abstracts there.
    let known_to = |unit: &Unit, wanted: &SortedSet<ObligationId>| {
        let named = pipeline::modular::within(ir, unit.callable, known);
        if !is_modular {
            return vec![(named, wanted.clone())];
        }
        let mut groups = pipeline::modular::groups(ir, unit, wanted);
        for (by, _) in &mut groups {
            by.extend(named.iter().copied());
        }
        groups
    };
    let (weak, open) = pipeline::modular::search(
        "specifications",
        ir,
        &program.sources,
        units,
        &|unit| pipeline::modular::not_violated(ir, unit, results),
        &known_to,
        &effort.options,
        effort.jobs,
    );
    if env.terminal.format == MessageFormat::Json {
        weak.iter().for_each(|w| {
            let place = crate::report::place::Place::of(&program.sources, w.id.0);
            let report = check::WeakReport {
                unit: &w.unit,
                place,
                message: w.message,
                inputs: &w.report.inputs,
                by: &w.report.by,
                allowed: &w.report.states,
            };
            env.terminal.result(&report.json());
        });
    } else {
        let said: Vec<Diagnostic> = weak.iter().map(|w| w.warning()).collect();
        env.terminal.diagnostics(&said, &program.sources);
    }
    open.iter().for_each(|o| env.terminal.note(o));
}

/// The reason for an empty list of units.
pub(super) fn no_unit(args: &CheckArgs) -> &'static str {
    if args.in_diff.is_some() || args.shard.is_some() {
        "no units: none of the selected units is in this part"
    } else {
        "no units: the named files declare no function, method or lemma with a body and a specification or operation to check"
    }
}

/// The units of a program that the options select.
pub(super) fn units(
    args: &CheckArgs,
    program: &Ready,
    filter: Option<&regex_lite::Regex>,
    included: bool,
) -> Vec<Unit> {
    let mut units = pipeline::check::units(&program.ir, &program.sources, included, filter);
    units.retain(|u| args.entry.is_empty() || args.entry.contains(&u.path));
    if let Some(change) = &program.change {
        let touched = pipeline::touched(&program.ir, &units, change);
        units = units
            .into_iter()
            .zip(touched)
            .filter(|(_, touched)| *touched)
            .map(|(unit, _)| unit)
            .collect();
    }
    match args.shard {
        Some(shard) => pipeline::deal(&program.ir, units, shard),
        None => units,
    }
}

/// Returns an error for the first `--entry` that names no unit.
fn unknown_entry(names: &[String], programs: &[Ready], included: bool) -> Option<Diagnostic> {
    let all = programs
        .iter()
        .flat_map(|p| pipeline::check::units(&p.ir, &p.sources, included, None));
    let paths: dtest_sorted::SortedSet<Name> = all.map(|u| u.path.as_str().into()).collect();
    let unknown = names.iter().find(|n| !paths.contains(n.as_str()))?;
    let message = format!(
        "`--entry {unknown}`: the program has no method, function or lemma with a body of this name"
    );
    let diagnostic = Diagnostic::global(MessageId::CliUnknownEntry, message);
    Some(with_closest(diagnostic, unknown, &paths))
}

/// Adds to a message on an unknown name the known name that is most similar.
pub(super) fn with_closest(
    diagnostic: Diagnostic,
    unknown: &str,
    names: &dtest_sorted::SortedSet<Name>,
) -> Diagnostic {
    let is_meant = |p: &&Name| p.rsplit('.').next() == Some(unknown);
    let close = names
        .iter()
        .find(is_meant)
        .cloned()
        .or_else(|| dafny_resolve::spelling::closest(unknown, names.iter()));
    match close {
        Some(close) => diagnostic.with_help(format!("did you mean `{close}`?")),
        None => diagnostic,
    }
}

/// The options for explaining violations step by step; `None` for formats with one line per
/// message, which show no steps.
fn follows<'e>(
    args: &CheckArgs,
    env: &Environment,
    effort: &'e Effort,
) -> Option<pipeline::check::Follow<'e>> {
    match env.terminal.format {
        MessageFormat::Human
        | MessageFormat::Json
        | MessageFormat::Sarif
        | MessageFormat::Junit => Some(pipeline::check::Follow {
            options: &effort.options,
            whole: args.trace,
            kept: env.terminal.format == MessageFormat::Json,
            dafny: args.dafny,
        }),
        MessageFormat::Short | MessageFormat::Github if args.dafny => {
            Some(pipeline::check::Follow {
                options: &effort.options,
                whole: false,
                kept: false,
                dafny: true,
            })
        }
        MessageFormat::Short | MessageFormat::Github => None,
    }
}

/// Reads the errors of Dafny's verifier from the file of `--from-dafny`, or from the output of
/// `--dafny-command`; empty without these options.
fn errors(args: &CheckArgs, programs: &[Ready]) -> Result<Vec<Reported>, Diagnostic> {
    let failed = |text: String| Diagnostic::global(MessageId::CliFromDafny, text);
    if let Some(command) = &args.dafny_command {
        let text = verified(command, programs)?;
        return places::read(&text).map_err(|_| {
            let shown: Vec<&str> = text.lines().take(5).collect();
            let shown = shown.join("\n");
            failed(format!(
                "`{command}` verified nothing; its output begins:\n{shown}"
            ))
        });
    }
    let Some(path) = &args.from_dafny else {
        return Ok(Vec::new());
    };
    let name = if path.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let text = match path.as_os_str() == "-" {
        true => isolate::standard_input().map_err(|e| e.to_string()),
        false => files::read_text(path).map_err(|e| e.to_string()),
    };
    let text = text.map_err(|e| failed(format!("cannot read {name}: {e}")))?;
    places::read(&text).map_err(|e| failed(format!("{name}: {e}")))
}

/// Returns the output of the verifier on the named files of the programs.
fn verified(command: &str, programs: &[Ready]) -> Result<String, Diagnostic> {
    let failed = |text: String| Diagnostic::global(MessageId::CliFromDafny, text);
    let words = external::words(command);
    let name = words.first().map_or("", String::as_str);
    let Some(executable) = external::find(name) else {
        let d = failed(format!("`--dafny-command`: command `{name}` not found"));
        return Err(d.with_help("pass a command in the PATH, or a path"));
    };
    let files: Vec<String> = programs.iter().flat_map(Ready::named).collect();
    let arguments = words.iter().skip(1);
    let has_place = arguments.clone().any(|w| w == "{}");
    let mut all: Vec<String> = Vec::new();
    for word in arguments {
        match word == "{}" {
            true => all.extend(files.iter().cloned()),
            false => all.push(word.clone()),
        }
    }
    if !has_place {
        all.extend(files);
    }
    let late = || {
        let minutes = VERIFICATION.as_secs() / 60;
        failed(format!("`{command}` did not end within {minutes} minutes"))
            .with_help("write its output to a file, and pass it with `--from-dafny`")
    };
    let run = || {
        let ended = external::run(Command::new(executable).args(all), VERIFICATION)?;
        match ended.is_stopped {
            true => Err(ErrorKind::TimedOut.into()),
            false => Ok(ended.output()),
        }
    };
    isolate::once(run).map_err(|e| match e.kind() == ErrorKind::TimedOut {
        true => late(),
        false => failed(format!("cannot run `{command}`: {e}")),
    })
}

/// The places that select obligations; `None` selects all obligations.
fn places(args: &CheckArgs, errors: &[Reported], work: &Work) -> Option<Vec<Place>> {
    let is_obliged = |place: &Place| {
        work.programs.iter().any(|program| {
            let all = units(args, program, work.filter.as_ref(), work.included);
            all.iter()
                .flat_map(|u| pipeline::check::places(&program.ir, u))
                .any(|(span, _)| place.is_in(&program.sources, span))
        })
    };
    let reported = errors.iter().flat_map(|e| e.obligation_places(is_obliged));
    let places: Vec<Place> = args.at.iter().cloned().chain(reported).collect();
    (!places.is_empty()).then_some(places)
}

/// Validates the counterexamples that Dafny printed, and reports which are real, spurious or
/// undecided.
fn counterexamples(
    errors: &[Reported],
    program: &Ready,
    units: &[Unit],
    effort: &Effort,
    env: &Environment,
) {
    let typed = &program.ir.typed;
    for error in errors {
        let Some(assumed) = &error.assumed else {
            continue;
        };
        // The unit is found by line: Dafny's column may be that of the name or of the body.
        let stands = |u: &&Unit| {
            Place {
                column: None,
                ..error.place.clone()
            }
            .is_in(&program.sources, typed[u.callable].full_span)
        };
        let Some(unit) = units.iter().find(stands) else {
            continue;
        };
        let obliged = error.obligation_places(|_| true);
        let is_wanted = |file: &str, line: u32| obliged.iter().any(|p| p.is_on(file, line));
        let (judged, left) = counterexample::judge(
            &program.ir,
            &program.sources,
            unit,
            assumed,
            &is_wanted,
            &effort.options,
        );
        let values = format!("Dafny's counterexample for {} (`{assumed}`)", error.place);
        let said = match &judged {
            Counterexample::Real(inputs) if inputs.is_empty() => {
                format!(
                    "{values} is real: an execution of `{}` violates the obligation",
                    unit.path
                )
            }
            Counterexample::Real(inputs) => format!(
                "{values} is real: `{}` violates the obligation with {}",
                unit.path,
                inputs.join(", ")
            ),
            Counterexample::Spurious => {
                format!(
                    "{values} is spurious: no execution of `{}` from these values violates the obligation",
                    unit.path
                )
            }
            Counterexample::Open(reason) => format!("{values} is not decided: {reason}"),
        };
        let mut diagnostic = Diagnostic::global(MessageId::CheckCounterexample, said);
        diagnostic.severity = Severity::Note;
        if !left.is_empty() {
            diagnostic = diagnostic.with_note(format!(
                "not understood, and ignored: `{}`",
                left.join("`, `")
            ));
        }
        env.terminal.diagnostic(diagnostic);
    }
}

/// The error for a place without an obligation, with the nearest obligations.
fn no_obligation(place: &Place, programs: &[Ready]) -> Diagnostic {
    const SHOWN: usize = 3;
    let mut near: Vec<(u32, String)> = Vec::new();
    for program in programs {
        for unit in pipeline::check::units(&program.ir, &program.sources, true, None) {
            for (span, _) in pipeline::check::places(&program.ir, &unit) {
                let Some(at) = program.sources.line_column(span.start) else {
                    continue;
                };
                let here = Place {
                    line: at.line,
                    column: None,
                    ..place.clone()
                };
                if here.is_in(&program.sources, span) {
                    near.push((at.line.abs_diff(place.line), program.sources.locate(span)));
                }
            }
        }
    }
    near.sort();
    near.dedup();
    let diagnostic = Diagnostic::global(
        MessageId::CliNoObligation,
        format!("there is no obligation at {place}"),
    );
    let near: Vec<String> = near.into_iter().take(SHOWN).map(|(_, at)| at).collect();
    if !near.is_empty() {
        return diagnostic.with_help(format!(
            "the nearest obligations are at {}",
            near.join(", ")
        ));
    }
    let files: dtest_sorted::SortedSet<String> = programs
        .iter()
        .flat_map(|p| {
            p.sources
                .files()
                .filter(|(_, f)| f.named)
                .map(|(_, f)| format!("`{}`", f.path))
        })
        .collect();
    let files: Vec<String> = files.into_iter().take(SHOWN).collect();
    diagnostic.with_help(format!("the files that are checked: {}", files.join(", ")))
}

/// Shows violations as diagnostics; with `all`, the other obligations too.
fn show(report: &CheckReport, program: &Ready, args: &CheckArgs, all: bool, env: &Environment) {
    if env.terminal.format == MessageFormat::Json {
        return;
    }
    let show_allowed = all || args.accepted.show_allowed;
    let is_open = |p: &ObligationReport| match p.standing {
        Standing::Violated | Standing::ViolatedAssuming => true,
        Standing::NotDecided if p.is_candidate => true,
        Standing::NotDecided
        | Standing::HoldsWithinBounds
        | Standing::Holds
        | Standing::HoldsAssuming
        | Standing::NotReached => all,
    };
    let shown: Vec<Diagnostic> = report
        .obligations
        .iter()
        .flat_map(|p| {
            let is_shown = match p.allowed {
                Some(_) => show_allowed,
                None => is_open(p),
            };
            // An explanation is shown with the verdict, and also without.
            let explained = p.explained.iter().filter(|_| p.allowed.is_none());
            is_shown
                .then_some(&p.diagnostic)
                .into_iter()
                .chain(explained)
                .map(move |diagnostic| (p, diagnostic))
        })
        .map(|(p, diagnostic)| {
            let mut diagnostic = diagnostic.clone();
            if let Some(by) = &p.allowed {
                diagnostic.severity = Severity::Note;
                diagnostic.help = Some(format!("allowed by {by}"));
            }
            if args.accepted.show_keys {
                diagnostic = diagnostic.with_note(format!("key: {}", p.key.toml()));
            }
            diagnostic
        })
        .collect();
    env.terminal.diagnostics(&shown, &program.sources);
    report
        .obligations
        .iter()
        .filter(|p| p.allowed.is_none() || show_allowed)
        .filter_map(|p| p.dafny.as_ref())
        .for_each(|text| env.terminal.result(text));
}
