//! Small constructors of IR expressions.

use num_bigint::BigInt;

use crate::ir::{Expr, ExprKind, Op, Quantified, Var};
use dafny_resolve::typed::{Literal, Type};
use dafny_syntax::source::Span;

/// Any expression.
pub(super) fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// An operator.
pub(super) fn op(op: Op, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Op(op, args), ty, span)
}

/// A construct without a lowering.
pub(super) fn unsupported(reason: impl Into<String>, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Unsupported(reason.into()), ty, span)
}

/// `true`, `false`.
pub(super) fn boolean(value: bool, span: Span) -> Expr {
    expr(ExprKind::Literal(Literal::Bool(value)), Type::Bool, span)
}

/// An integer literal.
pub(super) fn int(value: i64, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Literal(Literal::Int(BigInt::from(value))), ty, span)
}

/// `!e`.
pub(super) fn not(e: Expr) -> Expr {
    let span = e.span;
    op(Op::Not, vec![e], Type::Bool, span)
}

/// `a && b`.
pub(super) fn and(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    expr(ExprKind::And(Box::new(a), Box::new(b)), Type::Bool, span)
}

/// `a || b`.
pub(super) fn or(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    expr(ExprKind::Or(Box::new(a), Box::new(b)), Type::Bool, span)
}

/// `if c then a else b`.
pub(super) fn choose(c: Expr, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    expr(ExprKind::If(Box::new(c), Box::new(a), Box::new(b)), ty, span)
}

/// `exists vars :: true`, the range being within `vars`.
pub(super) fn exists(vars: Quantified, span: Span) -> Expr {
    expr(ExprKind::Quantifier { forall: false, vars, body: Box::new(boolean(true, span)) }, Type::Bool, span)
}

/// Variables bound around `body`, the first outermost.
pub(super) fn lets(bindings: Vec<(Var, Expr)>, body: Expr) -> Expr {
    bindings.into_iter().rev().fold(body, |body, (var, value)| {
        let (ty, span) = (body.ty.clone(), body.span);
        expr(ExprKind::Let(var, Box::new(value), Box::new(body)), ty, span)
    })
}

/// Whether evaluating the expression again costs nothing and gives the same.
pub(super) fn is_atom(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Var(_)) || is_literal(e)
}

/// Whether it is a literal other than a string.
pub(super) fn is_literal(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Literal(l) if !matches!(l, Literal::String(_)))
}
