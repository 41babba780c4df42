//! Rendering of diagnostics on one line: `path:line:column: error: message [id]`.

use super::{Diagnostic, Severity};
use crate::SourceMap;

/// Renders one diagnostic, without a final newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = diagnostic
        .span
        .map_or_else(String::new, |s| format!("{}: ", sources.locate(s)));
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    format!(
        "{place}{severity}: {} [{}]",
        diagnostic.message, diagnostic.id
    )
}
