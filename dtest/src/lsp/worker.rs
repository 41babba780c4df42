//! The worker thread, which parses and resolves programs, always from the newest texts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::programs::{Key, Known};
use crate::cli::load::Overlay;
use dtest_sorted::{SortedMap, SortedSet};

/// Stack size of the worker, in bytes of virtual memory; pages are committed only when touched.
pub const STACK: usize = 1 << 29;

/// The work for the worker.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// The revision of the texts.
    pub revision: u64,
    /// The open documents.
    pub open: Arc<Overlay>,
    /// Documents whose programs must be resolved again.
    pub dirty: SortedSet<PathBuf>,
    /// Whether files were created or deleted, or project files changed, so that the program of each
    /// document must be found again.
    pub is_moved: bool,
}

/// A result of the worker.
#[derive(Debug)]
pub enum Found {
    /// A program, with its documents.
    Program(Arc<Known>, Vec<PathBuf>),
    /// All work up to this revision is done.
    Done(u64),
}

/// Starts the thread, which ends when `jobs` is disconnected.
///
/// # Errors
/// Any error of the system.
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
            // Jobs that have piled up are merged, so that only the newest texts are resolved.
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
                // A change affects all programs that contain the text.
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
            // A closed document has no program of its own to resolve.
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

/// Resolves the program of a document. Returns it with all open documents that it contains.
fn look(
    path: &PathBuf,
    job: &Job,
    owners: &mut SortedMap<PathBuf, Key>,
) -> Option<(Arc<Known>, Vec<PathBuf>)> {
    let key = owners
        .entry(path.clone())
        .or_insert_with(|| Key::of(path))
        .clone();
    // A panic costs only this result.
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
    // An included document belongs to the program that includes it, unless it has a program of its
    // own.
    documents
        .retain(|p| p == path || *owners.entry(p.clone()).or_insert_with(|| Key::of(p)) == key);
    if !documents.contains(path) {
        documents.push(path.clone());
    }
    Some((known, documents))
}
