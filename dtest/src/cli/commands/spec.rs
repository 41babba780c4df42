//! `spec`: tests of the specification itself.

mod assumptions;
mod cases;
mod difference;

use std::time::Instant;

use super::super::args::{MessageFormat, SpecArgs, SpecFailOn};
use super::super::error::{CommandResult, ExpectedError};
use super::super::{Environment, isolate, memory, z3};
use super::{Programs, Ready, generate};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline;
use crate::report::spec::{self, SpecReport, UnitSpec};
use crate::report::spec_cases::{self, CasesReport};
use crate::report::spec_strength::{self, StrengthReport};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, SourceMap};
use dtest_ir::{self as ir, Criteria};
use dtest_lower::units::Unit;

/// Runs the command.
pub fn run(args: &SpecArgs, env: &Environment) -> CommandResult {
    if let Some(old) = &args.diff {
        return difference::run(args, old, env);
    }
    if args.assumptions {
        return assumptions::run(args, env);
    }
    let cases = cases::read(&args.cases)?;
    let start = Instant::now();
    z3::check()?;
    let filter = super::filter(args.filter.as_ref())?;
    let Programs {
        ready: programs,
        mut code,
        ..
    } = super::ready(&args.program, &Criteria::default(), env)?;
    if programs.is_empty() {
        return Err(ExpectedError::Programs);
    }
    let options = generate::limited(&args.limits);
    isolate::limit_time(options.timeout);
    memory::watch(args.limits.max_memory.unwrap_or(memory::DEFAULT));
    let included = args.program.included;
    super::require_unit(filter.as_ref(), &programs, (units, included), env)?;
    let mut report = SpecReport::default();
    let mut strength: Vec<StrengthReport> = Vec::new();
    let mut paths = dtest_sorted::SortedSet::new();
    for program in &programs {
        let (ir, sources) = (&program.ir, &program.sources);
        let all = pipeline::spec::units(&ir.typed, sources, included, None);
        paths.extend(all.iter().map(|u| Name::from(u.path.as_str())));
        let units = pipeline::spec::units(&ir.typed, sources, included, filter.as_ref());
        let progress = env.terminal.progress("examining contracts", units.len());
        let options = pipeline::spec::Options {
            search: &options,
            jobs: super::effort::jobs(&args.limits),
            allow: &args.allow,
        };
        let part = pipeline::spec::examine(ir, sources, &units, &options, &|done| {
            progress.set(done);
        });
        progress.finish();
        if env.terminal.format != MessageFormat::Json {
            env.terminal
                .diagnostics(&part.diagnostics(args.all), sources);
        }
        report.append(part);
        strength.extend(strength_of(args, program, &units, &options, env));
    }
    code = worse_of_cases(code, &cases, &programs, (&options, env));
    if args.test_cases {
        for Ready { ir, sources, .. } in &programs {
            let found = pipeline::spec_cases::judge_tests(ir, sources);
            code = shown_cases(code, &found, sources, env);
        }
    }
    if let Some(name) = args.allow.iter().find(|n| !paths.contains(n.as_str())) {
        let message = format!("`--allow {name}`: the program has no contract of this name");
        let diagnostic = Diagnostic::global(MessageId::SpecUnknownUnit, message);
        return Err(super::check::with_closest(diagnostic, name, &paths).into());
    }
    let failed = strength.iter().flat_map(|s| &s.failed);
    for (unit, reason) in report.failed.iter().chain(failed) {
        let message = format!("the contract of `{unit}` is not examined: {reason}");
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::SpecNotDecided, message));
        code = super::worse(code, ExitCode::Gate);
    }
    if env.terminal.format == MessageFormat::Json {
        for part in &strength {
            env.terminal.result(&spec_strength::json(part));
        }
        env.terminal.result(&spec::json(&report));
    } else if env.terminal.wants_summary() {
        let seconds = start.elapsed().as_secs_f64();
        env.terminal.result(&spec::table(&report, seconds));
    }
    if report.units.is_empty() {
        env.terminal
            .note("no units: the named files declare no function, method or lemma with a contract");
    }
    Ok(super::worse(code, gate(args, &report, env)))
}

/// Judges the cases, and returns the exit code with regard to wrong verdicts. There are cases of one
/// program only.
fn worse_of_cases(
    code: ExitCode,
    cases: &cases::Cases,
    programs: &[Ready],
    (options, env): (&dtest_search::Options, &Environment),
) -> ExitCode {
    let count = cases.cases.len() + cases.references.len();
    let Some(program) = programs.first().filter(|_| count > 0) else {
        return code;
    };
    let (typed, sources) = (&program.ir.typed, &program.sources);
    let mut found = pipeline::spec_cases::judge(typed, sources, &cases.cases);
    let references = &cases.references;
    found.append(pipeline::spec_cases::judge_references(
        typed, sources, references, options,
    ));
    let code = match found.cases.len() < count {
        true => super::worse(code, ExitCode::Gate),
        false => code,
    };
    shown_cases(code, &found, sources, env)
}

/// Shows the verdicts on cases, and returns the exit code with regard to wrong verdicts.
fn shown_cases(
    code: ExitCode,
    found: &CasesReport,
    sources: &SourceMap,
    env: &Environment,
) -> ExitCode {
    env.terminal.diagnostics(&found.diagnostics, sources);
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&spec_cases::json(found));
    }
    let code = match found.cases.iter().any(|c| c.verdict == "undecided") {
        true => super::worse(code, ExitCode::Gate),
        false => code,
    };
    match found.cases.iter().any(|c| c.is_wrong()) {
        true => super::worse(code, ExitCode::Findings),
        false => code,
    }
}

/// Examines the strength of contracts, if that is wanted, and shows what is found.
fn strength_of(
    args: &SpecArgs,
    program: &Ready,
    units: &[Unit],
    options: &pipeline::spec::Options<'_>,
    env: &Environment,
) -> Option<StrengthReport> {
    let wanted = pipeline::spec_strength::Wanted {
        mutants: args.mutants,
        candidates: args.suggest,
    };
    if !wanted.mutants && !wanted.candidates {
        return None;
    }
    let progress = env.terminal.progress("changing contracts", units.len());
    let done = |done| progress.set(done);
    let (ir, sources) = (&program.ir, &program.sources);
    let found = pipeline::spec_strength::examine(ir, sources, units, options, wanted, &done);
    progress.finish();
    if env.terminal.format != MessageFormat::Json {
        env.terminal.diagnostics(&found.diagnostics, sources);
    }
    Some(found)
}

/// The units with contracts, as [`pipeline::units`] has those with code.
fn units(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&regex_lite::Regex>,
) -> Vec<Unit> {
    pipeline::spec::units(&program.typed, sources, included, filter)
}

/// Shows why the run fails, if it does, and returns the exit code.
fn gate(args: &SpecArgs, report: &SpecReport, env: &Environment) -> ExitCode {
    let mut code = ExitCode::Done;
    let fails = |unit: &UnitSpec| match args.fail_on.unwrap_or_default() {
        SpecFailOn::None => false,
        SpecFailOn::Faulty => unit.is_faulty(),
        SpecFailOn::Open => unit.is_faulty() || unit.is_open(),
    };
    if report.units.iter().any(fails) {
        code = ExitCode::Findings;
    }
    if let (Some(least), Some(score)) = (args.fail_under, report.totals().score)
        && score < least
    {
        let message = format!(
            "the mean score of the contracts is {score:.1} %, less than --fail-under {least}"
        );
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CliFailUnder, message));
        code = super::worse(code, ExitCode::Gate);
    }
    code
}
