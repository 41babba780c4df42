//! `mutants`: runs mutation testing on the suite, or with `--contracts` on the contracts, and
//! reports surviving mutants.

use std::time::Instant;

use super::super::args::{MessageFormat, MutantsArgs};
use super::super::error::{CommandResult, ExpectedError};
use super::super::{Environment, layout};
use super::effort::{Effort, Work};
use super::{Ready, generate, translate};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::mutants::{Asked, Tested};
use crate::pipeline::{self, Solved, Unwritten};
use crate::report::contracts::{self, ContractsReport};
use crate::report::mutants::{self, Compiled, Confirmation, MutantsReport};
use dafny_source::diagnostic::Diagnostic;
use dtest_emit::case::{SuiteOptions, Tests};
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
    generate::in_diff(&mut programs, args.in_diff.as_deref())?;
    if args.compile.is_some() && programs.len() > 1 {
        let message = "`--compile` takes one program at a time";
        return Err(Diagnostic::global(MessageId::MutantsOneProgram, message)
            .with_help("remove `--each`")
            .into());
    }
    let mut found = Found::default();
    for program in &programs {
        let all = pipeline::units(&program.ir, &program.sources, included, None);
        let wanted = pipeline::units(&program.ir, &program.sources, included, filter.as_ref());
        let wanted = match args.shard {
            Some(shard) => pipeline::deal(&program.ir, wanted, shard),
            None => wanted,
        };
        of_program(program, all, &wanted, (args, &effort), &mut found, env)?;
    }
    effort.close();
    let seconds = start.elapsed().as_secs_f64();
    show(&found, args, seconds, env);
    Ok(super::worse(code, gates(&found, args, env)))
}

/// The reports of all programs.
#[derive(Default)]
struct Found {
    /// The mutants of code.
    report: MutantsReport,
    /// With `--contracts`, the mutants of contracts.
    contracts: ContractsReport,
    /// With `--compile`, the mutants that were compiled.
    confirmed: Vec<Confirmation>,
}

/// Runs the mutants of one program, and shows its survivors as diagnostics. `all` are its units, of
/// which those in `wanted` have mutants.
fn of_program(
    program: &Ready,
    all: Vec<Unit>,
    wanted: &[Unit],
    (args, effort): (&MutantsArgs, &Effort),
    found: &mut Found,
    env: &Environment,
) -> Result<(), ExpectedError> {
    let Ready { ir, sources, .. } = program;
    let (options, jobs) = (&effort.options, effort.jobs);
    let (units, solved) = pipeline::mutants::search(
        ir,
        all,
        wanted,
        options,
        (jobs, effort.kept()),
        &env.terminal.begin(),
    );
    let progress = env
        .terminal
        .progress("running mutants of units", wanted.len());
    let done = |done| progress.set(done);
    let mut asked = Asked::all(wanted, options);
    asked.change = program.change.as_ref();
    asked.steps = asked.steps.saturating_mul(BUDGET_FACTOR);
    let has_diagnostics = env.terminal.format != MessageFormat::Json;
    if args.contracts {
        let suite = (&units[..], &solved[..]);
        let part = pipeline::mutants::contracts(ir, sources, suite, asked, jobs, &done);
        progress.finish();
        if has_diagnostics {
            let allowed = part.mutants().filter_map(|m| m.diagnostic.clone());
            env.terminal
                .diagnostics(&allowed.collect::<Vec<_>>(), sources);
        }
        found.contracts.append(part);
        return Ok(());
    }
    let tested = Tested {
        units: &units,
        solved: &solved,
        unwritten: &unwritten(program, &solved, env),
    };
    let part = pipeline::mutants::run(ir, sources, tested, asked, jobs, &done);
    progress.finish();
    if has_diagnostics {
        let survivors = part.survivors().map(|m| m.diagnostic.clone());
        let shown: Vec<Diagnostic> = survivors.chain(part.untested()).collect();
        env.terminal.diagnostics(&shown, sources);
    }
    if let Some(count) = args.compile {
        let confirmed = super::confirm::confirm(program, &part.mutants, count, args, env)?;
        found.confirmed.extend(confirmed);
    }
    found.report.append(part);
    Ok(())
}

/// Shows the reports.
fn show(found: &Found, args: &MutantsArgs, seconds: f64, env: &Environment) {
    let Found {
        report,
        contracts,
        confirmed,
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
    let is_translation = env.config.values("against").is_empty();
    let has_own_lib = is_translation && layout::has_own_lib(&env.root);
    let (_, mut translation, placement) = translate::translate(program, &env.root, "", has_own_lib);
    if !is_translation {
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
        is_translation,
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
