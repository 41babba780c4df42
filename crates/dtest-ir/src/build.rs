//! Small constructors of IR expressions and blocks.

use num_bigint::BigInt;

use super::{Block, Expr, ExprKind, Op, Quantified, Stmt, Terminator, Var};
use crate::reason::Reason;
use dafny_resolve::typed::{Literal, Type};
use dafny_source::Span;

/// Creates a block without a goal.
pub fn block(stmts: Vec<Stmt>, terminator: Terminator, span: Span) -> Block {
    Block {
        stmts,
        terminator,
        goal: None,
        loop_head: None,
        span,
        begins: Vec::new(),
        jump: None,
    }
}

/// Creates an expression.
pub fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// Creates a read of a variable.
pub fn var(var: Var, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Var(var), ty, span)
}

/// Creates the application of an operator.
pub fn op(op: Op, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Op(op, args), ty, span)
}

/// Creates an expression for a construct that has no lowering.
pub fn unsupported(reason: impl Into<Reason>, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Unsupported(reason.into()), ty, span)
}

/// Creates `true` or `false`.
pub fn boolean(value: bool, span: Span) -> Expr {
    expr(ExprKind::Literal(Literal::Bool(value)), Type::Bool, span)
}

/// Creates an integer literal.
pub fn int(value: impl Into<BigInt>, ty: Type, span: Span) -> Expr {
    expr(ExprKind::Literal(Literal::Int(value.into())), ty, span)
}

/// Creates `!e`.
pub fn not(e: Expr) -> Expr {
    let span = e.span;
    op(Op::Not, vec![e], Type::Bool, span)
}

/// Creates `a && b`.
pub fn and(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    expr(ExprKind::And(Box::new(a), Box::new(b)), Type::Bool, span)
}

/// Creates `a || b`.
pub fn or(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    expr(ExprKind::Or(Box::new(a), Box::new(b)), Type::Bool, span)
}

/// Creates `if c then a else b`.
pub fn choose(c: Expr, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    expr(
        ExprKind::If(Box::new(c), Box::new(a), Box::new(b)),
        ty,
        span,
    )
}

/// Creates `exists vars :: true`; the condition is the range of `vars`.
pub fn exists(vars: Quantified, span: Span) -> Expr {
    expr(
        ExprKind::Quantifier {
            forall: false,
            vars,
            body: Box::new(boolean(true, span)),
        },
        Type::Bool,
        span,
    )
}

/// Binds variables around `body`, the first outermost.
pub fn lets(bindings: Vec<(Var, Expr)>, body: Expr) -> Expr {
    bindings.into_iter().rev().fold(body, |body, (var, value)| {
        let (ty, span) = (body.ty.clone(), body.span);
        expr(
            ExprKind::Let(var, Box::new(value), Box::new(body)),
            ty,
            span,
        )
    })
}

/// Whether the expression can be duplicated: evaluating it again costs nothing and gives the same
/// value.
pub fn is_atom(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Var(_)) || is_literal(e)
}

/// Whether the expression is a literal other than a string.
pub fn is_literal(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Literal(l) if !matches!(l, Literal::String(_)))
}
