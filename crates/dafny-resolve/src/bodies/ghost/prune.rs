//! Branches of a compiled function that are for proofs only.
//!
//! Where a branch of `if` ends in recursive calls that hand on all compiled parameters as they are, so that only
//! ghost parameters change, the value does not depend on the condition, and only the other branch is compiled.

use crate::typed::{Call, CallableId, Expr, ExprKind, Formal, LocalId, Pattern, PatternKind, Program};

/// Takes such branches out of the body of a compiled function.
pub(super) fn prune(program: &Program, function: CallableId, e: &mut Expr) {
    prune_here(program, function, e);
}

fn prune_here(program: &Program, function: CallableId, e: &mut Expr) {
    stacker::maybe_grow(super::super::expr::RED_ZONE, super::super::expr::STACK, || {
        if let ExprKind::If { then, els, .. } = &mut e.kind {
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
        } else if let ExprKind::Match { cases, .. } = &mut e.kind {
            cases.iter_mut().for_each(|c| prune_here(program, function, &mut c.body));
        } else if let ExprKind::Let { body, .. } | ExprKind::StmtExpr { body, .. } = &mut e.kind {
            prune_here(program, function, body);
        }
    });
}

/// Whether every value of `e` is a call that changes ghost parameters only.
fn hands_on(program: &Program, function: CallableId, e: &Expr) -> bool {
    Ends { program, function, bound: Vec::new() }.of(e)
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
        stacker::maybe_grow(super::super::expr::RED_ZONE, super::super::expr::STACK, || match &e.kind {
            ExprKind::If { then, els, .. } => self.of(then) && self.of(els),
            ExprKind::Match { cases, .. } => cases.iter().all(|c| self.of(&c.body)),
            ExprKind::StmtExpr { body, .. } => self.of(body),
            ExprKind::Let { bindings, body, .. } => {
                let variable = |p: &Pattern| if let PatternKind::Var(l) = p.kind { Some(l) } else { None };
                self.bound.extend(bindings.iter().filter_map(|(p, v)| Some((variable(p)?, Some(v)))));
                self.of(body)
            }
            // Each variable is looked into once.
            ExprKind::Local(l) => {
                let bound = self.bound.iter_mut().find(|(bound, _)| bound == l).map(|(_, value)| value.take());
                bound.is_some_and(|value| value.is_none_or(|value| self.of(value)))
            }
            ExprKind::Call(call) => self.is_handed_on(call),
            ExprKind::Literal(_)
            | ExprKind::This
            | ExprKind::Field { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::CtorTest { .. }
            | ExprKind::TupleField { .. }
            | ExprKind::Construct { .. }
            | ExprKind::Delayed(_)
            | ExprKind::FunctionRef { .. }
            | ExprKind::Apply { .. }
            | ExprKind::Index { .. }
            | ExprKind::Slice { .. }
            | ExprKind::SliceLengths { .. }
            | ExprKind::Update { .. }
            | ExprKind::DatatypeUpdate { .. }
            | ExprKind::TupleUpdate { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Chain { .. }
            | ExprKind::PrefixEq { .. }
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Cardinality(_)
            | ExprKind::Tuple(_)
            | ExprKind::SeqDisplay(_)
            | ExprKind::SetDisplay(_)
            | ExprKind::MultisetDisplay(_)
            | ExprKind::MultisetFrom(_)
            | ExprKind::MapDisplay(_)
            | ExprKind::SeqConstruct { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::MapComp { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::Lambda(_)
            | ExprKind::IfBinding { .. }
            | ExprKind::LetSuchThat { .. }
            | ExprKind::LetOrFail(_)
            | ExprKind::Old { .. }
            | ExprKind::Fresh { .. }
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged { .. }
            | ExprKind::Assigned(_)
            | ExprKind::Wildcard
            | ExprKind::Error => false,
        })
    }

    fn is_handed_on(&self, call: &Call) -> bool {
        let on_this = call.receiver.as_ref().is_none_or(|r| matches!(r.kind, ExprKind::This));
        let ins = &self.program[self.function].ins;
        let same = |(f, a): (&Formal, &Expr)| self.program[f.local].ghost || matches!(&a.kind, ExprKind::Local(l) if *l == f.local);
        call.callee == self.function && on_this && ins.iter().zip(&call.args).all(same)
    }
}
