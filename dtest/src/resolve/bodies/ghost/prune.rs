//! Branches of a compiled function that are for proofs only.
//!
//! Where a branch of `if` ends in recursive calls that hand on all compiled parameters as they are, so that only
//! ghost parameters change, the value does not depend on the condition, and only the other branch is compiled.

use crate::typed::{CallableId, Expr, ExprKind, LocalId, Pattern, PatternKind, Program};

/// Takes such branches out of the body of a compiled function.
pub(super) fn prune(program: &Program, function: CallableId, e: &mut Expr) {
    if program[function].ins.iter().any(|f| program[f.local].ghost) {
        prune_here(program, function, e);
    }
}

fn prune_here(program: &Program, function: CallableId, e: &mut Expr) {
    stacker::maybe_grow(super::super::expr::RED_ZONE, super::super::expr::STACK, || match &mut e.kind {
        ExprKind::If { then, els, .. } => {
            let kept = if hands_on(program, function, then) {
                Some(els)
            } else if hands_on(program, function, els) {
                Some(then)
            } else {
                None
            };
            match kept {
                Some(kept) => {
                    let error = Expr { kind: ExprKind::Error, ty: kept.ty.clone(), span: kept.span };
                    let kept = std::mem::replace(&mut **kept, error);
                    *e = kept;
                    prune_here(program, function, e);
                }
                None => {
                    if let ExprKind::If { then, els, .. } = &mut e.kind {
                        prune_here(program, function, then);
                        prune_here(program, function, els);
                    }
                }
            }
        }
        ExprKind::Match { cases, .. } => cases.iter_mut().for_each(|c| prune_here(program, function, &mut c.body)),
        ExprKind::Let { body, .. } | ExprKind::StmtExpr { body, .. } => prune_here(program, function, body),
        _ => {}
    });
}

/// Whether every value of `e` is a call that changes ghost parameters only.
fn hands_on(program: &Program, function: CallableId, e: &Expr) -> bool {
    let mut ends = Ends { bound: Vec::new(), found: Vec::new() };
    ends.of(e);
    ends.found.into_iter().all(|end| match &end.kind {
        ExprKind::Call(c) if c.callee == function => {
            let on_this = c.receiver.as_ref().is_none_or(|r| matches!(r.kind, ExprKind::This));
            let ins = &program[function].ins;
            let same =
                |(f, a): (&crate::typed::Formal, &Expr)| program[f.local].ghost || matches!(&a.kind, ExprKind::Local(l) if *l == f.local);
            on_this && ins.iter().zip(&c.args).all(same)
        }
        _ => false,
    })
}

/// The expressions that an expression ends in; a variable of a `var` expression stands for what it is given.
struct Ends<'e> {
    bound: Vec<(LocalId, Option<&'e Expr>)>,
    found: Vec<&'e Expr>,
}

impl<'e> Ends<'e> {
    fn of(&mut self, e: &'e Expr) {
        stacker::maybe_grow(super::super::expr::RED_ZONE, super::super::expr::STACK, || self.of_here(e));
    }

    fn of_here(&mut self, e: &'e Expr) {
        match &e.kind {
            ExprKind::If { then, els, .. } => [then, els].into_iter().for_each(|x| self.of(x)),
            ExprKind::Match { cases, .. } => cases.iter().for_each(|c| self.of(&c.body)),
            ExprKind::StmtExpr { body, .. } => self.of(body),
            ExprKind::Let { bindings, body, .. } => {
                let variable = |p: &Pattern| if let PatternKind::Var(l) = p.kind { Some(l) } else { None };
                self.bound.extend(bindings.iter().filter_map(|(p, v)| Some((variable(p)?, Some(v)))));
                self.of(body);
            }
            ExprKind::Local(l) => match self.bound.iter_mut().find(|(bound, _)| bound == l) {
                // Each is looked into once.
                Some((_, value)) => {
                    if let Some(value) = value.take() {
                        self.of(value);
                    }
                }
                None => self.found.push(e),
            },
            _ => self.found.push(e),
        }
    }
}
