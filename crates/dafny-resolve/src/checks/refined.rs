//! Checks that the statements which a refining body adds do not change inherited state: they may
//! assign only to variables and fields that the refining module declares (reference manual,
//! "Refinement").

use crate::typed::{
    Arena, Block, Body, Call, CallableId, ExprKind, LocalId, Rhs, Stmt, StmtKind, Target,
    visit::{self, Visit},
};
use dafny_source::Span;

use super::Check;

/// Checks the statements in `added`, which have no counterpart in the refined body.
pub(super) fn check(c: &mut Check<'_>, added: &[Span]) {
    if added.is_empty() {
        return;
    }
    let program = c.program();
    for id in Arena::<CallableId>::ids(program) {
        if let Body::Block(b) | Body::ByMethod(_, b) = &program[id].body {
            let callable = &program[id];
            let formals = callable
                .ins
                .iter()
                .chain(&callable.outs)
                .map(|f| f.local)
                .collect();
            Added {
                check: c,
                added,
                of: id,
                formals,
            }
            .block(b);
        }
    }
}

struct Added<'a, 'b> {
    check: &'a mut Check<'b>,
    added: &'a [Span],
    of: CallableId,
    formals: Vec<LocalId>,
}

impl Added<'_, '_> {
    fn error(&mut self, span: Span, message: String) {
        self.check.error("resolve/refinement", span, message);
    }

    /// Whether a declaration comes from the module that the current module refines.
    fn is_inherited(&self, declared: Span, here: Span) -> bool {
        let module = |span: Span| self.check.cx.dependencies.module_at(span.start);
        module(declared) != module(here)
    }

    fn target(&mut self, target: &Target, span: Span) {
        let program = self.check.program();
        match target {
            Target::Local(l)
                if self.formals.contains(l) || self.is_inherited(program[*l].span, span) =>
            {
                let name = &program[*l].name;
                self.error(span, format!("a refining method cannot assign to the variable `{name}`, which the base declares"));
            }
            Target::Field { field, .. }
                if program[*field].module == program[self.of].module
                    && self.is_inherited(program[*field].span, span) =>
            {
                let name = &program[*field].name;
                self.error(span, format!("a refining method cannot assign to the field `{name}`, which the base declares"));
            }
            Target::Element { .. } => self.error(
                span,
                "a refining method cannot assign to elements of arrays".into(),
            ),
            Target::Local(_) | Target::Field { .. } | Target::Discard(_) => {}
        }
    }

    fn constructor(&mut self, call: &Call, span: Span) {
        let changes = |f: &crate::typed::Frame| {
            !matches!(
                f.object.as_ref().map(|e| &e.kind),
                None | Some(ExprKind::This)
            ) || f.star
        };
        if self.check.program()[call.callee]
            .spec
            .modifies
            .iter()
            .any(changes)
        {
            self.error(
                span,
                "a refining method cannot call a constructor that changes other objects".into(),
            );
        }
    }
}

impl<'t> Visit<'t> for Added<'_, '_> {
    fn block(&mut self, b: &'t Block) {
        for (i, s) in b.stmts.iter().enumerate() {
            // The assignment that `return e` implies has the span of the `return`. It may assign to
            // out-parameters.
            let returned = b
                .stmts
                .get(i + 1)
                .is_some_and(|next| matches!(next.kind, StmtKind::Return) && next.span == s.span);
            if !returned {
                self.stmt(s);
            }
        }
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if self.added.iter().any(|a| a.contains_span(s.span)) {
            if let StmtKind::Assign { pairs, .. } = &s.kind {
                for (target, rhs) in pairs {
                    self.target(target, s.span);
                    if let Rhs::New {
                        ctor: Some(call), ..
                    } = rhs
                    {
                        self.constructor(call, s.span);
                    }
                }
            } else {
                s.kind
                    .targets()
                    .into_iter()
                    .for_each(|t| self.target(t, s.span));
            }
        }
        visit::walk_stmt(self, s);
    }
}
