//! Completions.
//!
//! A marker is inserted at the cursor and the program is resolved again. The resolver records the
//! names that it would have found there. Completions thus follow Dafny's rules of scopes, imports
//! and export sets.

use dafny_source::{FileId, Span};
use dafny_syntax::KEYWORD_TEXTS;

use crate::{Analysis, Input, Kind};

/// The marker, a name that no program has.
const MARKER: &str = "ide'completes'here";

/// Texts to insert after the marker, one of which may be required for the surrounding text to
/// parse.
const ENDINGS: [&str; 3] = ["", ";", ")"];

/// A completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The name to insert.
    pub name: String,
    /// The kind of the declaration.
    pub kind: Kind,
    /// The declaration on one line. Empty for keywords.
    pub detail: String,
    /// The doc comment.
    pub doc: Option<String>,
}

/// The start of the partial name before a position.
pub(crate) fn word_before(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let word = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '?'));
    at - word.map(char::len_utf8).sum::<usize>()
}

/// The completions at a byte offset in a file, and the range that they replace: the existing part
/// of the name. Sorted by name. Of several declarations with one name, the nearest one is returned.
pub fn complete(
    input: &Input,
    file: FileId,
    at: usize,
) -> (std::ops::Range<usize>, Vec<Completion>) {
    let Some(text) = input.texts.get(file.0 as usize).map(|t| t.text.clone()) else {
        return (0..0, Vec::new());
    };
    let start = word_before(&text, at);
    let (before, after) = (
        text.get(..start).unwrap_or_default(),
        text.get(at..).unwrap_or_default(),
    );
    let after =
        after.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '?'));
    let is_member = before.trim_end().ends_with('.') && !before.trim_end().ends_with("..");
    let mut found: Vec<Completion> = Vec::new();
    for ending in ENDINGS {
        let mut marked = input.clone();
        if let Some(text) = marked.texts.get_mut(file.0 as usize) {
            text.text = format!("{before}{MARKER}{ending}{after}").into();
        }
        let analysis = Analysis::marked(&marked, Some(MARKER));
        if let Some(candidates) = &analysis.index.candidates {
            found = candidates.iter().map(|c| analysis.completion(c)).collect();
            break;
        }
    }
    if !is_member {
        let words = KEYWORD_TEXTS.iter();
        found.extend(words.map(|w| Completion {
            name: (*w).to_owned(),
            kind: Kind::Keyword,
            detail: String::new(),
            doc: None,
        }));
    }
    found.retain(|c| c.name != MARKER && !c.name.starts_with('_'));
    // The sort is stable, so that the nearest declaration of a name stays first.
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.dedup_by(|a, b| a.name == b.name);
    (start..at, found)
}

impl Analysis {
    fn completion(&self, c: &dafny_resolve::index::Candidate) -> Completion {
        let name = c.name.to_string();
        match c.definition {
            Some(d) => {
                let doc = self.doc_of(d);
                Completion {
                    name,
                    kind: self.kind(d),
                    detail: self.line(d),
                    doc,
                }
            }
            None => Completion {
                name,
                kind: Kind::Field,
                detail: String::new(),
                doc: None,
            },
        }
    }

    /// The file that contains the position, and the byte offset in it.
    pub fn place_in_file(&self, at: u32) -> Option<(FileId, usize)> {
        self.sources
            .file_at(at)
            .map(|(id, f)| (id, (at - f.base) as usize))
    }

    /// The position of a byte offset in a file.
    pub fn position(&self, file: FileId, at: usize) -> Option<u32> {
        let f = self.sources.file(file)?;
        (at <= f.text.len()).then_some(f.base + at as u32)
    }

    /// The span of a whole file.
    pub fn file_span(&self, file: FileId) -> Span {
        self.sources
            .file(file)
            .map_or(Span::default(), |f| f.span())
    }
}
