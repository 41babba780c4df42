//! Which expressions have control flow of their own.

use dafny_resolve::typed::{BinaryOp, UnaryOp};
use dafny_resolve::typed::{Expr, ExprCase, ExprKind, LetOrFail, Pattern, Quantified, Span, Stmt};

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
    /// A chained comparison: not every execution comes to the operands after the second.
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
        ExprKind::Chain { first, rest } if rest.len() > 1 => Control::Chain { first, rest },
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
