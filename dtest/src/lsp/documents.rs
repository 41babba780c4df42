//! Open documents, and the conversion of positions in them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use lsp_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent, Uri};

/// The unit of columns in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
}

impl Encoding {
    /// Chooses bytes if the client supports them, and otherwise UTF-16, which every client
    /// supports.
    pub fn chosen(offered: Option<&[PositionEncodingKind]>) -> Self {
        let can = offered.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        if can { Self::Utf8 } else { Self::Utf16 }
    }

    /// The name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// An open document.
#[derive(Debug, Clone)]
pub struct Document {
    /// The URI that the client uses.
    pub uri: Uri,
    /// The client's version of the text.
    pub version: i32,
    /// The text.
    pub text: Arc<str>,
    /// The revision of the last change.
    pub changed: u64,
}

/// The line starts of a text, for finding positions quickly.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text.
    pub fn of(text: &'t str, encoding: Encoding) -> Self {
        let starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(i, _)| i + 1))
            .collect();
        Self {
            text,
            starts,
            encoding,
        }
    }

    /// Returns the position of a byte offset; an offset inside a character is moved to its start.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self
            .starts
            .partition_point(|s| *s <= offset)
            .saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let column = self
            .encoding
            .width(self.text.get(start..offset).unwrap_or_default());
        Position::new(line as u32, column as u32)
    }

    /// Returns the positions of a byte range.
    pub fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        Range::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// Returns the byte offset of a position; a column beyond the end of its line is moved to the
    /// end.
    pub fn offset(&self, at: Position) -> usize {
        let Some(&start) = self.starts.get(at.line as usize) else {
            return self.text.len();
        };
        let end = self
            .starts
            .get(at.line as usize + 1)
            .copied()
            .unwrap_or(self.text.len());
        let line = self.text.get(start..end).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut left = at.character as usize;
        for (i, c) in line.char_indices() {
            let width = match self.encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if left < width {
                return start + i;
            }
            left -= width;
        }
        start + line.len()
    }

    /// Returns the byte offset of a line and a column in characters, both 1-based.
    pub fn of_characters(&self, line: u32, column: u32) -> usize {
        let Some(&start) = self.starts.get((line as usize).saturating_sub(1)) else {
            return self.text.len();
        };
        let rest = self.text.get(start..).unwrap_or_default();
        let in_line = rest.char_indices().take_while(|(_, c)| *c != '\n');
        start
            + in_line
                .take((column as usize).saturating_sub(1))
                .map(|(_, c)| c.len_utf8())
                .sum::<usize>()
    }

    /// Returns the line and the column in characters of a byte offset, both 1-based.
    pub fn characters(&self, offset: usize) -> (u32, u32) {
        let line = self
            .starts
            .partition_point(|s| *s <= offset)
            .saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let column = self
            .text
            .get(start..offset)
            .map_or(0, |t| t.chars().count());
        (line as u32 + 1, column as u32 + 1)
    }

    /// Returns the end of the line that contains a byte offset, without the line break.
    pub fn line_end(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or_default();
        offset
            + rest.find('\n').map_or(rest.len(), |n| {
                rest.get(..n).map_or(n, |l| l.trim_end_matches('\r').len())
            })
    }
}

/// Applies the client's changes to a text, one after the other.
pub fn changed(
    text: &str,
    changes: Vec<TextDocumentContentChangeEvent>,
    encoding: Encoding,
) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change.range {
            None => text = change.text,
            Some(range) => {
                let lines = Lines::of(&text, encoding);
                let (start, end) = (lines.offset(range.start), lines.offset(range.end));
                text.replace_range(start.min(end)..end.max(start), &change.text);
            }
        }
    }
    text
}

/// Carries a byte offset of an old text over to a new one that differs in one range; `None` if the
/// offset is in that range.
pub fn carried(old: &str, new: &str, offset: usize) -> Option<usize> {
    if old == new {
        return Some(offset);
    }
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    if offset <= front {
        return Some(offset);
    }
    let most = a.len().min(b.len()) - front;
    let back = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(|(x, y)| x == y)
        .count();
    (offset >= a.len() - back).then(|| offset + b.len() - a.len())
}

/// Returns the file that a URI names; `None` if it names none.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = rest.find('/').and_then(|i| rest.get(i..))?;
    let bytes = percent_decoded(path.as_bytes());
    let text = String::from_utf8(bytes).ok()?;
    // On Windows, the path of a URI is `/c:/x`.
    let is_drive = text.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    let text = if is_drive {
        text.get(1..)?.to_owned()
    } else {
        text
    };
    Some(crate::cli::files::normalize(Path::new(&text)))
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let digit = |b: Option<&u8>| b.and_then(|b| (*b as char).to_digit(16)).map(|d| d as u8);
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match (byte, digit(text.get(at + 1)), digit(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high * 16 + low);
                at += 3;
            }
            _ => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    bytes
}

/// Returns the URI of a file.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(byte as char)
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_units_or_bytes() {
        let text = "aé𝄞b\r\nc";
        let wide = Lines::of(text, Encoding::Utf16);
        let narrow = Lines::of(text, Encoding::Utf8);
        let b = text.find('b').unwrap();
        assert_eq!(wide.position(b), Position::new(0, 4));
        assert_eq!(narrow.position(b), Position::new(0, 7));
        for lines in [&wide, &narrow] {
            assert!(
                (0..=text.len())
                    .filter(|i| text.is_char_boundary(*i) && *i != b + 2)
                    .all(|i| lines.offset(lines.position(i)) == i)
            );
            assert_eq!(lines.offset(Position::new(0, 99)), b + 1);
            assert_eq!(lines.offset(Position::new(9, 0)), text.len());
        }
        assert_eq!(wide.characters(b), (1, 4));
        assert_eq!(wide.of_characters(1, 4), b);
    }

    #[test]
    fn changes_are_made_in_their_order() {
        let change =
            |range: Option<((u32, u32), (u32, u32))>, text: &str| TextDocumentContentChangeEvent {
                range: range
                    .map(|(a, b)| Range::new(Position::new(a.0, a.1), Position::new(b.0, b.1))),
                range_length: None,
                text: text.to_owned(),
            };
        let changes = vec![
            change(Some(((0, 1), (0, 2))), "xy\n"),
            change(Some(((1, 0), (1, 0))), "é"),
        ];
        assert_eq!(changed("abc", changes, Encoding::Utf16), "axy\néc");
        assert_eq!(
            changed("abc", vec![change(None, "new")], Encoding::Utf16),
            "new"
        );
    }

    #[test]
    fn offsets_are_carried_over_one_change() {
        assert_eq!(carried("ab cd", "ab XX cd", 1), Some(1));
        assert_eq!(carried("ab cd", "ab XX cd", 4), Some(7));
        assert_eq!(carried("ab OLD cd", "ab N cd", 4), None);
    }

    #[test]
    fn files_have_uris() {
        let path = Path::new("/tmp/a b/é%.dfy");
        let uri = uri_of(path).unwrap();
        assert_eq!(uri.as_str(), "file:///tmp/a%20b/%C3%A9%25.dfy");
        assert_eq!(path_of(&uri).as_deref(), Some(path));
        assert_eq!(
            path_of(&Uri::from_str("untitled:Untitled-1").unwrap()),
            None
        );
    }
}
