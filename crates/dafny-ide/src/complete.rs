//! What could stand at a place.
//!
//! A marker is put there, and the program is resolved again: the resolver says what it would have found under which name. So completions
//! follow Dafny's rules of scopes, imports and export sets.

use dafny_syntax::KEYWORD_TEXTS;
use dafny_syntax::source::{FileId, Span};

use crate::{Analysis, Input, Kind};

/// No program has this name.
const MARKER: &str = "dtest'completes'here";

/// What may have to follow the marker for the text around it to be read.
const ENDINGS: [&str; 3] = ["", ";", ")"];

/// A name that could stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The name.
    pub name: String,
    /// Of what.
    pub kind: Kind,
    /// Its declaration, on one line; empty for words of the language.
    pub detail: String,
    /// Its doc comment.
    pub doc: Option<String>,
}

/// The part of a name that stands before a position.
pub(crate) fn word_before(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let word = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '?'));
    at - word.map(char::len_utf8).sum::<usize>()
}

/// What could stand at a byte of a file, and the range that it replaces: the part of the name that is there. Sorted by name;
/// nearest first where names are hidden by others, of which one is given.
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
    // Stable: what is nearest stays first of its name.
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

    /// The file that a position is in, and the byte of it.
    pub fn place_in_file(&self, at: u32) -> Option<(FileId, usize)> {
        self.sources
            .file_at(at)
            .map(|(id, f)| (id, (at - f.base) as usize))
    }

    /// The position of a byte of a file.
    pub fn position(&self, file: FileId, at: usize) -> Option<u32> {
        let f = self.sources.file(file)?;
        (at <= f.text.len()).then_some(f.base + at as u32)
    }

    /// The whole of a file.
    pub fn file_span(&self, file: FileId) -> Span {
        self.sources
            .file(file)
            .map_or(Span::default(), |f| f.span())
    }
}
