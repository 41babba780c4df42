//! `mutants`: runs mutation testing on the suite, or with `--contracts` on the contracts, and
//! reports surviving mutants.

use std::time::Instant;

use super::super::args::{MessageFormat, MutantsArgs};
use super::super::error::CommandResult;
use super::super::{Environment, layout};
use super::effort::Work;
use super::{Ready, generate, translate};
use crate::exit_code::ExitCode;
use crate::pipeline::mutants::{Asked, Tested};
use crate::pipeline::obligations::Obligations;
use crate::pipeline::{self, Solved, Unwritten};
use crate::report::contracts::{self, ContractsReport};
use crate::report::mutants::{self, Compiled, MutantsReport};
use dafny_syntax::diagnostic::Diagnostic;
use dtest_emit::case::{SuiteOptions, Tests};

/// Budget for mutants relative to `gen`, which only counts them.
const BUDGET_FACTOR: u64 = 10;

/// Runs the command.
pub fn run(args: &MutantsArgs, env: &Environment) -> CommandResult {
    if super::boogie::is_meant(&args.program) {
        return super::boogie::refuse("suite");
    }
    let start = Instant::now();
    let Work {
        mut programs,
        mut code,
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
        return Err(Diagnostic::global("mutants/one-program", message)
            .with_help("remove `--each`")
            .into());
    }
    let mut confirmed = Vec::new();
    let mut report = MutantsReport::default();
    let mut contracts = ContractsReport::default();
    for program in &programs {
        let wanted = pipeline::units(&program.ir, &program.sources, included, filter.as_ref());
        let wanted = args.shard.map_or_else(
            || wanted.clone(),
            |shard| pipeline::deal(&program.ir, wanted.clone(), shard),
        );
        let all = pipeline::units(&program.ir, &program.sources, included, None);
        let units = pipeline::mutants::with_callers(&program.ir, all, &wanted);
        let progress = env.terminal.progress("searching units", units.len());
        let mut solved = pipeline::search(
            &program.ir,
            &units,
            &effort.options,
            effort.jobs,
            effort.kept(),
            &|done| progress.set(done),
        );
        progress.finish();
        // Tests that violate an obligation are removed, as `gen` does, so that mutants run against
        // the tests that `gen` writes.
        if solved.iter().any(|s| !s.result.tests.is_empty()) {
            Obligations::of(&program.ir, effort.options.fuel).apply(
                &units,
                &mut solved,
                effort.jobs,
            );
        }
        let progress = env
            .terminal
            .progress("running mutants of units", wanted.len());
        let done = |done| progress.set(done);
        let suite = (&units[..], &solved[..]);
        let mut asked = Asked::all(&wanted, &effort.options);
        asked.change = program.change.as_ref();
        asked.steps = asked.steps.saturating_mul(BUDGET_FACTOR);
        if args.contracts {
            let part = pipeline::mutants::contracts(
                &program.ir,
                &program.sources,
                suite,
                asked,
                effort.jobs,
                &done,
            );
            progress.finish();
            if env.terminal.format != MessageFormat::Json {
                let allowed: Vec<Diagnostic> = part
                    .mutants()
                    .filter_map(|m| m.diagnostic.clone())
                    .collect();
                env.terminal.diagnostics(&allowed, &program.sources);
            }
            contracts.append(part);
            continue;
        }
        let unwritten = unwritten(program, &solved, env);
        let tested = Tested {
            units: &units,
            solved: &solved,
            unwritten: &unwritten,
        };
        let part = pipeline::mutants::run(
            &program.ir,
            &program.sources,
            tested,
            asked,
            effort.jobs,
            &done,
        );
        progress.finish();
        if env.terminal.format != MessageFormat::Json {
            let survivors: Vec<Diagnostic> = part
                .survivors()
                .map(|m| m.diagnostic.clone())
                .chain(part.untested())
                .collect();
            env.terminal.diagnostics(&survivors, &program.sources);
        }
        if let Some(count) = args.compile {
            confirmed.extend(super::confirm::confirm(
                program,
                &part.mutants,
                count,
                args,
                env,
            )?);
        }
        report.append(part);
    }
    effort.close();
    for (unit, reason) in report.failed.iter().chain(&contracts.failed) {
        let message = format!("mutants of `{unit}` are not counted: {reason}");
        env.terminal
            .diagnostic(Diagnostic::global("mutants/failed", message));
        code = super::worse(code, ExitCode::Gate);
    }
    if args.contracts {
        if env.terminal.format == MessageFormat::Json {
            env.terminal.result(&contracts::json(&contracts));
        } else if env.terminal.wants_summary() {
            env.terminal
                .result(&contracts::table(&contracts, start.elapsed().as_secs_f64()));
        }
        return Ok(code);
    }
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&mutants::json(&report, &confirmed));
    } else if env.terminal.wants_summary() {
        env.terminal
            .result(&mutants::table(&report, start.elapsed().as_secs_f64()));
        if args.compile.is_some() {
            env.terminal.result(&mutants::confirmed(&confirmed));
        }
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
            .diagnostic(Diagnostic::global("mutants/disagree", message).with_help(help));
        code = super::worse(code, ExitCode::Gate);
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
            .diagnostic(Diagnostic::global("cli/fail-under", message));
        code = super::worse(code, ExitCode::Gate);
    }
    Ok(code)
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
