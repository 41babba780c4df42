//! Known bugs, which a campaign does not report again.

use std::path::Path;

use regex_lite::Regex;

use crate::cli::files;
use crate::fuzz::Disagreement;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;

/// The known bugs of a file: on each line the address of an issue, and a regular expression for the
/// text `class: message` and the details of a disagreement. Lines that begin with `#` are comments.
#[derive(Debug, Default)]
pub(super) struct KnownBugs(Vec<(String, Regex)>);

impl KnownBugs {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or a line is not of this form.
    pub(super) fn read(path: &Path) -> Result<Self, Diagnostic> {
        let shown = path.display();
        let text = files::read_text(path).map_err(|e| {
            Diagnostic::global(MessageId::FuzzKnown, format!("cannot read `{shown}`: {e}"))
                .with_help("pass a file with an issue's address and a regular expression per line")
        })?;
        Self::parse(&text).map_err(|(line, why)| {
            Diagnostic::global(
                MessageId::FuzzKnown,
                format!("`{shown}`, line {line}: {why}"),
            )
            .with_help("write an issue's address and a regular expression, separated by a space")
        })
    }

    /// Parses the text of a file. The error has the 1-based line and the reason.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut known = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((address, pattern)) = line.split_once(char::is_whitespace) else {
                return Err((at + 1, "no regular expression".to_owned()));
            };
            match Regex::new(pattern.trim()) {
                Ok(pattern) => known.push((address.to_owned(), pattern)),
                Err(e) => return Err((at + 1, e.to_string())),
            }
        }
        Ok(Self(known))
    }

    /// Returns the address of the issue about a disagreement.
    pub(super) fn issue(&self, what: &Disagreement) -> Option<&str> {
        let text = format!("{}: {}\n{}", what.class.name(), what.message, what.detail);
        self.0
            .iter()
            .find(|(_, pattern)| pattern.is_match(&text))
            .map(|(address, _)| address.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::KnownBugs;
    use crate::fuzz::{Class, Disagreement};

    #[test]
    fn a_known_bug_is_recognized_by_its_class_and_message() {
        let text =
            "# nightly\n\nhttps://example.com/1  ^crash: .*Null\nhttps://example.com/2 CS0159\n";
        let known = KnownBugs::parse(text).unwrap();
        let issue = |class, message: &str| {
            known
                .issue(&Disagreement::new(class, message, ""))
                .map(str::to_owned)
        };
        let first = Some("https://example.com/1".to_owned());
        assert_eq!(issue(Class::Crash, "NullReferenceException"), first);
        assert_eq!(issue(Class::Unsound, "NullReferenceException"), None);
        assert_eq!(
            KnownBugs::parse("https://example.com/1\n").unwrap_err().0,
            1
        );
        assert_eq!(KnownBugs::parse("# a\nx (\n").unwrap_err().0, 2);
    }
}
