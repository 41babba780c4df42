//! `--enforce-determinism`: reports statements and declarations whose outcome the language leaves
//! open (reference manual, "Auto-initialization", and the catalogue of compiler errors,
//! `c_…_forbidden`).
//!
//! As in Dafny, every statement of a compiled body counts, even a ghost one. Dafny's verifier
//! proves that every field and array element is assigned before it is read.

use crate::typed::{
    Arena, Body, CallableId, CallableKind, FieldKind, Guard, Rhs, Stmt, StmtKind, TypeDecl,
    TypeDeclKind, TypeId,
    visit::{self, Visit},
};
use dafny_source::Span;

use super::{Check, is_extern};

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    if !program.options.enforce_determinism {
        return;
    }
    let types: Vec<TypeId> = program.ids();
    for id in types {
        declaration(c, &program[id]);
    }
    let callables: Vec<CallableId> = program.ids();
    for callable in callables
        .into_iter()
        .map(|id| &program[id])
        .filter(|callable| !callable.ghost)
    {
        match &callable.body {
            Body::Block(block) | Body::ByMethod(_, block) => Statements { check: c }.block(block),
            Body::None | Body::Expr(_) => {}
        }
    }
}

fn declaration(c: &mut Check<'_>, ty: &TypeDecl) {
    let program = c.program();
    match &ty.kind {
        TypeDeclKind::Iterator(parts) => {
            if !parts.yields.is_empty() {
                let message = "since yield parameters are initialized arbitrarily, iterators are forbidden by the --enforce-determinism option";
                c.error("resolve/determinism", ty.span, message.into());
            }
            parts
                .body
                .iter()
                .for_each(|block| Statements { check: c }.block(block));
        }
        TypeDeclKind::Class => {
            let has_constructor = ty
                .callables
                .iter()
                .any(|m| program[*m].kind == CallableKind::Constructor);
            let is_arbitrary = |kind: &FieldKind| match kind {
                FieldKind::Mutable | FieldKind::Const(None) => true,
                FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => false,
            };
            if !has_constructor
                && !is_extern(ty)
                && ty.fields.iter().any(|f| is_arbitrary(&program[*f].kind))
            {
                let message = "since fields are initialized arbitrarily, constructor-less classes are forbidden by the --enforce-determinism option";
                c.error("resolve/determinism", ty.span, message.into());
            }
        }
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract
        | TypeDeclKind::Trait { .. } => {}
    }
}

/// Visits the statements of a compiled body.
struct Statements<'c, 'p> {
    check: &'c mut Check<'p>,
}

impl Statements<'_, '_> {
    fn forbid(&mut self, what: &str, span: Span) {
        self.check.error(
            "resolve/determinism",
            span,
            format!("{what} forbidden by the --enforce-determinism option"),
        );
    }
}

impl<'t> Visit<'t> for Statements<'_, '_> {
    fn stmt(&mut self, s: &'t Stmt) {
        match &s.kind {
            StmtKind::Assign { pairs, .. }
                if pairs
                    .iter()
                    .any(|(_, value)| matches!(value, Rhs::Havoc(_))) =>
            {
                self.forbid("nondeterministic assignment", s.span);
            }
            StmtKind::SuchThat { .. } => self.forbid("assign-such-that statement", s.span),
            StmtKind::If {
                guard: Guard::Star, ..
            } => self.forbid("nondeterministic if statement", s.span),
            StmtKind::If {
                guard: Guard::Binding(_),
                ..
            } => self.forbid("binding if statement", s.span),
            // A single case leaves no choice: the program is invalid if its guard is false.
            StmtKind::IfCase(cases) if cases.len() > 1 => {
                self.forbid("case-based if statement", s.span)
            }
            StmtKind::While {
                guard: Guard::Star, ..
            } => self.forbid("nondeterministic loop", s.span),
            StmtKind::WhileCase { .. } => self.forbid("case-based loop", s.span),
            StmtKind::Modify { body: None, .. } => {
                self.forbid("modify statement without a body", s.span)
            }
            StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Assign { .. }
            | StmtKind::AssignPattern { .. }
            | StmtKind::Call { .. }
            | StmtKind::AssignOrFail(_)
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => {}
        }
        visit::walk_stmt(self, s);
    }
}
