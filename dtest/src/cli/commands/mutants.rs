//! `mutants`: runs mutation testing on the suite, or with `--contracts` on the contracts, and
//! reports surviving mutants.

use std::time::Instant;

use super::super::accepted::{self, Accepted};
use super::super::args::{MessageFormat, MutantsArgs};
use super::super::config::AllowTable;
use super::super::error::{CommandResult, ExpectedError};
use super::super::{Environment, layout};
use super::effort::{Effort, Work};
use super::{Ready, generate, translate};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::mutants::{Asked, Tested};
use crate::pipeline::{self, Solved, Unwritten};
use crate::report::contracts::{self, ContractsReport};
use crate::report::junit;
use crate::report::mutants::{
    self, Compiled, Confirmation, MutantReport, MutantStatus, MutantsReport, MutantsTotals,
};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_emit::case::{OfficialCode, SuiteOptions, Tests};
use dtest_lower::units::Unit;

/// Budget for mutants relative to `gen`, which only counts them.
const BUDGET_FACTOR: u64 = 10;

/// Runs the command.
pub fn run(args: &MutantsArgs, env: &Environment) -> CommandResult {
    let start = Instant::now();
    let Work {
        mut programs,
        code,
        filter,
        included,
        mut effort,
    } = Work::begin(
        &args.program,
        args.filter.as_ref(),
        (&args.limits, &args.kept),
        &super::criteria(&args.coverage),
        env,
    )?;
    // With `--contracts`, each contract is tested with inputs of its own unit, so entries do not
    // matter.
    if !args.contracts {
        super::entry::enter(
            &mut programs,
            &args.entry,
            included,
            args.limits.inline,
            env,
        )?;
    }
    effort.options.strength = generate::strength(args.strength);
    generate::in_diff(&mut programs, args.in_diff.as_deref(), env)?;
    if args.compile.is_some() && programs.len() > 1 {
        let message = "`--compile` takes one program at a time";
        return Err(Diagnostic::global(MessageId::MutantsOneProgram, message)
            .with_help("remove `--each`")
            .into());
    }
    let part = args.in_diff.as_ref().map(|_| "--in-diff");
    let mut accepted = Accepted::new(ACCEPTED, &args.accepted, part, env)?;
    let mut found = Found::default();
    for program in &programs {
        let begun = Instant::now();
        let all = pipeline::units(&program.ir, &program.sources, included, None);
        let wanted = pipeline::units(&program.ir, &program.sources, included, filter.as_ref());
        let wanted = match args.shard {
            Some(shard) => pipeline::deal(&program.ir, wanted, shard),
            None => wanted,
        };
        if args.contracts {
            contracts(program, all, &wanted, &effort, &mut found, env);
            continue;
        }
        let lists = (&mut accepted, &mut found);
        let totals = of_program(program, all, &wanted, (args, &effort), lists, env)?;
        let row = program.row(totals, begun, programs.len());
        found.report.programs.extend(row);
        if found.is_stopped {
            break;
        }
    }
    effort.close();
    let has_baseline = accepted.has_baseline();
    if !args.contracts {
        let is_whole = filter.is_none()
            && args.entry.is_empty()
            && args.shard.is_none()
            && args.program.files.is_empty()
            && !found.is_stopped;
        accepted.close(is_whole, part.is_some(), env)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    env.terminal.cases(junit::mutants(&found.report));
    show(&found, args, seconds, env);
    let code = super::worse(code, gates(&found, args, env));
    let survived = found.report.totals().survived;
    if has_baseline && survived > 0 {
        let mutants = if survived == 1 {
            "mutant survives"
        } else {
            "mutants survive"
        };
        let message = format!("{survived} {mutants} that the baseline does not contain");
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::MutantsNew, message));
        return Ok(super::worse(code, ExitCode::Gate));
    }
    if found.is_stopped {
        env.terminal
            .note("stopped at the first unit with a mutant that survives (--fail-fast)");
        return Ok(super::worse(code, ExitCode::Gate));
    }
    Ok(code)
}

/// Surviving mutants as findings.
const ACCEPTED: accepted::Kind = accepted::Kind {
    table: AllowTable::Mutants,
    command: "mutants",
    levels: &["survived"],
    stale: MessageId::MutantsStaleAllowance,
    state: "that mutant does not survive",
};

/// Number of units that `--fail-fast` looks at together. It does not depend on `--jobs`, because the
/// units of a search share a budget.
const TOGETHER: usize = 16;

/// The reports of all programs.
#[derive(Default)]
struct Found {
    /// The mutants of code.
    report: MutantsReport,
    /// With `--contracts`, the mutants of contracts.
    contracts: ContractsReport,
    /// With `--compile`, the mutants that were compiled.
    confirmed: Vec<Confirmation>,
    /// Whether `--fail-fast` ended the run.
    is_stopped: bool,
}

/// Runs the mutants of one program on its suite, and shows its survivors as diagnostics. `all` are its
/// units, of which those in `wanted` have mutants. Returns the totals.
fn of_program(
    program: &Ready,
    all: Vec<Unit>,
    wanted: &[Unit],
    (args, effort): (&MutantsArgs, &Effort),
    (accepted, found): (&mut Accepted, &mut Found),
    env: &Environment,
) -> Result<MutantsTotals, ExpectedError> {
    // Mutants of a callee count once for all entries, so that entries stay together.
    let is_divided = args.fail_fast && program.ir.entries.is_none();
    let size = if is_divided { TOGETHER } else { wanted.len() };
    let mut whole = MutantsReport::default();
    for units in wanted.chunks(size.max(1)) {
        let mut part = tested(program, all.clone(), units, effort, env);
        for mutant in &mut part.mutants {
            if mutant.status == MutantStatus::Survived {
                mutant.allowed = accepted.by(&mutant.key, 0);
            }
        }
        found.is_stopped = args.fail_fast && part.end_at_survivor(units.iter().map(|u| &*u.path));
        accepted.searched(units.get(..part.units).unwrap_or(units));
        show_survivors(&part, program, args, env);
        whole.append(part);
        if found.is_stopped {
            break;
        }
    }
    if let Some(count) = args.compile {
        let confirmed = super::confirm::confirm(program, &whole.mutants, count, args, env)?;
        found.confirmed.extend(confirmed);
    }
    let totals = whole.totals();
    found.report.append(whole);
    Ok(totals)
}

/// Searches the tests of the units, and runs the mutants of those in `wanted` on them.
fn tested(
    program: &Ready,
    all: Vec<Unit>,
    wanted: &[Unit],
    effort: &Effort,
    env: &Environment,
) -> MutantsReport {
    let Ready { ir, sources, .. } = program;
    let (units, solved) = search(program, all, wanted, effort, env);
    let progress = env
        .terminal
        .progress("running mutants of units", wanted.len());
    let tested = Tested {
        units: &units,
        solved: &solved,
        unwritten: &unwritten(program, &solved, env),
    };
    let asked = asked(program, wanted, effort);
    let done = |done| progress.set(done);
    let report = pipeline::mutants::run(ir, sources, tested, asked, effort.jobs, &done);
    progress.finish();
    report
}

/// Runs the mutants of one program against its contracts, and shows those that a contract allows.
fn contracts(
    program: &Ready,
    all: Vec<Unit>,
    wanted: &[Unit],
    effort: &Effort,
    found: &mut Found,
    env: &Environment,
) {
    let Ready { ir, sources, .. } = program;
    let (units, solved) = search(program, all, wanted, effort, env);
    let progress = env
        .terminal
        .progress("running mutants of units", wanted.len());
    let suite = (&units[..], &solved[..]);
    let asked = asked(program, wanted, effort);
    let done = |done| progress.set(done);
    let part = pipeline::mutants::contracts(ir, sources, suite, asked, effort.jobs, &done);
    progress.finish();
    if env.terminal.format != MessageFormat::Json {
        let allowed = part.mutants().filter_map(|m| m.diagnostic.clone());
        env.terminal
            .diagnostics(&allowed.collect::<Vec<_>>(), sources);
    }
    found.contracts.append(part);
}

/// Searches the units whose tests mutants of `wanted` run on.
fn search(
    program: &Ready,
    all: Vec<Unit>,
    wanted: &[Unit],
    effort: &Effort,
    env: &Environment,
) -> (Vec<Unit>, Vec<Solved>) {
    pipeline::mutants::search(
        &program.ir,
        all,
        wanted,
        &effort.options,
        (effort.jobs, effort.kept()),
        &env.terminal.begin(),
    )
}

/// The mutants of the units, and the budget for running them.
fn asked<'a>(program: &'a Ready, wanted: &'a [Unit], effort: &Effort) -> Asked<'a> {
    let asked = Asked::all(wanted, &effort.options);
    Asked {
        change: program.change.as_ref(),
        steps: asked.steps.saturating_mul(BUDGET_FACTOR),
        ..asked
    }
}

/// Shows surviving and untested mutants as diagnostics.
fn show_survivors(report: &MutantsReport, program: &Ready, args: &MutantsArgs, env: &Environment) {
    if env.terminal.format == MessageFormat::Json {
        return;
    }
    let is_shown = |m: &&MutantReport| {
        m.status == MutantStatus::Survived && (m.allowed.is_none() || args.accepted.show_allowed)
    };
    let survivors = report.mutants.iter().filter(is_shown).map(|m| {
        let mut diagnostic = m.diagnostic.clone();
        if let Some(by) = &m.allowed {
            diagnostic.severity = Severity::Note;
            diagnostic.help = Some(format!("allowed by {by}"));
        }
        if args.accepted.show_keys {
            diagnostic = diagnostic.with_note(format!("key: {}", m.key.toml()));
        }
        diagnostic
    });
    let shown: Vec<Diagnostic> = survivors.chain(report.untested()).collect();
    env.terminal.diagnostics(&shown, &program.sources);
}

/// Shows the reports.
fn show(found: &Found, args: &MutantsArgs, seconds: f64, env: &Environment) {
    let Found {
        report,
        contracts,
        confirmed,
        is_stopped: _,
    } = found;
    for (unit, reason) in report.failed.iter().chain(&contracts.failed) {
        let message = format!("mutants of `{unit}` are not counted: {reason}");
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::MutantsFailed, message));
    }
    match (env.terminal.format, args.contracts) {
        (MessageFormat::Json, true) => env.terminal.result(&contracts::json(contracts)),
        (MessageFormat::Json, false) => env.terminal.result(&mutants::json(report, confirmed)),
        (_, _) if !env.terminal.wants_summary() => {}
        (_, true) => env.terminal.result(&contracts::table(contracts, seconds)),
        (_, false) => {
            env.terminal.result(&mutants::table(report, seconds));
            if args.compile.is_some() {
                env.terminal.result(&mutants::confirmed(confirmed));
            }
        }
    }
}

/// Shows why the run fails, if it does, and returns the exit code.
fn gates(found: &Found, args: &MutantsArgs, env: &Environment) -> ExitCode {
    let Found {
        report,
        contracts,
        confirmed,
        is_stopped: _,
    } = found;
    let mut code = ExitCode::Done;
    if !report.failed.is_empty() || !contracts.failed.is_empty() {
        code = ExitCode::Gate;
    }
    if args.contracts {
        return code;
    }
    for c in confirmed.iter().filter(|c| !c.agrees) {
        let says = if c.compiled == Compiled::Killed {
            "notices"
        } else {
            "does not notice"
        };
        let message = format!(
            "{}: the compiled suite {says} {}, but the interpreter says otherwise",
            c.place, c.what
        );
        let help = "this is an internal error: please report it with the program";
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::MutantsDisagree, message).with_help(help));
        code = ExitCode::Gate;
    }
    if report.units == 0 {
        env.terminal
            .note("no units: the named files declare no compiled function or method with a body");
    }
    let totals = report.totals();
    if let Some(least) = args.fail_under
        && totals.killed_percent() < least
    {
        let message = format!(
            "{:.1} % of the mutants are killed, less than --fail-under {least}",
            totals.killed_percent()
        );
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CliFailUnder, message));
        code = ExitCode::Gate;
    }
    code
}

/// The tests that `gen` could not write. They kill no mutants.
fn unwritten(program: &Ready, solved: &[Solved], env: &Environment) -> Unwritten {
    let is_against = !env.config.values("against").is_empty();
    let convention = env.config.values("convention");
    let is_official = is_against && convention.iter().any(|c| c == "dafny");
    let has_own_lib = !is_against && layout::has_own_lib(&env.root);
    let (_, mut translation, placement) = translate::translate(program, &env.root, "", has_own_lib);
    if is_against {
        translation = dtest_emit::translate_erased(&program.ir.typed, &program.sources, &placement);
    }
    let cases = pipeline::cases(&program.ir, &program.sources, solved, false);
    let tests = Tests {
        cases: &cases,
        declared: &[],
        datatypes: &[],
        classes: &[],
    };
    let options = SuiteOptions {
        header: String::new(),
        subject: "subject".into(),
        is_translation: !is_against || is_official,
        official: is_official.then(|| OfficialCode {
            path: "theirs".into(),
            is_sync: false,
            has_suffixes: false,
        }),
        directory: generate::SUITE.into(),
    };
    let suite = dtest_emit::suite(
        &program.ir.typed,
        &program.sources,
        &placement,
        &translation,
        &tests,
        &options,
    );
    pipeline::unwritten(&suite)
}
