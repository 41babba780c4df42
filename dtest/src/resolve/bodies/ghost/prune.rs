//! Branches of a compiled function that are for proofs only.
//!
//! Where a branch of `if` ends in recursive calls that hand on all compiled parameters as they are, so that only
//! ghost parameters change, the value does not depend on the condition, and only the other branch is compiled.

use crate::typed::{CallableId, Expr, ExprKind, PatternKind, Program};

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
    match &e.kind {
        ExprKind::If { then, els, .. } => hands_on(program, function, then) && hands_on(program, function, els),
        ExprKind::Match { cases, .. } => cases.iter().all(|c| hands_on(program, function, &c.body)),
        ExprKind::StmtExpr { body, .. } => hands_on(program, function, body),
        ExprKind::Let { bindings, body, .. } => {
            let mut value = &**body;
            while let ExprKind::StmtExpr { body, .. } = &value.kind {
                value = body;
            }
            let bound = match &value.kind {
                ExprKind::Local(l) => bindings.iter().find(|(p, _)| matches!(&p.kind, PatternKind::Var(v) if v == l)),
                _ => None,
            };
            hands_on(program, function, bound.map_or(value, |(_, v)| v))
        }
        ExprKind::Call(c) if c.callee == function => {
            let on_this = c.receiver.as_ref().is_none_or(|r| matches!(r.kind, ExprKind::This));
            let ins = &program[function].ins;
            let same =
                |(f, a): (&crate::typed::Formal, &Expr)| program[f.local].ghost || matches!(&a.kind, ExprKind::Local(l) if *l == f.local);
            on_this && ins.iter().zip(&c.args).all(same)
        }
        _ => false,
    }
}
