//! Replaces an expression by a longer one with the same value: `e + 0`, `!!e`, `e + []`,
//! `(var x := e; x)`, `(if true then e else e)`.
//!
//! Only built-in types are rewritten, whose neutral elements are neutral in every context. For
//! values of subset types, newtypes and references, more than the type may be known at the place.
//! Recursive calls stay in tail position, where a compiler makes a loop of them. Real literals are
//! only bound to variables, because their digits may be printed.

use dafny_resolve::typed::visit::{Visit, walk_call};
use dafny_resolve::typed::{self, Call, CallableId, Type};
use dafny_syntax::ast::{BinaryOp, Expr, ExprKind, File, Guard, UnaryOp};

use super::find::in_exprs;
use crate::build::{binary, boolean, expr, int, let_in, not, paren, var};
use crate::driver::Dialect;
use crate::edit::replace_expr;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::types::is_undeclared;

/// The expressions of such types.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    in_exprs(work, |cx, e| {
        let typed = work.facts.typed(e)?;
        let is_written = !matches!(e.kind, ExprKind::Paren(_));
        let is_plain = is_undeclared(&typed.ty) && !matches!(typed.ty, Type::Tuple(_));
        let in_function = cx
            .callable
            .filter(|c| work.facts.program[*c].kind.is_function());
        if !is_written || !is_plain || in_function.is_some_and(|c| calls(typed, c)) {
            return None;
        }
        Some(Place::new(e.span, move |rng, names| {
            change(work, e, &typed.ty, rng, names)
        }))
    })
}

fn calls(e: &typed::Expr, callable: CallableId) -> bool {
    struct Calls(CallableId, bool);
    impl<'t> Visit<'t> for Calls {
        fn call(&mut self, c: &'t Call) {
            self.1 |= c.callee == self.0;
            walk_call(self, c);
        }
    }
    let mut calls = Calls(callable, false);
    calls.expr(e);
    calls.1
}

fn change(
    work: &Work<'_>,
    e: &Expr,
    ty: &Type,
    rng: &mut Random,
    names: &mut Names,
) -> Option<File> {
    // Operations with the neutral element of the type.
    let own = |e: Expr, rng: &mut Random| match ty {
        Type::Bool => Some(of_bool(e, rng)),
        Type::Int => Some(of_int(e, rng)),
        Type::Bv(_) => Some(match rng.below(3) {
            0 => binary(BinaryOp::Add, e, int(0)),
            1 => binary(BinaryOp::BitOr, e, int(0)),
            _other => binary(BinaryOp::BitXor, int(0), e),
        }),
        Type::Seq(_) => Some(match rng.below(3) {
            0 => expr(ExprKind::Slice {
                object: Box::new(paren(e)),
                from: None,
                to: None,
            }),
            1 => binary(BinaryOp::Add, e, expr(ExprKind::SeqDisplay(Vec::new()))),
            _other => binary(BinaryOp::Add, expr(ExprKind::SeqDisplay(Vec::new())), e),
        }),
        Type::Set { finite, .. } => {
            let none = expr(ExprKind::SetDisplay {
                infinite: !finite,
                elements: Vec::new(),
            });
            Some(binary(
                if rng.flip() {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                },
                e,
                none,
            ))
        }
        Type::Multiset(_) => Some(binary(
            if rng.flip() {
                BinaryOp::Add
            } else {
                BinaryOp::Sub
            },
            e,
            expr(ExprKind::MultisetDisplay(Vec::new())),
        )),
        Type::Map { finite, .. } if work.dialect == Dialect::Four => Some(binary(
            BinaryOp::Add,
            e,
            expr(ExprKind::MapDisplay {
                infinite: !finite,
                pairs: Vec::new(),
            }),
        )),
        Type::Char
        | Type::Real
        | Type::Ordinal
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error => None,
    };
    let new = match rng.below(6) {
        0 => bound(e.clone(), names),
        1 => chosen(e.clone()),
        _other => own(e.clone(), rng).unwrap_or_else(|| bound(e.clone(), names)),
    };
    let mut file = work.file.clone();
    replace_expr(&mut file, e.span, |_| paren(new)).then_some(file)
}

fn of_bool(e: Expr, rng: &mut Random) -> Expr {
    match rng.below(8) {
        0 => not(not(e)),
        1 => binary(BinaryOp::And, e, boolean(true)),
        2 => binary(BinaryOp::And, boolean(true), e),
        3 => binary(BinaryOp::Or, e, boolean(false)),
        4 => binary(BinaryOp::Or, boolean(false), e),
        5 => binary(BinaryOp::Iff, e, boolean(true)),
        6 => binary(BinaryOp::Implies, boolean(true), e),
        _other => {
            let guard = Box::new(Guard::Expr(e));
            expr(ExprKind::If {
                guard,
                then: Box::new(boolean(true)),
                els: Box::new(boolean(false)),
            })
        }
    }
}

fn of_int(e: Expr, rng: &mut Random) -> Expr {
    let negated = |e| expr(ExprKind::Unary(UnaryOp::Neg, Box::new(paren(e))));
    match rng.below(7) {
        0 => binary(BinaryOp::Add, e, int(0)),
        1 => binary(BinaryOp::Add, int(0), e),
        2 => binary(BinaryOp::Sub, e, int(0)),
        3 => binary(BinaryOp::Mul, e, int(1)),
        4 => binary(BinaryOp::Mul, int(1), e),
        5 => binary(BinaryOp::Div, e, int(1)),
        _other => negated(negated(e)),
    }
}

/// Builds `var x := e; x`.
fn bound(e: Expr, names: &mut Names) -> Expr {
    let name = names.fresh("same");
    let_in(vec![(name.clone(), None, e)], var(&name))
}

/// Builds `if true then e else e`.
fn chosen(e: Expr) -> Expr {
    expr(ExprKind::If {
        guard: Box::new(Guard::Expr(boolean(true))),
        then: Box::new(e.clone()),
        els: Box::new(e),
    })
}
