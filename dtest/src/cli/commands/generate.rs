//! `gen`: the suite, and the translation that it runs against.
//!
//! Key functions: [`settings`] merges command line, environment and `dtest.toml`; [`run_with`] is
//! the command as a sequence of steps; [`generate`] emits the files of one program, in the order of
//! [`pipeline::generate`]; [`finish`] derives the exit code from the report. [`Repeat`] skips the whole run if its inputs
//! and outputs are those of an earlier run.
//!
//! The hard part is partial runs: with `--filter`, `--in-diff` or `--entry`, the tests of other
//! units must stay in the suite unchanged ([`staying`]).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::against;
use super::super::args::{Emit, GenArgs, LimitArgs, MessageFormat, Minimize, SearchArgs, Strength};
use super::super::cache::{self, Cache};
use super::super::config::Given;
use super::super::diff;
use super::super::error::{CommandResult, ExpectedError};
use super::super::files::FileError;
use super::super::layout::{self, Output};
use super::super::package::{self, Home};
use super::super::repeat::{self, Record};
use super::super::shards::{ShardReport, Shards};
use super::super::{Environment, coverage_report, files, header, isolate, load, memory, z3};
use super::effort;
use super::{Ready, translate};
use crate::exit_code::ExitCode;
use crate::pipeline::generate::{Emitted, Found, Progress};
use crate::pipeline::{self, Kept, Memory, Part, Shard};
use crate::report::{Report, human, json};
use dafny_resolve::typed::CallableId;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::Span;
use dtest_desugar::Links;
use dtest_emit::dafny::Target;
use dtest_emit::rust_source;
use dtest_emit::{case::Staying, case::SuiteOptions};
use dtest_ir::{Criteria, Criterion};
use dtest_lower::{self as lower, units::Unit};
use dtest_search::portable::Key;
use dtest_search::{self as search, Bounds};
use dtest_sorted::SortedSet;

/// Directory of the suite, relative to the root of the package.
pub(super) const SUITE: &str = "tests/dtest";

/// The merged options of the command line, the environment and `dtest.toml`.
pub(super) struct Settings {
    /// The package, or the directory of the packages, to write to.
    pub(super) out: PathBuf,
    pub(super) against: Option<String>,
    /// The language of the tests.
    pub(super) emit: Emit,
    /// Backends of Dafny whose known bugs the tests avoid.
    targets: Vec<Target>,
    pub(super) runtime: Option<PathBuf>,
    jobs: usize,
    search: search::Options,
    pub(super) criteria: Criteria,
    pub(super) entries: Vec<String>,
    /// Maximum number of activations of one callable in a call chain, for goals per call.
    pub(super) inline: Option<u32>,
    smt_log: Option<PathBuf>,
    in_diff: Option<PathBuf>,
    pub(super) coverage_report: Option<PathBuf>,
    fail_under: Option<f64>,
    fail_unchecked: bool,
    pub(super) included: bool,
    filter: Option<regex_lite::Regex>,
    /// Whether the filter is set on the command line. Tests of units that it excludes then stay in
    /// the suite.
    is_part: bool,
    solver: String,
    pub(super) cache: Option<Cache>,
    /// The results of the shards, if this run merges them.
    shards: Option<Shards>,
    /// The versions that cached results depend on, in addition to the program and the options.
    versions: String,
    retry: bool,
}

impl Settings {
    /// The options of the search and of the selection.
    fn options(&self) -> pipeline::generate::Options<'_> {
        pipeline::generate::Options {
            search: &self.search,
            jobs: self.jobs,
            kept: self.kept(),
            included: self.included,
            filter: self.filter.as_ref(),
            has_entries: !self.entries.is_empty(),
        }
    }

    fn kept(&self) -> Option<Kept<'_>> {
        let shards = self.shards.as_ref().map(|s| s as &dyn Memory);
        let memory = shards.or_else(|| self.cache.as_ref().map(|c| c as &dyn Memory));
        // A merge uses the results of the shards alone: it neither searches again nor reads the
        // cache.
        memory.map(|memory| Kept {
            memory,
            versions: &self.versions,
            retry: self.retry && self.shards.is_none(),
        })
    }
}

/// The files to write for one program.
pub(super) struct Generated {
    pub(super) home: Home,
    pub(super) outputs: Vec<Output>,
    /// Files of the suite that stay unchanged.
    pub(super) staying: Vec<String>,
    /// Links of `dtest.toml` that the program uses.
    links: Links,
}

/// Runs the command.
pub fn run(args: GenArgs, env: &Environment) -> CommandResult {
    if super::boogie::is_meant(&args.program) {
        return super::boogie::refuse("suite");
    }
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
    super::warn_of_filter(settings.filter.as_ref(), &programs, env);
    in_diff(&mut programs, settings.in_diff.as_deref())?;
    // A shard only searches. The merge of all shards (below) needs a result of every unit.
    if let Some(shard) = args.search.shard {
        let done = search_shard(shard, &programs, &args, &settings, start, env)?;
        return Ok(super::worse(code, done));
    }
    know_all(&programs, &settings)?;
    let roots = super::packages(&programs, &args.program, args.out.as_ref(), env)?;
    // All programs are searched before anything is written: a failure leaves the old suites intact.
    let mut report = Report::default();
    let mut all: Vec<Generated> = Vec::new();
    let mut runs = Vec::new();
    for (program, home) in programs.iter().zip(roots) {
        let (generated, part) = generate(program, home, &args, &settings, env);
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
    // A suite without tests is not written; tests left alone by the diff keep it alive.
    let has_tests = report.totals().all_tests() > 0 || report.left_alone > 0;
    for generated in &all {
        let done = if !has_modules(generated, &settings, env) {
            ExitCode::Usage
        } else if args.check {
            check(generated, settings.emit, env)
        } else if has_tests {
            env.settle(write(generated, &settings, env))
        } else {
            ExitCode::Done
        };
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
    if let Some(directory) = &settings.coverage_report {
        let sources: Vec<_> = programs.iter().map(Ready::texts).collect();
        let setting = format!("Criteria: {}", settings.criteria);
        let written = coverage_report::write(
            directory,
            &settings.out,
            &report,
            &sources,
            &setting,
            "cargo dtest gen",
            env,
        );
        code = super::worse(code, env.settle(written));
    }
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

/// Whether hand-written code has the modules that the suite names; reports the missing ones.
fn has_modules(generated: &Generated, settings: &Settings, env: &Environment) -> bool {
    let Some(against) = &settings.against else {
        return true;
    };
    let texts = generated.outputs.iter().map(|o| o.text.as_str());
    let missing = against::missing(&generated.home.root, against, texts);
    for module in &missing {
        let name = module.path.rsplit("::").next().unwrap_or_default();
        let (file, path) = (&module.file, &module.path);
        let message = if module.is_private {
            format!("the suite names the module `{path}`, which {file} declares as private")
        } else {
            format!("the suite names the module `{path}`, which {file} does not declare")
        };
        let help = format!(
            "declare `pub mod {name};` in {file}, or name the module that has the code by `--against`: each Dafny file and each Dafny module is a Rust module below it, except `src/lib.dfy`"
        );
        env.terminal
            .diagnostic(Diagnostic::global("cli/no-module", message).with_help(help));
    }
    missing.is_empty()
}

/// The paths of generated files that may remain in a package after the run.
fn expected(outputs: &[Output], staying: &[String]) -> SortedSet<String> {
    outputs
        .iter()
        .map(|o| o.path.clone())
        .chain(staying.iter().cloned())
        .collect()
}

fn write(generated: &Generated, settings: &Settings, env: &Environment) -> CommandResult {
    let Generated {
        home,
        outputs,
        staying,
        links,
    } = generated;
    let root = home.root.as_path();
    if settings.emit == Emit::Dafny {
        return write_dafny(root, outputs, env);
    }
    // An error is shown here, before the notes on the other files.
    let written = translate::write(env, home, settings.runtime.as_deref(), outputs, links);
    let code = env.settle(written.map(|()| ExitCode::Done));
    // With `--filter`, tests of other units stay in their files.
    if settings.is_part && !staying.is_empty() {
        let (files, stay) = if staying.len() == 1 {
            ("file", "stays")
        } else {
            ("files", "stay")
        };
        env.terminal.note(&format!(
            "{} {files} with tests outside of `--filter` {stay} unchanged",
            staying.len()
        ));
    }
    for path in layout::remove_stale(root, SUITE, &expected(outputs, staying)) {
        env.terminal
            .note(&format!("removed {path}, which is no longer generated"));
    }
    Ok(code)
}

/// Writes test files in Dafny; other files of the directory stay.
fn write_dafny(root: &Path, outputs: &[Output], env: &Environment) -> CommandResult {
    let written = layout::write_marked(root, outputs, files::is_ours)?;
    for path in &written.changed {
        env.terminal.note(&format!("wrote {path}"));
    }
    match written.refused.first() {
        Some(path) => Err(FileError::Foreign {
            path: path.clone(),
            root: root.into(),
        }
        .into()),
        None => Ok(ExitCode::Done),
    }
}

/// The cached record of an earlier run with the same inputs.
struct Repeat<'r> {
    cache: &'r Cache,
    key: Key,
    listing: Vec<PathBuf>,
}

impl<'r> Repeat<'r> {
    /// Returns `None` if the run is not cached, if it also depends on other files (`--against`,
    /// `--in-diff`), if a transcript is written, or if the files cannot be listed; the run itself
    /// reports the latter.
    fn new(args: &GenArgs, settings: &'r Settings, env: &Environment) -> Option<Self> {
        // With `--against`, the report depends on hand-written files, too; `--run` runs Dafny each
        // time.
        let is_whole = settings.against.is_none()
            && args.run.is_empty()
            && settings.smt_log.is_none()
            && settings.in_diff.is_none()
            && args.search.shard.is_none()
            && settings.shards.is_none();
        let cache = settings.cache.as_ref().filter(|_| is_whole)?;
        let listing = load::listing(&args.program, &env.root).ok()?;
        Some(Self {
            cache,
            key: repeat::key(args, &settings.versions, env),
            listing,
        })
    }

    fn recall(&self, args: &GenArgs) -> Option<Record> {
        repeat::recall(
            self.cache,
            self.key,
            &self.listing,
            SUITE,
            args.check,
            args.kept.retry,
        )
    }

    /// Caches a run that ends with `code`. `paths` are the files that were read, `pages` those
    /// written outside the packages; `report` is the report, and whether the packages were written.
    fn keep(
        &self,
        paths: SortedSet<PathBuf>,
        all: &[Generated],
        pages: Vec<PathBuf>,
        report: Option<(&Report, bool)>,
        code: ExitCode,
        env: &Environment,
    ) {
        // An error in the program depends only on the program. Other exit codes depend on the state
        // of the disk, so those runs are not cached.
        if !matches!(code, ExitCode::Done | ExitCode::Program) {
            return;
        }
        let Some(said) = env.terminal.said() else {
            return;
        };
        let is_written = report.is_some_and(|(_, is_written)| is_written);
        let around = all.iter().flat_map(|g| {
            layout::link_candidates(&g.home.root, &env.config.links)
                .into_iter()
                .chain([g.home.root.join("Cargo.toml")])
        });
        let inputs: SortedSet<PathBuf> = paths
            .into_iter()
            .chain(self.listing.iter().cloned())
            .chain(around)
            .collect();
        let paths = |g: &Generated| {
            expected(&g.outputs, &g.staying)
                .into_iter()
                .map(|p| g.home.root.join(p))
                .collect::<Vec<_>>()
        };
        let outputs = all.iter().flat_map(paths);
        let hashed = |path: PathBuf| (path.clone(), repeat::hash_of(&path));
        let record = Record {
            listing: self.listing.clone(),
            inputs: inputs.into_iter().map(hashed).collect(),
            outputs: outputs
                .filter(|_| is_written)
                .chain(pages)
                .map(hashed)
                .collect(),
            roots: all.iter().map(|g| g.home.root.clone()).collect(),
            is_written,
            said,
            report: report.map(|(report, _)| report.clone()),
            code,
        };
        repeat::keep(self.cache, self.key, &record);
    }
}

/// Shows the report and derives the exit code from it.
fn finish(report: &Report, settings: &Settings, mut code: ExitCode, env: &Environment) -> ExitCode {
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
            .diagnostic(Diagnostic::global("cli/fail-under", message));
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
            .diagnostic(Diagnostic::global("cli/fail-unchecked", message).with_help(help));
        code = super::worse(code, ExitCode::Gate);
    }
    code
}

/// Records in each program the effect of the diff in a file.
pub(super) fn in_diff(programs: &mut [Ready], file: Option<&Path>) -> Result<(), Diagnostic> {
    let Some(file) = file else { return Ok(()) };
    let fail = |message: String| Diagnostic::global("cli/in-diff", message);
    let bytes = files::read_bytes(file)
        .map_err(|e| fail(format!("cannot read `{}`: {e}", file.display())))?;
    let parsed = diff::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|e| fail(format!("`{}` is not a unified diff: {e}", file.display())))?;
    for program in programs {
        program.change = Some(parsed.change(&program.sources, &program.paths)?);
    }
    Ok(())
}

/// The existing parts of the suite that stay: tests of units that a change does not affect
/// (`rest`), and of units that a filter on the command line excludes.
fn staying(program: &Ready, root: &Path, rest: &[Unit], settings: &Settings) -> Staying {
    let mut units: Vec<CallableId> = rest.iter().map(|u| u.callable).collect();
    let mut types = Vec::new();
    if settings.is_part && settings.entries.is_empty() {
        let Ready { ir, sources, .. } = program;
        let is_wanted = |span: Span| {
            settings.included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
        };
        let all = pipeline::units(ir, sources, settings.included, None);
        units.extend(
            all.iter()
                .map(|u| u.callable)
                .chain(lower::units::own_tests(&ir.typed, is_wanted)),
        );
        types = lower::units::datatypes(&ir.typed, is_wanted);
        types.extend(lower::units::classes(&ir.typed, is_wanted));
    }
    if units.is_empty() && types.is_empty() {
        return Staying::default();
    }
    // The tests that stay may need the suite's specification functions.
    let spec = root.join(SUITE).join("spec.rs");
    Staying {
        units,
        types,
        files: layout::stale(root, SUITE, &SortedSet::new())
            .into_iter()
            .collect(),
        spec: files::read_text(&spec)
            .ok()
            .filter(|_| files::is_ours(&spec)),
    }
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
        let results = pipeline::generate::search(&subject, &units, &options, &begin(env));
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
            let diagnostic = Diagnostic::global("cli/shards", message);
            return Err(diagnostic.with_help("run `merge` on the sources and the `dtest.toml` of the shards, with the same search options").into());
        }
    }
    Ok(())
}

/// The progress displays of a run.
fn begin(env: &Environment) -> impl Fn(&'static str, usize) -> Box<dyn Progress> {
    |what, total| Box::new(env.terminal.progress(what, total))
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
    };
    let (outcome, generated) =
        pipeline::generate::generate(&program.subject(), &options, &begin(env), emit);
    if let Some(directory) = &settings.smt_log {
        write_transcripts(directory, &outcome.transcripts, env);
    }
    if matches!(
        env.terminal.format,
        MessageFormat::Github | MessageFormat::Sarif
    ) {
        env.terminal
            .diagnostics(&outcome.findings, &program.sources);
    }
    if settings.emit == Emit::Rust {
        for warning in outcome.not_written {
            env.terminal.diagnostics(&[warning], &program.sources);
        }
    }
    (generated, outcome.report)
}

/// Emits a suite in Rust, and the translation that it tests.
fn emit_rust(
    program: &Ready,
    home: Home,
    found: &Found<'_>,
    args: &GenArgs,
    settings: &Settings,
) -> (Emitted, Generated) {
    let Ready { ir, sources, .. } = program;
    let root = home.root.as_path();
    let has_own_lib = settings.against.is_none() && layout::has_own_lib(root);
    let (mut outputs, mut translation, placement) = translate::translate(
        program,
        root,
        &super::command_line("translate", sources),
        has_own_lib,
    );
    if settings.against.is_some() {
        translation = dtest_emit::translate_erased(&ir.typed, sources, &placement);
    }
    let cases = pipeline::cases(ir, sources, found.results, args.keep_failing);
    let (datatypes, classes) =
        pipeline::generate::types(&program.subject(), found.units, &settings.options());
    let tests = dtest_emit::case::Tests {
        cases: &cases,
        declared: found.own,
        datatypes: &datatypes,
        classes: &classes,
    };
    let options = suite_options(program, &home, settings);
    let suite = dtest_emit::suite_beside(
        &staying(program, root, found.rest, settings),
        &ir.typed,
        sources,
        &placement,
        &translation,
        &tests,
        &options,
    );
    // Hand-written code is tested in place of the translation, which is then not written.
    let mut untranslated = Vec::new();
    if settings.against.is_some() {
        outputs.clear();
    } else {
        untranslated.extend(
            translation
                .unsupported
                .iter()
                .map(|u| (u.what.clone(), u.reason.to_string())),
        );
    }
    outputs.extend(suite.files.iter().map(|(path, text)| Output {
        path: path.clone(),
        text: text.clone(),
    }));
    if let Some(text) = &program.scenarios {
        let path = pipeline::scenarios::FILE.to_owned();
        let folder = root.join(path.trim_end_matches("/scenarios.dfy"));
        outputs.push(dafny_output(
            program,
            (&folder, path),
            &options.header,
            text,
        ));
    }
    let generated = Generated {
        home,
        outputs,
        staying: suite.staying.clone(),
        links: translate::used_links(program),
    };
    let emitted = Emitted {
        suite,
        untranslated,
    };
    (emitted, generated)
}

/// Emits a suite in Dafny. It has its own form of tests; the report counts them as it counts tests
/// in Rust.
fn emit_dafny(
    program: &Ready,
    home: Home,
    found: &Found<'_>,
    settings: &Settings,
) -> (Emitted, Generated) {
    let Ready { ir, sources, .. } = program;
    let cases = pipeline::cases(ir, sources, found.results, false);
    let written = pipeline::dafny_suite::write(ir, sources, &cases, &settings.targets);
    let suite = pipeline::dafny_suite::as_suite(&ir.typed, &cases, &written);
    let header = suite_options(program, &home, settings).header;
    let scenarios = program.scenarios.as_deref().unwrap_or_default();
    let text = [written.text.as_str(), scenarios.trim_start()].join("\n");
    let outputs = if text.trim().is_empty() {
        Vec::new()
    } else {
        let path = format!("{}.tests.dfy", dafny_stem(program));
        vec![dafny_output(
            program,
            (&home.root, path),
            &header,
            text.trim_end_matches('\n'),
        )]
    };
    let generated = Generated {
        home,
        outputs,
        staying: Vec::new(),
        links: Links::new(),
    };
    let emitted = Emitted {
        suite,
        untranslated: Vec::new(),
    };
    (emitted, generated)
}

/// The maximum number of scenarios of a class. Code by other hands and tests through entries have none.
fn scenarios(args: &GenArgs, settings: &Settings) -> usize {
    if settings.against.is_some() || !settings.entries.is_empty() {
        return 0;
    }
    args.scenarios.unwrap_or_default() as usize
}

/// The paths of the named files.
fn named(program: &Ready) -> Vec<&PathBuf> {
    program
        .sources
        .files()
        .zip(&program.paths)
        .filter(|((_, file), _)| file.named)
        .map(|(_, path)| path)
        .collect()
}

/// The name of the file of a program's tests in Dafny, without its extension: that of the first file.
fn dafny_stem(program: &Ready) -> String {
    let named = named(program);
    named.first().and_then(|p| p.file_stem()).map_or_else(
        || "program".to_owned(),
        |s| s.to_string_lossy().into_owned(),
    )
}

/// Returns a file of tests in Dafny in the directory `folder`, which includes all named files.
fn dafny_output(
    program: &Ready,
    (folder, path): (&Path, String),
    header: &str,
    text: &str,
) -> Output {
    let named = named(program);
    let includes: String = named
        .iter()
        .map(|p| format!("include \"{}\"\n", files::relative(p, folder)))
        .collect();
    let options = dafny_options(&program.ir.typed.options);
    let run = format!(
        "// dafny test {path} --target cs --no-verify --allow-warnings{options} --methods-to-test 'TestsOf.*'\n"
    );
    Output {
        text: format!("{header}{run}{includes}\n{}", text.trim_start_matches('\n')),
        path,
    }
}

/// The options of Dafny's command line under which the program was read, if they differ from the
/// defaults.
fn dafny_options(options: &dafny_resolve::typed::Options) -> String {
    use dafny_resolve::typed::GeneralTraits;
    let mut out = String::new();
    if options.function_syntax == 3 {
        out.push_str(" --function-syntax 3");
    }
    if !options.unicode_char {
        out.push_str(" --unicode-char false");
    }
    for (is_on, name) in [
        (
            options.relax_definite_assignment,
            "relax-definite-assignment",
        ),
        (options.enforce_determinism, "enforce-determinism"),
        (options.reads_clauses_on_methods, "reads-clauses-on-methods"),
        (options.type_system_refresh, "type-system-refresh"),
        (options.general_newtypes, "general-newtypes"),
    ] {
        if is_on {
            out.push_str(&format!(" --{name}"));
        }
    }
    match options.general_traits {
        GeneralTraits::Legacy => {}
        GeneralTraits::Datatype => out.push_str(" --general-traits datatype"),
        GeneralTraits::Full => out.push_str(" --general-traits full"),
    }
    out
}

fn suite_options(program: &Ready, home: &Home, settings: &Settings) -> SuiteOptions {
    let command = super::command_line("gen", &program.sources);
    let entries: String = settings.entries.iter().map(|e| format!(" {e}")).collect();
    let described = format!(
        "{}{:?}{}{entries}",
        settings.search.identity(),
        settings.against,
        settings.criteria
    );
    let library = package::library_of(home);
    let subject = match &settings.against {
        None => library,
        Some(path) if path == "crate" => library,
        Some(path) => path
            .strip_prefix("crate::")
            .map_or_else(|| path.clone(), |rest| format!("{library}::{rest}")),
    };
    SuiteOptions {
        header: header::header(
            &command,
            &program.sources,
            &program.ir.typed.options,
            &described,
            Some(&settings.solver),
        ),
        subject,
        is_translation: settings.against.is_none(),
        directory: SUITE.into(),
    }
}

/// Compares the generated files with those on disk, and prints the differences.
fn check(generated: &Generated, emit: Emit, env: &Environment) -> ExitCode {
    let Generated {
        home,
        outputs,
        staying,
        ..
    } = generated;
    let root = home.root.as_path();
    let mut code = ExitCode::Done;
    // Nothing is written: the difference to the files on disk is shown as a patch.
    for output in outputs {
        if output.is_in_place(root) {
            continue;
        }
        code = ExitCode::Stale;
        let old = files::read_text(&root.join(&output.path)).unwrap_or_default();
        let path = &output.path;
        let mut options = diffy::DiffOptions::new();
        options
            .set_original_filename(format!("{path} (on disk)"))
            .set_modified_filename(format!("{path} (as it would be written)"));
        env.terminal.note(
            options
                .create_patch(&old, &output.text)
                .to_string()
                .trim_end(),
        );
    }
    // Files that would be removed make a suite stale, too.
    let stale = match emit {
        Emit::Rust => layout::stale(root, SUITE, &expected(outputs, staying)),
        Emit::Dafny => Vec::new(),
    };
    for path in stale {
        env.terminal.note(&format!("{path} would be removed"));
        code = ExitCode::Stale;
    }
    if code == ExitCode::Stale {
        let diagnostic = Diagnostic::global("cli/stale", "the files on disk are out of date");
        env.terminal.diagnostic(
            diagnostic.with_help("run `cargo dtest gen` with the same options, without --check"),
        );
    }
    code
}

/// The first line of a transcript; identifies generated files.
const SMT_MARKER: &str = "; generated by cargo dtest";

/// Writes the transcripts of the solver, each under the path of its unit.
fn write_transcripts(directory: &Path, transcripts: &[(String, String)], env: &Environment) {
    for (unit, transcript) in transcripts {
        // Paths of units may contain characters that file names must not.
        let name: String = unit
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '.' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let output = Output {
            path: format!("{name}.smt2"),
            text: format!("{SMT_MARKER}\n{transcript}"),
        };
        let is_ours = |path: &Path| files::read_text(path).is_ok_and(|t| t.starts_with(SMT_MARKER));
        let written = layout::write_marked(directory, &[output], is_ours);
        let refused = |w: layout::Written| {
            w.refused.first().map(|path| FileError::Foreign {
                path: path.clone(),
                root: directory.into(),
            })
        };
        // The transcript is an extra: the run continues without it.
        if let Some(error) = written.map_or_else(Some, refused) {
            env.settle(Err(error.into()));
            return;
        }
    }
}

pub(super) fn settings(
    args: &GenArgs,
    given: &Given,
    env: &Environment,
) -> Result<Settings, ExpectedError> {
    let solver = z3::check()?;
    let out = args.out.as_ref().map_or_else(
        || env.root.clone(),
        |o| files::normalize(&std::path::absolute(o).unwrap_or_else(|_| o.clone())),
    );
    let emit = args.emit.unwrap_or_default();
    // Options of one kind of suite are refused for the other, not ignored.
    for (is_wrong, message) in [
        (
            emit == Emit::Rust && !(args.target.is_empty() && args.run.is_empty()),
            "`--target` and `--run` apply to `--emit dafny`",
        ),
        (
            emit == Emit::Dafny && args.against.is_some(),
            "`--against` applies to suites in Rust",
        ),
        (
            emit == Emit::Dafny && args.keep_failing,
            "`--keep-failing` applies to suites in Rust",
        ),
    ] {
        if is_wrong {
            return Err(Diagnostic::global("cli/emit", message).into());
        }
    }
    // The path becomes code of the suite, so it must be Rust.
    let against = args.against.clone();
    if let Some(path) = &against
        && !rust_source::is_path(path)
    {
        return Err(Diagnostic::global(
            "cli/bad-path",
            format!("`--against {path}` is not a Rust path"),
        )
        .into());
    }
    let criteria = super::criteria(&args.search.coverage);
    if given.has("max_paths") && !criteria.has(Criterion::Path) {
        let diagnostic = Diagnostic::global(
            "cli/no-paths",
            format!(
                "`--max-paths` applies to the criterion `path`, but the criteria are `{criteria}`"
            ),
        );
        return Err(diagnostic
            .with_help("add `--coverage path`, or remove `--max-paths`")
            .into());
    }
    // These two limits are of the process, not of one unit.
    let search = search_options(&args.search);
    isolate::limit_time(search.timeout);
    memory::watch(args.search.limits.max_memory.unwrap_or(memory::DEFAULT));
    Ok(Settings {
        shards: None,
        retry: args.kept.retry,
        cache: super::kept(&out, &args.kept)?,
        versions: cache::versions(&solver),
        out,
        against,
        emit,
        targets: args.target.iter().copied().map(Target::from).collect(),
        runtime: args.runtime.clone(),
        jobs: effort::jobs(&args.search.limits),
        search,
        criteria,
        entries: args.search.entry.clone(),
        inline: args.search.limits.inline,
        smt_log: args.search.smt_log.clone(),
        in_diff: args.search.in_diff.clone(),
        coverage_report: args.coverage_report.clone(),
        fail_under: args.fail_under,
        fail_unchecked: args.fail_unchecked,
        included: args.program.included,
        filter: super::filter(args.search.filter.as_ref())?,
        is_part: given.has("filter"),
        solver,
    })
}

/// Converts the option `--strength`.
pub(super) fn strength(given: Option<Strength>) -> search::Strength {
    match given {
        Some(Strength::Mutants) | None => search::Strength::Mutants,
        Some(Strength::Coverage) => search::Strength::Coverage,
    }
}

fn search_options(args: &SearchArgs) -> search::Options {
    let mut options = limited(&args.limits);
    options.minimize = match args.minimize {
        Some(Minimize::Optimal) => search::Minimize::Optimal,
        Some(Minimize::Greedy) | None => search::Minimize::Greedy,
    };
    options.strength = strength(args.strength);
    if let Some(n) = args.max_paths {
        options.max_paths = n;
    }
    options.transcript = args.smt_log.is_some();
    options
}

/// Maximum factor by which a higher `--rlimit` raises the number of terms of an encoding.
const MAX_TERMS: u32 = 16;

/// Returns the options of a search within the configured limits. A configured bound is the maximum
/// from the start: the search does not grow beyond it.
pub(super) fn limited(args: &LimitArgs) -> search::Options {
    let mut options = search::Options::default();
    let mut bound = |given: Option<u32>, field: fn(&mut Bounds) -> &mut u32| {
        if let Some(n) = given {
            *field(&mut options.caps) = n;
            let start = field(&mut options.start);
            *start = (*start).min(n);
        }
    };
    bound(args.unroll, |b| &mut b.unroll);
    bound(args.inline, |b| &mut b.inline);
    bound(args.max_size, |b| &mut b.collection);
    options.asked = search::Asked {
        collection: args.max_size,
        unroll: args.unroll,
    };
    if let Some(size) = args.max_size {
        // Larger inputs also need deeper datatypes and more objects.
        let caps = &mut options.caps;
        (caps.depth, caps.objects) = (caps.depth.max(size / 4), caps.objects.max(size / 4));
    }
    if let Some(calls) = args.inline {
        // Deeper recursion needs more calls of one callee.
        options.caps.calls = options.caps.calls.max(calls);
    }
    if let Some(rlimit) = args.rlimit {
        let usual = options.rlimit;
        options.rlimit = u32::try_from(rlimit).unwrap_or(u32::MAX);
        // A higher resource limit allows proportionally larger encodings.
        let times = (options.rlimit / usual).clamp(1, MAX_TERMS);
        for bounds in [&mut options.start, &mut options.caps] {
            bounds.terms = bounds.terms.saturating_mul(times);
        }
    }
    if let Some(seconds) = args.timeout {
        options.timeout = Duration::from_secs(seconds);
    }
    if let Some(seed) = args.seed {
        options.seed = seed as u32;
    }
    options
}

/// The peak memory use of the process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = files::read_text(Path::new("/proc/self/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
