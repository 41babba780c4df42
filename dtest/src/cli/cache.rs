//! The cache: results of units and of whole runs, in files below `target/dtest/cache` that are
//! named by their keys.
//!
//! An error in the cache costs time, not correctness: a missing, truncated or foreign entry counts
//! as absent. Entries are written atomically, so that concurrent and killed runs leave complete
//! entries.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use super::files::{self, FileError};
use crate::pipeline::Memory;
use dtest_search::portable::Key;

/// Maximum size of all entries together, in bytes. A run that exceeds it removes the least recently
/// used entries at its end.
pub const MAX_BYTES: u64 = 256 << 20;
/// Size of the cache after such a cleanup.
const BYTES_LEFT: u64 = MAX_BYTES / 4 * 3;
/// Age after which the time of a used entry is refreshed. A coarse limit avoids a write per read.
const FRESH: Duration = Duration::from_secs(3600);

/// The directories of entries for the results of units and of whole runs.
const UNITS: &str = "units";
const RUNS: &str = "runs";
/// Marker file that excludes the directory from backups (bford.info/cachedir).
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# This directory holds what cargo dtest can compute again.\n",
);

/// The versions that results depend on: of this program, of the sources that it was built from, and
/// of Z3.
pub fn versions(solver: &str) -> String {
    format!(
        "dtest {} {} Z3 {solver}",
        env!("CARGO_PKG_VERSION"),
        env!("DTEST_SOURCES")
    )
}

/// The cache in a directory.
pub struct Cache {
    directory: PathBuf,
    grew: AtomicBool,
}

impl Cache {
    /// Returns the cache of the package at `root`: in the directory `given`, or else in the target
    /// directory of the package or of its workspace.
    pub fn new(root: &Path, given: Option<&Path>) -> Self {
        let directory = given.map_or_else(|| target(root).join("dtest/cache"), Path::to_path_buf);
        Self {
            directory,
            grew: AtomicBool::new(false),
        }
    }

    /// Creates the directory.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub fn open(&self) -> Result<(), FileError> {
        let written = files::write_atomically(&self.directory.join(TAG.0), TAG.1);
        written.map_err(|source| FileError::Cache {
            path: self.directory.clone(),
            source,
        })
    }

    /// Returns the cached record of a whole run.
    pub fn run(&self, key: Key) -> Option<Vec<u8>> {
        read(&self.path(RUNS, key))
    }

    /// Caches the record of a whole run.
    pub fn keep_run(&self, key: Key, bytes: &[u8]) {
        self.write(RUNS, key, bytes);
    }

    fn path(&self, folder: &str, key: Key) -> PathBuf {
        let name = key.to_string();
        let (first, rest) = name.split_at_checked(2).unwrap_or(("", &name));
        self.directory.join(folder).join(first).join(rest)
    }

    fn write(&self, folder: &str, key: Key, bytes: &[u8]) {
        if !self.grew.swap(true, Ordering::Relaxed) && !self.directory.join(TAG.0).exists() {
            let _ = files::write_atomically(&self.directory.join(TAG.0), TAG.1);
        }
        let _ = files::write_bytes_atomically(&self.path(folder, key), bytes);
    }

    /// Finishes a run: if it added entries and the cache is too large, removes the least recently
    /// used ones.
    pub fn close(&self) {
        if self.grew.load(Ordering::Relaxed) {
            self.shrink(MAX_BYTES, BYTES_LEFT);
        }
    }

    fn shrink(&self, most: u64, left: u64) {
        let mut entries = self.entries();
        let mut total: u64 = entries.iter().map(|e| e.bytes).sum();
        if total <= most {
            return;
        }
        entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        for entry in entries {
            if total <= left {
                break;
            }
            if files::remove(&entry.path).is_ok() {
                total -= entry.bytes;
            }
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let walk = [UNITS, RUNS]
            .into_iter()
            .flat_map(|f| walkdir::WalkDir::new(self.directory.join(f)));
        let entry = |e: walkdir::DirEntry| {
            let meta = e.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some(Entry {
                used: meta.modified().ok()?,
                bytes: meta.len(),
                path: e.into_path(),
            })
        };
        walk.filter_map(Result::ok).filter_map(entry).collect()
    }

    /// Removes all entries, and directories that become empty. Other files are not touched.
    pub fn clear(&self) {
        self.entries()
            .iter()
            .for_each(|e| drop(files::remove(&e.path)));
        if files::read_text(&self.directory.join(TAG.0)).is_ok_and(|t| t == TAG.1) {
            let _ = files::remove(&self.directory.join(TAG.0));
        }
        let folders = walkdir::WalkDir::new(&self.directory)
            .contents_first(true)
            .into_iter()
            .filter_map(Result::ok);
        folders
            .filter(|e| e.file_type().is_dir())
            .for_each(|e| files::remove_empty_directory(e.path()));
        if self.directory.ends_with("dtest/cache")
            && let Some(parent) = self.directory.parent()
        {
            files::remove_empty_directory(parent);
        }
    }
}

struct Entry {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

impl Memory for Cache {
    fn recall(&self, key: Key) -> Option<Vec<u8>> {
        read(&self.path(UNITS, key))
    }

    fn keep(&self, key: Key, bytes: &[u8]) {
        self.write(UNITS, key, bytes);
    }
}

/// Reads an entry and refreshes its time, which records the last use with the precision of an hour.
fn read(path: &Path) -> Option<Vec<u8>> {
    let bytes = files::read_bytes(path).ok()?;
    let now = SystemTime::now();
    let is_old = |used: SystemTime| now.duration_since(used).is_ok_and(|age| age > FRESH);
    if path.metadata().and_then(|m| m.modified()).is_ok_and(is_old) {
        files::touch(path, now);
    }
    Some(bytes)
}

/// Cargo's target directory: `CARGO_TARGET_DIR`, or else that of the workspace of the package.
fn target(root: &Path) -> PathBuf {
    if let Some(given) = std::env::var_os("CARGO_TARGET_DIR").filter(|d| !d.is_empty()) {
        return PathBuf::from(given);
    }
    let is_workspace = |d: &&Path| {
        files::read_text(&d.join("Cargo.toml"))
            .is_ok_and(|t| t.lines().any(|l| l.trim() == "[workspace]"))
    };
    root.ancestors()
        .find(is_workspace)
        .unwrap_or(root)
        .join("target")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u8) -> Key {
        Key([n; 32])
    }

    #[test]
    fn the_entries_that_were_used_longest_ago_make_room() {
        let dir = tempfile::tempdir().expect("a directory");
        let cache = Cache::new(dir.path(), Some(dir.path()));
        for n in 0..4 {
            cache.keep(key(n), &[n; 100]);
            files::touch(
                &cache.path(UNITS, key(n)),
                SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(n)),
            );
        }
        assert!(
            cache.recall(key(0)).is_some(),
            "and this makes it the youngest"
        );
        cache.shrink(399, 200);
        let left: Vec<u8> = (0..4).filter(|n| cache.recall(key(*n)).is_some()).collect();
        assert_eq!(left, [0, 3]);
    }

    #[test]
    fn clearing_keeps_foreign_files() {
        let dir = tempfile::tempdir().expect("a directory");
        let cache = Cache::new(dir.path(), Some(&dir.path().join("kept")));
        cache.keep(key(1), b"x");
        cache.keep_run(key(2), b"y");
        std::fs::write(dir.path().join("kept/mine"), "z").expect("written");
        cache.clear();
        let left: Vec<_> = walkdir::WalkDir::new(dir.path())
            .into_iter()
            .flatten()
            .filter(|e| e.file_type().is_file())
            .collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
