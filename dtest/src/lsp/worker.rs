//! The thread that parses and resolves, always from the newest texts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::programs::{Key, Known};
use crate::cli::load::Overlay;
use dtest_sorted::{SortedMap, SortedSet};

/// Bytes of virtual memory for its stack; pages are used only as they are touched.
pub const STACK: usize = 1 << 29;

/// What is to be looked at.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// Our number of the texts.
    pub revision: u64,
    /// Open documents.
    pub open: Arc<Overlay>,
    /// Documents whose programs are to be looked at again.
    pub dirty: SortedSet<PathBuf>,
    /// Files came or went, or project files changed: which document belongs to which program is found anew.
    pub is_moved: bool,
}

/// What was found.
#[derive(Debug)]
pub enum Found {
    /// A program, with the documents that belong to it.
    Program(Arc<Known>, Vec<PathBuf>),
    /// Nothing is left to look at of the texts up to this revision.
    Done(u64),
}

/// Starts the thread, which ends when `jobs` does.
///
/// # Errors
/// Those of the system.
pub fn start(
    jobs: Receiver<Job>,
    tell: Sender<Found>,
) -> std::io::Result<std::thread::JoinHandle<()>> {
    let work = move || {
        let mut owners: SortedMap<PathBuf, Key> = SortedMap::new();
        let mut members: SortedMap<Key, SortedSet<PathBuf>> = SortedMap::new();
        let mut left = Job::default();
        loop {
            let mut is_new = false;
            if left.dirty.is_empty() && !left.is_moved {
                match jobs.recv() {
                    Ok(job) => left = job,
                    Err(_) => return,
                }
                is_new = true;
            }
            // The newest texts win.
            for job in jobs.try_iter() {
                is_new = true;
                let dirty = std::mem::take(&mut left.dirty);
                let is_moved = left.is_moved;
                left = job;
                left.dirty.extend(dirty);
                left.is_moved |= is_moved;
            }
            if std::mem::take(&mut left.is_moved) {
                owners.clear();
                left.dirty.extend(left.open.keys().cloned());
            }
            owners.retain(|path, _| left.open.contains_key(path));
            if is_new {
                // A change reaches all programs that read the text.
                let reached = |key: &Key| {
                    members
                        .get(key)
                        .is_some_and(|m| m.iter().any(|p| left.dirty.contains(p)))
                };
                let more: Vec<PathBuf> = owners
                    .iter()
                    .filter(|(_, key)| reached(key))
                    .map(|(path, _)| path.clone())
                    .collect();
                left.dirty.extend(more);
            }
            let Some(path) = left.dirty.first().cloned() else {
                if tell.send(Found::Done(left.revision)).is_err() {
                    return;
                }
                continue;
            };
            left.dirty.remove(&path);
            // Of what was closed, others see what is on disk.
            if left.open.contains_key(&path)
                && let Some((known, documents)) = look(&path, &left, &mut owners)
            {
                left.dirty.retain(|d| !documents.contains(d));
                members.insert(known.key.clone(), known.paths.iter().cloned().collect());
                if tell.send(Found::Program(known, documents)).is_err() {
                    return;
                }
            }
            if left.dirty.is_empty() && tell.send(Found::Done(left.revision)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("analysis".into())
        .stack_size(STACK)
        .spawn(work)
}

/// Looks at the program of a document; gives it with all open documents that it has.
fn look(
    path: &PathBuf,
    job: &Job,
    owners: &mut SortedMap<PathBuf, Key>,
) -> Option<(Arc<Known>, Vec<PathBuf>)> {
    let key = owners
        .entry(path.clone())
        .or_insert_with(|| Key::of(path))
        .clone();
    // A mistake of ours costs one look.
    let known = catch_unwind(AssertUnwindSafe(|| {
        Arc::new(key.read(&job.open, job.revision))
    }))
    .ok()?;
    let mut documents: Vec<PathBuf> = job
        .open
        .keys()
        .filter(|p| known.file(p).is_some())
        .cloned()
        .collect();
    // What is included belongs to whoever includes it, unless it is a program itself.
    documents
        .retain(|p| p == path || *owners.entry(p.clone()).or_insert_with(|| Key::of(p)) == key);
    if !documents.contains(path) {
        documents.push(path.clone());
    }
    Some((known, documents))
}
