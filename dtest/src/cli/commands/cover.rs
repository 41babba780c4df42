//! `cover`: runs the suite on a copy of the package whose translation contains probes, and compares
//! the goals that it reaches with the goals that `gen` reports as covered.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use super::super::args::{CoverArgs, GenArgs, MessageFormat};
use super::super::error::{CommandResult, ExpectedError};
use super::super::files::FileError;
use super::super::layout::{self, Output};
use super::super::{Environment, coverage_report, files, interrupt, package, scratch};
use super::generate::{self, Generated, Settings};
use super::{Ready, translate};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::report::actual::{self, Counts, Hits};
use crate::report::{Report, json};
use dafny_source::diagnostic::{Diagnostic, Severity};

/// Directory of the copy, relative to the root of the package.
const SCRATCH: &str = "target/dtest/cover";
/// The environment variable that `dunit::cover` reads: the file that probes write to.
const FILE: &str = "DTEST_COVER";

/// Runs the command.
pub fn run(args: CoverArgs, env: &Environment) -> CommandResult {
    let start = Instant::now();
    let options = &args.generated;
    let refuse = |message: &str, help: &str| -> CommandResult {
        Err(
            Diagnostic::global(MessageId::CoverNothingToMeasure, message)
                .with_help(help)
                .into(),
        )
    };
    // Options that `cover` shares with `gen`, but that make no sense here.
    if options.check {
        return refuse(
            "`cover` does not write a suite, so there is nothing to check",
            "use `cargo dtest gen --check` to find stale files",
        );
    }
    if options.search.shard.is_some() {
        return refuse(
            "`cover` runs the suite as a whole, not a shard of its search",
            "remove `--shard`",
        );
    }
    let settings = generate::settings(options, &env.given, env)?;
    if settings.against.is_some() {
        let message = "there is nothing to measure: with `--against`, tests run hand-written Rust and not the translation of the Dafny source";
        return refuse(
            message,
            "measure that code with Rust coverage tools such as `cargo llvm-cov`",
        );
    }
    let super::Programs {
        ready: mut programs,
        code,
        ..
    } = super::ready(&options.program, &settings.criteria, env)?;
    super::entry::enter(
        &mut programs,
        &settings.entries,
        settings.included,
        settings.inline,
        env,
    )?;
    super::require_unit(
        settings.filter.as_ref(),
        &programs,
        (crate::pipeline::units, settings.included),
        env,
    )?;
    // Coverage is measured in one package, with one run of cargo.
    let [program] = programs.as_slice() else {
        return if programs.is_empty() {
            Ok(code)
        } else {
            refuse("`cover` measures one program at a time", "remove `--each`")
        };
    };
    let roots = super::packages(&programs, &options.program, options.out.as_ref(), env)?;
    let root = roots.into_iter().next().unwrap_or_default();
    // Measured coverage replaces the coverage that the search predicts in the report.
    let (generated, mut report) = generate::generate(program, root, options, &settings, env);
    if let Some(cache) = &settings.cache {
        cache.close();
    }
    let measured = measure(program, &generated, options, &args.cargo, env)?;
    actual::measure(&mut report, &measured.probes, &measured.hits);
    report.stages.total = start.elapsed().as_secs_f64();
    let code = show(&report, &measured, env);
    Ok(write_report(program, &report, &settings, code, env))
}

fn write_report(
    program: &Ready,
    report: &Report,
    settings: &Settings,
    code: ExitCode,
    env: &Environment,
) -> ExitCode {
    let Some(directory) = &settings.coverage_report else {
        return code;
    };
    let setting = format!("Criteria: {}; measured", settings.criteria);
    let written = coverage_report::write(
        directory,
        &settings.out,
        report,
        &[program.texts()],
        &setting,
        "cargo dtest cover",
        env,
    );
    super::worse(code, env.settle(written))
}

/// The results of an instrumented run of the tests.
struct Measured {
    probes: dtest_sorted::SortedMap<(dafny_resolve::typed::CallableId, dtest_ir::BlockId), u32>,
    hits: Hits,
    passed: bool,
}

/// Creates the copy, builds it and runs its tests.
fn measure(
    program: &Ready,
    generated: &Generated,
    args: &GenArgs,
    cargo: &[String],
    env: &Environment,
) -> Result<Measured, ExpectedError> {
    let fail = |id: MessageId, message: String, help: &str| -> ExpectedError {
        Diagnostic::global(id, message).with_help(help).into()
    };
    let root = &generated.home.root;
    // A copy of the package gets instrumented code: the user's package stays as it is.
    let copy = root.join(SCRATCH);
    let instrumented = dtest_emit::instrument(&program.ir);
    let home = package::Home {
        root: copy.clone(),
        name: Some(generated.home.called()),
    };
    let outputs = with_probes(program, instrumented.program, generated);
    let cannot_write = |e: FileError| {
        fail(
            MessageId::CliCannotWrite,
            e.to_string(),
            "the copy of the package is in `target/dtest`",
        )
    };
    scratch::copy(root, &copy).map_err(cannot_write)?;
    let runtime = args.runtime.clone();
    let mocks = translate::mocks_in(&outputs);
    package::prepare(&home, runtime.as_deref(), mocks, package::Users::Library)
        .map_err(cannot_write)?;
    // Files of an earlier run that this suite no longer has would count as well.
    let expected = outputs
        .iter()
        .map(|o| o.path.clone())
        .chain(generated.staying.iter().cloned())
        .collect();
    for path in layout::remove_stale(&copy, "tests/dtest", &expected) {
        env.terminal.note(&format!(
            "{path} on disk was written by an earlier run and is not measured"
        ));
    }
    let written = layout::write(&copy, &outputs).map_err(cannot_write)?;
    // Hand-written files are kept, without probes.
    for path in written.refused.iter().filter(|p| p.starts_with("src/")) {
        let mut diagnostic = Diagnostic::global(
            MessageId::CoverHandWritten,
            format!("`{path}` is hand-written, so it is not measured"),
        );
        diagnostic.severity = Severity::Warning;
        env.terminal.diagnostic(diagnostic);
    }
    // The tests append the probes that they pass to this file, so it must be empty before they
    // start.
    let noted = copy.join("hits");
    files::write_atomically(&noted, "").map_err(|source| {
        cannot_write(FileError::Write {
            path: noted.clone(),
            source,
        })
    })?;
    let targets = build(&copy, cargo, env)?;
    // Failed tests still measure: `passed` only decides the exit code.
    env.terminal.note("running the tests");
    let mut command = cargo_test(
        &copy,
        cargo,
        &[&["--no-fail-fast"], targets.as_slice()].concat(),
    );
    command.env(FILE, &noted);
    let passed = interrupt::run(&mut command)
        .map_err(|e| {
            fail(
                MessageId::CoverCargo,
                format!("cannot start cargo: {e}"),
                "is it installed?",
            )
        })?
        .success();
    let text = files::read_text(&noted).map_err(|source| {
        cannot_write(FileError::Read {
            path: noted,
            source,
        })
    })?;
    Ok(Measured {
        probes: instrumented.probes,
        hits: actual::parse(&text),
        passed,
    })
}

/// The files of the copy: the translation with probes, and the suite as `gen` writes it.
fn with_probes(
    program: &Ready,
    typed: dafny_resolve::typed::Program,
    generated: &Generated,
) -> Vec<Output> {
    let probed = Ready {
        sources: program.sources.clone(),
        paths: program.paths.clone(),
        ir: dtest_ir::Program {
            typed: Arc::new(typed),
            ..program.ir.clone()
        },
        stages: program.stages,
        change: program.change.clone(),
        scenarios: program.scenarios.clone(),
    };
    let command = super::command_line("cover", &program.sources);
    let root = &generated.home.root;
    let (mut outputs, _, _) =
        translate::translate(&probed, root, &command, layout::has_own_lib(root));
    outputs.extend(
        generated
            .outputs
            .iter()
            .filter(|o| o.path.starts_with("tests/"))
            .cloned(),
    );
    outputs
}

/// Builds the tests. If hand-written tests do not compile with the translation, builds only the
/// generated ones. Returns the cargo options that select the targets.
fn build(
    copy: &Path,
    cargo: &[String],
    env: &Environment,
) -> Result<Vec<&'static str>, ExpectedError> {
    env.terminal.note("building the suite with probes");
    for targets in [vec!["--tests"], vec!["--test", "dtest"]] {
        let status = interrupt::run(&mut cargo_test(
            copy,
            cargo,
            &[&["--no-run"], targets.as_slice()].concat(),
        ));
        if status.is_ok_and(|s| s.success()) {
            return Ok(targets);
        }
        if targets.len() == 1 {
            let mut diagnostic = Diagnostic::global(
                MessageId::CoverTests,
                "the package's own tests do not compile against the translation",
            );
            diagnostic.severity = Severity::Warning;
            env.terminal
                .diagnostic(diagnostic.with_help("only the generated suite is measured"));
        }
    }
    Err(ExpectedError::Gate(Box::new(Diagnostic::global(
        MessageId::CoverBuild,
        "the suite does not compile against the translation and its probes",
    ))))
}

/// Returns `cargo test` on the copy, with the user's arguments and `ours`. Arguments after the
/// user's second `--` belong to the test programs, so `ours` is inserted before it.
fn cargo_test(copy: &Path, cargo: &[String], ours: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let target: PathBuf = copy.join("target");
    let (cargo, tests) =
        cargo.split_at(cargo.iter().position(|a| a == "--").unwrap_or(cargo.len()));
    command
        .args(["test", "--quiet"])
        .args(cargo)
        .args(ours)
        .args(tests)
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", target);
    // The output of the tests is not part of our result, so it does not go to standard output.
    command.stdin(Stdio::null()).stdout(std::io::stderr());
    command
}

/// Shows the measured coverage; the exit code tells whether it is as expected.
fn show(report: &Report, measured: &Measured, env: &Environment) -> ExitCode {
    let counts = Counts::of_report(report);
    if env.terminal.format == MessageFormat::Json {
        env.terminal.result(&json::render_measured(report, counts));
    } else if env.terminal.wants_summary() {
        env.terminal.result(&actual::render(report));
    }
    let mut code = ExitCode::Done;
    if !measured.passed {
        env.terminal.diagnostic(Diagnostic::global(
            MessageId::CoverFailed,
            "a test failed: goals that it would have entered after the failure are not counted",
        ));
        code = ExitCode::Gate;
    }
    if counts.missing > 0 {
        let message = format!(
            "{} of {} goals that tests are expected to enter were not entered",
            counts.missing, counts.expected
        );
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::CoverMissing, message));
        code = ExitCode::Gate;
    }
    code
}
