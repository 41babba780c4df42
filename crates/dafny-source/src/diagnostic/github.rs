//! Rendering of diagnostics as workflow commands of GitHub Actions, which become annotations:
//! `::warning file=…,line=…::message`.

use super::{Diagnostic, Severity};
use crate::SourceMap;

/// Renders one diagnostic as a workflow command on one line, without the newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some((file, from, to)) = diagnostic.span.and_then(|s| {
        Some((
            sources.file_at(s.start)?.1,
            sources.line_column(s.start)?,
            sources.line_column(s.end)?,
        ))
    }) {
        properties.push(("file", file.path.clone()));
        properties.push(("line", from.line.to_string()));
        properties.push(("endLine", to.line.to_string()));
        // GitHub shows columns only for annotations of a single line.
        properties.push(("col", from.column.to_string()));
        if from.line == to.line {
            properties.push(("endColumn", to.column.max(from.column + 1).to_string()));
        }
    }
    properties.push(("title", diagnostic.id.to_owned()));
    let properties: Vec<String> = properties
        .iter()
        .map(|(k, v)| format!("{k}={}", property(v)))
        .collect();
    format!(
        "::{command} {}::{}",
        properties.join(","),
        data(&text(diagnostic, sources))
    )
}

/// The lines of the annotation: the message with notes, labels and help.
fn text(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut lines = vec![diagnostic.message.clone()];
    lines.extend(
        diagnostic
            .label
            .iter()
            .filter(|l| **l != diagnostic.message)
            .cloned(),
    );
    lines.extend(
        diagnostic
            .labels
            .iter()
            .map(|l| format!("{}: {}", sources.locate(l.span), l.message)),
    );
    lines.extend(diagnostic.notes.iter().map(|n| format!("note: {n}")));
    lines.extend(diagnostic.help.iter().map(|h| format!("help: {h}")));
    lines.join("\n")
}

/// Escapes characters that would end the message (GitHub's toolkit, `escapeData`).
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes characters that would end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn a_diagnostic_is_one_line_with_line_ends_escaped() {
        let mut sources = SourceMap::new();
        sources.add("a,b:c%.dfy", "x\nyy zz\n", true);
        let d = Diagnostic::warning("dead/proved", Span::new(5, 7), "100 % of `a::b`\nnever")
            .with_secondary(Span::new(0, 1), "here");
        assert_eq!(
            render(&d, &sources),
            "::warning file=a%2Cb%3Ac%25.dfy,line=2,endLine=2,col=4,endColumn=6,title=dead/proved::\
             100 %25 of `a::b`%0Anever%0Aa,b:c%25.dfy:1:1: here"
        );
        assert_eq!(
            render(&Diagnostic::global("cli/x", "m"), &sources),
            "::error title=cli/x::m"
        );
    }

    #[test]
    fn an_empty_span_still_has_a_column_and_one_over_lines_has_no_end_column() {
        let mut sources = SourceMap::new();
        sources.add("a.dfy", "x\ny\n", true);
        let at = |a, b| render(&Diagnostic::error("i", Span::new(a, b), "m"), &sources);
        assert_eq!(
            at(1, 1),
            "::error file=a.dfy,line=1,endLine=1,col=2,endColumn=3,title=i::m"
        );
        assert_eq!(
            at(0, 3),
            "::error file=a.dfy,line=1,endLine=2,col=1,title=i::m"
        );
    }
}
