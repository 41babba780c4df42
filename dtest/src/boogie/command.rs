//! The commands `run`, `check`, `dead` and `list` on Boogie programs.
//!
//! A command on programs whose files end in `.bpl` takes this path ([`Command::of`]). Boogie
//! programs are not compiled, so `gen` and the other commands that generate code reject them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{pipeline, report};
use crate::cli::args::{
    self, BoogieArgs, CheckArgs, CheckFailOn, DeadArgs, FailOn, Language, ListArgs, MessageFormat,
    ProgramArgs, RunArgs,
};
use crate::cli::commands::{self, worse};
use crate::cli::error::{CommandResult, ExpectedError};
use crate::cli::places::Place;
use crate::cli::{Environment, files, memory, z3};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use boogie_resolve::typed::{ProcedureId, Program};
use dafny_source::SourceMap;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_boogie::{Ending, Execution, Given, Limits, Modular, Options, Pool, Proofs, Verdicts};

/// A parsed and resolved Boogie program with its source text.
struct Loaded {
    sources: SourceMap,
    program: Program,
}

/// A command on Boogie programs.
pub enum Command<'c> {
    /// Prints executions.
    Run(&'c RunArgs),
    /// Checks obligations.
    Check(&'c CheckArgs),
    /// Looks for dead code.
    Dead(&'c DeadArgs),
    /// Lists procedures.
    List(&'c ListArgs),
    /// Generates this output from the code that a program is compiled to.
    Generate(&'static str),
    /// Examines contracts, which is not done for Boogie programs.
    Spec,
}

impl<'c> Command<'c> {
    /// Returns the command on Boogie programs that the command line asks for; `None` if it names no
    /// Boogie program.
    pub fn of(command: &'c args::Command) -> Option<Self> {
        use args::Command as Line;
        let (program, command) = match command {
            Line::Run(args) => (&args.program, Self::Run(args)),
            Line::Check(args) => (&args.program, Self::Check(args)),
            Line::Dead(args) => (&args.program, Self::Dead(args)),
            Line::List(args) => (&args.program, Self::List(args)),
            Line::Gen(args) => (&args.program, Self::Generate("suite")),
            Line::Cover(args) => (&args.generated.program, Self::Generate("suite")),
            Line::Mutants(args) => (&args.program, Self::Generate("suite")),
            Line::Translate(args) => (&args.program, Self::Generate("translation")),
            Line::Spec(args) => (&args.program, Self::Spec),
            Line::Merge(_)
            | Line::Eval(_)
            | Line::Watch(_)
            | Line::Explain(_)
            | Line::Rewrite(_)
            | Line::Fuzz(_)
            | Line::Init(_)
            | Line::Clean(_)
            | Line::Lsp(_)
            | Line::Completions { .. }
            | Line::Man { .. } => return None,
        };
        match program.language() {
            Language::Boogie => Some(command),
            Language::Dafny => None,
        }
    }
}

/// Runs a command.
///
/// # Errors
/// The programs or the options cannot be used.
pub(crate) fn run(command: &Command<'_>, env: &Environment) -> CommandResult {
    match command {
        Command::Run(args) => executions(args, env),
        Command::Check(args) => check(args, env),
        Command::Dead(args) => dead(args, env),
        Command::List(args) => list(args, env),
        Command::Generate(what) => Err(no_code(what).into()),
        Command::Spec => {
            let message = "`spec` examines the contracts of Dafny programs only";
            let help = "`cargo dtest check --modular` shows contracts of Boogie procedures that are too weak";
            Err(Diagnostic::global(MessageId::CliBoogie, message)
                .with_help(help)
                .into())
        }
    }
}

/// The error for a command that generates code from a Boogie program. `what` names the missing
/// output.
fn no_code(what: &str) -> Diagnostic {
    let message =
        format!("Boogie programs are not compiled, so no {what} can be generated from them");
    let help = "use `cargo dtest run PROGRAM.bpl --message-format json` to get executions as data, and `run --replay FILE` to repeat them";
    Diagnostic::global(MessageId::CliBoogie, message).with_help(help)
}

/// Reads the programs that the arguments name, one per file, and reports their errors.
fn load(args: &ProgramArgs, env: &Environment) -> Result<(Vec<Loaded>, ExitCode), ExpectedError> {
    // A pattern must match Boogie programs only: a run reads either Boogie or Dafny, never both.
    let mut paths: Vec<PathBuf> = Vec::new();
    for pattern in &args.files {
        let found: Vec<PathBuf> = match glob::glob(pattern) {
            Ok(matches) => matches.filter_map(Result::ok).collect(),
            Err(_) => Vec::new(),
        };
        if found.is_empty()
            || found
                .iter()
                .any(|p| p.extension().is_none_or(|x| x != "bpl"))
        {
            let message = if found.is_empty() {
                format!("`{pattern}` does not exist")
            } else {
                format!("`{pattern}` is not a Boogie program (`*.bpl`)")
            };
            return Err(Diagnostic::global(MessageId::CliNoSuchFile, message).into());
        }
        paths.extend(found);
    }
    z3::check()?;
    // A file that is not well-formed does not stop the run: the others are still searched.
    let (mut out, mut code) = (Vec::new(), ExitCode::Done);
    for path in paths {
        let absolute = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        let text = match files::read_text(&path) {
            Ok(text) => text,
            Err(e) => {
                return Err(Diagnostic::global(
                    MessageId::CliUnreadable,
                    format!("cannot read `{}`: {e}", path.display()),
                )
                .into());
            }
        };
        let mut sources = SourceMap::new();
        if sources
            .add(files::shown(&absolute, &env.root), text.as_str(), true)
            .is_none()
        {
            return Err(Diagnostic::global(
                MessageId::CliUnreadable,
                format!("`{}` is too large", path.display()),
            )
            .into());
        }
        match pipeline::front(&text) {
            Ok(program) => out.push(Loaded { sources, program }),
            Err(diagnostics) => {
                env.terminal.refusal(&diagnostics, &sources);
                code = ExitCode::Program;
            }
        }
    }
    Ok((out, code))
}

/// Resolves `--by-contract` and `--by-invariant` to the procedures and loops that are abstracted by
/// their specifications.
fn modular(
    contracts: &[String],
    invariants: &[Place],
    loaded: &Loaded,
) -> Result<Modular, ExpectedError> {
    let mut out = Modular::default();
    for name in contracts {
        out.by_contract
            .push(pipeline::entry(&loaded.program, Some(name))?);
    }
    for place in invariants {
        let found = pipeline::loops(&loaded.program, |span| place.is_in(&loaded.sources, span));
        if found.is_empty() {
            return Err(Diagnostic::global(
                MessageId::CliNoLoop,
                format!("no loop begins at {place}"),
            )
            .into());
        }
        out.by_invariant.extend(found);
    }
    Ok(out)
}

/// The time limit of a run: three times the duration of its budget, plus ten seconds. The limit is
/// generous, so that on a busy machine the budget, which is deterministic, still ends the run.
fn longest(args: &BoogieArgs) -> Duration {
    Duration::from_millis(u64::from(args.effort).saturating_mul(3 * 500)) + Duration::from_secs(10)
}

fn limits(args: &BoogieArgs) -> Limits {
    Limits {
        tried: args.executions as usize,
        solutions: args.solutions as usize,
        steps: args.steps as usize,
        recursion: args.recursion as usize,
        rounds: args.rounds as usize,
        unfoldings: args.unfoldings as usize,
        effort: u64::from(args.effort) * 1_000_000,
        ..Limits::default()
    }
}

/// Implements `run`: prints executions of a procedure, short ones first.
fn executions(args: &RunArgs, env: &Environment) -> CommandResult {
    memory::watch(memory::DEFAULT);
    let (programs, mut code) = load(&args.program, env)?;
    if let Some(file) = &args.replay {
        return Ok(worse(code, replay(args, file, &programs, env)?));
    }
    for loaded in &programs {
        let done = run_one(&args.boogie, loaded, args.trace, env);
        code = worse(code, env.settle(done));
    }
    Ok(code)
}

/// Repeats the recorded executions of a file from the same inputs. The exit code is 7 if an
/// execution violates an obligation.
fn replay(args: &RunArgs, file: &Path, programs: &[Loaded], env: &Environment) -> CommandResult {
    let wrong = |message: String| -> CommandResult {
        let help = "create it with `cargo dtest run PROGRAM.bpl --message-format json > FILE`, or with `check`";
        Err(Diagnostic::global(
            MessageId::RunReplay,
            format!("{}: {message}", file.display()),
        )
        .with_help(help)
        .into())
    };
    let all = match files::read_text(file)
        .map_err(|e| e.to_string())
        .map(|text| report::kept(&text))
    {
        Ok(all) if all.is_empty() => return wrong("it contains no execution".into()),
        Ok(all) => all,
        Err(message) => return wrong(message),
    };
    let mut code = ExitCode::Done;
    // An execution belongs to the first program that has its procedure.
    for kept in &all {
        let found = programs
            .iter()
            .find_map(|p| Some((p, p.program.procedure_named(&kept.entry)?)));
        let done = match found {
            Some((loaded, entry)) => repeat(&args.boogie, kept, loaded, entry, args.trace, env),
            None => wrong(format!("there is no procedure `{}`", kept.entry)),
        };
        code = worse(code, env.settle(done));
    }
    Ok(code)
}

/// Shows the first execution from the recorded inputs that ends like the recorded one, or else the
/// first execution.
fn repeat(
    args: &BoogieArgs,
    kept: &report::Kept,
    loaded: &Loaded,
    entry: ProcedureId,
    traced: bool,
    env: &Environment,
) -> CommandResult {
    let modular = modular(&args.by_contract, &args.by_invariant, loaded)?;
    let given = kept
        .inputs
        .iter()
        .map(|(name, value)| Given {
            name: name.clone(),
            value: value.clone(),
        })
        .collect();
    let options = Options {
        limits: limits(args),
        modular,
        minimize: !args.no_minimize,
        given,
        traced,
        timeout: Some(longest(args)),
        ..Options::default()
    };
    let is_meant = |ending: &Ending| match ending {
        Ending::Failed(_) => kept.ending == "failed",
        Ending::Passed | Ending::Repeated | Ending::Cut => kept.ending == "passed",
        Ending::Infeasible(_) | Ending::ObligationNotDecided(..) | Ending::NotDecided(_) => false,
    };
    // `same` is the execution that ends like the recorded one, which ends the search. `first` is
    // the fallback, so the first execution is built whatever its ending.
    let (mut first, mut same) = (None, None);
    let looked_at = std::cell::Cell::new(false);
    let wanted = |ending: &Ending| is_meant(ending) || !looked_at.replace(true);
    let explored = dtest_boogie::explore(&loaded.program, entry, &options, wanted, |e| {
        if is_meant(&e.ending) {
            same = Some(e);
            return false;
        }
        if first.is_none() {
            first = Some(e);
        }
        true
    });
    for name in &explored.not_given {
        let message = format!(
            "the recorded value of `{name}` in `{}` no longer applies: any value is tried",
            kept.entry
        );
        warn(message, env);
    }
    let is_same = same.is_some();
    let Some(e) = same.or(first) else {
        return Ok(ExitCode::Done);
    };
    if !is_same {
        let message = format!(
            "no execution of `{}` from these inputs {} any longer",
            kept.entry, kept.ending
        );
        warn(message, env);
    }
    show(&kept.entry, &e, loaded, env);
    Ok(if matches!(e.ending, Ending::Failed(_)) {
        ExitCode::Findings
    } else {
        ExitCode::Done
    })
}

fn warn(message: String, env: &Environment) {
    env.terminal.diagnostic(Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::global(MessageId::RunReplay, message)
    });
}

/// Prints an execution, with its steps if they were recorded.
fn show(entry: &str, e: &Execution, loaded: &Loaded, env: &Environment) {
    let is_json = env.terminal.format == MessageFormat::Json;
    let sources = &loaded.sources;
    env.terminal.result(&if is_json {
        report::json(entry, e, sources)
    } else {
        report::human(e, sources) + &report::steps(e, sources)
    });
}

fn run_one(args: &BoogieArgs, loaded: &Loaded, traced: bool, env: &Environment) -> CommandResult {
    let entry = pipeline::entry(&loaded.program, args.entry.as_deref())?;
    let modular = modular(&args.by_contract, &args.by_invariant, loaded)?;
    let options = Options {
        limits: limits(args),
        modular,
        minimize: !args.no_minimize,
        traced,
        timeout: Some(longest(args)),
        ..Options::default()
    };
    let chosen = args.failing || args.passing || args.infeasible;
    let is_json = env.terminal.format == MessageFormat::Json;
    let is_shown = |ending: &Ending| match ending {
        Ending::Passed | Ending::Repeated | Ending::Cut => args.passing || !chosen,
        Ending::Failed(_) => args.failing || !chosen,
        Ending::Infeasible(_) => args.infeasible,
        Ending::ObligationNotDecided(..) | Ending::NotDecided(_) => true,
    };
    let name = &loaded.program.procedure(entry).name;
    let shown = std::cell::Cell::new(0);
    let mut counts = report::Counts::default();
    let mut failures = Vec::new();
    let wanted = |ending: &Ending| !args.summary && is_shown(ending) && shown.get() < args.show;
    let progress = env.terminal.progress(
        "executions (--effort bounds them)",
        args.executions as usize,
    );
    let explored = dtest_boogie::explore(&loaded.program, entry, &options, wanted, |e| {
        counts.add(&e.ending);
        progress.set(counts.tried());
        if let Ending::Failed(f) = &e.ending {
            failures.push(*f);
        }
        if !args.summary && is_shown(&e.ending) && shown.get() < args.show {
            // An undecided ending is not an execution, so it does not count against `--show` when
            // the user selects kinds of executions.
            let is_execution = !matches!(
                e.ending,
                Ending::ObligationNotDecided(..) | Ending::NotDecided(_)
            );
            shown.set(shown.get() + u32::from(is_execution || !chosen));
            progress.finish();
            show(name, &e, loaded, env);
        }
        // Without a selection, every execution is counted for the totals. With one, the search can
        // stop after `--show` executions.
        !chosen || args.summary || shown.get() < args.show
    });
    progress.finish();
    if args.summary {
        env.terminal
            .result(&report::summary(&failures, &loaded.sources));
    }
    let total = if is_json {
        report::total_json(name, counts, &explored)
    } else {
        report::total(name, counts, &explored)
    };
    env.terminal.result(&total);
    Ok(if failures.is_empty() {
        ExitCode::Done
    } else {
        ExitCode::Findings
    })
}

/// Returns the procedures that the arguments name, or else all procedures with a body that match
/// the filter.
fn units(
    loaded: &Loaded,
    entries: &[String],
    filter: Option<&String>,
) -> Result<Vec<ProcedureId>, ExpectedError> {
    let filter = commands::filter(filter)?;
    let mut named = Vec::new();
    for name in entries {
        named.push(pipeline::entry(&loaded.program, Some(name))?);
    }
    // Procedures without a body have no executions.
    let all = loaded
        .program
        .procedures
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.implementations.is_empty());
    let all = all
        .filter(|(_, p)| filter.as_ref().is_none_or(|f| f.is_match(&p.name)))
        .map(|(i, _)| ProcedureId(i as u32));
    Ok(if named.is_empty() {
        all.collect()
    } else {
        named
    })
}

/// Default time limit of one procedure, in seconds.
const SECONDS: u64 = 30;
/// Default budget of all procedures of a program together, in points.
const EFFORT_OF_ALL: u64 = 60_000_000;
const SECONDS_OF_ALL: u64 = 50;
/// Default budget of one procedure, in points.
const EFFORT: u64 = 40_000_000;
/// Maximum number of executions of one procedure that `check` and `dead` explore.
const TRIED: usize = 256;

fn search(limits: &crate::cli::args::LimitArgs, modular: Modular) -> Options {
    let seconds = Duration::from_secs(limits.timeout.unwrap_or(SECONDS));
    let effort = if limits.timeout.is_some() {
        Limits::default().effort
    } else {
        EFFORT
    };
    let mut bounds = Limits {
        tried: TRIED,
        solutions: 1,
        effort,
        ..Limits::default()
    };
    if let Some(rounds) = limits.unroll {
        bounds.rounds = rounds as usize;
    }
    if let Some(depth) = limits.inline {
        bounds.recursion = depth as usize;
    }
    Options {
        limits: bounds,
        modular,
        minimize: true,
        timeout: Some(seconds),
        ..Options::default()
    }
}

/// The shared budget of the procedures of one program: points of about half a microsecond, and a
/// time limit as a safety net. `None` if the user sets a timeout, which then applies to each
/// procedure.
fn pool(limits: &crate::cli::args::LimitArgs, procedures: usize) -> Option<Pool> {
    limits.timeout.is_none().then(|| {
        Pool::new(
            EFFORT_OF_ALL,
            Some(Duration::from_secs(SECONDS_OF_ALL)),
            procedures,
        )
    })
}

/// Runs `look` on a procedure with its part of the shared budget, and subtracts what it used.
fn verdicts(
    options: &Options,
    pool: &mut Option<Pool>,
    look: impl FnOnce(&Options) -> Verdicts,
) -> Verdicts {
    let mine = pool
        .as_ref()
        .map_or_else(|| options.clone(), |p| p.next(options));
    let found = look(&mine);
    if let Some(pool) = pool {
        pool.take(&found.explored);
    }
    found
}

/// Implements `check`: the verdict of each obligation.
fn check(args: &CheckArgs, env: &Environment) -> CommandResult {
    memory::watch(args.limits.max_memory.unwrap_or(memory::DEFAULT));
    let (programs, mut code) = load(&args.program, env)?;
    for loaded in &programs {
        code = worse(code, env.settle(check_one(args, loaded, env)));
    }
    Ok(code)
}

fn check_one(args: &CheckArgs, loaded: &Loaded, env: &Environment) -> CommandResult {
    let modular = modular(&args.by_contract, &args.by_invariant, loaded)?;
    let options = search(&args.limits, modular);
    let fail_on = args.fail_on.unwrap_or_default();
    let mut code = ExitCode::Done;
    let units = units(loaded, &args.entry, args.filter.as_ref())?;
    // Solver and proofs are shared by all units: a contract is proved once.
    let (mut pool, mut proofs) = (
        pool(&args.limits, units.len()),
        Proofs::new(&loaded.program),
    );
    for id in units {
        let found = verdicts(&options, &mut pool, |mine| {
            dtest_boogie::verdicts(&loaded.program, id, mine, &mut proofs)
        });
        let (text, diagnostics) =
            report::verdicts(&loaded.program, id, &found, &loaded.sources, args.all);
        env.terminal.diagnostics(&diagnostics, &loaded.sources);
        let is_json = env.terminal.format == MessageFormat::Json;
        env.terminal.result(&if is_json {
            report::verdicts_json(&loaded.program, id, &found, &loaded.sources)
        } else {
            text
        });
        let is_open = found
            .obligations
            .values()
            .any(|s| matches!(s, Some(dtest_boogie::Standing::NotDecided(_)) | None));
        if !diagnostics.is_empty() && fail_on != CheckFailOn::None {
            code = worse(code, ExitCode::Findings);
        } else if is_open && fail_on == CheckFailOn::NotDecided {
            code = worse(code, ExitCode::Gate);
        }
    }
    Ok(code)
}

/// Implements `dead`: the blocks that no execution enters.
fn dead(args: &DeadArgs, env: &Environment) -> CommandResult {
    memory::watch(memory::DEFAULT);
    let (programs, mut code) = load(&args.program, env)?;
    let options = search(&crate::cli::args::LimitArgs::default(), Modular::default());
    let fail_on = args.fail_on.unwrap_or_default();
    let is_json = env.terminal.format == MessageFormat::Json;
    // Each program is reported on its own: Boogie programs share nothing, and there is no summary.
    for loaded in &programs {
        let units = units(loaded, &args.entry, None)?;
        let mut pool = pool(&crate::cli::args::LimitArgs::default(), units.len());
        for id in units {
            let found = verdicts(&options, &mut pool, |mine| {
                let mut out = Verdicts::default();
                dtest_boogie::by_executions(&loaded.program, id, mine, &mut out);
                out
            });
            let name = &loaded.program.procedure(id).name;
            for span in &found.dead {
                env.terminal.result(&report::dead(
                    name,
                    *span,
                    found.is_dead_sure,
                    &loaded.sources,
                    is_json,
                ));
            }
            // The gate: by default only code that is dead within no bounds fails the run.
            let fails = match fail_on {
                FailOn::Proved => found.is_dead_sure && !found.dead.is_empty(),
                FailOn::Any => !found.dead.is_empty(),
                FailOn::None => false,
            };
            if fails {
                code = worse(code, ExitCode::Gate);
            }
        }
    }
    Ok(code)
}

/// Implements `list`: procedures with their obligations.
fn list(args: &ListArgs, env: &Environment) -> CommandResult {
    let (programs, code) = load(&args.program, env)?;
    for loaded in &programs {
        let units = units(loaded, &args.entry, args.filter.as_ref())?;
        for id in units {
            env.terminal.result(&report::listed(
                &loaded.program,
                id,
                &loaded.sources,
                env.terminal.format == MessageFormat::Json,
            ));
        }
    }
    Ok(code)
}
