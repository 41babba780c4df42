//! Rendering of diagnostics as JSON, one object per line.

use serde::Serialize;

use super::{Diagnostic, Severity};
use crate::{SourceMap, Span};

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct Message<'a> {
    kind: &'static str,
    id: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    primary: Option<Place<'a>>,
    secondary: Vec<Place<'a>>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

/// Renders one diagnostic as a line of JSON, without the newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let message = Message {
        kind: "diagnostic",
        id: diagnostic.id,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: &diagnostic.message,
        primary: diagnostic
            .span
            .and_then(|s| place(s, diagnostic.label.as_deref(), sources)),
        secondary: diagnostic
            .labels
            .iter()
            .filter_map(|l| place(l.span, Some(&l.message), sources))
            .collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
    };
    // Serialization of strings and numbers cannot fail.
    serde_json::to_string(&message).unwrap_or_default()
}

fn place<'a>(span: Span, message: Option<&'a str>, sources: &'a SourceMap) -> Option<Place<'a>> {
    let (_, file) = sources.file_at(span.start)?;
    let (from, to) = (
        sources.line_column(span.start)?,
        sources.line_column(span.end)?,
    );
    Some(Place {
        path: &file.path,
        line: from.line,
        column: from.column,
        end_line: to.line,
        end_column: to.column,
        message,
    })
}
