//! Why something has no translation, or is not executed, and how that is said.

use std::fmt;

use dafny_syntax::source::Span;

/// Why something has no translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What was left out, by its full Dafny name.
    pub what: String,
    /// Why.
    pub reason: Reason,
    /// Where the reason stands.
    pub span: Span,
}

/// Why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It needs something else that is not there: by its full Dafny name, and why that is not there.
    Needs(String, Missing),
    /// It is said of a clause: its ghost state cannot be kept.
    Untracked(String),
    /// A feature of the language that has no translation where it stands, in the user's terms.
    Feature(String),
}

/// Why something that is needed is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The program has no code for it.
    NotCompiled,
    /// It is a specification that cannot be executed.
    NotExecutable,
    /// It has no translation.
    Untranslated(Box<Reason>),
}

impl Reason {
    /// What is said of something that needs `what`, which has this reason: the need at the root of all.
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
    /// What is at the bottom of it: what is needed, and is needed by that, has this reason.
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
