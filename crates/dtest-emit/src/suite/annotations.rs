//! Annotations of requirements: `//= spec#section` and `//# quoted text`, as the tool duvet reads
//! them.
//!
//! An annotation in a unit says that its code implements a requirement. The tests of the unit test
//! that requirement, so they repeat the annotation with `type=test`.

use dafny_source::{SourceMap, Span};

/// The types of annotations that claim an implementation. Others, such as `exception` and `todo`, say
/// that there is none.
const IMPLEMENTED: [&str; 3] = ["implementation", "citation", "implication"];

/// An annotation.
#[derive(Default)]
struct Annotation<'s> {
    /// The specification and its section.
    target: Option<&'s str>,
    kind: Option<&'s str>,
    /// The quoted lines, with their `#`.
    quotes: Vec<&'s str>,
}

impl Annotation<'_> {
    /// The lines of the annotation of a test, after their `//`; `None` if it claims nothing.
    fn for_test(&self) -> Option<Vec<String>> {
        let target = self.target?;
        if self.kind.is_some_and(|kind| !IMPLEMENTED.contains(&kind)) {
            return None;
        }
        let head = [format!("= {target}"), "= type=test".to_owned()];
        let quotes = self.quotes.iter().map(|q| (*q).to_owned());
        Some(head.into_iter().chain(quotes).collect())
    }
}

/// Returns the annotations of a declaration for its tests: those within it, and those in the comment
/// directly before it. The lines have no `//`.
pub(crate) fn of(sources: &SourceMap, declaration: Span) -> Vec<String> {
    let Some((_, file)) = sources.file_at(declaration.start) else {
        return Vec::new();
    };
    let (start, end) = (
        (declaration.start - file.base) as usize,
        (declaration.end - file.base) as usize,
    );
    let within = file.text.get(start..end).unwrap_or("");
    let before = file.text.get(..start).unwrap_or("");
    // The line of the declaration itself may begin before it.
    let before = before.rfind('\n').map_or("", |i| &before[..i]);
    let mut lines: Vec<&str> = before
        .lines()
        .rev()
        .map(str::trim)
        .take_while(|l| l.starts_with("//"))
        .collect();
    lines.reverse();
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut current = Annotation::default();
    for line in lines.into_iter().chain(within.lines().map(str::trim)) {
        let comment = line.strip_prefix("//").unwrap_or("");
        if let Some(meta) = comment.strip_prefix('=') {
            let meta = meta.trim();
            let is_next = !current.quotes.is_empty();
            match meta.strip_prefix("type=") {
                Some(kind) if !is_next => current.kind = Some(kind.trim()),
                None if current.target.is_none() => current.target = Some(meta),
                // Another key, such as `level` or `reason`.
                None if !is_next && is_key(meta) => {}
                Some(_) | None => {
                    let next = Annotation {
                        target: Some(meta),
                        ..Annotation::default()
                    };
                    found.extend(std::mem::replace(&mut current, next).for_test());
                }
            }
        } else if comment.starts_with('#') && current.target.is_some() {
            current.quotes.push(comment.trim_end());
        } else {
            found.extend(std::mem::take(&mut current).for_test());
        }
    }
    found.extend(current.for_test());
    // A requirement that several places implement is tested once.
    let mut lines: Vec<String> = Vec::new();
    let mut seen: Vec<Vec<String>> = Vec::new();
    for annotation in found {
        if !seen.contains(&annotation) {
            lines.extend(annotation.iter().cloned());
            seen.push(annotation);
        }
    }
    lines
}

/// Whether the text after `//=` is `key=value` rather than a specification.
fn is_key(meta: &str) -> bool {
    let key = meta.split_once('=').map(|(key, _)| key.trim());
    key.is_some_and(|k| k.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, declaration: &str) -> Vec<String> {
        let mut sources = SourceMap::new();
        sources.add("a.dfy", text, true);
        let start = text.find(declaration).expect("there") as u32;
        of(&sources, Span::new(start, text.len() as u32))
    }

    #[test]
    fn annotations_within_and_before_a_declaration_are_found() {
        let text = "\
//= other.md#1
//# Not of this one.

// A comment.
//= spec.md#section-2
//= type=implication
//# It MUST
//# be so.
//= spec.md#section-3
//# It SHOULD.
function F(): int {
  //= spec.md#section-2
  //= level=MUST
  //# It MUST
  //# be so.
  1 // = no annotation
  //= spec.md#4
  //= type=todo
  //# It MAY.
}
";
        assert_eq!(
            lines(text, "function F"),
            [
                "= spec.md#section-2",
                "= type=test",
                "# It MUST",
                "# be so.",
                "= spec.md#section-3",
                "= type=test",
                "# It SHOULD.",
            ]
        );
        assert_eq!(lines("method M() {}", "method"), Vec::<String>::new());
    }

    #[test]
    fn no_text_panics() {
        let text = "//=\n//#\n//= é=\nmethod M() { //= type=\n //# x";
        for (end, _) in text.char_indices() {
            let mut sources = SourceMap::new();
            sources.add("a.dfy", &text[..end], true);
            for (start, _) in text[..end].char_indices() {
                let _any = of(&sources, Span::new(start as u32, end as u32));
            }
        }
    }
}
