//! Diagnostics about the user's program: one type, and a renderer in a file of its own for each
//! format.

pub mod github;
pub mod human;
pub mod json;
pub mod sarif;
pub mod short;

use crate::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The program, or the unit that contains the span, cannot be used.
    Error,
    /// A potential problem that stops nothing.
    Warning,
    /// Information about a correct program.
    Note,
}

/// A secondary span with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The source range.
    pub span: Span,
    /// The message for this span.
    pub message: String,
}

/// A step of the execution that leads to the diagnosed problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowStep {
    /// The source range.
    pub span: Span,
    /// The event at this step.
    pub message: String,
    /// The number of enclosing calls.
    pub depth: usize,
    /// The variables and their values.
    pub state: Vec<(String, String)>,
}

/// A message about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The stable id, `stage/kebab-case`, for example `resolve/unknown-name`.
    pub id: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The primary span. `None` for a message without a position in a file.
    pub span: Option<Span>,
    /// A sentence in lower case without a full stop, in Dafny's own terms.
    pub message: String,
    /// The text at the primary span, if different from the message.
    pub label: Option<String>,
    /// The secondary spans.
    pub labels: Vec<Label>,
    /// Background information.
    pub notes: Vec<String>,
    /// The suggested action.
    pub help: Option<String>,
    /// The execution that leads to the problem, if there is one.
    pub flow: Vec<FlowStep>,
}

impl Diagnostic {
    /// Creates an error at a span.
    pub fn error(id: impl Into<&'static str>, span: Span, message: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            severity: Severity::Error,
            span: Some(span),
            message: message.into(),
            label: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            flow: Vec::new(),
        }
    }

    /// Creates a warning at a span.
    pub fn warning(id: impl Into<&'static str>, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(id, span, message)
        }
    }

    /// Creates an error without a span.
    pub fn global(id: impl Into<&'static str>, message: impl Into<String>) -> Self {
        Self {
            span: None,
            ..Self::error(id, Span::default(), message)
        }
    }

    /// Sets the text at the primary span.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// Adds a secondary span.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds background information.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the suggested action.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the execution that leads to the problem.
    #[must_use]
    pub fn with_flow(mut self, flow: Vec<FlowStep>) -> Self {
        self.flow = flow;
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
