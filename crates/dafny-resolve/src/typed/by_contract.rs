//! The program in which some callables are known by their contracts alone, as the verifier knows them.

use std::collections::BTreeSet;

use super::{Body, CallableId, CallableKind, Clause, Expr, ExprKind, Literal, Program, Type};

impl Program {
    /// Methods and constructors with bodies: what the verifier knows by their contracts where they are called. It looks into functions, unless
    /// they are opaque.
    pub fn known_by_contract(&self) -> BTreeSet<CallableId> {
        let is_known = |c: &super::Callable| match c.kind {
            CallableKind::Method | CallableKind::Constructor => true,
            CallableKind::Function => c.opaque,
            CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate
            | CallableKind::Lemma => false,
        };
        (0..)
            .map(CallableId)
            .zip(&self.callables)
            .filter(|(_, c)| is_known(c) && !matches!(c.body, Body::None))
            .map(|(id, _)| id)
            .collect()
    }

    /// The same program without the bodies of these callables. One without postconditions may give any value.
    #[must_use]
    pub fn by_contract(mut self, callables: &BTreeSet<CallableId>) -> Self {
        for (id, c) in (0..).map(CallableId).zip(&mut self.callables) {
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
        self
    }
}
