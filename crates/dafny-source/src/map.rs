//! Source texts, and positions in them.
//!
//! All files of a program share one position space: a file occupies `[base, base + len]`. A
//! [`Span`] is therefore two `u32`s and still identifies its file. Lines and columns are computed
//! only for rendering.

use std::borrow::Cow;
use std::sync::Arc;

/// An identifier or another short immutable text that is cheap to clone.
pub type Name = Arc<str>;

/// A half-open range of byte positions in the program's position space.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Span {
    /// The position of the first byte.
    pub start: u32,
    /// The position after the last byte.
    pub end: u32,
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl Span {
    /// Creates the span from `start` to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether this span contains the other one.
    pub fn contains_span(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The index of a file in a [`SourceMap`], in load order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A source file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path as shown to the user: relative to the package if the file is inside, and
    /// `/`-separated.
    pub path: String,
    /// The contents.
    pub text: Arc<str>,
    /// The position of the first byte.
    pub base: u32,
    /// Whether the user named the file, so that its units are generated, as opposed to an included
    /// file.
    pub named: bool,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// The span of the whole file.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }
}

/// A line and a column, both counted from 1. The column counts `char`s.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct LineColumn {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in `char`s, counted from 1.
    pub column: u32,
}

/// A region of a file in lines and columns, for uses without a [`SourceMap`].
#[derive(
    Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Region {
    /// The path as shown to the user.
    pub path: String,
    /// The position of the first character.
    pub start: LineColumn,
    /// The position after the last character. Equal to `start` for an empty region.
    pub end: LineColumn,
}

/// All source files of a program.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Its positions follow those of the previous files.
    ///
    /// Returns `None` if the position space of 4 GiB is exhausted.
    pub fn add(
        &mut self,
        path: impl Into<String>,
        text: impl Into<Arc<str>>,
        named: bool,
    ) -> Option<FileId> {
        let text = text.into();
        let base = self
            .files
            .last()
            .map_or(0, |f| f.span().end.saturating_add(1));
        u32::try_from(text.len())
            .ok()
            .and_then(|len| base.checked_add(len))
            .filter(|&end| end < u32::MAX)?;
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1));
        let line_starts = starts.collect();
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            path: path.into(),
            text,
            base,
            named,
            line_starts,
        });
        Some(id)
    }

    /// The files in load order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }

    /// The file with the id.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The file that contains `position`, if any.
    pub fn file_at(&self, position: u32) -> Option<(FileId, &SourceFile)> {
        let i = self
            .files
            .partition_point(|f| f.base <= position)
            .checked_sub(1)?;
        let file = self.files.get(i)?;
        (position <= file.span().end).then_some((FileId(i as u32), file))
    }

    /// The text of a span. Empty if the span is in no file.
    pub fn text(&self, span: Span) -> &str {
        let inside = |(_, f): (FileId, &'_ SourceFile)| {
            (span.start - f.base) as usize..(span.end.max(span.start) - f.base) as usize
        };
        self.file_at(span.start)
            .and_then(|at| at.1.text.get(inside(at)))
            .unwrap_or("")
    }

    /// The span of a line, counted from 1, without its line break. After the last line, the empty
    /// span at the end of the file.
    pub fn line(&self, file: FileId, number: u32) -> Span {
        let Some(file) = self.file(file) else {
            return Span::default();
        };
        let start = |line: usize| file.line_starts.get(line).map(|s| file.base + s);
        let index = number.saturating_sub(1) as usize;
        let end = file.span().end;
        let from = start(index).unwrap_or(end);
        // The next line starts after the line break.
        Span::new(
            from,
            start(index + 1).map_or(end, |next| next - 1).max(from),
        )
    }

    /// The line and column of a position.
    pub fn line_column(&self, position: u32) -> Option<LineColumn> {
        let (_, file) = self.file_at(position)?;
        let offset = position - file.base;
        let line = file.line_starts.partition_point(|&s| s <= offset);
        let start = *file.line_starts.get(line.checked_sub(1)?)?;
        let column = file
            .text
            .get(start as usize..offset as usize)
            .map_or(1, |t| t.chars().count() as u32 + 1);
        Some(LineColumn {
            line: line as u32,
            column,
        })
    }

    /// Converts a span to lines and columns. Returns `None` if the span is in no file.
    pub fn region(&self, span: Span) -> Option<Region> {
        let (_, file) = self.file_at(span.start)?;
        let end = span.end.clamp(span.start, file.span().end);
        Some(Region {
            path: file.path.clone(),
            start: self.line_column(span.start)?,
            end: self.line_column(end)?,
        })
    }

    /// Formats the start of a span as `path:line:column`, the form of all our messages.
    pub fn locate(&self, span: Span) -> String {
        match (self.file_at(span.start), self.line_column(span.start)) {
            (Some((_, f)), Some(at)) => format!("{}:{}:{}", f.path, at.line, at.column),
            _ => "<built in>".to_owned(),
        }
    }

    /// Formats the start of a span as `path(line,column)`, like Dafny's compiled programs. Columns
    /// are counted from 0.
    pub fn locate_as_dafny(&self, span: Span) -> String {
        match (self.file_at(span.start), self.line_column(span.start)) {
            (Some((_, f)), Some(at)) => format!("{}({},{})", f.path, at.line, at.column - 1),
            _ => "<built in>".to_owned(),
        }
    }
}

/// Escapes characters that would hide the meaning of a text, or that Rust rejects in comments:
/// control characters other than `kept` ones, and characters that change the text direction (as in
/// `rustc`'s lint `text_direction_codepoint_in_comment`).
pub fn visible<'t>(text: &'t str, kept: &[char]) -> Cow<'t, str> {
    let is_hidden = |c: char| match c {
        '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{feff}' => true,
        c => c.is_control() && !kept.contains(&c),
    };
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let spelled = |c: char| {
        if is_hidden(c) {
            c.escape_default().collect::<String>()
        } else {
            c.to_string()
        }
    };
    Cow::Owned(text.chars().map(spelled).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_spelled_out() {
        assert_eq!(
            visible("a\r\u{202e}b\n\tc\u{e9}", &['\n', '\t']),
            "a\\r\\u{202e}b\n\tc\u{e9}"
        );
        assert_eq!(visible("src/a\nb.dfy", &[]), "src/a\\nb.dfy");
    }

    #[test]
    fn positions_name_their_file_line_and_column() {
        let mut map = SourceMap::new();
        map.add("a.dfy", "ab\ncd", true);
        map.add("b.dfy", "é=\n", false);
        assert_eq!(map.locate(Span::new(4, 5)), "a.dfy:2:2");
        assert_eq!(map.locate(Span::new(8, 9)), "b.dfy:1:2");
        assert_eq!(map.text(Span::new(0, 2)), "ab");
        assert_eq!(map.locate(Span::new(900, 901)), "<built in>");
        assert_eq!(
            [1, 2, 3].map(|n| map.text(map.line(FileId(0), n))),
            ["ab", "cd", ""]
        );
    }
}
