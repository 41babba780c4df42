//! `mutants --compile`: compiles a sample of the mutants and runs the suite on each, in a copy of
//! the package, as users run it.
//!
//! [`confirm`] compares each outcome with the interpreter's verdict, so that a disagreement between
//! the translation and the interpreter becomes visible.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::super::args::{GenArgs, MutantsArgs, SearchArgs};
use super::super::error::ExpectedError;
use super::super::files::FileError;
use super::super::layout::{self, Output};
use super::super::{Environment, interrupt, package, scratch};
use super::generate::{self, Generated};
use super::{Ready, translate};
use crate::message::MessageId;
use crate::pipeline;
use crate::report::mutants::{Compiled, Confirmation, MutantReport, MutantStatus, Replacement};
use dafny_source::diagnostic::Diagnostic;

/// Directory of the copy, relative to the root of the package.
const SCRATCH: &str = "target/dtest/mutants";
/// Timeout of a run of the suite on a mutant: a multiple of the duration on the original program,
/// and a minimum.
const TIMEOUT: (u32, Duration) = (5, Duration::from_secs(20));

/// Runs the compiled suite on `count` of the mutants, evenly distributed.
///
/// # Errors
/// The suite does not compile, or a test fails on the original program.
pub(super) fn confirm(
    program: &Ready,
    mutants: &[MutantReport],
    count: u32,
    args: &MutantsArgs,
    env: &Environment,
) -> Result<Vec<Confirmation>, ExpectedError> {
    let sample = sample(mutants, count as usize);
    if sample.is_empty() {
        return Ok(Vec::new());
    }
    let suite = Suite::prepare(program, args, env)?;
    let progress = env.terminal.progress("compiling mutants", sample.len());
    let mut out = Vec::new();
    for (i, mutant) in sample.into_iter().enumerate() {
        let compiled = suite.ask(program, mutant);
        let is_killed = matches!(mutant.status, MutantStatus::Killed { .. });
        let agrees = match compiled {
            Compiled::Killed => is_killed,
            Compiled::Passes => !is_killed,
            Compiled::NoProgram => true,
        };
        out.push(Confirmation {
            unit: mutant.unit.clone(),
            place: mutant.place.clone(),
            what: mutant.what.clone(),
            compiled,
            agrees,
        });
        progress.set(i + 1);
    }
    progress.finish();
    Ok(out)
}

/// Selects `count` mutants, evenly distributed, among the mutants that the interpreter ran tests on
/// and that are expressible as a change of the source.
fn sample(mutants: &[MutantReport], count: usize) -> Vec<&MutantReport> {
    let is_run = |status: &MutantStatus| match status {
        MutantStatus::Killed { .. }
        | MutantStatus::Survived
        | MutantStatus::Equivalent
        | MutantStatus::EquivalentWithin { .. } => true,
        MutantStatus::Untested { .. } | MutantStatus::NotRun => false,
    };
    let expressible: Vec<&MutantReport> = mutants
        .iter()
        .filter(|m| is_run(&m.status) && m.replacement.is_some())
        .collect();
    let step = expressible.len().div_ceil(count.max(1)).max(1);
    expressible.into_iter().step_by(step).collect()
}

/// A copy of the package with its suite.
struct Suite {
    copy: PathBuf,
    generated: Generated,
    /// Timeout of one run.
    most: Duration,
}

impl Suite {
    fn prepare(
        program: &Ready,
        args: &MutantsArgs,
        env: &Environment,
    ) -> Result<Self, ExpectedError> {
        let fail = |id: MessageId, message: String| {
            ExpectedError::Gate(Box::new(Diagnostic::global(id, message)))
        };
        // The suite is generated with the options of `mutants`, and otherwise with those of
        // `dtest.toml`.
        let of_file = env.config.generation(&env.root);
        let asked = GenArgs {
            program: args.program.clone(),
            search: SearchArgs {
                filter: args.filter.clone(),
                coverage: args.coverage.clone(),
                limits: args.limits.clone(),
                strength: args.strength,
                ..of_file.search
            },
            kept: args.kept.clone(),
            ..of_file
        };
        let settings = generate::settings(&asked, &env.given, env)?;
        let home = package::Home::at(env.root.clone());
        let (generated, _) = generate::generate(program, home, &asked, &settings, env);
        // The copy shares nothing with the package, so the user's files are never changed.
        let (root, copy) = (&generated.home.root, generated.home.root.join(SCRATCH));
        let cannot_write = |e: FileError| fail(MessageId::CliCannotWrite, e.to_string());
        scratch::copy(root, &copy).map_err(cannot_write)?;
        let runtime = args.runtime.clone();
        let home = package::Home {
            root: copy.clone(),
            name: Some(generated.home.called()),
        };
        package::prepare(
            &home,
            runtime.as_deref(),
            translate::mocks_in(&generated.outputs),
            package::Users::Library,
        )
        .map_err(cannot_write)?;
        layout::write(&copy, &generated.outputs).map_err(cannot_write)?;
        let mut suite = Self {
            copy,
            generated,
            most: Duration::MAX,
        };
        env.terminal.note("building the suite");
        // The compiler's errors go to the terminal: without them the user cannot fix the build.
        if !interrupt::run(cargo_test(&suite.copy, &["--no-run"]).stderr(Stdio::inherit()))
            .is_ok_and(|status| status.success())
        {
            return Err(fail(
                MessageId::MutantsBuild,
                "the suite does not compile against the translation".into(),
            ));
        }
        // The run on the original program has to pass. Its duration determines the timeout of
        // mutants.
        let start = Instant::now();
        if suite.run() != Compiled::Passes {
            return Err(fail(
                MessageId::MutantsSuiteFails,
                "a test fails on the original program: no mutants were compiled".into(),
            ));
        }
        suite.most = (start.elapsed() * TIMEOUT.0).max(TIMEOUT.1);
        Ok(suite)
    }

    /// Translates a mutant, compiles it, and runs the suite on it.
    fn ask(&self, program: &Ready, mutant: &MutantReport) -> Compiled {
        let Some(mutated) = mutated(program, mutant) else {
            return Compiled::NoProgram;
        };
        let root = &self.generated.home.root;
        let command = super::command_line("translate", &program.sources);
        let (outputs, _, _) =
            translate::translate(&mutated, root, &command, layout::has_own_lib(root));
        let translation: Vec<Output> = outputs
            .into_iter()
            .filter(|o| o.path.starts_with("src/"))
            .collect();
        if layout::write(&self.copy, &translation).is_err() {
            return Compiled::NoProgram;
        }
        if self.builds() {
            self.run()
        } else {
            Compiled::NoProgram
        }
    }

    fn builds(&self) -> bool {
        interrupt::run(&mut cargo_test(&self.copy, &["--no-run"]))
            .is_ok_and(|status| status.success())
    }

    fn run(&self) -> Compiled {
        let Ok(mut running) = interrupt::start(&mut cargo_test(&self.copy, &[])) else {
            return Compiled::NoProgram;
        };
        match running.wait(self.most) {
            Ok(Some(status)) if status.success() => Compiled::Passes,
            Ok(Some(_)) => Compiled::Killed,
            Ok(None) | Err(_) => {
                running.kill();
                Compiled::Killed
            }
        }
    }
}

/// Applies a mutant to the source and resolves the result; `None` if the mutated text is not a
/// valid program.
fn mutated(program: &Ready, mutant: &MutantReport) -> Option<Ready> {
    let Replacement { span, text, .. } = mutant.replacement.as_ref()?;
    let (_, file) = program.sources.file_at(span.start)?;
    let at = (span.start - file.base) as usize..(span.end - file.base) as usize;
    let mut whole = file.text.to_string();
    whole.get(at.clone())?;
    whole.replace_range(at, text);
    let (sources, typed) =
        pipeline::edited(&program.ir.typed, &program.sources, file.base, &whole)?;
    let ir = pipeline::lower(typed, program.ir.criteria.clone());
    Some(Ready {
        sources,
        paths: program.paths.clone(),
        ir,
        stages: program.stages,
        change: None,
        scenarios: None,
    })
}

fn cargo_test(copy: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["test", "--quiet", "--test", "dtest"])
        .args(arguments);
    command
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", copy.join("target"));
    // The output of cargo and of the tests is not part of our result.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}
