//! The options of `gen`, merged from the command line, the environment and `dtest.toml`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cli::args::{Convention, Emit, GenArgs, LimitArgs, Minimize, SearchArgs, Strength};
use crate::cli::cache::{self, Cache};
use crate::cli::commands::effort;
use crate::cli::config::Given;
use crate::cli::error::ExpectedError;
use crate::cli::shards::Shards;
use crate::cli::{Environment, files, isolate, memory, z3};
use crate::message::MessageId;
use crate::pipeline::{self, Kept, Memory};
use dafny_source::diagnostic::Diagnostic;
use dtest_emit::dafny::Target;
use dtest_emit::rust_source;
use dtest_ir::{Criteria, Criterion};
use dtest_search::{self as search, Bounds};

/// The merged options of the command line, the environment and `dtest.toml`.
pub(in crate::cli::commands) struct Settings {
    /// The package, or the directory of the packages, to write to.
    pub(in crate::cli::commands) out: PathBuf,
    pub(in crate::cli::commands) against: Option<String>,
    /// The names and types of the code of `against`.
    pub(in crate::cli::commands) convention: Convention,
    /// The language of the tests.
    pub(in crate::cli::commands) emit: Emit,
    /// Backends of Dafny whose known bugs the tests avoid.
    pub(super) targets: Vec<Target>,
    pub(in crate::cli::commands) runtime: Option<PathBuf>,
    pub(super) jobs: usize,
    pub(super) search: search::Options,
    pub(in crate::cli::commands) criteria: Criteria,
    pub(in crate::cli::commands) entries: Vec<String>,
    /// Maximum number of activations of one callable in a call chain, for goals per call.
    pub(in crate::cli::commands) inline: Option<u32>,
    pub(super) smt_log: Option<PathBuf>,
    pub(super) in_diff: Option<PathBuf>,
    pub(in crate::cli::commands) coverage_report: Option<PathBuf>,
    pub(super) fail_under: Option<f64>,
    pub(super) fail_unchecked: bool,
    pub(in crate::cli::commands) included: bool,
    pub(in crate::cli::commands) filter: Option<regex_lite::Regex>,
    /// Whether the filter is set on the command line. Tests of units that it excludes then stay in
    /// the suite.
    pub(super) is_part: bool,
    pub(super) solver: String,
    pub(in crate::cli::commands) cache: Option<Cache>,
    /// The results of the shards, if this run merges them.
    pub(super) shards: Option<Shards>,
    /// The versions that cached results depend on, in addition to the program and the options.
    pub(super) versions: String,
    pub(super) retry: bool,
}

impl Settings {
    /// The options of the search and of the selection.
    pub(super) fn options(&self) -> pipeline::generate::Options<'_> {
        pipeline::generate::Options {
            search: &self.search,
            jobs: self.jobs,
            kept: self.kept(),
            included: self.included,
            filter: self.filter.as_ref(),
            has_entries: !self.entries.is_empty(),
        }
    }

    pub(super) fn kept(&self) -> Option<Kept<'_>> {
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

pub(in crate::cli::commands) fn settings(
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
            emit != Emit::Dafny && !(args.target.is_empty() && args.run.is_empty()),
            "`--target` and `--run` apply to `--emit dafny`",
        ),
        (
            emit != Emit::Rust && args.against.is_some(),
            "`--against` applies to suites in Rust",
        ),
        (
            emit != Emit::Rust && args.keep_failing,
            "`--keep-failing` applies to suites in Rust",
        ),
        (
            emit == Emit::Vectors && args.scenarios.is_some_and(|n| n > 0),
            "`--scenarios` applies to suites in Rust and in Dafny",
        ),
    ] {
        if is_wrong {
            return Err(Diagnostic::global(MessageId::CliEmit, message).into());
        }
    }
    // The path becomes code of the suite, so it must be Rust.
    let against = args.against.clone();
    if let Some(path) = &against
        && !rust_source::is_path(path)
    {
        return Err(Diagnostic::global(
            MessageId::CliBadPath,
            format!("`--against {path}` is not a Rust path"),
        )
        .into());
    }
    let convention = args.convention.unwrap_or_default();
    if convention == Convention::Dafny && against.is_none() {
        let message = "`--convention dafny` is about the code that `--against` names";
        let help = "add `--against crate::implementation_from_dafny`, the module with what `dafny translate rs` wrote";
        return Err(Diagnostic::global(MessageId::CliConvention, message)
            .with_help(help)
            .into());
    }
    let criteria = super::super::criteria(&args.search.coverage);
    if given.has("max_paths") && !criteria.has(Criterion::Path) {
        let diagnostic = Diagnostic::global(
            MessageId::CliNoPaths,
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
        cache: super::super::kept(&out, &args.kept)?,
        versions: cache::versions(&solver),
        out,
        against,
        convention,
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
        filter: super::super::filter(args.search.filter.as_ref())?,
        is_part: given.has("filter"),
        solver,
    })
}

/// Converts the option `--strength`.
pub(in crate::cli::commands) fn strength(given: Option<Strength>) -> search::Strength {
    match given {
        Some(Strength::Mutants) | None => search::Strength::Mutants,
        Some(Strength::Coverage) => search::Strength::Coverage,
    }
}

pub(super) fn search_options(args: &SearchArgs) -> search::Options {
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
    // Counted from here, so that later stages use the time of the search.
    options.until = args
        .max_time
        .and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    options
}

/// Maximum factor by which a higher `--rlimit` raises the number of terms of an encoding.
pub(super) const MAX_TERMS: u32 = 16;

/// Returns the options of a search within the configured limits. A configured bound is the maximum
/// from the start: the search does not grow beyond it.
pub(in crate::cli::commands) fn limited(args: &LimitArgs) -> search::Options {
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
