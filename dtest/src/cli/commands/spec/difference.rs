//! `spec --diff`: the differences between the contracts of two versions of a program.

use std::path::Path;
use std::time::Instant;

use super::super::{Programs, generate};
use crate::cli::args::{MessageFormat, ProgramArgs, SpecArgs, SpecFailOn};
use crate::cli::commands::{effort, filter, ready, worse};
use crate::cli::error::{CommandResult, ExpectedError};
use crate::cli::load::{self, Loaded, Start};
use crate::cli::{Environment, files, isolate, memory, revision, z3};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::{self, spec_difference};
use crate::report::spec_difference::{self as report, DifferenceReport};
use dafny_resolve::typed;
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dtest_ir::Criteria;

/// Compares the program with the version `old`: a path, or a revision of git.
pub(super) fn run(args: &SpecArgs, old: &str, env: &Environment) -> CommandResult {
    let start = Instant::now();
    z3::check()?;
    let filter = filter(args.filter.as_ref())?;
    let Programs {
        ready: programs,
        code,
        ..
    } = ready(&args.program, &Criteria::default(), env)?;
    let Some(new) = programs.first() else {
        return Err(ExpectedError::Programs);
    };
    let options = generate::limited(&args.limits);
    isolate::limit_time(options.timeout);
    memory::watch(args.limits.max_memory.unwrap_or(memory::DEFAULT));
    let (before, sources) = earlier(&args.program, old, &new.sources, env)?;
    let units = |program: &typed::Program, sources: &SourceMap| {
        pipeline::spec::units(program, sources, args.program.included, filter.as_ref())
    };
    let (of_old, of_new) = (units(&before, &sources), units(&new.ir.typed, &new.sources));
    let progress = env.terminal.progress("comparing contracts", of_new.len());
    let compared = spec_difference::Compared {
        old: (&before, &of_old),
        new: (&new.ir, &of_new),
        sources: &sources,
    };
    let jobs = effort::jobs(&args.limits);
    let found = spec_difference::compare(&compared, &options, jobs, &|done| progress.set(done));
    progress.finish();
    show(args, &found, &sources, start.elapsed().as_secs_f64(), env);
    let fails = match args.fail_on.unwrap_or_default() {
        SpecFailOn::None => false,
        SpecFailOn::Faulty => found.units.iter().any(|u| u.affects_callers()),
        SpecFailOn::Open => found.units.iter().any(|u| u.is_different()),
    };
    let code = match fails {
        true => worse(code, ExitCode::Findings),
        false => code,
    };
    Ok(match found.failed.is_empty() {
        true => code,
        false => worse(code, ExitCode::Gate),
    })
}

fn show(
    args: &SpecArgs,
    found: &DifferenceReport,
    sources: &SourceMap,
    seconds: f64,
    env: &Environment,
) {
    for (unit, reason) in &found.failed {
        let message = format!("the contracts of `{unit}` are not compared: {reason}");
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::SpecNotDecided, message));
    }
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&report::json(found));
    } else {
        env.terminal
            .diagnostics(&found.diagnostics(args.all), sources);
        if env.terminal.wants_summary() {
            env.terminal.result(&report::table(found, seconds));
        }
    }
}

/// Loads the old version of the program. Returns it with the texts of both versions.
fn earlier(
    args: &ProgramArgs,
    old: &str,
    sources: &SourceMap,
    env: &Environment,
) -> Result<(typed::Program, SourceMap), ExpectedError> {
    let mut start = Start {
        sources: sources.clone(),
        prefix: String::new(),
    };
    if Path::new(old).exists() {
        let args = ProgramArgs {
            files: vec![old.to_owned()],
            ..args.clone()
        };
        return resolved(load::load_after(&args, &env.root, &start)?);
    }
    let revision = revision::check_out(&env.root, old).map_err(|error| {
        let message = format!("`--diff {old}`: there is no file or directory `{old}`, and {error}");
        ExpectedError::from(Diagnostic::global(MessageId::CliUnknownVersion, message))
    })?;
    start.prefix = format!("{old}:");
    let named = match args.files.as_slice() {
        [] => vec!["src".to_owned()],
        files => files.to_vec(),
    };
    let in_revision = |pattern: &String| {
        let path = std::path::absolute(pattern).unwrap_or_else(|_| pattern.into());
        let path = revision.path(&files::normalize(&path));
        // A file that is new has no old version.
        let is_there = path.exists() || pattern.contains(['*', '?', '[']);
        is_there.then(|| path.to_string_lossy().into_owned())
    };
    let old_files: Vec<String> = named.iter().filter_map(in_revision).collect();
    if old_files.is_empty() {
        return Ok((typed::Program::default(), start.sources));
    }
    let args = ProgramArgs {
        files: old_files,
        ..args.clone()
    };
    let root = revision.path(&env.root);
    resolved(load::load_after(&args, &root, &start)?)
}

/// Resolves the only program of a run.
fn resolved(loaded: Vec<Loaded>) -> Result<(typed::Program, SourceMap), ExpectedError> {
    let Some(loaded) = loaded.into_iter().next() else {
        return Err(ExpectedError::Programs);
    };
    let failed = |diagnostics: Vec<Diagnostic>, sources: SourceMap| ExpectedError::Program {
        diagnostics,
        sources: Box::new(sources),
    };
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(failed(loaded.diagnostics, loaded.sources));
    }
    match pipeline::front(loaded.files, loaded.options) {
        Ok((program, _)) => Ok((program, loaded.sources)),
        Err(diagnostics) => Err(failed(diagnostics, loaded.sources)),
    }
}
