//! Which expressions have control flow of their own.

use crate::typed::{BinaryOp, UnaryOp};
use crate::typed::{Expr, ExprCase, ExprKind, LetOrFail, Pattern, Quantified, Span, Stmt};

/// The control flow at the root of an expression.
pub(super) enum Control<'p> {
    /// `left && right`, `left ==> right` (both where `right` is evaluated on true), `left || right`.
    ShortCircuit {
        op: ShortCircuit,
        left: &'p Expr,
        right: &'p Expr,
    },
    /// `!e`.
    Not(&'p Expr),
    If {
        cond: &'p Expr,
        then: &'p Expr,
        els: &'p Expr,
    },
    IfBinding {
        vars: &'p Quantified,
        then: &'p Expr,
        els: &'p Expr,
    },
    Match {
        scrutinee: &'p Expr,
        cases: &'p [ExprCase],
    },
    Let {
        ghost: bool,
        bindings: &'p [(Pattern, Expr)],
        body: &'p Expr,
    },
    LetSuchThat {
        vars: &'p Quantified,
        body: &'p Expr,
        span: Span,
    },
    LetOrFail(&'p LetOrFail),
    StmtExpr {
        stmt: &'p Stmt,
        body: &'p Expr,
    },
    /// A chained comparison with control flow in an operand that not every execution comes to.
    Chain {
        first: &'p Expr,
        rest: &'p [(BinaryOp, Expr)],
    },
    /// Strict: operands are evaluated one after the other.
    None,
}

/// The short-circuit operators; `a <== b` is `b ==> a`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShortCircuit {
    And,
    Or,
    Implies,
}

impl ShortCircuit {
    /// The value of the left operand with which the right one is evaluated.
    pub(super) fn goes_on_with(self) -> bool {
        match self {
            Self::And | Self::Implies => true,
            Self::Or => false,
        }
    }

    /// The value of the whole where the right operand is not evaluated.
    pub(super) fn otherwise(self) -> bool {
        match self {
            Self::And => false,
            Self::Or | Self::Implies => true,
        }
    }
}

/// Looks at the root of an expression.
pub(super) fn control(e: &Expr) -> Control<'_> {
    match &e.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => Control::ShortCircuit { op: ShortCircuit::And, left, right },
        ExprKind::Binary(BinaryOp::Or, left, right) => Control::ShortCircuit { op: ShortCircuit::Or, left, right },
        ExprKind::Binary(BinaryOp::Implies, left, right) | ExprKind::Binary(BinaryOp::Explies, right, left) => {
            Control::ShortCircuit { op: ShortCircuit::Implies, left, right }
        }
        ExprKind::Unary(UnaryOp::Not, operand) => Control::Not(operand),
        ExprKind::If { cond, then, els } => Control::If { cond, then, els },
        ExprKind::IfBinding { vars, then, els } => Control::IfBinding { vars, then, els },
        ExprKind::Match { scrutinee, cases } => Control::Match { scrutinee, cases },
        ExprKind::Let { ghost, bindings, body } => Control::Let { ghost: *ghost, bindings, body },
        ExprKind::LetSuchThat { vars, body, .. } => Control::LetSuchThat { vars, body, span: e.span },
        ExprKind::LetOrFail(l) => Control::LetOrFail(l),
        ExprKind::StmtExpr { stmt, body } => Control::StmtExpr { stmt, body },
        ExprKind::Chain { first, rest } if rest.iter().skip(1).any(|(_, e)| has_decision(e)) => Control::Chain { first, rest },
        ExprKind::Chain { .. }
        | ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::This
        | ExprKind::Field { .. }
        | ExprKind::Builtin { .. }
        | ExprKind::CtorTest { .. }
        | ExprKind::TupleField { .. }
        | ExprKind::Construct { .. }
        | ExprKind::Call(_)
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
        | ExprKind::Delayed(_)
        | ExprKind::Old { .. }
        | ExprKind::Fresh { .. }
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged { .. }
        | ExprKind::Assigned(_)
        | ExprKind::Wildcard
        | ExprKind::Error => Control::None,
    }
}

/// Whether the value of an expression depends on control flow at its root, so that it needs a variable.
pub(super) fn decides(e: &Expr) -> bool {
    match control(e) {
        Control::ShortCircuit { .. }
        | Control::If { .. }
        | Control::IfBinding { .. }
        | Control::Match { .. }
        | Control::LetOrFail(_)
        | Control::Chain { .. } => true,
        Control::Not(_) | Control::Let { .. } | Control::LetSuchThat { .. } | Control::StmtExpr { .. } | Control::None => false,
    }
}

/// Whether an expression has control flow anywhere outside binders.
fn has_decision(e: &Expr) -> bool {
    stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
        if decides(e) {
            return true;
        }
        let any = |es: &[Expr]| es.iter().any(has_decision);
        match &e.kind {
            ExprKind::Field { object, .. } => object.as_deref().is_some_and(has_decision),
            ExprKind::FunctionRef { receiver, .. } => receiver.as_deref().is_some_and(has_decision),
            ExprKind::Builtin { object: e, .. }
            | ExprKind::CtorTest { object: e, .. }
            | ExprKind::TupleField { object: e, .. }
            | ExprKind::Unary(_, e)
            | ExprKind::Convert(e)
            | ExprKind::Is(e, _)
            | ExprKind::Cardinality(e)
            | ExprKind::MultisetFrom(e)
            | ExprKind::Assigned(e)
            | ExprKind::Allocated(e)
            | ExprKind::Old { expr: e, .. }
            | ExprKind::Fresh { expr: e, .. }
            | ExprKind::LetSuchThat { body: e, .. } => has_decision(e),
            ExprKind::Construct { args, .. }
            | ExprKind::Tuple(args)
            | ExprKind::SeqDisplay(args)
            | ExprKind::SetDisplay(args)
            | ExprKind::MultisetDisplay(args) => any(args),
            ExprKind::Call(c) => c.receiver.as_deref().is_some_and(has_decision) || any(&c.args),
            ExprKind::Apply { function: e, args } | ExprKind::Index { object: e, indices: args } => has_decision(e) || any(args),
            ExprKind::SliceLengths { object: e, lengths: args, .. } => has_decision(e) || any(args),
            ExprKind::Slice { object, from, to } => {
                has_decision(object) || from.as_deref().is_some_and(has_decision) || to.as_deref().is_some_and(has_decision)
            }
            ExprKind::Update { object, key, value } => has_decision(object) || has_decision(key) || has_decision(value),
            ExprKind::DatatypeUpdate { object, updates, .. } => has_decision(object) || updates.iter().any(|u| has_decision(&u.1)),
            ExprKind::TupleUpdate { object, updates } => has_decision(object) || updates.iter().any(|u| has_decision(&u.1)),
            ExprKind::Binary(_, a, b) | ExprKind::SeqConstruct { len: a, init: b } => has_decision(a) || has_decision(b),
            ExprKind::PrefixEq { left, right, .. } => has_decision(left) || has_decision(right),
            ExprKind::Chain { first, rest } => has_decision(first) || rest.iter().any(|r| has_decision(&r.1)),
            ExprKind::MapDisplay(pairs) => pairs.iter().any(|(k, v)| has_decision(k) || has_decision(v)),
            ExprKind::Let { bindings, body, .. } => has_decision(body) || bindings.iter().any(|b| has_decision(&b.1)),
            ExprKind::StmtExpr { .. } => true,
            ExprKind::If { .. } | ExprKind::IfBinding { .. } | ExprKind::Match { .. } | ExprKind::LetOrFail(_) => true,
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::This
            | ExprKind::SetComp { .. }
            | ExprKind::MapComp { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::Lambda(_)
            | ExprKind::Delayed(_)
            | ExprKind::Unchanged { .. }
            | ExprKind::Wildcard
            | ExprKind::Error => false,
        }
    })
}
