//! What we tell the user about their program: one type, rendered by one file a format.

pub mod github;
pub mod human;
pub mod json;
pub mod sarif;
pub mod short;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The program cannot be used (or the unit that holds the place cannot).
    Error,
    /// Worth knowing; nothing stops.
    Warning,
    /// Nothing is wrong.
    Note,
}

/// A secondary place with what to say of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// A step on the way to what a message is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowStep {
    /// Where.
    pub span: Span,
    /// What happens there.
    pub message: String,
    /// How many calls are around it.
    pub depth: usize,
    /// Variables and their values.
    pub state: Vec<(String, String)>,
}

/// A message about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable identifier, `stage/kebab-case`, for example `resolve/unknown-name`.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where; `None` for what concerns no place in a file.
    pub span: Option<Span>,
    /// One sentence without a full stop, in lower case, Dafny's own terms.
    pub message: String,
    /// What to say at the primary span itself, if more than the message.
    pub label: Option<String>,
    /// Further places.
    pub labels: Vec<Label>,
    /// Background that helps to understand.
    pub notes: Vec<String>,
    /// What the user can do.
    pub help: Option<String>,
    /// The steps that lead there, where an execution does.
    pub flow: Vec<FlowStep>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            id,
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

    /// A warning at a place.
    pub fn warning(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(id, span, message)
        }
    }

    /// An error that concerns no place in a file.
    pub fn global(id: &'static str, message: impl Into<String>) -> Self {
        Self {
            span: None,
            ..Self::error(id, Span::default(), message)
        }
    }

    /// With a text at the primary span.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// With a further place.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// With background.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With what the user can do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With the steps that lead there.
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
