//! The state of a resolution: what is declared, what is in scope, what was wrong.

use boogie_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::scopes::Scopes;
use crate::typed::{ConstructorId, FunctionId, ProcedureId, Program, Type, TypeId, VarId};
use crate::unify::Inference;

/// Which state an expression may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// None: axioms, definitions of functions.
    None,
    /// The current one.
    One,
    /// The current one and the one before.
    Two,
}

/// Everything that resolution knows.
#[derive(Default)]
pub(crate) struct Checker<'a> {
    pub(crate) program: Program,
    pub(crate) types: FxHashMap<Name, TypeId>,
    pub(crate) synonyms: FxHashMap<Name, &'a ast::TypeDecl>,
    /// Synonyms that are being expanded.
    pub(crate) expanding: Vec<Name>,
    pub(crate) functions: FxHashMap<Name, FunctionId>,
    pub(crate) procedures: FxHashMap<Name, ProcedureId>,
    pub(crate) globals: FxHashMap<Name, VarId>,
    pub(crate) constructors: FxHashMap<Name, Vec<ConstructorId>>,
    pub(crate) scopes: Scopes,
    pub(crate) state: Option<State>,
    /// Inside a trigger.
    pub(crate) in_trigger: bool,
    /// Procedures that are declared `pure`.
    pub(crate) pure: FxHashSet<ProcedureId>,
    /// Local variables that are declared `{:assumption}`.
    pub(crate) assumption_vars: FxHashSet<VarId>,
    /// `modifies` clauses whose names are still to be looked up.
    pub(crate) later_modifies: Vec<(ProcedureId, Vec<ast::Ident>, bool)>,
    /// What `{:id …}` named so far.
    pub(crate) ids: FxHashSet<Name>,
    pub(crate) inference: Inference,
    structure: Vec<Diagnostic>,
    names: Vec<Diagnostic>,
    typing: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Something wrong with labels, which is said before all else.
    pub(crate) fn structure_error(&mut self, span: Span, message: impl Into<String>) {
        self.structure
            .push(Diagnostic::error("boogie/labels", span, message));
    }

    /// Something wrong with a name.
    pub(crate) fn name_error(&mut self, span: Span, message: impl Into<String>) {
        self.names
            .push(Diagnostic::error("boogie/names", span, message));
    }

    /// Something wrong with a type.
    pub(crate) fn type_error(&mut self, span: Span, message: impl Into<String>) {
        self.typing
            .push(Diagnostic::error("boogie/types", span, message));
    }

    /// What was wrong: types are spoken of only where all names are known.
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

    /// A type in a message.
    pub(crate) fn text(&self, ty: &Type) -> String {
        self.program.type_text(&self.inference.known(ty, None))
    }

    /// Makes two types one; reports `message` with both where they cannot be.
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
