//! Findings that do not fail a run: those that `allow` lists in `dtest.toml`, and those of the file
//! of `--baseline`.
//!
//! A command asks [`Accepted::by`] for each of its findings, and calls [`Accepted::close`] at the
//! end, which reports unused entries and writes the file of `--write-baseline`.

mod baseline;

use std::path::PathBuf;

use super::Environment;
use super::args::AcceptedArgs;
use super::config::{AllowTable, Allowance};
use super::error::ExpectedError;
use super::files::{self, FileError};
use crate::message::MessageId;
use crate::report::key::{Key, plain};
use baseline::{Baseline, Entries};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_lower::units::Unit;
use dtest_sorted::SortedSet;

/// The findings of a command.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The table of `dtest.toml` with the list `allow`.
    pub table: AllowTable,
    /// The command, which is the name of its table in a baseline.
    pub command: &'static str,
    /// The severities of findings, the gravest first: the keys of that table.
    pub levels: &'static [&'static str],
    /// The message on an unused entry.
    pub stale: MessageId,
    /// The state of a finding, for that message: "… is no longer dead".
    pub state: &'static str,
}

/// The accepted findings, with a record of their use.
pub struct Accepted {
    kind: Kind,
    list: Vec<Entry>,
    used: SortedSet<usize>,
    /// The paths of the units that were searched.
    searched: SortedSet<String>,
    baseline: Option<Baseline>,
    /// The findings of this run that the list does not allow.
    found: Entries,
    write: Option<PathBuf>,
}

/// An entry of a list, prepared for comparison.
struct Entry {
    allowance: Allowance,
    unit: String,
    /// The key without the unit, normalized; `None` allows every finding of the unit.
    rest: Option<String>,
}

impl Entry {
    fn new(allowance: &Allowance) -> Self {
        let (unit, rest) = match allowance.key.split_once(':') {
            Some((unit, rest)) => (unit, Some(plain(rest))),
            None => (allowance.key.as_str(), None),
        };
        Self {
            allowance: allowance.clone(),
            unit: unit.trim().to_owned(),
            rest,
        }
    }
}

impl Accepted {
    /// Reads the list of a table and the baseline. `part` is the option that restricts the run to a
    /// part of a unit's findings, from which no baseline can be written.
    ///
    /// # Errors
    /// The baseline cannot be read, or a baseline of a part is to be written.
    pub fn new(
        kind: Kind,
        args: &AcceptedArgs,
        part: Option<&str>,
        env: &Environment,
    ) -> Result<Self, ExpectedError> {
        if let (Some(option), Some(_)) = (part, &args.write_baseline) {
            let message =
                format!("`--write-baseline` needs all findings, but `{option}` selects some");
            return Err(Diagnostic::global(MessageId::CliBaseline, message)
                .with_help(format!("remove `{option}`"))
                .into());
        }
        let baseline = args.baseline.as_deref();
        let baseline = baseline.map(|path| Baseline::read(path, kind.command, kind.levels));
        Ok(Self {
            baseline: baseline.transpose()?,
            write: args.write_baseline.clone(),
            ..Self::list(kind, env)
        })
    }

    /// The list of a table alone.
    pub fn list(kind: Kind, env: &Environment) -> Self {
        Self {
            kind,
            list: env
                .config
                .allowed(kind.table)
                .iter()
                .map(Entry::new)
                .collect(),
            used: SortedSet::new(),
            searched: SortedSet::new(),
            baseline: None,
            found: Entries::new(),
            write: None,
        }
    }

    /// Records that these units were searched.
    pub fn searched(&mut self, units: &[Unit]) {
        self.searched.extend(units.iter().map(|u| u.path.clone()));
    }

    /// Whether only findings outside of a baseline fail.
    pub fn has_baseline(&self) -> bool {
        self.baseline.is_some() || self.write.is_some()
    }

    /// Returns what accepts a finding, for messages; `None` if nothing does. `level` is the index of
    /// its severity.
    pub fn by(&mut self, key: &Key, level: usize) -> Option<String> {
        if let Some(by) = self.allowed(key) {
            return Some(by);
        }
        let text = key.to_string();
        let is_known = self.baseline.as_ref().is_some_and(|b| b.has(&text, level));
        self.found.insert(text, level);
        // What is written to the baseline counts as accepted at once.
        (is_known || self.write.is_some()).then(|| "the baseline".to_owned())
    }

    /// Returns the entry of the list that allows a finding, and records its use.
    fn allowed(&mut self, key: &Key) -> Option<String> {
        let whole = plain(&key.within_unit());
        // A dead block is named without a number, and its entry is for all blocks of that name.
        let name = (self.kind.table == AllowTable::Dead).then(|| plain(&key.text));
        let fits = |e: &Entry| {
            e.unit == key.unit
                && e.rest
                    .as_ref()
                    .is_none_or(|r| *r == whole || Some(r) == name.as_ref())
        };
        let entries = self.list.iter().enumerate();
        let found: Vec<usize> = entries.filter(|(_, e)| fits(e)).map(|(i, _)| i).collect();
        self.used.extend(&found);
        let Allowance { key, reason } = &self.list.get(*found.first()?)?.allowance;
        Some(match reason {
            Some(reason) => format!("{key:?} in dtest.toml: {reason}"),
            None => format!("{key:?} in dtest.toml"),
        })
    }

    /// Reports the entries that accept nothing, and writes the baseline. An entry of a unit that was
    /// not searched counts only if all units were (`is_whole`). With `is_partial`, some findings of
    /// the units were not looked at, so that nothing is known to be unused.
    ///
    /// # Errors
    /// The baseline cannot be written.
    pub fn close(
        mut self,
        is_whole: bool,
        is_partial: bool,
        env: &Environment,
    ) -> Result<(), ExpectedError> {
        if !is_partial {
            for message in self.stale(is_whole) {
                env.terminal.diagnostic(Diagnostic {
                    severity: Severity::Warning,
                    ..Diagnostic::global(self.kind.stale, message).with_help("remove the entry")
                });
            }
        }
        let was_searched = |key: &str| {
            let unit = key.split_once(':').map_or(key, |(unit, _)| unit);
            is_whole || self.searched.contains(unit)
        };
        if let Some(path) = self.write.take() {
            let count = self.found.len();
            // Findings of units that were not searched stay.
            let (command, levels) = (self.kind.command, self.kind.levels);
            if path.exists() {
                let old = Baseline::read(&path, command, levels)?;
                let others = old.entries().iter().filter(|(key, _)| !was_searched(key));
                self.found.extend(others.map(|(k, l)| (k.clone(), *l)));
            }
            let text = Baseline::text(&path, command, levels, &self.found)?;
            files::write_atomically(&path, &text).map_err(|source| FileError::Write {
                path: path.clone(),
                source,
            })?;
            let them = if count == 1 { "finding" } else { "findings" };
            env.terminal
                .note(&format!("wrote {count} {them} to {}", path.display()));
        } else if let Some(baseline) = self.baseline.as_ref().filter(|_| !is_partial) {
            let is_gone = |key: &&String| was_searched(key) && !self.found.contains_key(*key);
            let gone = baseline.entries().keys().filter(is_gone).count();
            if gone > 0 {
                let (them, occur) = match gone {
                    1 => ("finding", "occurs"),
                    _ => ("findings", "occur"),
                };
                env.terminal.note(&format!(
                    "{gone} {them} of the baseline no longer {occur}; `--write-baseline` removes them"
                ));
            }
        }
        Ok(())
    }

    /// The messages on unused entries of the list.
    fn stale(&self, is_whole: bool) -> Vec<String> {
        let table = self.kind.table.name();
        let unused = self
            .list
            .iter()
            .enumerate()
            .filter(|(i, _)| !self.used.contains(i));
        let message = |(_, entry): (usize, &Entry)| {
            let (key, unit) = (&entry.allowance.key, &entry.unit);
            let state = self.kind.state;
            if self.searched.contains(unit) {
                return Some(format!(
                    "{key:?} under [{table}] in dtest.toml is unused: {state}"
                ));
            }
            is_whole.then(|| {
                format!(
                    "{key:?} under [{table}] in dtest.toml is unused: there is no unit `{unit}`"
                )
            })
        };
        unused.filter_map(message).collect()
    }
}
