//! Clauses of a test: what `require!`, `expect!` and `expect_eq!` expand to.

use std::borrow::Cow;
use std::panic::panic_any;

use crate::print::{DafnyPrint, Shown};

use super::progress;

/// What a broken clause means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// A precondition or a type constraint of an input: the test is not reliable.
    Require,
    /// A postcondition or an expected value: the unit is wrong.
    Expect,
}

/// The clause being evaluated. While it lives, a panic is reported as one of this clause.
pub struct Clause {
    kind: ClauseKind,
    text: String,
}

/// One side of a comparison that failed.
pub struct Side {
    /// `left`, `right`, `got`, `want`.
    pub role: &'static str,
    /// The expression of the test; empty where the role says it all.
    pub expression: &'static str,
    /// Its value, where it can be shown.
    pub value: Option<String>,
}

/// The payload of the panic of a broken clause.
pub(super) struct Broken {
    pub(super) kind: ClauseKind,
    pub(super) text: String,
    /// The conjunct that failed, where the clause has several.
    pub(super) conjunct: Option<Cow<'static, str>>,
    pub(super) sides: Vec<Side>,
}

/// Begins the evaluation of a clause, of which `text` gives location and source: `src/lib.dfy:2: n <= |x|`.
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

    /// Reports where the clause does not hold.
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
        // While a panic unwinds through the clause, the report still has to know of it.
        if !std::thread::panicking() {
            progress::evaluating(None);
        }
    }
}

/// A value of any type, shown if it can be: `(&Probe(&x)).render()` takes [`RenderByPrint`] where it applies, and
/// [`RenderNothing`] elsewhere.
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

/// Nothing, for a value without a printed form.
pub trait RenderNothing {
    /// `None`.
    fn render(&self) -> Option<String>;
}

impl<T: ?Sized> RenderNothing for &Probe<'_, T> {
    fn render(&self) -> Option<String> {
        None
    }
}
