//! `check`: executions that break what the program promises.

use std::time::Instant;

use super::super::args::{CheckArgs, CheckFailOn, MessageFormat, SearchArgs};
use super::super::{Environment, cache, memory, z3};
use super::{Ready, generate};
use crate::diagnostic::Diagnostic;
use crate::exit_code::ExitCode;
use crate::ir::Criteria;
use crate::pipeline::{self, Kept};
use crate::report::check::{self, CheckReport, Standing};
use crate::search;

/// Runs the command.
pub fn run(args: &CheckArgs, env: &Environment) -> ExitCode {
    let start = Instant::now();
    let solver = match z3::check() {
        Ok(solver) => solver,
        Err(diagnostic) => {
            env.terminal.diagnostic(diagnostic);
            return ExitCode::Z3;
        }
    };
    let filter = match super::filter(args.filter.as_ref().or(env.config.filter.as_ref()), env) {
        Ok(filter) => filter,
        Err(code) => return code,
    };
    let super::Programs { ready: programs, mut code, .. } = match super::ready(&args.program, &Criteria::promises(), env) {
        Ok(ready) => ready,
        Err(code) => return code,
    };
    if programs.is_empty() {
        return code;
    }
    let included = args.program.included || env.config.included.unwrap_or(false);
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (cache, versions) = match super::kept(&env.root, &args.kept, env) {
        Ok(cache) => (cache, cache::versions(&solver)),
        Err(code) => return code,
    };
    memory::watch(args.max_memory.or(env.config.max_memory).unwrap_or(memory::DEFAULT));
    let effort = Effort {
        options: generate::search_options(&search_args(args), &env.config),
        jobs: args.jobs.or(env.config.jobs).map_or(processors, |n| n as usize),
        kept: cache.as_ref().map(|memory| Kept { memory, versions: &versions, retry: args.kept.retry }),
    };
    let mut report = CheckReport::default();
    for program in &programs {
        let units = pipeline::check::units(&program.ir, &program.sources, included, filter.as_ref());
        let progress = env.terminal.progress("looking for violations in units", units.len());
        let results = pipeline::check::search(&program.ir, &units, &effort.options, effort.jobs, effort.kept, &|done| progress.set(done));
        progress.finish();
        let part = pipeline::check::report(&program.ir, &program.sources, &units, &results);
        show(&part, program, args.all, env);
        report.append(part);
    }
    if let Some(cache) = &cache {
        cache.close();
    }
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&check::json(&report));
    } else if env.terminal.wants_summary() {
        env.terminal.result(&check::table(&report, start.elapsed().as_secs_f64()));
    }
    if report.units == 0 {
        env.terminal.note("no unit: the named files declare no function, method or lemma with a body");
    }
    let fail_on = args.fail_on.unwrap_or_default();
    if fail_on == CheckFailOn::NotDecided && report.count(Standing::NotDecided) > 0 {
        code = super::worse(code, ExitCode::Gate);
    }
    if fail_on != CheckFailOn::None && report.count(Standing::Violated) > 0 {
        code = super::worse(code, ExitCode::Findings);
    }
    code
}

fn search_args(args: &CheckArgs) -> SearchArgs {
    SearchArgs {
        filter: args.filter.clone(),
        unroll: args.unroll,
        inline: args.inline,
        max_size: args.max_size,
        rlimit: args.rlimit,
        timeout: args.timeout,
        max_memory: args.max_memory,
        jobs: args.jobs,
        seed: args.seed,
        ..SearchArgs::default()
    }
}

/// What is done for each unit, how many at a time, and what is known of them.
struct Effort<'e> {
    options: search::Options,
    jobs: usize,
    kept: Option<Kept<'e>>,
}

/// Violations as diagnostics; with `all`, the other promises too.
fn show(report: &CheckReport, program: &Ready, all: bool, env: &Environment) {
    if env.terminal.format == MessageFormat::Json {
        return;
    }
    let is_shown = |s: Standing| match s {
        Standing::Violated | Standing::ViolatedAssuming => true,
        Standing::NotDecided | Standing::HoldsWithinBounds | Standing::Holds => all,
    };
    let shown: Vec<Diagnostic> = report.promises.iter().filter(|p| is_shown(p.standing)).map(|p| p.diagnostic.clone()).collect();
    env.terminal.diagnostics(&shown, &program.sources);
}
