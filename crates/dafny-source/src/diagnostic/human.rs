//! Rendering of diagnostics for people, with the source line and a marker under it.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::{SourceMap, Span};

/// The maximum width of a line shown in full. The renderer trims longer lines around the marker.
const WIDTH: usize = 120;

/// Renders one diagnostic, without a final newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group: Group<'_> =
        Group::with_title(level.primary_title(&diagnostic.message).id(diagnostic.id));
    let mut places: Vec<(Span, AnnotationKind, Option<&str>)> = Vec::new();
    places.extend(
        diagnostic
            .span
            .map(|s| (s, AnnotationKind::Primary, diagnostic.label.as_deref())),
    );
    places.extend(
        diagnostic
            .labels
            .iter()
            .map(|l| (l.span, AnnotationKind::Context, Some(l.message.as_str()))),
    );
    // All labels in a file share its snippet.
    for (id, file) in sources.files() {
        let mut snippet = Snippet::source(&*file.text).path(&file.path).fold(true);
        let mut any = false;
        for (span, kind, label) in &places {
            if sources.file_at(span.start).map(|(i, _)| i) == Some(id) {
                snippet = snippet.annotation(kind.span(local_range(*span, file)).label(*label));
                any = true;
            }
        }
        if any {
            group = group.element(snippet);
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.term_width(WIDTH).render(&[group])
}

/// The span within its file, clamped to the text and rounded to character boundaries.
fn local_range(span: Span, file: &crate::SourceFile) -> std::ops::Range<usize> {
    let floor = |mut i: usize| {
        i = i.min(file.text.len());
        while !file.text.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    let start = floor(span.start.saturating_sub(file.base) as usize);
    let end = floor(span.end.saturating_sub(file.base) as usize).max(start);
    // Shorten a marker over many lines, which would hide the error, to its first line.
    let line_end = file
        .text
        .get(start..end)
        .and_then(|t| t.find('\n'))
        .map_or(end, |i| start + i);
    start..line_end.max(start)
}
