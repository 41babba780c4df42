//! The commands, one module each, and the code that they share: loading programs ([`ready`]),
//! choosing packages ([`packages`]), the cache, filters and exit codes.

pub mod check;
pub mod clean;
mod confirm;
pub mod cover;
mod dafny_runs;
pub mod dead;
mod effort;
mod entry;
pub mod eval;
mod executions;
pub mod explain;
mod filter;
pub mod generate;
pub mod init;
mod keep;
pub mod list;
pub mod man;
pub mod merge;
pub mod mutants;
mod replay;
mod reported;
pub mod rewrite;
pub mod run;
pub mod spec;
mod test_methods;
pub mod translate;
pub mod watch;

use dtest_desugar::{ExternalCode as _, Syntheses as _, TestOptions as _};
use dtest_sorted::SortedMap;
use dtest_sorted::SortedSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) use filter::{filter, require_match, require_unit};

use super::Environment;
use super::args::{CacheArgs, KeptArgs, ProgramArgs};
use super::cache::Cache;
use super::error::ExpectedError;
use super::load::{self, Loaded};
use super::package::Home;
use super::{files, layout, models};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::{self, configured_inputs};
use crate::report::{ProgramRow, Stages};
use dafny_resolve::spelling;
use dafny_resolve::typed::{Arena, TypeDeclKind, TypeId};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{Name, SourceMap};
use dtest_ir::{self as ir, Criteria, Criterion};

/// A program without errors, lowered.
pub struct Ready {
    sources: SourceMap,
    /// Absolute paths of the files, in the order of `sources`.
    paths: Vec<PathBuf>,
    ir: ir::Program,
    stages: Stages,
    /// The part of the program that `--in-diff` changes.
    change: Option<pipeline::Change>,
    /// The text of the scenario tests, which are resolved with the program.
    scenarios: Option<String>,
}

impl Ready {
    /// The program as [`pipeline::generate`] takes it.
    fn subject(&self) -> pipeline::generate::Subject<'_> {
        pipeline::generate::Subject {
            ir: &self.ir,
            sources: &self.sources,
            change: self.change.as_ref(),
            stages: self.stages,
        }
    }

    /// The paths of the files that the user named.
    fn named(&self) -> Vec<String> {
        let named = self.sources.files().filter(|(_, file)| file.named);
        named.map(|(_, file)| file.path.to_string()).collect()
    }

    /// The path of the first file, which names the program in a table.
    fn name(&self) -> String {
        let mut named = self.sources.files().filter(|(_, f)| f.named);
        named
            .next()
            .map(|(_, f)| f.path.clone())
            .unwrap_or_default()
    }

    /// The row of the program in a table of several, `count`, that began at `start`.
    fn row<T>(&self, totals: T, start: Instant, count: usize) -> Vec<ProgramRow<T>> {
        let row = ProgramRow {
            program: self.name(),
            totals,
            seconds: start.elapsed().as_secs_f64(),
        };
        if count > 1 { vec![row] } else { Vec::new() }
    }

    /// The typed program and its texts.
    fn texts(&self) -> (&dafny_resolve::typed::Program, &SourceMap) {
        (&self.ir.typed, &self.sources)
    }
}

/// The programs that the arguments name.
struct Programs {
    /// The programs without errors.
    ready: Vec<Ready>,
    /// Absolute paths of all files that were read or looked for, also of programs with errors.
    paths: SortedSet<PathBuf>,
    /// The exit code of loading: nonzero if a program has errors.
    code: ExitCode,
}

/// Loads, resolves and lowers the programs that the arguments name, and reports their errors.
fn ready(
    args: &ProgramArgs,
    criteria: &Criteria,
    env: &Environment,
) -> Result<Programs, ExpectedError> {
    ready_with(args, criteria, 0, env)
}

/// [`ready`], with at most `scenarios` scenario tests for each class.
fn ready_with(
    args: &ProgramArgs,
    criteria: &Criteria,
    scenarios: usize,
    env: &Environment,
) -> Result<Programs, ExpectedError> {
    let start = Instant::now();
    let loaded = load::load(args, &env.root)?;
    let parse = start.elapsed().as_secs_f64() / loaded.len().max(1) as f64;
    let mut programs = Vec::new();
    let mut paths = SortedSet::new();
    let mut code = ExitCode::Done;
    let mut unused: Option<SortedMap<String, String>> = None;
    let inputs = env.config.inputs();
    let mut unknown: Option<Vec<(String, Diagnostic, SourceMap)>> = None;
    for mut program in loaded {
        let unmodelled = models::apply(&mut program, &env.config.models, &env.root);
        program.options.set_links(env.config.links.clone());
        program.options.set_unstubbed(&env.config.unstubbed);
        program.options.set_mocks(&args.mock);
        paths.extend(program.paths.iter().chain(&program.unread).cloned());
        match prepare(
            program,
            parse,
            criteria,
            &inputs,
            (args.included, scenarios),
        ) {
            Ok(Prepared {
                ready,
                warnings,
                unknown: here,
            }) => {
                env.terminal.diagnostics(&warnings, &ready.sources);
                // A name in `[inputs]` is unknown only if no program declares the type.
                unknown = Some(match unknown {
                    Some(before) => before
                        .into_iter()
                        .filter(|(ty, ..)| here.iter().any(|(t, ..)| t == ty))
                        .collect(),
                    None => here,
                });
                // A link or a model is unused only if no program uses it.
                let mut here: SortedMap<String, String> =
                    ready.ir.typed.unused_links().into_iter().collect();
                let no_such = "the program has no declaration of that name";
                here.extend(unmodelled.into_iter().map(|m| (m, no_such.to_owned())));
                unused = Some(match unused {
                    Some(before) => before
                        .into_iter()
                        .filter(|(k, _)| here.contains_key(k))
                        .collect(),
                    None => here,
                });
                programs.push(ready);
            }
            Err((diagnostics, sources)) => {
                env.terminal.refusal(&diagnostics, &sources);
                code = ExitCode::Program;
            }
        }
    }
    if code == ExitCode::Done {
        known_mocks(&args.mock, &programs, env)?;
    }
    for (_, warning, sources) in unknown.unwrap_or_default() {
        env.terminal.diagnostics(&[warning], &sources);
    }
    for (name, reason) in unused.unwrap_or_default() {
        let is_model = env.config.models.iter().any(|m| m.declaration == name);
        let table = if is_model { "model" } else { "extern" };
        let mut diagnostic = Diagnostic::global(
            MessageId::CliUnusedLink,
            format!("`{name}` under [{table}] in dtest.toml is unused: {reason}"),
        );
        diagnostic.severity = Severity::Warning;
        env.terminal.diagnostic(diagnostic);
    }
    Ok(Programs {
        ready: programs,
        paths,
        code,
    })
}

/// Rejects `--mock` for names that are not classes in any of the programs. Such a name in
/// `dtest.toml` is only a warning: the file describes the whole package, and the programs may be a
/// part of it.
fn known_mocks(
    mocks: &[String],
    programs: &[Ready],
    env: &Environment,
) -> Result<(), ExpectedError> {
    let of_file = env.config.values("mock");
    let mut classes = SortedSet::new();
    for typed in programs.iter().map(|p| &p.ir.typed) {
        let ids: Vec<TypeId> = typed.ids();
        let is_class = |id: &TypeId| matches!(typed[*id].kind, TypeDeclKind::Class);
        classes.extend(
            ids.into_iter()
                .filter(is_class)
                .map(|id| Name::from(typed.type_path(id))),
        );
    }
    let is_known = |m: &&String| *m == "*" || classes.contains(m.as_str());
    for unknown in of_file.iter().filter(|m| !is_known(m)) {
        let message =
            format!("{unknown:?} under `mock` in dtest.toml is not a class of the program");
        let mut diagnostic = Diagnostic::global(MessageId::CliUnknownMock, message);
        diagnostic.severity = Severity::Warning;
        env.terminal.diagnostic(diagnostic);
    }
    let Some(unknown) = mocks.iter().find(|m| !is_known(m) && !of_file.contains(m)) else {
        return Ok(());
    };
    let diagnostic = Diagnostic::global(
        MessageId::CliUnknownMock,
        format!("`--mock {unknown}`: the program has no class of this name"),
    );
    // A name without its module probably means the class of that name.
    let is_meant = |c: &&Name| c.rsplit('.').next() == Some(unknown);
    let close = classes
        .iter()
        .find(is_meant)
        .cloned()
        .or_else(|| spelling::closest(unknown, classes.iter()));
    let known: Vec<&str> = classes.iter().take(MAX_NAMES).map(|c| &**c).collect();
    let more = if classes.len() > MAX_NAMES {
        ", ..."
    } else {
        ""
    };
    Err(diagnostic
        .with_help(match close {
            Some(close) => format!("did you mean `{close}`?"),
            None if known.is_empty() => "the program has no classes".into(),
            None => format!(
                "the classes are {}{more}; `*` selects all",
                known.join(", ")
            ),
        })
        .into())
}

/// Maximum number of names that a message lists.
const MAX_NAMES: usize = 10;

type Failed = (Vec<Diagnostic>, SourceMap);

/// A program without errors, with its warnings.
struct Prepared {
    ready: Ready,
    warnings: Vec<Diagnostic>,
    /// Types that `[inputs]` names and the program does not declare, each with a warning and the
    /// source text that it points to.
    unknown: Vec<(String, Diagnostic, SourceMap)>,
}

/// Resolves and lowers a program. `inputs` has the configured inputs for types; they serve tests
/// only, so obligations are checked without them.
fn prepare(
    mut loaded: Loaded,
    parse: f64,
    criteria: &Criteria,
    inputs: &configured_inputs::Inputs,
    (included, scenarios): (bool, usize),
) -> Result<Prepared, Failed> {
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return Err((loaded.diagnostics, loaded.sources));
    }
    // Configured inputs add Dafny code to the program. `check` searches all inputs, so that it has
    // no use for them.
    let start = Instant::now();
    let has_inputs = !inputs.types.is_empty() && !criteria.has(Criterion::Obligation);
    let mut given = None;
    let files = std::mem::take(&mut loaded.files);
    // With scenarios, the program is resolved once more.
    let again = (scenarios > 0).then(|| files.clone());
    let (typed, warnings) = if has_inputs {
        let (typed, warnings, found) =
            configured_inputs::front(&files, &loaded.sources, &loaded.options, inputs).map_err(
                |(diagnostics, sources)| {
                    ([loaded.diagnostics.clone(), diagnostics].concat(), sources)
                },
            )?;
        given = Some(found);
        (typed, warnings)
    } else {
        match pipeline::front(files, loaded.options.clone()) {
            Ok(done) => done,
            Err(diagnostics) => {
                return Err(([loaded.diagnostics, diagnostics].concat(), loaded.sources));
            }
        }
    };
    // Errors in `{:synthesize}` methods are found only after resolution.
    let unfit = typed.unfit_syntheses();
    if !unfit.is_empty() {
        return Err((unfit, loaded.sources));
    }
    let resolve = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut ir = pipeline::lower(typed, criteria.clone());
    let mut unknown = Vec::new();
    // An expression of `dtest.toml` that returns no value of its type is an error of that file.
    if let Some(given) = given {
        ir.makers.clone_from(&given.makers);
        let wrong = configured_inputs::check(&ir, &given);
        if !wrong.is_empty() {
            return Err((wrong, given.sources));
        }
        unknown.extend(
            given
                .unknown
                .into_iter()
                .map(|(ty, warning)| (ty, warning, given.sources.clone())),
        );
    }
    if let Some(files) = again
        && let Some(found) =
            pipeline::scenarios::add(&ir, &files, &loaded.sources, (included, scenarios))
    {
        let with_scenarios = Loaded {
            sources: found.sources,
            files: [files, vec![found.file]].concat(),
            options: ir.typed.options.clone(),
            ..loaded
        };
        let mut prepared = prepare(with_scenarios, parse, criteria, inputs, (included, 0))?;
        prepared.ready.scenarios = Some(found.text);
        return Ok(prepared);
    }
    let stages = Stages {
        parse,
        resolve,
        lower: start.elapsed().as_secs_f64(),
        ..Stages::default()
    };
    let ready = Ready {
        sources: loaded.sources,
        paths: loaded.paths,
        ir,
        stages,
        change: None,
        scenarios: None,
    };
    Ok(Prepared {
        ready,
        warnings: [loaded.diagnostics, warnings].concat(),
        unknown,
    })
}

/// The package that each program is written to: the one at `out`, or else the current one. With
/// `--each`, every program has a package of its own below `out`; several programs then require
/// `--out`, because they would overwrite each other's files.
fn packages(
    programs: &[Ready],
    args: &ProgramArgs,
    out: Option<&PathBuf>,
    env: &Environment,
) -> Result<Vec<Home>, ExpectedError> {
    let given =
        out.map(|o| files::normalize(&std::path::absolute(o).unwrap_or_else(|_| o.clone())));
    match given {
        Some(out) if args.each => Ok(layout::packages_of(
            programs.iter().map(|p| &p.sources),
            &out,
        )),
        None if programs.len() > 1 => {
            let message = format!(
                "with `--each`, the files are {} programs, which need a package each",
                programs.len()
            );
            let diagnostic = Diagnostic::global(MessageId::CliEachWithoutOut, message);
            Err(diagnostic
                .with_help("choose the parent directory of these packages with `--out DIR`")
                .into())
        }
        given => Ok(vec![
            Home::at(given.unwrap_or_else(|| env.root.clone()));
            programs.len()
        ]),
    }
}

/// The cache of the package at `root`.
fn cache(root: &Path, args: &CacheArgs) -> Cache {
    Cache::new(root, args.cache_dir.as_deref())
}

/// The cache, or `None` with `--no-cache`.
///
/// # Errors
/// The directory that the user named cannot be used.
fn kept(root: &Path, args: &KeptArgs) -> Result<Option<Cache>, ExpectedError> {
    if args.no_cache {
        return Ok(None);
    }
    let cache = cache(root, &args.cache);
    if args.cache.cache_dir.is_some() {
        cache.open().map_err(|e| {
            Diagnostic::global(MessageId::CliCacheDir, e.to_string())
                .with_help("choose another directory with `--cache-dir`, or use `--no-cache`")
        })?;
    }
    Ok(Some(cache))
}

/// The criteria of `--coverage`.
fn criteria(given: &[Criterion]) -> Criteria {
    Criteria::new(given.iter().copied()).unwrap_or_default()
}

/// The command as the header of a generated file shows it: the arguments that affect the result, in
/// a form that is the same on every machine.
fn command_line(command: &str, sources: &SourceMap) -> String {
    let named = sources
        .files()
        .filter(|(_, f)| f.named)
        .map(|(_, f)| f.path.as_str());
    std::iter::once(format!("cargo dtest {command}"))
        .chain(named.map(str::to_owned))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The more important of two exit codes.
pub(crate) fn worse(a: ExitCode, b: ExitCode) -> ExitCode {
    let rank = |c: ExitCode| match c {
        ExitCode::Bug => 8,
        ExitCode::Usage => 7,
        ExitCode::Z3 => 6,
        ExitCode::Program => 5,
        ExitCode::Findings => 4,
        ExitCode::Stale => 3,
        ExitCode::Gate => 2,
        ExitCode::NothingGenerated => 1,
        ExitCode::Done => 0,
    };
    if rank(a) >= rank(b) { a } else { b }
}

/// The advice for an execution that reached a limit.
fn advice(limit: dtest_ir::reason::Limit) -> &'static str {
    use dtest_ir::reason::Limit;
    match limit {
        Limit::Steps => "raise it with --fuel",
        Limit::Recursion => {
            "the recursion is too deep for the interpreter; `cargo dtest translate` writes the program in Rust"
        }
        Limit::Memory => {
            "a value, an array or the printed text is too large for the interpreter; `cargo dtest translate` writes the program in Rust"
        }
        Limit::Types => {
            "type arguments nest too deeply for the interpreter; `cargo dtest translate` writes the program in Rust"
        }
    }
}
