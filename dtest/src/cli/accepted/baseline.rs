//! The file of `--baseline`: TOML, with a table for each command and a list of keys for each
//! severity.

use std::path::Path;

use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::SortedMap;

use crate::cli::error::ExpectedError;
use crate::cli::files;
use crate::message::MessageId;

/// Keys of findings, with the index of their severity.
pub(super) type Entries = SortedMap<String, usize>;

/// The contents of a file: command to severity to keys.
type Tables = SortedMap<String, SortedMap<String, Vec<String>>>;

/// The findings of an earlier run of a command.
pub(super) struct Baseline {
    entries: Entries,
}

impl Baseline {
    /// Reads the findings of a command.
    ///
    /// # Errors
    /// The file cannot be read, or is not a baseline.
    pub(super) fn read(path: &Path, command: &str, levels: &[&str]) -> Result<Self, ExpectedError> {
        let tables = tables(path)?;
        let mut entries = Entries::new();
        for (level, keys) in tables.get(command).into_iter().flatten() {
            let Some(level) = levels.iter().position(|l| l == level) else {
                let known: Vec<String> = levels.iter().map(|l| format!("`{l}`")).collect();
                let message = format!("[{command}] has a list `{level}`");
                return Err(refused(path, &message)
                    .with_help(format!("the lists are {}", known.join(", ")))
                    .into());
            };
            entries.extend(keys.iter().map(|k| (k.clone(), level)));
        }
        Ok(Self { entries })
    }

    /// The findings.
    pub(super) fn entries(&self) -> &Entries {
        &self.entries
    }

    /// Whether the file has a finding, with this severity or a graver one.
    pub(super) fn has(&self, key: &str, level: usize) -> bool {
        self.entries.get(key).is_some_and(|known| *known <= level)
    }

    /// Returns the text of the file at `path` with the findings of a command replaced. The file need
    /// not exist; the tables of other commands stay.
    ///
    /// # Errors
    /// The file exists and is not a baseline.
    pub(super) fn text(
        path: &Path,
        command: &str,
        levels: &[&str],
        entries: &Entries,
    ) -> Result<String, ExpectedError> {
        let mut all = if path.exists() {
            tables(path)?
        } else {
            Tables::new()
        };
        let mut lists: SortedMap<String, Vec<String>> = SortedMap::new();
        for (key, level) in entries {
            if let Some(level) = levels.get(*level) {
                lists
                    .entry((*level).to_owned())
                    .or_default()
                    .push(key.clone());
            }
        }
        all.insert(command.to_owned(), lists);
        let mut text = format!("{HEADER}\n");
        for (command, lists) in &all {
            text += &format!("\n[{command}]\n");
            for (level, keys) in lists {
                // A line for each key gives small diffs.
                text += &format!("{level} = [\n");
                for key in keys {
                    text += &format!("  {},\n", toml::Value::String(key.clone()));
                }
                text += "]\n";
            }
        }
        Ok(text)
    }
}

/// The first line of a file.
const HEADER: &str = "# Findings that `cargo dtest` does not fail on with `--baseline`; written by `--write-baseline`.";

fn tables(path: &Path) -> Result<Tables, ExpectedError> {
    let text = files::read_text(path).map_err(|e| refused(path, &e.to_string()))?;
    let wrong =
        |e: toml::de::Error| refused(path, &format!("it is not a baseline: {}", e.message()));
    Ok(toml::from_str(&text).map_err(wrong)?)
}

fn refused(path: &Path, why: &str) -> Diagnostic {
    let message = format!("cannot use the baseline {}: {why}", path.display());
    Diagnostic::global(MessageId::CliBaseline, message)
        .with_help("`--write-baseline FILE` writes one")
}
