//! Reduction of the disagreements of a campaign after its search, and reports about them.

use std::path::Path;
use std::sync::PoisonError;
use std::time::Instant;

use dafny_rewrite::{Dialect, Subject};
use dafny_source::diagnostic::Diagnostic;

use super::journal::{Journal, Record};
use super::seeds::Skipped;
use super::stored::{PROGRAM, Stored};
use super::{Campaign, Source, tools};
use crate::cli::Environment;
use crate::cli::error::CommandResult;
use crate::exit_code::ExitCode;
use crate::fuzz::reduce::{is_reducible, of_claim, shrink};
use crate::fuzz::round::Finding;
use crate::fuzz::{false_claims, flags, options_of_random};

/// The end of the names of rounds that use the options of general newtypes and traits.
pub(super) const GENERAL: &str = ", general";

impl Campaign {
    /// Returns the options that a program needs, by its text and its name in the results.
    pub(super) fn options(&self, text: &str, name: &str) -> Vec<&'static str> {
        match &self.source {
            Source::Claims(_) => flags(&false_claims::options(name.ends_with(GENERAL))),
            Source::Programs(_) if text.starts_with("// options:") => {
                flags(&options_of_random(text))
            }
            Source::Programs(_) => Vec::new(),
        }
    }

    /// Returns the stored form of a finding.
    pub(super) fn stored(&self, finding: &Finding, record: &Record) -> Stored {
        let options = self.options(&finding.program, &record.program);
        Stored::new(
            finding,
            (&record.program, record.round),
            options.into_iter().map(str::to_owned).collect(),
            &self.tools,
        )
    }

    /// Reduces the programs of all kinds of disagreements, as long as there is time.
    ///
    /// # Errors
    /// A program cannot be written.
    pub(super) fn reduce_all(&self, env: &Environment) -> Result<(), Diagnostic> {
        let folders = self
            .journal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .folders();
        for folder in folders {
            if self.reduce.is_zero() || self.is_over() {
                break;
            }
            // A directory of an earlier version has no finding.
            let Ok(stored) = Stored::read(&folder) else {
                continue;
            };
            if stored.is_reduced || !is_reducible(stored.class) {
                continue;
            }
            if let Some(lines) = self.reduce_stored(stored, &folder)? {
                let shown = folder.display();
                env.terminal
                    .note(&format!("{shown}: reduced to {lines} lines"));
            }
        }
        Ok(())
    }

    /// Reduces the program of a disagreement. Returns its number of lines, or `None` if the
    /// disagreement does not appear again.
    fn reduce_stored(
        &self,
        mut stored: Stored,
        folder: &Path,
    ) -> Result<Option<usize>, Diagnostic> {
        let Ok(finding) = stored.finding(folder) else {
            return Ok(None);
        };
        let Ok(subject) = self.subject(&stored, folder) else {
            return Ok(None);
        };
        // The kind of a claim is its name, and that of its program alone is the violation.
        let finding = match &self.source {
            Source::Claims(_) => of_claim(&finding, &subject, &self.tools),
            Source::Programs(_) => Some(finding),
        };
        let Some(finding) = finding else {
            return Ok(None);
        };
        let start = Instant::now();
        let small = shrink(finding, &subject, &self.tools, &|| {
            start.elapsed() >= self.reduce || self.is_over()
        });
        stored.reduce_to(&small, &self.tools);
        stored.write(folder, &small)?;
        Ok(Some(small.program.lines().count()))
    }

    /// Reads the program of a stored disagreement.
    fn subject(&self, stored: &Stored, folder: &Path) -> Result<Subject, Skipped> {
        let path = folder.join(PROGRAM);
        match &self.source {
            Source::Programs(seeds) => seeds.stored(&path),
            Source::Claims(_) => {
                let text = crate::cli::files::read_text(&path)
                    .map_err(|e| Skipped::Unread(e.to_string()))?;
                let options = false_claims::options(stored.program.ends_with(GENERAL));
                Subject::new(&text, &options, Subject::syntax_of(&options), Dialect::Four)
                    .map_err(|dafny_rewrite::Error::Wrong(why)| Skipped::unresolved(&why))
            }
        }
    }
}

/// Prints a report about the disagreement in a directory of a campaign.
///
/// # Errors
/// The directory has no disagreement, or belongs to no campaign.
pub(super) fn report(folder: &Path, env: &Environment) -> CommandResult {
    let stored = Stored::read(folder)?;
    let finding = stored
        .finding(folder)
        .map_err(|e| super::stored::cannot_write(folder, &e))?;
    // The version is that of the tool of the campaign, which is named by its arguments.
    let whole = folder.parent().unwrap_or(Path::new("."));
    let tool = finding.asked.first().map(|asked| asked.tool);
    let version = Journal::resume(whole, env)
        .and_then(|(args, _, _)| tools(&args))
        .ok()
        .zip(tool)
        .map_or_else(
            || "(not known here)".to_owned(),
            |(tools, tool)| tools.version(tool),
        );
    env.terminal.result(&stored.report(&finding, &version));
    Ok(ExitCode::Done)
}
