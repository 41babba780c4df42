//! `cargo xtask comments`: the language of doc comments.
//!
//! A doc comment begins with a noun phrase or a third-person verb, has more than one word, and uses
//! the terms of the glossary. [`errors`] checks the text of one file, [`check`] all Rust files of
//! the repository.

use std::path::Path;

use crate::root;

/// Directories with our Rust code, without those of [`UNCHECKED`].
const CHECKED: [&str; 9] = [
    "crates",
    "dmock",
    "dmock-macros",
    "dtest",
    "dunit",
    "dunit-macros",
    "fuzz",
    "tests",
    "xtask",
];

/// Directories whose comments are not rewritten yet.
const UNCHECKED: &[&str] = &[];

/// Words that do not begin a paragraph: they lead to relative clauses without an antecedent.
const OPENINGS: [&str; 6] = ["What", "Those", "How", "Where", "Which", "Whose"];

/// Terms that the glossary replaces, with the replacement.
const REPLACED: [(&str, &str); 24] = [
    ("promise", "obligation"),
    ("promises", "obligations"),
    ("mistake", "mutant, or error"),
    ("mistakes", "mutants, or errors"),
    ("planted error", "mutant"),
    ("planted errors", "mutants"),
    ("tells apart", "kills, or distinguishes"),
    ("tell apart", "kill, or distinguish"),
    ("told apart", "killed, or distinguished"),
    ("gets away", "survives"),
    ("lets through", "accepts"),
    ("is told", "is killed, or receives"),
    ("are told", "are killed, or receive"),
    ("kept result", "cached result"),
    ("kept results", "cached results"),
    ("patience", "budget, or time limit"),
    ("in the place of", "instead of"),
    ("stand-in", "stub"),
    ("stand-ins", "stubs"),
    ("somebody", "the user, or the caller"),
    ("nobody", "no caller"),
    ("anybody", "a user, or a caller"),
    ("whoever", "the caller, or the user"),
    ("bug of ours", "internal error"),
];

/// Maximum number of errors that the message lists.
const SHOWN: usize = 40;

/// Checks the doc comments of all Rust files.
///
/// # Errors
/// The violations of the rules, with their locations.
pub fn check() -> Result<(), String> {
    let root = root();
    let mut found = Vec::new();
    for directory in CHECKED {
        let files = walkdir::WalkDir::new(root.join(directory))
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|e| e.file_name() != "target" && !is_unchecked(&root, e.path()));
        for entry in files {
            let path = entry.map_err(|e| e.to_string())?.into_path();
            if path.extension().is_none_or(|x| x != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path)
                .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            let shown = path.strip_prefix(&root).unwrap_or(&path).display();
            found.extend(
                errors(&text)
                    .into_iter()
                    .map(|(line, message)| format!("{shown}:{line}: {message}")),
            );
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let count = found.len();
    found.truncate(SHOWN);
    if count > SHOWN {
        found.push(format!("and {} more", count - SHOWN));
    }
    Err(format!(
        "{count} doc comments break the rules:\n{}",
        found.join("\n")
    ))
}

fn is_unchecked(root: &Path, path: &Path) -> bool {
    UNCHECKED.iter().any(|u| path == root.join(u))
}

/// A paragraph of a doc comment.
#[derive(Debug, PartialEq, Eq)]
struct Paragraph {
    /// The 1-based line on which it begins.
    line: usize,
    text: String,
    /// Whether it is the first one of its comment.
    is_first: bool,
    /// Whether it is the last one of its comment.
    is_last: bool,
}

/// Returns the violations in the text of a file, each with its 1-based line.
fn errors(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for paragraph in paragraphs(text) {
        let mut add = |message: String| found.push((paragraph.line, message));
        let words: Vec<&str> = paragraph.text.split_whitespace().collect();
        if let Some(opening) = words.first().filter(|w| OPENINGS.contains(w)) {
            add(format!(
                "begins with `{opening}`, not with a noun phrase or a third-person verb"
            ));
        }
        // Texts of `--help` may have one word; they have no full stop. Code may be the whole text.
        if let ([word], true, true) = (words.as_slice(), paragraph.is_first, paragraph.is_last)
            && word.ends_with('.')
            && !word.starts_with(['`', '['])
        {
            add(format!("consists of one word: `{word}`"));
        }
        let prose = without_code(&paragraph.text).to_lowercase();
        for (term, replacement) in REPLACED.iter().filter(|(term, _)| has_term(&prose, term)) {
            add(format!("has `{term}`; the glossary has: {replacement}"));
        }
    }
    found
}

/// Splits the doc comments of a file into paragraphs, without headings and code blocks.
fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let (mut marker, mut is_code, mut is_open) = ("", false, false);
    let mut is_first = true;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start();
        let here = ["///", "//!"]
            .into_iter()
            .find(|m| line.starts_with(m) && !line.starts_with("////"));
        let Some(here) = here else {
            (marker, is_code, is_open) = ("", false, false);
            continue;
        };
        if here != marker {
            (marker, is_code, is_open, is_first) = (here, false, false, true);
        }
        let content = line.trim_start_matches(here).trim();
        if content.starts_with("```") {
            is_code = !is_code;
            is_open = false;
        } else if is_code || content.is_empty() || content.starts_with(['#', '|']) {
            is_open = false;
        } else if let Some(last) = found.last_mut().filter(|_| is_open) {
            last.text = format!("{} {content}", last.text);
        } else {
            // A later paragraph of the same comment: the one before it was not the last.
            if let Some(last) = found.last_mut().filter(|_| !is_first) {
                last.is_last = false;
            }
            found.push(Paragraph {
                line: number,
                text: content.to_owned(),
                is_first,
                is_last: true,
            });
            (is_open, is_first) = (true, false);
        }
    }
    found
}

/// Removes code between backticks: identifiers and texts of programs are not prose.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Whether a text has a term as whole words.
fn has_term(text: &str, term: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(term).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + term.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        errors(text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_comment_that_begins_with_a_relative_word_is_an_error() {
        assert_eq!(lines("/// What a unit does.\nfn f() {}\n"), [1]);
        assert_eq!(lines("//! Which of them.\n"), [1]);
        assert_eq!(lines("/// The unit.\n///\n/// How it ends.\n"), [3]);
        assert!(lines("/// Whether it ends.\n/// It does. What follows is prose.\n").is_empty());
        assert!(lines("// What an inline comment begins with is not checked.\n").is_empty());
    }

    #[test]
    fn a_comment_of_one_word_is_an_error_unless_it_is_code_or_a_help_text() {
        assert_eq!(lines("    /// Why.\n    reason: String,\n"), [1]);
        assert_eq!(lines("/// First.\na: u8,\n/// Second.\nb: u8,\n"), [1, 3]);
        assert!(lines("/// `bool`.\n/// Always\n").is_empty());
        assert!(lines("/// Nothing\nNone,\n").is_empty());
        assert!(lines("/// Error.\n///\n/// More about it.\n").is_empty());
    }

    #[test]
    fn a_term_that_the_glossary_replaces_is_an_error_as_a_whole_word_in_prose() {
        assert_eq!(lines("/// A stand-in for\n/// external code.\n"), [1]);
        assert_eq!(lines("/// The test tells apart two mutants.\n"), [1]);
        assert!(lines("/// Calls `stand-in` by a compromise.\n").is_empty());
        assert!(lines("/// Runs.\n").len() == 1);
    }

    #[test]
    fn headings_tables_and_code_blocks_are_no_prose() {
        let text = "/// Returns it.\n///\n/// # Errors\n/// An error.\n/// ```\n/// What is code.\n/// ```\n/// | What | a table |\n";
        assert!(lines(text).is_empty());
        assert_eq!(paragraphs(text).len(), 2);
    }
}
