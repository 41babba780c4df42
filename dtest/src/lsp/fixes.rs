//! Proposals of clauses that fix violations. Each proposal is tried on a copy of the program, and
//! offered only if the violation disappears.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Sender;
use dafny_ide::{Missing, Proposal};
use dafny_source::Span;
use dtest_sorted::{SortedMap, SortedSet};

use super::commands::Task;
use super::findings::{Finding, Findings, Fix, Origin, Scope, SourceRange, Weight, total};
use super::runs::{self, Cancel};
use super::server::Event;
use crate::cli::files;
use crate::message::MessageId;

/// Maximum number of violations of one search for which proposals are tried.
const FINDINGS: usize = 6;

/// Tries proposals for the violations that a `check` printed, and sends those that help.
pub fn offer(task: &Task, output: &str, events: &Sender<Event>, cancel: &Cancel) {
    let texts = task.texts();
    let mut found = Findings::default();
    found.take(
        &Scope {
            origin: Origin::Check,
            unit: None,
        },
        output,
        &task.known.key.root,
        &texts,
    );
    let Some(copy) = Trial::of(task, &texts) else {
        return;
    };
    let broken = found
        .all
        .iter()
        .filter(|f| missing(f).is_some() && f.weight == Weight::Error);
    for finding in broken.take(FINDINGS) {
        if cancel.is_cancelled() {
            return;
        }
        if let Some(fix) = fix_of(task, finding, &found.all, &copy, cancel) {
            let _ = events.send(Event::Fixed(
                task.known.key.clone(),
                Box::new(finding.clone()),
                fix,
            ));
        }
    }
}

/// Returns the kind of clause that would fix a violation.
fn missing(finding: &Finding) -> Option<Missing> {
    match MessageId::named(&finding.id) {
        Some(MessageId::CheckFrame) => Some(Missing::Modifies),
        Some(MessageId::CheckReads) => Some(Missing::Reads),
        Some(MessageId::CheckDecreases) => Some(Missing::Decreases),
        Some(_) | None => None,
    }
}

fn fix_of(
    task: &Task,
    finding: &Finding,
    all: &[Finding],
    copy: &Trial,
    cancel: &Cancel,
) -> Option<Fix> {
    let known = &task.known;
    let file = known.file(&finding.at.path)?;
    let base = known.analysis.file_span(file).start;
    // Positions refer to the resolved text, which may be older than the copy.
    if copy
        .texts
        .get(&finding.at.path)
        .is_none_or(|t| **t != *known.text(file))
    {
        return None;
    }
    let at = Span::new(
        base + finding.at.bytes.start as u32,
        base + finding.at.bytes.end as u32,
    );
    let before: SortedSet<(String, String)> = all
        .iter()
        .filter(|f| f.unit == finding.unit)
        .map(|f| copy.broken(f))
        .collect();
    for proposal in known
        .analysis
        .proposals(&finding.unit, at, missing(finding)?)
    {
        let place = known
            .place(proposal.edit.span)
            .map(|(path, _, bytes)| (path.to_owned(), bytes.start))?;
        let Some(after) = copy.tried(task, &finding.unit, &proposal, &place, cancel) else {
            continue;
        };
        if !after.contains(&copy.broken(finding)) && after.is_subset(&before) {
            let (path, start) = place;
            return Some(Fix {
                clause: proposal.clause,
                at: SourceRange {
                    path,
                    bytes: start..start,
                },
                text: proposal.edit.text,
            });
        }
    }
    None
}

/// A copy of a program, for trying proposals.
struct Trial {
    folder: PathBuf,
    texts: SortedMap<PathBuf, Arc<str>>,
}

impl Trial {
    /// Copies the program to a temporary directory; `None` if parts of it lie outside of its root.
    fn of(task: &Task, texts: &SortedMap<PathBuf, Arc<str>>) -> Option<Self> {
        let key = &task.known.key;
        let folder = tempfile::Builder::new()
            .prefix("fix-")
            .tempdir_in(&task.scratch)
            .ok()?
            .keep();
        let copy = Self {
            folder,
            texts: texts.clone(),
        };
        for (path, text) in texts {
            files::write_atomically(&copy.there(path, &key.root)?, text).ok()?;
        }
        let projects = key
            .files
            .iter()
            .filter(|f| f.extension().is_some_and(|x| x == "toml"))
            .cloned();
        for extra in [key.root.join("dtest.toml"), key.root.join("Cargo.toml")]
            .into_iter()
            .chain(projects)
        {
            if let Ok(text) = files::read_text(&extra) {
                files::write_atomically(&copy.there(&extra, &key.root)?, &text).ok()?;
            }
        }
        Some(copy)
    }

    fn there(&self, path: &Path, root: &Path) -> Option<PathBuf> {
        path.strip_prefix(root)
            .ok()
            .map(|below| self.folder.join(below))
    }

    /// Identifies a violation independently of its position.
    fn broken(&self, f: &Finding) -> (String, String) {
        let text = self
            .texts
            .get(&f.at.path)
            .and_then(|t| t.get(f.at.bytes.clone()));
        (f.id.clone(), text.unwrap_or_default().to_owned())
    }

    /// Returns the violations of a unit after a proposal is applied; `None` if the search failed.
    fn tried(
        &self,
        task: &Task,
        unit: &str,
        proposal: &Proposal,
        (path, at): &(PathBuf, usize),
        cancel: &Cancel,
    ) -> Option<SortedSet<(String, String)>> {
        // Write the changed text to the copy of the workspace, where the engine reads it.
        let key = &task.known.key;
        let old = self.texts.get(path)?;
        let new = format!(
            "{}{}{}",
            old.get(..*at)?,
            proposal.edit.text,
            old.get(*at..)?
        );
        let there = self.there(path, &key.root)?;
        files::write_atomically(&there, &new).ok()?;
        // Check only this unit, with the cache of the copy.
        let mut arguments = vec![
            "check".to_owned(),
            "--message-format".to_owned(),
            "json".to_owned(),
        ];
        arguments.extend([
            "--filter".to_owned(),
            format!("^{}($|\\.)", regex_lite::escape(unit)),
        ]);
        arguments.extend([
            "--cache-dir".to_owned(),
            task.scratch.join("cache").to_string_lossy().into_owned(),
        ]);
        for named in &key.files {
            arguments.push(self.there(named, &key.root)?.to_string_lossy().into_owned());
        }
        let output = runs::engine(&arguments, &self.folder, cancel)
            .ok()
            .flatten();
        // The copy is restored even if the engine failed: the next proposal starts from it.
        files::write_atomically(&there, old).ok()?;
        let output = output?.out;
        total(&output)?;
        // Compare by text, not by position: the edit moves the findings after it.
        let texts = self.texts.iter().filter_map(|(p, t)| {
            let text = if p == path {
                Arc::from(new.as_str())
            } else {
                t.clone()
            };
            Some((files::normalize(&self.there(p, &key.root)?), text))
        });
        let mut after = Findings::default();
        let copied = Self {
            folder: self.folder.clone(),
            texts: texts.collect(),
        };
        after.take(
            &Scope {
                origin: Origin::Check,
                unit: None,
            },
            &output,
            &self.folder,
            &copied.texts,
        );
        Some(after.all.iter().map(|f| copied.broken(f)).collect())
    }
}
