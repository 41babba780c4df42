//! Substitution of the results of a callable in its contract.

use std::collections::BTreeMap;

use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{BinaryOp, Call, CallableId, Expr, ExprKind, Literal, LocalId, Type};

/// A substitution of variables and of the call of a function by itself.
#[derive(Clone, Default)]
pub(crate) struct Substitution {
    /// The replaced variables.
    pub(crate) locals: BTreeMap<LocalId, Expr>,
    /// A function whose calls with its own parameters are replaced: the function, its parameters
    /// and the result.
    pub(crate) own: Option<(CallableId, Vec<LocalId>, Expr)>,
    /// Whether nothing changes between the two states of the contract, so that `old(e)` is `e`.
    pub(crate) is_one_state: bool,
    /// Whether the receiver is new, although questions have it as an input: `fresh` of sets is about
    /// their other elements.
    pub(crate) is_receiver_new: bool,
}

impl Substitution {
    /// Returns the expression after the substitution.
    pub(crate) fn of(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        self.clone().expr(&mut e);
        e
    }

    /// Whether the call is one of the function with its own parameters, on the same receiver.
    fn is_own(&self, call: &Call) -> bool {
        let Some((callee, params, _)) = &self.own else {
            return false;
        };
        let is_same_receiver = call
            .receiver
            .as_ref()
            .is_none_or(|r| matches!(r.kind, ExprKind::This));
        call.callee == *callee
            && is_same_receiver
            && call.args.len() == params.len()
            && call
                .args
                .iter()
                .zip(params)
                .all(|(arg, p)| matches!(arg.kind, ExprKind::Local(l) if l == *p))
    }
}

impl Rewrite for Substitution {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Old { label: None, expr } = &e.kind
            && self.is_one_state
        {
            let inner = (**expr).clone();
            *e = inner;
            self.expr(e);
            return;
        }
        if self.is_receiver_new
            && let ExprKind::Fresh { expr, .. } = &mut e.kind
        {
            self.expr(expr);
            if matches!(expr.kind, ExprKind::This) {
                e.kind = ExprKind::Literal(Literal::Bool(true));
            } else if let Some(this) = set_of_receiver(expr) {
                let (span, ty) = (expr.span, expr.ty.clone());
                let others = ExprKind::Binary(BinaryOp::Sub, expr.clone(), Box::new(this));
                **expr = Expr {
                    kind: others,
                    ty,
                    span,
                };
            }
            return;
        }
        let replacement = if let ExprKind::Local(local) = &e.kind {
            self.locals.get(local)
        } else if let ExprKind::Call(call) = &e.kind
            && self.is_own(call)
        {
            self.own.as_ref().map(|(_, _, result)| result)
        } else {
            None
        };
        // Replacements refer to other variables than the contract, so they are not visited.
        match replacement {
            Some(replacement) => {
                e.kind = replacement.kind.clone();
                e.ty = replacement.ty.clone();
            }
            None => rewrite::walk_expr(self, e),
        }
    }
}

/// Returns `{this}` of the type of the set, if it is one.
fn set_of_receiver(set: &Expr) -> Option<Expr> {
    let Type::Set { elem, .. } = &set.ty else {
        return None;
    };
    let this = Expr {
        kind: ExprKind::This,
        ty: (**elem).clone(),
        span: set.span,
    };
    Some(Expr {
        kind: ExprKind::SetDisplay(vec![this]),
        ..set.clone()
    })
}

/// The parts of an expression that decide how it can be examined.
#[derive(Default)]
pub(crate) struct Mentions<'p> {
    /// The variables.
    pub(crate) locals: Vec<LocalId>,
    /// The callees.
    pub(crate) callees: Vec<CallableId>,
    /// Whether there is `old`, `unchanged` or a call in an earlier state.
    pub(crate) has_earlier_state: bool,
    /// Whether there is `fresh`.
    pub(crate) has_fresh: bool,
    /// Calls of functions with their arguments.
    pub(crate) calls: Vec<&'p Call>,
}

impl<'p> Mentions<'p> {
    /// Returns the parts of an expression.
    pub(crate) fn of(e: &'p Expr) -> Self {
        let mut mentions = Self::default();
        mentions.expr(e);
        mentions
    }
}

impl<'p> Visit<'p> for Mentions<'p> {
    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::Local(local) = &e.kind {
            self.locals.push(*local);
        } else if let ExprKind::FunctionRef { callee, .. } = &e.kind {
            self.callees.push(*callee);
        }
        self.has_earlier_state |=
            matches!(e.kind, ExprKind::Old { .. } | ExprKind::Unchanged { .. });
        self.has_fresh |= matches!(e.kind, ExprKind::Fresh { .. });
        visit::walk_expr(self, e);
    }

    fn call(&mut self, c: &'p Call) {
        self.callees.push(c.callee);
        self.calls.push(c);
        self.has_earlier_state |= c.at_label.is_some();
        visit::walk_call(self, c);
    }
}
