//! The record of a run, which a later run with the same inputs repeats.

use std::path::PathBuf;

use super::outputs::expected;
use super::settings::Settings;
use super::{Generated, SUITE};
use crate::cli::args::GenArgs;
use crate::cli::cache::Cache;
use crate::cli::repeat::{self, Record};
use crate::cli::{Environment, layout, load};
use crate::exit_code::ExitCode;
use crate::report::Report;
use dtest_search::portable::Key;
use dtest_sorted::SortedSet;

/// The cached record of an earlier run with the same inputs.
pub(super) struct Repeat<'r> {
    cache: &'r Cache,
    key: Key,
    listing: Vec<PathBuf>,
}

impl<'r> Repeat<'r> {
    /// Returns `None` if the run is not cached, if it also depends on other texts (`--against`,
    /// `--in-diff`, `--stdin`), if a transcript is written, or if the files cannot be listed; the run itself
    /// reports the latter.
    pub(super) fn new(args: &GenArgs, settings: &'r Settings, env: &Environment) -> Option<Self> {
        // With `--against`, the report depends on hand-written files, too; `--run` runs Dafny each
        // time.
        let is_whole = settings.against.is_none()
            && args.run.is_empty()
            && !args.program.stdin
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

    pub(super) fn recall(&self, args: &GenArgs) -> Option<Record> {
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
    pub(super) fn keep(
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
