//! Removes the branches of a compiled function that exist for its proof only.
//!
//! A branch of `if` may end in recursive calls that pass all compiled parameters unchanged, so that
//! only ghost parameters change. The value of the function then does not depend on the condition,
//! and only the other branch is compiled.
//! [`Program::whole_bodies`] keeps the bodies with all branches, which have proof obligations.

use crate::typed::{
    Call, CallableId, Control, ControlMut, Expr, ExprKind, Formal, LocalId, Origin, Pattern,
    PatternKind, Program,
};

/// Removes proof-only branches from the body of a compiled function. Returns the original body if a
/// branch was removed.
pub(super) fn prune(program: &Program, function: CallableId, e: &mut Expr) -> Option<Expr> {
    let mut whole = None;
    // Most functions have no such branch, so the body is copied only if there is one.
    if has_proofs(program, function, e) {
        whole = Some(e.clone());
        prune_here(program, function, e);
    }
    whole
}

/// The only branch of an `if` that is compiled.
enum Kept {
    Then,
    Else,
}

fn kept(program: &Program, function: CallableId, then: &Expr, els: &Expr) -> Option<Kept> {
    if hands_on(program, function, then) {
        Some(Kept::Else)
    } else {
        hands_on(program, function, els).then_some(Kept::Then)
    }
}

/// Whether a branch exists for the proof only.
fn has_proofs(program: &Program, function: CallableId, e: &Expr) -> bool {
    stacker::maybe_grow(
        super::super::expr::RED_ZONE,
        super::super::expr::STACK,
        || match e.control() {
            Control::If { then, els, .. } => {
                kept(program, function, then, els).is_some()
                    || has_proofs(program, function, then)
                    || has_proofs(program, function, els)
            }
            Control::Match { cases, .. } => {
                cases.iter().any(|c| has_proofs(program, function, &c.body))
            }
            Control::Let { body, .. } | Control::StmtExpr { body, .. } => {
                has_proofs(program, function, body)
            }
            Control::ShortCircuit { .. }
            | Control::Not(_)
            | Control::Chain { .. }
            | Control::IfBinding { .. } => false,
            Control::LetSuchThat { .. }
            | Control::LetOrFail(_)
            | Control::Delayed(_)
            | Control::Strict => false,
        },
    )
}

fn prune_here(program: &Program, function: CallableId, e: &mut Expr) {
    stacker::maybe_grow(
        super::super::expr::RED_ZONE,
        super::super::expr::STACK,
        || match e.control_mut() {
            ControlMut::If { then, els, .. } => {
                let kept = match kept(program, function, then, els) {
                    Some(Kept::Then) => then,
                    Some(Kept::Else) => els,
                    None => {
                        prune_here(program, function, then);
                        return prune_here(program, function, els);
                    }
                };
                // The remaining branch replaces the `if`, and may contain further ones.
                let error = Expr {
                    kind: ExprKind::Error,
                    ty: kept.ty.clone(),
                    span: kept.span,
                };
                let kept = std::mem::replace(kept, error);
                *e = kept;
                prune_here(program, function, e);
            }
            ControlMut::Match { cases, .. } => cases
                .iter_mut()
                .for_each(|c| prune_here(program, function, &mut c.body)),
            ControlMut::Let { body, .. } | ControlMut::StmtExpr { body, .. } => {
                prune_here(program, function, body)
            }
            ControlMut::ShortCircuit { .. }
            | ControlMut::Not(_)
            | ControlMut::Chain { .. }
            | ControlMut::IfBinding { .. } => {}
            ControlMut::LetSuchThat { .. }
            | ControlMut::LetOrFail(_)
            | ControlMut::Delayed(_)
            | ControlMut::Strict => {}
        },
    );
}

/// Whether every result of `e` is a recursive call that changes ghost parameters only.
fn hands_on(program: &Program, function: CallableId, e: &Expr) -> bool {
    Ends {
        program,
        function,
        bound: Vec::new(),
    }
    .all_handed_on(e)
}

/// Searches the results of an expression. A variable of a `var` expression counts as its value.
struct Ends<'e> {
    program: &'e Program,
    function: CallableId,
    bound: Vec<(LocalId, Option<&'e Expr>)>,
}

impl<'e> Ends<'e> {
    /// Whether all results are recursive calls that change ghost parameters only. Stops at the
    /// first other one.
    fn all_handed_on(&mut self, e: &'e Expr) -> bool {
        stacker::maybe_grow(
            super::super::expr::RED_ZONE,
            super::super::expr::STACK,
            || match e.control() {
                Control::If { then, els, .. } => {
                    self.all_handed_on(then) && self.all_handed_on(els)
                }
                Control::Match { cases, .. } => cases.iter().all(|c| self.all_handed_on(&c.body)),
                Control::StmtExpr { body, .. } => self.all_handed_on(body),
                Control::Let { bindings, body, .. } => {
                    let variable = |p: &Pattern| {
                        if let PatternKind::Var(l) = p.kind {
                            Some(l)
                        } else {
                            None
                        }
                    };
                    self.bound.extend(
                        bindings
                            .iter()
                            .filter_map(|(p, v)| Some((variable(p)?, Some(v)))),
                    );
                    self.all_handed_on(body)
                }
                Control::Strict => match e.kind.origin() {
                    // Each variable is followed once, which bounds the search.
                    Some(Origin::Local(l)) => {
                        let bound = self
                            .bound
                            .iter_mut()
                            .find(|(bound, _)| *bound == l)
                            .map(|(_, value)| value.take());
                        bound.is_some_and(|value| {
                            value.is_none_or(|value| self.all_handed_on(value))
                        })
                    }
                    Some(Origin::Call(call)) => self.is_handed_on(call),
                    Some(Origin::Field(_) | Origin::Function(_) | Origin::Ctor(..)) | None => false,
                },
                Control::ShortCircuit { .. }
                | Control::Not(_)
                | Control::Chain { .. }
                | Control::IfBinding { .. } => false,
                Control::LetSuchThat { .. } | Control::LetOrFail(_) | Control::Delayed(_) => false,
            },
        )
    }

    fn is_handed_on(&self, call: &Call) -> bool {
        let on_this = call
            .receiver
            .as_ref()
            .is_none_or(|r| matches!(r.kind, ExprKind::This));
        let ins = &self.program[self.function].ins;
        let is_ghost = |f: &Formal| self.program[f.local].ghost;
        let is_same = |f: &Formal, a: &Expr| matches!(&a.kind, ExprKind::Local(l) if *l == f.local);
        let mut args = ins.iter().zip(&call.args);
        // A call that changes no parameter does not terminate. It is no proof step and is kept as
        // written.
        let changes_ghost = args.clone().any(|(f, a)| is_ghost(f) && !is_same(f, a));
        call.callee == self.function
            && on_this
            && changes_ghost
            && args.all(|(f, a)| is_ghost(f) || is_same(f, a))
    }
}
