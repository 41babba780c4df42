//! Documentation of the translation, from the comments of the program.

use super::convention::Scope;
use crate::rust::Attribute;
use dafny_resolve::typed::{Clause, Span, Spec};
use dafny_source::SourceMap;

/// Maximum length of a clause that a function's documentation quotes, in characters.
const MAX_CLAUSE: usize = 90;

/// Maximum number of quoted clauses.
const MAX_CLAUSES: usize = 8;

/// Returns doc lines, in which no text can become a documentation test.
pub(crate) fn docs(text: Option<&str>) -> Vec<Attribute> {
    text.map(lines)
        .unwrap_or_default()
        .iter()
        .map(|l| line(l))
        .collect()
}

fn line(text: &str) -> Attribute {
    Attribute::Doc(if text.is_empty() {
        String::new()
    } else {
        format!(" {text}")
    })
}

/// Returns the documentation of an item: paragraphs, then its source location.
pub(super) fn item(
    scope: &Scope<'_, '_>,
    paragraphs: &[Option<&str>],
    span: Span,
) -> Vec<Attribute> {
    let place = format!("From {}.", place(scope.ground.sources, span));
    let all: Vec<String> = paragraphs
        .iter()
        .copied()
        .flatten()
        .map(|p| lines(p).join("\n"))
        .filter(|p| !p.is_empty())
        .chain([place])
        .collect();
    all.join("\n\n").lines().map(line).collect()
}

/// Returns a contract as a block of Dafny; `None` if there is none, or none that is short enough.
pub(super) fn contract(sources: &SourceMap, spec: &Spec) -> Option<String> {
    let mut clauses: Vec<(&str, &Clause)> = spec
        .requires
        .iter()
        .map(|c| ("requires", c))
        .chain(spec.ensures.iter().map(|c| ("ensures", c)))
        .collect();
    // The conjuncts of a split clause are one clause of the source.
    clauses.dedup_by_key(|(_, c)| c.span);
    let text = |(word, c): &(&str, &Clause)| {
        let text = sources
            .text(c.span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        format!("{word} {text}")
    };
    let short: Vec<String> = clauses
        .iter()
        .map(text)
        .filter(|t| t.chars().count() <= MAX_CLAUSE)
        .take(MAX_CLAUSES)
        .collect();
    if short.is_empty() {
        return None;
    }
    let rest = if short.len() < clauses.len() {
        "\n// …"
    } else {
        ""
    };
    Some(format!(
        "```dafny\n{}{rest}\n```",
        defused(&short.join("\n"))
    ))
}

/// Escapes a line so that it cannot start a documentation test.
pub(crate) fn defused(line: &str) -> String {
    line.trim().replace("```", "'''").replace("~~~", "---")
}

/// Returns the file and line of an item for a reader, without the chain of `include`s.
fn place(sources: &SourceMap, span: Span) -> String {
    let place = sources.locate(span);
    let place = place
        .rsplit_once(':')
        .map_or(place.as_str(), |(line, _)| line);
    let mut parts: Vec<&str> = Vec::new();
    for part in place.split('/') {
        let detour = part == ".." && parts.last().is_some_and(|p| !p.is_empty() && *p != "..");
        if detour {
            parts.pop();
        } else if part != "." {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Returns the lines of a comment without its frame: leading asterisks, and lines of asterisks or
/// dashes. Blocks of Dafny, which contracts are, stay unchanged.
pub(super) fn lines(text: &str) -> Vec<String> {
    if text.starts_with("```dafny\n") {
        return text.lines().map(str::to_owned).collect();
    }
    let is_frame =
        |l: &str| l.len() > 2 && l.chars().all(|c| matches!(c, '*' | '-' | '=' | '/' | '#'));
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if is_frame(line) {
            continue;
        }
        let line = line.strip_prefix('*').map_or(line, str::trim_start);
        let line = line.strip_suffix('*').map_or(line, str::trim_end);
        // Indentation would make the line a block of Rust, and brackets would make it a broken
        // link.
        let line = defused(line);
        if !(line.is_empty() && out.last().is_none_or(String::is_empty)) {
            out.push(line);
        }
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn the_frame_of_a_comment_is_left_out() {
        assert_eq!(lines(" hi "), ["hi"]);
        assert_eq!(
            lines("*****\n * First.\n *\n * Second.\n ****"),
            ["First.", "", "Second."]
        );
        assert_eq!(lines("\n   a ```b``` \n\n"), ["a '''b'''"]);
    }
}
