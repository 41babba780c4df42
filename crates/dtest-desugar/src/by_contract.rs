//! Programs in which some callables are known only by their contracts, as the verifier knows them.

use std::collections::BTreeSet;

use dafny_source::Span;

use dafny_resolve::typed::rewrite::{Rewrite, walk_stmt};
use dafny_resolve::typed::{
    Body, Callable, CallableId, CallableKind, Clause, Expr, ExprKind, Literal, Program, Stmt,
    StmtKind, Type,
};

/// The callables that callers know only by their contracts: methods and constructors with
/// bodies. The verifier unfolds functions unless they are opaque.
pub fn known_by_contract(program: &Program) -> BTreeSet<CallableId> {
    let is_known = |c: &Callable| match c.kind {
        CallableKind::Method | CallableKind::Constructor => true,
        CallableKind::Function => c.opaque,
        CallableKind::TwostateFunction
        | CallableKind::LeastPredicate
        | CallableKind::GreatestPredicate
        | CallableKind::Lemma => false,
    };
    (0..)
        .map(CallableId)
        .zip(&program.callables)
        .filter(|(_, c)| is_known(c) && !matches!(c.body, Body::None))
        .map(|(id, _)| id)
        .collect()
}

/// Removes the bodies of the given callables, as `unit` knows them. A callable without
/// postconditions may then return any value. Returns the callable that has the body of `unit`: if
/// `unit` is one of the given callables, a copy, whose recursive calls are of the original.
#[must_use]
pub fn by_contract(
    mut program: Program,
    callables: &BTreeSet<CallableId>,
    unit: CallableId,
) -> (Program, CallableId) {
    let mut whole = unit;
    if callables.contains(&unit) {
        whole = CallableId(program.callables.len() as u32);
        let copy = program[unit].clone();
        program.callables.push(copy);
        // The copy has the measure of the original, so that it belongs to the same cycle.
        let circle = program.circles.get(unit.0 as usize).copied();
        program.circles.extend(circle);
    }
    for (id, c) in (0..).map(CallableId).zip(&mut program.callables) {
        if !callables.contains(&id) {
            continue;
        }
        c.body = Body::None;
        if c.spec.ensures.is_empty() {
            let cond = Expr {
                kind: ExprKind::Literal(Literal::Bool(true)),
                ty: Type::Bool,
                span: c.span,
            };
            c.spec.ensures.push(Clause {
                cond,
                label: None,
                span: c.span,
            });
        }
    }
    (program, whole)
}

/// Removes labelled conditions from a callable, as the verifier does where they are not revealed:
/// preconditions and assertions, by their spans.
#[must_use]
pub fn without_conditions(mut program: Program, unit: CallableId, hidden: &[Span]) -> Program {
    struct Hide<'h>(&'h [Span]);
    impl Rewrite for Hide<'_> {
        fn stmt(&mut self, s: &mut Stmt) {
            if let StmtKind::Assert { cond, .. } = &mut s.kind
                && self.0.contains(&cond.span)
            {
                cond.kind = ExprKind::Literal(Literal::Bool(true));
            }
            walk_stmt(self, s);
        }
    }
    let callable = &mut program[unit];
    callable
        .spec
        .requires
        .retain(|c| !hidden.contains(&c.cond.span));
    if let Body::Block(b) | Body::ByMethod(_, b) = &mut callable.body {
        Hide(hidden).block(b);
    }
    program
}
