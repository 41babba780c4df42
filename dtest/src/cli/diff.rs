//! Unified diffs of Dafny sources, as `git diff` and `diff -u` write them.
//!
//! [`parse`] reads a diff; [`Diff::change`] maps it to the changed lines of a loaded program.

use std::fmt;
use std::path::{Path, PathBuf};

use diffy::patch_set::{ParseOptions, PatchSet};

use crate::message::MessageId;
use crate::pipeline::Change;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{FileId, SourceMap, Span};

/// A line of the new version of a file.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// A new line, with its number and text.
    Added(u32, String),
    /// An unchanged line, with its number and text.
    Kept(u32, String),
    /// Lines were removed before the line with this number.
    Removed(u32),
}

/// A parsed diff: the lines of each file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Diff {
    files: Vec<(PathBuf, Vec<Line>)>,
}

/// Parses a diff. Text between files, such as the text of a mail or git's own headers, is ignored.
///
/// # Errors
/// Text without a file, a hunk with an invalid header, or a hunk that ends early.
pub fn parse(text: &str) -> Result<Diff, DiffError> {
    let mut diff = Diff::default();
    if !text.lines().any(|l| l.starts_with("+++ ")) {
        // Git also lists changes without lines: of modes, of names, and of binary files.
        let is_empty = text.trim().is_empty() || text.lines().any(|l| l.starts_with("diff --git "));
        return if is_empty {
            Ok(diff)
        } else {
            Err(DiffError::NoHeader)
        };
    }
    let mut hunks = 0;
    for file in PatchSet::parse(text, ParseOptions::unidiff()) {
        let file = file.map_err(|error| DiffError::Patch {
            line: wrong_header(text),
            error,
        })?;
        let Some(patch) = file.patch().as_text() else {
            continue;
        };
        hunks += patch.hunks().len();
        let path = patch.modified().unwrap_or_default();
        let path = PathBuf::from(path.strip_prefix("b/").unwrap_or(path));
        let mut lines = Vec::new();
        for hunk in patch.hunks() {
            add_lines(hunk, &mut lines).ok_or(DiffError::TooLarge)?;
        }
        diff.files.push((path, lines));
    }
    // The parser skips text after the last complete hunk of a file. A hunk in that text would be a
    // change that nobody sees. Lines of a hunk start with a space, `+`, `-` or `\`.
    if text.lines().filter(|l| l.starts_with("@@ -")).count() > hunks {
        return Err(DiffError::WrongHunks);
    }
    Ok(diff)
}

/// Returns the line, from 1, of the first wrong header of a hunk. Before the first file there may be
/// any text.
fn wrong_header(text: &str) -> Option<usize> {
    let is_range = |range: &str, sign: char| {
        let numbers = range.strip_prefix(sign)?;
        let (start, count) = numbers.split_once(',').unwrap_or((numbers, "1"));
        (start.parse::<u32>().is_ok() && count.parse::<u32>().is_ok()).then_some(())
    };
    let is_header = |line: &str| {
        let mut words = line.split(' ').skip(1);
        is_range(words.next()?, '-')?;
        is_range(words.next()?, '+')?;
        (words.next()? == "@@").then_some(())
    };
    let first = text.lines().position(|l| l.starts_with("+++ "))?;
    let mut lines = (1..).zip(text.lines()).skip(first);
    let wrong = lines.find(|(_, l)| l.starts_with("@@") && is_header(l).is_none());
    wrong.map(|(line, _)| line)
}

/// The reason why a text is not a diff.
#[derive(Debug)]
pub enum DiffError {
    /// It names no file.
    NoHeader,
    /// A file of it cannot be parsed.
    Patch {
        /// The line of the first header of a hunk that is wrong, from 1, if a header is.
        line: Option<usize>,
        /// The error of the parser, whose position is relative to a file of the diff.
        error: diffy::patch_set::PatchSetParseError,
    },
    /// A line number is out of range.
    TooLarge,
    /// A hunk belongs to no file, or the counts of lines of the hunk before it are wrong.
    WrongHunks,
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => {
                f.write_str("it has no file header (`--- a/src/x.dfy`, `+++ b/src/x.dfy`)")
            }
            Self::Patch {
                line: Some(line), ..
            } => write!(
                f,
                "line {line}: the header of a hunk has the form `@@ -1,5 +1,6 @@`"
            ),
            Self::Patch { line: None, error } => error.fmt(f),
            Self::TooLarge => f.write_str("its line numbers are too large"),
            Self::WrongHunks => {
                f.write_str("a hunk has no file, or follows a hunk with the wrong number of lines")
            }
        }
    }
}

impl std::error::Error for DiffError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Patch { error, .. } => Some(error),
            Self::NoHeader | Self::TooLarge | Self::WrongHunks => None,
        }
    }
}

/// Adds the lines of a hunk with their numbers in the new version. Returns `None` on overflow.
fn add_lines(hunk: &diffy::Hunk<'_, str>, lines: &mut Vec<Line>) -> Option<()> {
    let range = hunk.new_range();
    // If the hunk has no new lines, its header names the line before.
    let start = range.start().checked_add(usize::from(range.is_empty()))?;
    let mut at = u32::try_from(start).ok()?;
    for line in hunk.lines() {
        let (line, is_new) = match line {
            diffy::Line::Insert(text) => (Line::Added(at, without_end(text)), true),
            diffy::Line::Context(text) => (Line::Kept(at, without_end(text)), true),
            diffy::Line::Delete(_) => (Line::Removed(at), false),
        };
        lines.push(line);
        at = at.checked_add(u32::from(is_new))?;
    }
    Some(())
}

fn without_end(line: &str) -> String {
    line.trim_end_matches(['\r', '\n']).to_owned()
}

impl Diff {
    /// Returns the Dafny files of the diff that are not among `paths`, but have the name of one of
    /// them, each with that one.
    pub fn misplaced<'p>(
        &self,
        paths: impl Iterator<Item = &'p PathBuf> + Clone,
    ) -> Vec<(String, PathBuf)> {
        let meant = |(path, _): &(PathBuf, Vec<Line>)| {
            if path.extension()? != "dfy" || paths.clone().any(|p| p.ends_with(path)) {
                return None;
            }
            let same = |p: &&PathBuf| p.file_name() == path.file_name();
            let meant = paths.clone().find(same)?.clone();
            Some((path.display().to_string(), meant))
        };
        self.files.iter().filter_map(meant).collect()
    }

    /// Returns the change of a program by the diff. `paths` are the absolute paths of its files, in
    /// the order of `sources`.
    ///
    /// # Errors
    /// A diagnostic if a file does not match the new version in the diff.
    pub fn change(&self, sources: &SourceMap, paths: &[PathBuf]) -> Result<Change, Diagnostic> {
        let mut change = Change::default();
        for (path, lines) in &self.files {
            let name = path.file_name().map(|n| n.to_string_lossy());
            change.is_general |=
                name.is_some_and(|n| n == super::config::FILE || n == "dfyconfig.toml");
            let here = sources
                .files()
                .zip(paths)
                .filter(|(_, p)| p.ends_with(path));
            for ((file, _), _) in here {
                for line in lines {
                    add(line, file, path, sources, &mut change)?;
                }
            }
        }
        Ok(change)
    }
}

fn add(
    line: &Line,
    file: FileId,
    path: &Path,
    sources: &SourceMap,
    change: &mut Change,
) -> Result<(), Diagnostic> {
    let (number, expected) = match line {
        Line::Removed(number) => {
            change.removed.push(sources.line(file, *number).start);
            return Ok(());
        }
        Line::Added(number, text) | Line::Kept(number, text) => (*number, text),
    };
    let span = sources.line(file, number);
    let text = sources.text(span);
    if text.trim_end() != expected.trim_end() {
        let message = format!(
            "the diff does not match the sources: line {number} of `{}` is not `{}`",
            path.display(),
            expected.trim()
        );
        return Err(Diagnostic::global(MessageId::CliInDiff, message)
            .with_help("create the diff from the files as they are now: `git diff main...`"));
    }
    if matches!(line, Line::Added(..)) {
        let start = span.start + (text.len() - text.trim_start().len()) as u32;
        match text.trim().len() as u32 {
            0 => change.removed.push(start),
            len => change.edited.push(Span::new(start, start + len)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIT: &str = "diff --git a/src/a.dfy b/src/a.dfy\nindex 1..2 100644\n--- a/src/a.dfy\n+++ b/src/a.dfy\n@@ -1,3 +1,3 @@ function F\n one\n-two\n+2\n three\n\
                       --- a/gone.dfy\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n";

    #[test]
    fn lines_of_hunks_have_their_new_numbers() {
        let diff = parse(GIT).expect("a diff");
        let lines = [
            Line::Kept(1, "one".into()),
            Line::Removed(2),
            Line::Added(2, "2".into()),
            Line::Kept(3, "three".into()),
        ];
        assert_eq!(diff.files[0], (PathBuf::from("src/a.dfy"), lines.into()));
        assert_eq!(
            diff.files[1],
            (PathBuf::from("/dev/null"), vec![Line::Removed(1)])
        );
    }

    #[test]
    fn text_that_is_no_diff_is_refused_and_nothing_panics() {
        assert_eq!(parse("\n").ok(), Some(Diff::default()));
        assert_eq!(
            parse("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n").ok(),
            Some(Diff::default())
        );
        for wrong in [
            "no diff at all\n",
            "@@ -1 +1 @@\n",
            "--- a\n+++ b\n@@ -x +1 @@\n",
            "--- a\n+++ b\n@@ -1,2 +1 @@\n-a\n",
            "--- a\n+++ b\n@@ -1 +1 @@\n?\n",
            "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n+c\n@@ -9 +9 @@\n-d\n+e\n",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for end in 0..GIT.len() {
            let _any = parse(&GIT[..end]);
        }
    }

    #[test]
    fn headers_and_lines_of_hunks_are_told_apart_by_the_counts_of_lines() {
        let text = "mail\n--- \"a/s p.dfy\"\t2026-01-01\n+++ \"b/s p.dfy\"\t2026-01-02\n@@ -7,2 +7,2 @@\n--- x\n-\n+++ y\n+\n-- \n2.47\n";
        let diff = parse(text).expect("a diff");
        let lines = [
            Line::Removed(7),
            Line::Removed(7),
            Line::Added(7, "++ y".into()),
            Line::Added(8, String::new()),
        ];
        assert_eq!(diff.files, [(PathBuf::from("s p.dfy"), lines.into())]);
    }

    #[test]
    fn a_diff_of_other_sources_is_refused() {
        let mut sources = SourceMap::new();
        sources.add("src/a.dfy", "one\n2\nthree\n", true);
        let paths = [PathBuf::from("/p/src/a.dfy")];
        let diff = parse(GIT).expect("a diff");
        let change = diff
            .change(&sources, &paths)
            .expect("does not match the sources");
        assert_eq!(
            change,
            Change {
                edited: vec![Span::new(4, 5)],
                removed: vec![4],
                is_general: false
            }
        );
        let mut others = SourceMap::new();
        others.add("src/a.dfy", "one\ntwo\nthree\n", true);
        assert!(diff.change(&others, &paths).is_err());
    }
}
