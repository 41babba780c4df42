//! Cached whole runs. If no input and no output of an earlier run has changed, its report is shown
//! again, and the program is not even parsed.
//!
//! [`key`] identifies a run by its arguments, [`recall`] finds a [`Record`] that still holds, and
//! [`keep`] stores one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::args::{GenArgs, KeptArgs};
use super::cache::Cache;
use super::terminal::Said;
use super::{Environment, files, layout};
use crate::exit_code::ExitCode;
use crate::report::Report;
use dtest_search::portable::Key;

/// The record of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// The result of [`super::load::listing`].
    pub listing: Vec<PathBuf>,
    /// Files that were read, with their hashes; `None` if the file did not exist.
    pub inputs: Vec<(PathBuf, Option<String>)>,
    /// Generated files that were written or unchanged, with their hashes.
    pub outputs: Vec<(PathBuf, Option<String>)>,
    /// The packages that were written; their suites had no other generated files.
    pub roots: Vec<PathBuf>,
    /// Whether every file could be written.
    pub is_written: bool,
    /// The diagnostics.
    pub said: Vec<Said>,
    /// The report; `None` if every program had errors.
    pub report: Option<Report>,
    /// The exit code without the part that depends on the report.
    pub code: ExitCode,
}

impl Record {
    /// Whether the run would give the same result, byte for byte, and has no file to write.
    /// `listing` is the present listing; with `is_check`, the run compares the files on disk
    /// instead of writing them.
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

/// The hash of a file's contents; `None` if it cannot be read.
pub fn hash_of(path: &Path) -> Option<String> {
    files::read_regular(path)
        .ok()
        .map(|bytes| Key::of([bytes.as_slice()]).to_string())
}

/// The key of runs with these arguments. Options that affect neither files nor the report are left
/// out.
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

/// Returns the record of an earlier run that the present one would repeat. With `retry`, runs in
/// which a unit ran out of time do not count.
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

/// Stores the record of a run. A path that is not Unicode cannot be stored, and the run is then not
/// cached.
pub fn keep(cache: &Cache, key: Key, record: &Record) {
    if let Ok(text) = serde_json::to_vec(record) {
        let sum = Key::of([text.as_slice()]).to_string();
        cache.keep_run(key, &[sum.as_bytes(), &text].concat());
    }
}
