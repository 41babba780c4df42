//! The reasons why an item has no translation or a clause is not executed, with their texts.

use std::fmt;

use dafny_source::Span;

/// An item without a translation, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// The item that is left out, by its full Dafny name.
    pub what: String,
    /// The reason.
    pub reason: Reason,
    /// The span of the reason.
    pub span: Span,
}

/// The reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It needs a missing item: its full Dafny name, and the reason why it is missing.
    Needs(String, Missing),
    /// For a clause: its ghost state cannot be tracked.
    Untracked(String),
    /// A language feature that has no translation at this place, described for the user.
    Feature(String),
}

/// The reason why a needed item is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The program has no compiled code for it.
    NotCompiled,
    /// It is a specification that cannot be executed.
    NotExecutable,
    /// It has no translation.
    Untranslated(Box<Reason>),
}

impl Reason {
    /// Returns the reason for an item that needs `what`, which has this reason; only the root of a
    /// chain is kept.
    pub(crate) fn passed_on(&self, what: &str) -> Self {
        match self {
            Self::Needs(..) => self.clone(),
            Self::Untracked(_) | Self::Feature(_) => Self::Needs(
                what.to_owned(),
                Missing::Untranslated(Box::new(self.clone())),
            ),
        }
    }
}

impl Reason {
    /// Returns the reason at the root of a chain of needs.
    pub fn root(&self) -> &Self {
        match self {
            Self::Needs(_, Missing::Untranslated(why)) => why.root(),
            Self::Needs(_, Missing::NotCompiled | Missing::NotExecutable)
            | Self::Untracked(_)
            | Self::Feature(_) => self,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Needs(what, Missing::NotCompiled) => {
                write!(f, "needs `{what}`, which is not compiled")
            }
            Self::Needs(what, Missing::NotExecutable) => {
                write!(f, "needs `{what}`, which is not executable")
            }
            Self::Needs(what, Missing::Untranslated(why)) => write!(f, "needs `{what}`: {why}"),
            Self::Untracked(text) | Self::Feature(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Reason {}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Self::Feature(text)
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        Self::Feature(text.to_owned())
    }
}
