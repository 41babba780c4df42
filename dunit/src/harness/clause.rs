//! Clauses of a test: the run-time part of `require!`, `expect!` and `expect_eq!`.

use std::borrow::Cow;
use std::panic::panic_any;

use crate::print::{DafnyPrint, Shown};

use super::progress;

/// The kind of a clause, which determines the meaning of its failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// A precondition or a type constraint of an input: the test is not reliable.
    Require,
    /// A postcondition or an expected value: the unit is wrong.
    Expect,
}

/// The clause being evaluated. While it exists, a panic is reported as a panic of this clause.
pub struct Clause {
    kind: ClauseKind,
    text: String,
}

/// One side of a comparison that failed.
pub struct Side {
    /// `left`, `right`, `got`, `want`.
    pub role: &'static str,
    /// The expression of the test; empty if the role suffices.
    pub expression: &'static str,
    /// Its value, if it can be shown.
    pub value: Option<String>,
}

/// The payload of the panic of a failed clause.
pub(super) struct Broken {
    pub(super) kind: ClauseKind,
    pub(super) text: String,
    /// The conjunct that failed, if the clause has several.
    pub(super) conjunct: Option<Cow<'static, str>>,
    pub(super) sides: Vec<Side>,
}

/// Begins the evaluation of a clause; `text` has its location and source: `src/lib.dfy:2: n <=
/// |x|`.
pub fn enter(kind: ClauseKind, text: &(impl AsRef<str> + ?Sized)) -> Clause {
    let text = text.as_ref().to_owned();
    progress::evaluating(Some((kind, text.clone())));
    Clause { kind, text }
}

impl Clause {
    /// Reports that the clause, or this conjunct of it, does not hold.
    pub fn fail(self, conjunct: Option<&'static str>, sides: Vec<Side>) -> ! {
        self.broken(conjunct.map(Cow::Borrowed), sides)
    }

    /// Reports the place at which the clause does not hold.
    pub fn fail_at(self, place: String, sides: Vec<Side>) -> ! {
        self.broken(Some(Cow::Owned(place)), sides)
    }

    fn broken(self, conjunct: Option<Cow<'static, str>>, sides: Vec<Side>) -> ! {
        let broken = Broken {
            kind: self.kind,
            text: self.text.clone(),
            conjunct,
            sides,
        };
        drop(self);
        panic_any(broken)
    }
}

impl Drop for Clause {
    fn drop(&mut self) {
        // While a panic unwinds through the clause, the report still needs it.
        if !std::thread::panicking() {
            progress::evaluating(None);
        }
    }
}

/// A value of any type, which is shown if possible: `(&Probe(&x)).render()` uses [`RenderByPrint`]
/// if it applies, and [`RenderNothing`] otherwise.
pub struct Probe<'a, T: ?Sized>(pub &'a T);

/// The printed form of a value that has one.
pub trait RenderByPrint {
    /// `Some` text.
    fn render(&self) -> Option<String>;
}

impl<T: DafnyPrint + ?Sized> RenderByPrint for Probe<'_, T> {
    fn render(&self) -> Option<String> {
        Some(format!("{:#}", Shown(self.0)))
    }
}

/// The fallback for a value without a printed form.
pub trait RenderNothing {
    /// `None`.
    fn render(&self) -> Option<String>;
}

impl<T: ?Sized> RenderNothing for &Probe<'_, T> {
    fn render(&self) -> Option<String> {
        None
    }
}
