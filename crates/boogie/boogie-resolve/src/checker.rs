//! The state of resolution: declarations, scopes and diagnostics.
//!
//! [`Checker`] is the central type; the other modules extend it. Diagnostics are collected in three
//! groups, of which only the first non-empty one is reported.

use boogie_syntax::ast;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::scopes::Scopes;
use crate::typed::{ConstructorId, FunctionId, ProcedureId, Program, Type, TypeId, VarId};
use crate::unify::Inference;

/// The program states to which an expression may refer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// No state: axioms and definitions of functions.
    None,
    /// The current state.
    One,
    /// The current state and the old one.
    Two,
}

/// The state of resolution.
#[derive(Default)]
pub(crate) struct Checker<'a> {
    pub(crate) program: Program,
    pub(crate) types: FxHashMap<Name, TypeId>,
    pub(crate) synonyms: FxHashMap<Name, &'a ast::TypeDecl>,
    /// The synonyms being expanded.
    pub(crate) expanding: Vec<Name>,
    pub(crate) functions: FxHashMap<Name, FunctionId>,
    pub(crate) procedures: FxHashMap<Name, ProcedureId>,
    pub(crate) globals: FxHashMap<Name, VarId>,
    pub(crate) constructors: FxHashMap<Name, Vec<ConstructorId>>,
    pub(crate) scopes: Scopes,
    pub(crate) state: Option<State>,
    /// Whether a trigger is being resolved.
    pub(crate) in_trigger: bool,
    /// The procedures declared `pure`.
    pub(crate) pure: FxHashSet<ProcedureId>,
    /// The local variables declared `{:assumption}`.
    pub(crate) assumption_vars: FxHashSet<VarId>,
    /// The `modifies` clauses with names yet to be resolved.
    pub(crate) later_modifies: Vec<(ProcedureId, Vec<ast::Ident>, bool)>,
    /// The identifiers of `{:id …}` attributes so far.
    pub(crate) ids: FxHashSet<Name>,
    pub(crate) inference: Inference,
    structure: Vec<Diagnostic>,
    names: Vec<Diagnostic>,
    typing: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Reports an error concerning labels; these take precedence over all others.
    pub(crate) fn structure_error(&mut self, span: Span, message: impl Into<String>) {
        self.structure
            .push(Diagnostic::error("boogie/labels", span, message));
    }

    /// Reports an error concerning a name.
    pub(crate) fn name_error(&mut self, span: Span, message: impl Into<String>) {
        self.names
            .push(Diagnostic::error("boogie/names", span, message));
    }

    /// Reports an error concerning a type.
    pub(crate) fn type_error(&mut self, span: Span, message: impl Into<String>) {
        self.typing
            .push(Diagnostic::error("boogie/types", span, message));
    }

    /// Returns the program, or the errors of the first group that has any: types are checked only
    /// if all names are resolved.
    pub(crate) fn errors(self) -> Result<Program, Vec<Diagnostic>> {
        for mut found in [self.structure, self.names, self.typing] {
            if !found.is_empty() {
                found.sort_by_key(|d| d.span);
                found.dedup_by(|a, b| a.span == b.span && a.message == b.message);
                return Err(found);
            }
        }
        Ok(self.program)
    }

    /// Returns the text of a type for a message.
    pub(crate) fn text(&self, ty: &Type) -> String {
        self.program.type_text(&self.inference.known(ty, None))
    }

    /// Unifies two types; reports an error about `what` with both types if that is impossible.
    pub(crate) fn same(&mut self, found: &Type, expected: &Type, span: Span, what: &str) -> bool {
        let fits = self.inference.unify(found, expected);
        if !fits {
            let (found, expected) = (self.text(found), self.text(expected));
            self.type_error(
                span,
                format!("{what} must be of type `{expected}`, found `{found}`"),
            );
        }
        fits
    }
}
