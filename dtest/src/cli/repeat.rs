//! A run that repeats an earlier one: when nothing that went in or came out has changed, the earlier report is shown again, and no
//! program is so much as parsed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::args::{GenArgs, KeptArgs};
use super::cache::Cache;
use super::terminal::Said;
use super::{Environment, files, layout};
use crate::exit_code::ExitCode;
use crate::report::Report;
use dtest_engine::portable::Key;

/// What is kept of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// What [`super::load::listing`] gave.
    pub listing: Vec<PathBuf>,
    /// Files that were read, or looked for (`None`: they were not there), with hashes.
    pub inputs: Vec<(PathBuf, Option<String>)>,
    /// Files that were written, or that stayed as they were, with hashes.
    pub outputs: Vec<(PathBuf, Option<String>)>,
    /// The packages that were written into; their suites had no other files of ours.
    pub roots: Vec<PathBuf>,
    /// Whether all that could be written was.
    pub is_written: bool,
    /// The diagnostics.
    pub said: Vec<Said>,
    /// The report; none where every program had errors.
    pub report: Option<Report>,
    /// The exit code, before what the report adds to it.
    pub code: ExitCode,
}

impl Record {
    /// Whether the run would give the same again, byte for byte, and has nothing left to write. `listing` is of now; `is_check`: the
    /// files on disk are what is asked about.
    fn holds(&self, listing: &[PathBuf], suite: &str, is_check: bool) -> bool {
        let same = |(path, hash): &(PathBuf, Option<String>)| hash_of(path) == *hash;
        let has_nothing_stale = |root: &PathBuf| {
            let ours = |(path, _): &(PathBuf, Option<String>)| {
                Some(
                    path.strip_prefix(root)
                        .ok()?
                        .to_string_lossy()
                        .replace('\\', "/"),
                )
            };
            layout::stale(root, suite, &self.outputs.iter().filter_map(ours).collect()).is_empty()
        };
        (self.is_written || !is_check)
            && self.listing == listing
            && self.inputs.iter().chain(&self.outputs).all(same)
            && (!self.is_written || self.roots.iter().all(has_nothing_stale))
    }
}

/// The hash of a file's bytes; `None`: it cannot be read.
pub fn hash_of(path: &Path) -> Option<String> {
    files::read_regular(path)
        .ok()
        .map(|bytes| Key::of([bytes.as_slice()]).to_string())
}

/// Where runs with these arguments are kept. What changes neither files nor report is no part of it.
pub fn key(args: &GenArgs, versions: &str, env: &Environment) -> Key {
    let mut args = args.clone();
    (args.search.limits.jobs, args.search.limits.max_memory) = (None, None);
    args.output.quiet = false;
    args.check = false;
    args.kept = KeptArgs::default();
    let here = std::env::current_dir().unwrap_or_default();
    let format = env.terminal.format;
    let text = format!(
        "{args:?} {:?} {:?} {here:?} {format:?} {}",
        env.config,
        env.root,
        env.terminal.has_color()
    );
    Key::of([versions.as_bytes(), text.as_bytes()])
}

/// The record of an earlier run that this one would repeat. With `retry` that is none in which the clock stopped a unit.
pub fn recall(
    cache: &Cache,
    key: Key,
    listing: &[PathBuf],
    suite: &str,
    is_check: bool,
    retry: bool,
) -> Option<Record> {
    let bytes = cache.run(key)?;
    let (sum, text) = bytes.split_at_checked(64)?;
    if sum != Key::of([text]).to_string().as_bytes() {
        return None;
    }
    let mut record: Record = serde_json::from_slice(text).ok()?;
    let is_timed_out = record
        .report
        .iter()
        .flat_map(|r| &r.units)
        .any(|u| u.timed_out);
    if retry && is_timed_out || !record.holds(listing, suite, is_check) {
        return None;
    }
    if let Some(report) = &mut record.report {
        report
            .units
            .iter_mut()
            .for_each(|u| (u.cached, u.seconds) = (true, 0.0));
        report.stages = crate::report::Stages::default();
    }
    Some(record)
}

/// Keeps a run. A path that is not Unicode has no place in a record, and the run is not kept then.
pub fn keep(cache: &Cache, key: Key, record: &Record) {
    if let Ok(text) = serde_json::to_vec(record) {
        let sum = Key::of([text.as_slice()]).to_string();
        cache.keep_run(key, &[sum.as_bytes(), &text].concat());
    }
}
