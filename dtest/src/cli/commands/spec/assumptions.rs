//! `spec --assumptions`: the assumptions that a program trusts.

use std::time::Instant;

use super::super::{Programs, generate};
use crate::cli::args::{MessageFormat, SpecArgs, SpecFailOn};
use crate::cli::commands::{effort, filter, ready, worse};
use crate::cli::error::{CommandResult, ExpectedError};
use crate::cli::{Environment, isolate, memory, z3};
use crate::exit_code::ExitCode;
use crate::pipeline::{self, spec_assumptions};
use crate::report::spec_assumptions::{self as report, AssumptionsReport};
use dtest_ir::Criteria;

/// Lists the assumptions with evidence.
pub(super) fn run(args: &SpecArgs, env: &Environment) -> CommandResult {
    let start = Instant::now();
    z3::check()?;
    let filter = filter(args.filter.as_ref())?;
    let Programs {
        ready: programs,
        code,
        ..
    } = ready(&args.program, &Criteria::default(), env)?;
    if programs.is_empty() {
        return Err(ExpectedError::Programs);
    }
    let search = generate::limited(&args.limits);
    isolate::limit_time(search.timeout);
    memory::watch(args.limits.max_memory.unwrap_or(memory::DEFAULT));
    let options = pipeline::spec::Options {
        search: &search,
        jobs: effort::jobs(&args.limits),
        allow: &args.allow,
    };
    let mut all = AssumptionsReport::default();
    for program in &programs {
        let (ir, sources) = (&program.ir, &program.sources);
        let included = args.program.included;
        let found =
            spec_assumptions::examine(ir, sources, included, filter.as_ref(), &options, &|_| {});
        if env.terminal.format != MessageFormat::Json {
            env.terminal.diagnostics(&found.diagnostics, sources);
        }
        all.append(found);
    }
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&report::json(&all));
    } else if env.terminal.wants_summary() {
        let seconds = start.elapsed().as_secs_f64();
        env.terminal.result(&report::table(&all, seconds));
    }
    let totals = all.totals();
    let fails = match args.fail_on.unwrap_or_default() {
        SpecFailOn::None => false,
        SpecFailOn::Faulty => totals.refuted > 0,
        SpecFailOn::Open => totals.proved < totals.assumptions,
    };
    Ok(match fails {
        true => worse(code, ExitCode::Findings),
        false => code,
    })
}
