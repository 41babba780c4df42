//! Branches of a compiled function that are for proofs only.
//!
//! Where a branch of `if` ends in recursive calls that hand on all compiled parameters as they are, so that only
//! ghost parameters change, the value does not depend on the condition, and only the other branch is compiled.

use crate::typed::{
    Call, CallableId, Control, ControlMut, Expr, ExprKind, Formal, LocalId, Origin, Pattern,
    PatternKind, Program,
};

/// Takes such branches out of the body of a compiled function.
pub(super) fn prune(program: &Program, function: CallableId, e: &mut Expr) {
    prune_here(program, function, e);
}

fn prune_here(program: &Program, function: CallableId, e: &mut Expr) {
    stacker::maybe_grow(
        super::super::expr::RED_ZONE,
        super::super::expr::STACK,
        || match e.control_mut() {
            ControlMut::If { then, els, .. } => {
                let kept = if hands_on(program, function, then) {
                    els
                } else if hands_on(program, function, els) {
                    then
                } else {
                    prune_here(program, function, then);
                    return prune_here(program, function, els);
                };
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

/// Whether every value of `e` is a call that changes ghost parameters only.
fn hands_on(program: &Program, function: CallableId, e: &Expr) -> bool {
    Ends {
        program,
        function,
        bound: Vec::new(),
    }
    .of(e)
}

/// The expressions that an expression ends in; a variable of a `var` expression stands for what it is given.
struct Ends<'e> {
    program: &'e Program,
    function: CallableId,
    bound: Vec<(LocalId, Option<&'e Expr>)>,
}

impl<'e> Ends<'e> {
    /// Whether all are calls that change ghost parameters only; the first that is none ends the search.
    fn of(&mut self, e: &'e Expr) -> bool {
        stacker::maybe_grow(
            super::super::expr::RED_ZONE,
            super::super::expr::STACK,
            || match e.control() {
                Control::If { then, els, .. } => self.of(then) && self.of(els),
                Control::Match { cases, .. } => cases.iter().all(|c| self.of(&c.body)),
                Control::StmtExpr { body, .. } => self.of(body),
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
                    self.of(body)
                }
                Control::Strict => match e.kind.origin() {
                    // Each variable is looked into once.
                    Some(Origin::Local(l)) => {
                        let bound = self
                            .bound
                            .iter_mut()
                            .find(|(bound, _)| *bound == l)
                            .map(|(_, value)| value.take());
                        bound.is_some_and(|value| value.is_none_or(|value| self.of(value)))
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
        // A call that changes nothing never ends: it is no proof, and stays as it is written.
        let changes_ghost = args.clone().any(|(f, a)| is_ghost(f) && !is_same(f, a));
        call.callee == self.function
            && on_this
            && changes_ghost
            && args.all(|(f, a)| is_ghost(f) || is_same(f, a))
    }
}
