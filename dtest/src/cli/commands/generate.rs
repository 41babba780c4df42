//! `gen`: the suite, and the translation that it runs against.
//!
//! [`run_with`] is the command as a sequence of steps; [`generate`] emits the files of one program,
//! in the order of [`pipeline::generate`]; [`finish`] derives the exit code from the report.
//! [`Repeat`] skips the whole run if its inputs and outputs are those of an earlier run.

mod emission;
mod outputs;
mod repeated;
mod settings;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::cli::accepted::Accepted;
use crate::cli::args::{Emit, GenArgs, MessageFormat};
use crate::cli::commands::Ready;
use crate::cli::config::Given;
use crate::cli::error::{CommandResult, ExpectedError};
use crate::cli::layout::Output;
use crate::cli::package::Home;
use crate::cli::shards::{ShardReport, Shards};
use crate::cli::{Environment, coverage_report, diff, files};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::generate::Found;
use crate::pipeline::{self, Part, Shard};
use crate::report::key::Key;
use crate::report::{Report, human, json, junit};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_desugar::Links;
use dtest_emit::dafny::Target;
use emission::{dafny_options, emit_dafny, emit_rust, emit_vectors};
use outputs::{check, has_modules, write, write_transcripts};
use repeated::Repeat;
pub(super) use settings::{Settings, limited, settings, strength};

/// Directory of the suite, relative to the root of the package.
pub(super) const SUITE: &str = "tests/dtest";

/// The files to write for one program.
pub(super) struct Generated {
    pub(super) home: Home,
    pub(super) outputs: Vec<Output>,
    /// Files of the suite that stay unchanged.
    pub(super) staying: Vec<String>,
    /// Links of `dtest.toml` that the program uses.
    links: Links,
    /// The modules of Dafny's translation that the tests call.
    official: Vec<Vec<String>>,
}

/// Runs the command.
pub fn run(args: GenArgs, env: &Environment) -> CommandResult {
    run_with(args, &env.given, None, env)
}

/// Runs the command. `given` has the options that the command line sets; `shards` has the results
/// to merge, if any.
pub fn run_with(
    args: GenArgs,
    given: &Given,
    shards: Option<Shards>,
    env: &Environment,
) -> CommandResult {
    let start = Instant::now();
    let mut settings = settings(&args, given, env)?;
    settings.shards = shards;
    // With unchanged inputs, options and outputs, the recorded messages and report are repeated.
    let repeat = Repeat::new(&args, &settings, env);
    if let Some(record) = repeat.as_ref().and_then(|r| r.recall(&args)) {
        record
            .said
            .into_iter()
            .for_each(|said| env.terminal.say(said));
        let Some(mut report) = record.report else {
            return Ok(record.code);
        };
        report.stages.total = start.elapsed().as_secs_f64();
        return Ok(finish(&report, &settings, record.code, env));
    }
    // Load and resolve the programs, and validate the options that depend on them.
    let super::Programs {
        ready: mut programs,
        paths,
        mut code,
    } = super::ready_with(
        &args.program,
        &settings.criteria,
        scenarios(&args, &settings),
        env,
    )?;
    super::entry::enter(
        &mut programs,
        &settings.entries,
        settings.included,
        settings.inline,
        env,
    )?;
    // A run without a program to test is recorded, too.
    if programs.is_empty() {
        if let Some(repeat) = &repeat {
            repeat.keep(paths, &[], Vec::new(), None, code, env);
        }
        return Ok(code);
    }
    super::require_unit(
        settings.filter.as_ref(),
        &programs,
        (pipeline::units, settings.included),
        env,
    )?;
    in_diff(&mut programs, settings.in_diff.as_deref(), env)?;
    // A shard only searches. The merge of all shards (below) needs a result of every unit.
    if let Some(shard) = args.search.shard {
        let done = search_shard(shard, &programs, &args, &settings, start, env)?;
        return Ok(super::worse(code, done));
    }
    know_all(&programs, &settings)?;
    let roots = super::packages(&programs, &args.program, args.out.as_ref(), env)?;
    // All programs are searched before anything is written: a failure leaves the old suites intact.
    let (all, mut report, runs) = generate_all(&programs, roots, &args, &settings, env);
    // A suite without tests is not written; tests left alone by the diff keep it alive.
    let has_tests = report.totals().all_tests() > 0 || report.left_alone > 0;
    for generated in &all {
        let done = deliver(generated, has_tests, args.check, &settings, env);
        code = super::worse(code, done);
    }
    // Dafny runs the suite that was just written, unless writing failed.
    if !args.run.is_empty() && !args.check && matches!(code, ExitCode::Done | ExitCode::Findings) {
        let targets: Vec<Target> = args.run.iter().copied().map(Target::from).collect();
        let done = super::dafny_runs::run(&runs, &targets, env);
        code = super::worse(code, env.settle(done));
    }
    // Report, record for the next run, exit code.
    report.stages.total = start.elapsed().as_secs_f64();
    let written = write_coverage(&report, &programs, &settings, env);
    code = super::worse(code, env.settle(written));
    if let Some(repeat) = &repeat {
        let pages = settings
            .coverage_report
            .iter()
            .flat_map(|d| coverage_report::files(d))
            .collect();
        repeat.keep(paths, &all, pages, Some((&report, has_tests)), code, env);
    }
    if let Some(cache) = &settings.cache {
        cache.close();
    }
    Ok(finish(&report, &settings, code, env))
}

/// Generates the files of all programs. Also returns their report, and the suites in Dafny that can
/// be run.
fn generate_all(
    programs: &[Ready],
    homes: Vec<Home>,
    args: &GenArgs,
    settings: &Settings,
    env: &Environment,
) -> (Vec<Generated>, Report, Vec<super::dafny_runs::Run>) {
    let mut report = Report::default();
    let mut all: Vec<Generated> = Vec::new();
    let mut runs = Vec::new();
    for (program, home) in programs.iter().zip(homes) {
        let begun = Instant::now();
        let (generated, mut part) = generate(program, home, args, settings, env);
        part.programs = program.row(part.totals(), begun, programs.len());
        let written = generated.outputs.first();
        if let Some(output) = written.filter(|_| settings.emit == Emit::Dafny) {
            let tested = part.units.iter().filter(|u| !u.tests.is_empty());
            runs.push(super::dafny_runs::Run {
                file: generated.home.root.join(&output.path),
                options: dafny_options(&program.ir.typed.options),
                units: tested.map(|u| (u.unit.clone(), u.tests.clone())).collect(),
            });
        }
        all.push(generated);
        report.append(part);
    }
    (all, report, runs)
}

/// Writes the files of a program, or with `check` compares them with those on disk. `has_tests`:
/// whether any program of the run has tests.
fn deliver(
    generated: &Generated,
    has_tests: bool,
    is_check: bool,
    settings: &Settings,
    env: &Environment,
) -> ExitCode {
    if !has_modules(generated, settings, env) {
        ExitCode::Usage
    } else if is_check {
        check(generated, settings.emit, env)
    } else if has_tests {
        env.settle(write(generated, settings, env))
    } else {
        ExitCode::Done
    }
}

/// Writes the pages of `--coverage-report`.
fn write_coverage(
    report: &Report,
    programs: &[Ready],
    settings: &Settings,
    env: &Environment,
) -> CommandResult {
    let Some(directory) = &settings.coverage_report else {
        return Ok(ExitCode::Done);
    };
    let sources: Vec<_> = programs.iter().map(Ready::texts).collect();
    let setting = format!("Criteria: {}", settings.criteria);
    coverage_report::write(
        directory,
        &settings.out,
        report,
        &sources,
        &setting,
        "cargo dtest gen",
        env,
    )
}

/// Shows the report and derives the exit code from it.
fn finish(report: &Report, settings: &Settings, mut code: ExitCode, env: &Environment) -> ExitCode {
    env.terminal.cases(junit::units(report));
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&json::render(report, peak_memory()));
    } else if env.terminal.wants_summary() {
        env.terminal.result(&human::render(report, false));
    }
    let totals = report.totals();
    if totals.units == 0 && totals.all_tests() == 0 {
        env.terminal
            .note("no units: the named files declare no compiled function or method with a body");
    }
    // Findings and gates change only the exit code: the suite is written all the same.
    if totals.findings > 0 {
        code = super::worse(code, ExitCode::Findings);
    }
    if totals.all_tests() == 0 && report.left_alone == 0 {
        code = super::worse(code, ExitCode::NothingGenerated);
    }
    if let Some(least) = settings.fail_under
        && totals.settled_percent() < least
    {
        let (settled, sure) = (totals.settled_percent(), totals.covered_or_proved_percent());
        let message = format!(
            "{settled:.1} % of the goals are settled ({sure:.1} % covered or proved), less than --fail-under {least}"
        );
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CliFailUnder, message));
        code = super::worse(code, ExitCode::Gate);
    }
    if settings.fail_unchecked && totals.unchecked > 0 {
        let names: Vec<&str> = report
            .units
            .iter()
            .flat_map(|u| &u.unchecked)
            .map(String::as_str)
            .collect();
        let are = if names.len() == 1 {
            "test is"
        } else {
            "tests are"
        };
        let message = format!(
            "{} {are} unchecked, which --fail-unchecked forbids: {}",
            names.len(),
            names.join(", ")
        );
        let help = "give the unit a postcondition that can be executed";
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CliFailUnchecked, message).with_help(help));
        code = super::worse(code, ExitCode::Gate);
    }
    code
}

/// Records in each program the effect of the diff in a file.
/// A file of the diff that is not part of the programs, but is called like one that is, gets a
/// warning: the diff may be relative to another directory.
pub(super) fn in_diff(
    programs: &mut [Ready],
    file: Option<&Path>,
    env: &Environment,
) -> Result<(), Diagnostic> {
    let Some(file) = file else { return Ok(()) };
    let fail = |message: String| Diagnostic::global(MessageId::CliInDiff, message);
    let bytes = files::read_bytes(file)
        .map_err(|e| fail(format!("cannot read `{}`: {e}", file.display())))?;
    let parsed = diff::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|e| fail(format!("`{}` is not a unified diff: {e}", file.display())))?;
    for (path, meant) in parsed.misplaced(programs.iter().flat_map(|p| &p.paths)) {
        let message = format!("the diff names `{path}`, which is not a file of the program");
        let meant = files::shown(&meant, &env.root);
        let mut diagnostic = fail(message).with_help(format!(
            "if it means `{meant}`, create the diff in the directory of the package: `git diff --relative`"
        ));
        diagnostic.severity = Severity::Warning;
        env.terminal.diagnostic(diagnostic);
    }
    for program in programs {
        program.change = Some(parsed.change(&program.sources, &program.paths)?);
    }
    Ok(())
}

/// Searches the units of a shard and writes the results. Gates such as `--fail-under` are left to
/// `merge`, which has all results.
fn search_shard(
    shard: Shard,
    programs: &[Ready],
    args: &GenArgs,
    settings: &Settings,
    start: Instant,
    env: &Environment,
) -> CommandResult {
    // The same division in each shard; `merge` validates that every unit was searched.
    let mut parts: Vec<Vec<Part>> = Vec::new();
    for program in programs {
        let (subject, options) = (program.subject(), settings.options());
        let (units, _) = pipeline::generate::units(&subject, &options);
        let units = pipeline::deal(&program.ir, units, shard);
        let results = pipeline::generate::search(&subject, &units, &options, &env.terminal.begin());
        parts.push(pipeline::parts(
            &program.ir,
            &units,
            &results,
            &settings.versions,
            &settings.search,
        ));
    }
    if let Some(cache) = &settings.cache {
        cache.close();
    }
    let default = || PathBuf::from(format!("dtest-shard-{}-of-{}.json", shard.index, shard.of));
    let path = args.search.report.clone().unwrap_or_else(default);
    let count: usize = parts.iter().map(Vec::len).sum();
    let report = ShardReport::new(&settings.versions, shard, &env.arguments, parts);
    report.write(&path)?;
    let seconds = start.elapsed().as_secs_f64();
    env.terminal.note(&format!(
        "shard {shard}: {count} units in {seconds:.2} s; wrote {}",
        path.display()
    ));
    Ok(ExitCode::Done)
}

/// Checks, in a merge, that the shards searched every unit of the programs in its present version.
fn know_all(programs: &[Ready], settings: &Settings) -> Result<(), ExpectedError> {
    let Some(shards) = &settings.shards else {
        return Ok(());
    };
    for (i, program) in programs.iter().enumerate() {
        let (units, _) = pipeline::generate::units(&program.subject(), &settings.options());
        let keys = pipeline::keys(&program.ir, &units, &settings.versions, &settings.search);
        let unknown = shards.unknown(i, units.iter().map(|u| u.path.as_str()).zip(keys));
        if let Some(first) = unknown.first() {
            let message = format!(
                "{} units differ from those that the shards searched, `{first}` among them",
                unknown.len()
            );
            let diagnostic = Diagnostic::global(MessageId::CliShards, message);
            return Err(diagnostic.with_help("run `merge` on the sources and the `dtest.toml` of the shards, with the same search options").into());
        }
    }
    Ok(())
}

/// Generates the files of one program, and its report.
pub(super) fn generate(
    program: &Ready,
    home: Home,
    args: &GenArgs,
    settings: &Settings,
    env: &Environment,
) -> (Generated, Report) {
    let options = settings.options();
    let emit = |found: &Found<'_>| match settings.emit {
        Emit::Rust => emit_rust(program, home, found, args, settings),
        Emit::Dafny => emit_dafny(program, home, found, settings),
        Emit::Vectors => emit_vectors(program, home, found, settings),
    };
    let (mut outcome, generated) =
        pipeline::generate::generate(&program.subject(), &options, &env.terminal.begin(), emit);
    if let Some(directory) = &settings.smt_log {
        write_transcripts(directory, &outcome.transcripts, env);
    }
    // The list of `check` is for the violations of `gen`, too.
    let mut accepted = Accepted::list(super::check::ACCEPTED, env);
    let of_units = outcome
        .report
        .units
        .iter_mut()
        .flat_map(|u| &mut u.findings);
    let of_tests = outcome.report.own_tests.iter_mut();
    for finding in of_units.chain(of_tests.filter_map(|t| t.finding.as_mut())) {
        finding.allowed = accepted.by(&finding.key, 0);
    }
    let fails = |(_, key): &&(Diagnostic, Key)| accepted.by(key, 0).is_none();
    let findings: Vec<Diagnostic> = outcome
        .findings
        .iter()
        .filter(fails)
        .map(|(diagnostic, _)| diagnostic.clone())
        .collect();
    if matches!(
        env.terminal.format,
        MessageFormat::Github | MessageFormat::Sarif
    ) {
        env.terminal.diagnostics(&findings, &program.sources);
    }
    if settings.emit == Emit::Rust {
        for warning in outcome.not_written {
            env.terminal.diagnostics(&[warning], &program.sources);
        }
    }
    (generated, outcome.report)
}

/// The maximum number of scenarios of a class. Code by other hands and tests through entries have none.
fn scenarios(args: &GenArgs, settings: &Settings) -> usize {
    if settings.against.is_some() || !settings.entries.is_empty() {
        return 0;
    }
    args.scenarios.unwrap_or_default() as usize
}

/// The peak memory use of the process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = files::read_text(Path::new("/proc/self/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
