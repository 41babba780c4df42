//! Unified diffs of Dafny sources, as `git diff` and `diff -u` write them.
//!
//! [`parse`] reads a diff; [`Diff::change`] maps it to the changed lines of a loaded program.

use std::path::{Path, PathBuf};

use crate::message::MessageId;
use crate::pipeline::Change;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{FileId, SourceMap, Span};

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
/// A message for the user: text without a file, a hunk with an invalid header, or a hunk that ends
/// early.
pub fn parse(text: &str) -> Result<Diff, String> {
    let mut diff = Diff::default();
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        if let (Some(_), Some((next, _))) = (line.strip_prefix("--- "), lines.peek()) {
            if let Some(path) = next.strip_prefix("+++ ") {
                diff.files.push((new_path(path), Vec::new()));
                lines.next();
            }
        } else if let Some(head) = line.strip_prefix("@@ -") {
            let (mut old, mut at, mut new) = hunk(head)
                .ok_or_else(|| format!("line {number}: `{line}` is not a hunk header"))?;
            let Some((_, found)) = diff.files.last_mut() else {
                return Err(format!("line {number}: a hunk without a file"));
            };
            while old > 0 || new > 0 {
                let (line, number) = lines.next().ok_or("it ends in the middle of a hunk")?;
                let (mark, text) = line.split_at_checked(1).unwrap_or((" ", ""));
                match mark {
                    "+" if new > 0 => found.push(Line::Added(at, text.to_owned())),
                    "-" if old > 0 => found.push(Line::Removed(at)),
                    " " if old > 0 && new > 0 => found.push(Line::Kept(at, text.to_owned())),
                    "\\" => continue,
                    _ => return Err(format!("line {number}: `{line}` is not a line of a hunk")),
                }
                old -= u32::from(mark != "+");
                new -= u32::from(mark != "-");
                at += u32::from(mark != "-");
            }
        }
    }
    // Git also lists changes without lines: of modes, of names, and of binary files.
    if diff.files.is_empty()
        && !text.trim().is_empty()
        && !text.lines().any(|l| l.starts_with("diff --git "))
    {
        return Err("it has no file header (`--- a/src/x.dfy`, `+++ b/src/x.dfy`)".into());
    }
    Ok(diff)
}

/// Parses the path of `+++ b/src/a.dfy`, without git's prefix and without a timestamp.
fn new_path(text: &str) -> PathBuf {
    let path = text.split('\t').next().unwrap_or(text).trim_end();
    PathBuf::from(path.strip_prefix("b/").unwrap_or(path))
}

/// Parses `12,3 +15,4 @@`. Returns the number of old lines, the first new line, and the number of
/// new lines.
fn hunk(head: &str) -> Option<(u32, u32, u32)> {
    let (ranges, _) = head.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let range = |text: &str| match text.split_once(',') {
        Some((at, count)) => Some((at.parse::<u32>().ok()?, count.parse::<u32>().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    let ((_, old), (at, new)) = (range(old)?, range(new)?);
    // If the hunk has no new lines, the header names the line before.
    Some((old, if new == 0 { at.checked_add(1)? } else { at }, new))
}

impl Diff {
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
        assert_eq!(parse("\n"), Ok(Diff::default()));
        assert_eq!(
            parse("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"),
            Ok(Diff::default())
        );
        for wrong in [
            "no diff at all\n",
            "@@ -1 +1 @@\n",
            "--- a\n+++ b\n@@ -x +1 @@\n",
            "--- a\n+++ b\n@@ -1,2 +1 @@\n-a\n",
            "--- a\n+++ b\n@@ -1 +1 @@\n?\n",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for end in 0..GIT.len() {
            let _any = parse(&GIT[..end]);
        }
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
