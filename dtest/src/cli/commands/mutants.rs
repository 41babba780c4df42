//! `mutants`: which mistakes in the program its suite notices.

use std::time::Instant;

use super::super::Environment;
use super::super::args::{MessageFormat, MutantsArgs};
use super::effort::Work;
use crate::exit_code::ExitCode;
use crate::pipeline;
use crate::report::mutants::{self, MutantsReport};
use dafny_syntax::diagnostic::Diagnostic;
use dtest_engine::interp::Limits;

/// Runs the command.
pub fn run(args: &MutantsArgs, env: &Environment) -> ExitCode {
    if super::boogie::is_meant(&args.program) {
        return super::boogie::refuse("suite", env);
    }
    let start = Instant::now();
    let Work { programs, mut code, filter, included, mut effort } = match Work::begin(
        &args.program,
        args.filter.as_ref(),
        (&args.limits, &args.kept),
        &super::criteria(&args.coverage, &env.config),
        env,
    ) {
        Ok(work) => work,
        Err(code) => return code,
    };
    effort.options.strength = super::generate::strength(args.strength, &env.config);
    let limits = Limits { steps: effort.options.fuel, ..Limits::default() };
    let mut report = MutantsReport::default();
    for program in &programs {
        let units = pipeline::units(&program.ir, &program.sources, included, filter.as_ref());
        let progress = env.terminal.progress("searching units", units.len());
        let solved = pipeline::search(&program.ir, &units, &effort.options, effort.jobs, effort.kept(), &|done| progress.set(done));
        progress.finish();
        let progress = env.terminal.progress("running mutants of units", units.len());
        let part =
            pipeline::mutants::run(&program.ir, &program.sources, (&units, &solved), limits, effort.jobs, &|done| progress.set(done));
        progress.finish();
        if env.terminal.format != MessageFormat::Json {
            let survivors: Vec<Diagnostic> = part.survivors().map(|m| m.diagnostic.clone()).collect();
            env.terminal.diagnostics(&survivors, &program.sources);
        }
        report.append(part);
    }
    effort.close();
    for unit in &report.failed {
        let message = format!("a bug of cargo dtest: the interpreter failed on mutants of `{unit}`, which are not counted");
        env.terminal.diagnostic(Diagnostic::global("mutants/failed", message));
        code = super::worse(code, ExitCode::Gate);
    }
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&mutants::json(&report));
    } else if env.terminal.wants_summary() {
        env.terminal.result(&mutants::table(&report, start.elapsed().as_secs_f64()));
    }
    if report.units == 0 {
        env.terminal.note("no unit: the named files declare no compiled function or method with a body");
    }
    let totals = report.totals();
    if let Some(least) = args.fail_under
        && totals.killed_percent() < least
    {
        let message = format!("{:.1} % of the mutants are killed, less than --fail-under {least}", totals.killed_percent());
        env.terminal.diagnostic(Diagnostic::global("cli/fail-under", message));
        code = super::worse(code, ExitCode::Gate);
    }
    code
}
