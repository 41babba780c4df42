//! Assumption variables (`ghost var {:assumption} a: bool`), which collect assumptions: they start
//! as true, and every assignment has the form `a := a && e`.

use rustc_hash::FxHashSet;

use crate::typed::{
    Arena, BinaryOp, Body, CallableId, Expr, ExprKind, Literal, LocalId, Rhs, Stmt, StmtKind,
    Target, Type,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::Check;

/// Checks the declarations of assumption variables.
pub(super) fn declared(c: &mut Check<'_>) {
    let program = c.program();
    let mut variables: Vec<LocalId> = c.cx.variables.assumptions.iter().copied().collect();
    variables.sort_by_key(|v| v.0);
    for v in variables {
        let local = &program[v];
        if local.ty != Type::Bool && local.ty != Type::Error {
            let message = format!(
                "the assumption variable `{}` must be of type bool, not {}",
                local.name,
                program.show_type(&local.ty)
            );
            c.error("resolve/assumption", local.span, message);
        }
        if !local.ghost {
            c.error(
                "resolve/assumption",
                local.span,
                format!("the assumption variable `{}` must be ghost", local.name),
            );
        }
    }
}

/// Checks the assignments to assumption variables.
pub(super) fn assigned(c: &mut Check<'_>) {
    if c.cx.variables.assumptions.is_empty() {
        return;
    }
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        if let Body::Block(b) | Body::ByMethod(_, b) = &program[id].body {
            visit::walk_block(
                &mut Assignments {
                    check: c,
                    seen: FxHashSet::default(),
                },
                b,
            );
        }
    }
}

struct Assignments<'a, 'b> {
    check: &'a mut Check<'b>,
    seen: FxHashSet<LocalId>,
}

impl Assignments<'_, '_> {
    fn assignment(&mut self, v: LocalId, value: &Rhs, span: Span) {
        // The initial value `true` is not in the text.
        let unwritten = matches!(value, Rhs::Expr(e) if e.span == span);
        if unwritten || !self.check.cx.variables.assumptions.contains(&v) {
            return;
        }
        // The initial value is not in the text either: the error is at the declaration.
        if matches!(value, Rhs::Expr(e) if e.span == span && matches!(e.kind, ExprKind::Literal(Literal::Bool(true))))
        {
            return;
        }
        let adds = |e: &Expr| matches!(&e.kind, ExprKind::Binary(BinaryOp::And, a, _) if matches!(a.kind, ExprKind::Local(l) if l == v));
        let fits = matches!(value, Rhs::Expr(e) if adds(e));
        if !fits || !self.seen.insert(v) {
            let name = &self.check.program()[v].name;
            let d = Diagnostic::error(
                "resolve/assumption",
                span,
                format!("invalid assignment to the assumption variable `{name}`"),
            );
            let help =
                format!("an assumption variable can be assigned once, by `{name} := {name} && …`");
            self.check.found.push(d.with_help(help));
        }
    }
}

impl<'t> Visit<'t> for Assignments<'_, '_> {
    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::Assign { pairs, .. } = &s.kind {
            for (target, value) in pairs {
                if let Target::Local(v) = target {
                    self.assignment(*v, value, s.span);
                }
            }
        }
        visit::walk_stmt(self, s);
    }
}
