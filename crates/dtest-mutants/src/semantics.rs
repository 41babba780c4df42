//! Operators that mean something else in other languages.
//!
//! Suites test ports of a program, and a port inherits the semantics of its language: Java, C#, Go
//! and Rust truncate quotients, Python rounds them down, all where Dafny's division is Euclidean
//! (reference manual, section 5.2.2); Java and C# take the amount of a shift modulo the width;
//! comparisons and shifts to the right of signed numbers depend on the highest bit; numbers of a
//! fixed width wrap around. [`elsewhere`] returns an operation with such a meaning, as an
//! expression of the IR. Only inputs that reach the difference kill it: a negative dividend, a
//! shift of the full width. Where types exclude the difference, there is no such expression.

use super::Piece;
use super::exprs::{is_written, only, operand, text};
use super::types::unconstrained;
use dafny_resolve::typed::{Literal, Type};
use dtest_ir::build::{choose, int, is_literal, not, op};
use dtest_ir::{Expr, ExprKind, Num, Op, Program};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

/// Bits of the numbers that wrap around.
const WORD: u32 = 64;

/// An operation with another meaning, and its text.
pub(super) type Elsewhere = (Expr, Vec<Piece>);

/// The meanings that an operation has in other languages.
pub(super) fn elsewhere(program: &Program, e: &Expr) -> Vec<Elsewhere> {
    let ExprKind::Op(of, args) = &e.kind else {
        return Vec::new();
    };
    if !is_written(e) || !args.iter().all(|a| is_written(a) && a.span != e.span) {
        // The lowering made it.
        return Vec::new();
    }
    match (of, args.as_slice()) {
        (Op::Div(Num::Int) | Op::Mod(Num::Int), [a, b]) => {
            let truncated = may_be_negative(program, a).then(|| truncated(of, a, b, e));
            let floored = may_be_negative(program, b).then(|| floored(of, a, b, e));
            truncated.into_iter().chain(floored).collect()
        }
        (Op::Floor, [x]) => vec![toward_zero(x, e)],
        (Op::Shl | Op::Shr, [x, amount]) => masked_shift(of, x, amount, e)
            .into_iter()
            .chain(arithmetic_shift(of, x, amount, e))
            .collect(),
        (Op::Lt(Num::Bv(width)) | Op::Le(Num::Bv(width)), [a, b]) => {
            signed_comparison(of, *width, a, b, e).into_iter().collect()
        }
        (_, _) => Vec::new(),
    }
}

/// The operation on numbers of 64 bits: the result wraps around. `None` for operations that are not
/// arithmetic of unbounded integers, or that only step to a neighbour.
pub(super) fn wrapped(program: &Program, e: &Expr) -> Option<Elsewhere> {
    let ExprKind::Op(Op::Add(Num::Int) | Op::Sub(Num::Int) | Op::Mul(Num::Int), args) = &e.kind
    else {
        return None;
    };
    let is_unbounded = unconstrained(&program.typed, &e.ty) == Type::Int;
    if !is_unbounded || !is_written(e) || args.iter().any(|a| is_literal(a) || a.span == e.span) {
        return None;
    }
    let span = e.span;
    let of = |o: Op, a: Expr, n: BigInt| op(o, vec![a, int(n, Type::Int, span)], Type::Int, span);
    let half = BigInt::from(1) << (WORD - 1);
    let from_zero = of(Op::Add(Num::Int), e.clone(), half.clone());
    let within = of(Op::Mod(Num::Int), from_zero, BigInt::from(1) << WORD);
    let wrapped = of(Op::Sub(Num::Int), within, half);
    Some((wrapped, vec![only(e), text(format!(" in {WORD} bits"))]))
}

/// Whether a number may be negative, by its type and form.
fn may_be_negative(program: &Program, e: &Expr) -> bool {
    let is_nat = matches!(&e.ty, Type::Named { decl, .. } if program.typed.nat == Some(*decl));
    let is_unsigned = program
        .typed
        .native_range(&e.ty)
        .is_some_and(|(low, _)| low.sign() != Sign::Minus);
    if is_nat || is_unsigned {
        return false;
    }
    if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
        n.sign() == Sign::Minus
    } else if let ExprKind::Convert(from) = &e.kind {
        // Conversions keep the sign. Characters and bitvectors have none.
        matches!(from.ty, Type::Int | Type::Real | Type::Named { .. })
            && may_be_negative(program, from)
    } else if let ExprKind::Op(of, args) = &e.kind {
        let is_size = matches!(
            of,
            Op::Cardinality(_) | Op::ArrayLength(_) | Op::Mod(Num::Int)
        );
        let keeps_sign = matches!(
            of,
            Op::Add(Num::Int) | Op::Mul(Num::Int) | Op::Div(Num::Int)
        );
        !is_size && (!keeps_sign || args.iter().any(|a| may_be_negative(program, a)))
    } else {
        true
    }
}

fn negative(e: Expr) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    op(Op::Neg(Num::Int), vec![e], ty, span)
}

fn below_zero(e: &Expr) -> Expr {
    let zero = int(0, e.ty.clone(), e.span);
    op(Op::Lt(Num::Int), vec![e.clone(), zero], Type::Bool, e.span)
}

/// `-(-a / b)` for a negative `a`: the quotient is rounded toward zero, and the remainder has the
/// sign of the dividend.
fn truncated(of: &Op, a: &Expr, b: &Expr, e: &Expr) -> Elsewhere {
    let args = vec![negative(a.clone()), b.clone()];
    let turned = negative(op(of.clone(), args, e.ty.clone(), e.span));
    let symbol = if *of == Op::Mod(Num::Int) {
        " % "
    } else {
        " / "
    };
    let shown = vec![text("-(-"), operand(a), text(symbol), operand(b), text(")")];
    let is_negative = below_zero(a);
    (
        choose(is_negative, turned, e.clone(), e.ty.clone(), e.span),
        shown,
    )
}

/// `a / b - 1` and `a % b + b` for a negative `b` that does not divide `a`: the quotient is rounded
/// down, and the remainder has the sign of the divisor.
fn floored(of: &Op, a: &Expr, b: &Expr, e: &Expr) -> Elsewhere {
    let is_mod = *of == Op::Mod(Num::Int);
    let number = |n: i32| int(n, e.ty.clone(), e.span);
    let remainder = op(
        Op::Mod(Num::Int),
        vec![a.clone(), b.clone()],
        e.ty.clone(),
        e.span,
    );
    let is_rounded = op(Op::Ne, vec![remainder, number(0)], Type::Bool, e.span);
    let (other, shown) = if is_mod {
        (Op::Add(Num::Int), [text(" + "), operand(b)])
    } else {
        (Op::Sub(Num::Int), [text(" - "), text("1")])
    };
    let by = if is_mod { b.clone() } else { number(1) };
    let below = op(other, vec![e.clone(), by], e.ty.clone(), e.span);
    let is_other = dtest_ir::build::and(below_zero(b), is_rounded);
    let shown = [vec![operand(e)], shown.to_vec()].concat();
    (
        choose(is_other, below, e.clone(), e.ty.clone(), e.span),
        shown,
    )
}

/// `-(-x).Floor` for a negative real `x`: a conversion to an integer rounds toward zero.
fn toward_zero(x: &Expr, e: &Expr) -> Elsewhere {
    let zero = Expr {
        kind: ExprKind::Literal(Literal::Real(BigRational::from_integer(BigInt::default()))),
        ..x.clone()
    };
    let is_negative = op(Op::Lt(Num::Real), vec![x.clone(), zero], Type::Bool, x.span);
    let turned = op(Op::Neg(Num::Real), vec![x.clone()], x.ty.clone(), x.span);
    let floor = op(Op::Floor, vec![turned], e.ty.clone(), e.span);
    let shown = vec![text("-(-"), operand(x), text(").Floor")];
    (
        choose(
            is_negative,
            negative(floor),
            e.clone(),
            e.ty.clone(),
            e.span,
        ),
        shown,
    )
}

/// The shift by the amount modulo the width, which is zero for a shift by the whole width.
fn masked_shift(of: &Op, x: &Expr, amount: &Expr, e: &Expr) -> Option<Elsewhere> {
    let width = width(x)?;
    let num = if let Type::Bv(bits) = amount.ty {
        // A number of few bits is never as large as the width.
        if u32::BITS - width.leading_zeros() > bits {
            return None;
        }
        Num::Bv(bits)
    } else {
        Num::Int
    };
    let is_whole = matches!(&amount.kind, ExprKind::Literal(Literal::Int(n)) if *n == width.into());
    if is_literal(amount) && !is_whole {
        return None;
    }
    let bits = int(width, amount.ty.clone(), amount.span);
    let masked = op(
        Op::Mod(num),
        vec![amount.clone(), bits],
        amount.ty.clone(),
        amount.span,
    );
    let symbol = if *of == Op::Shl { " << " } else { " >> " };
    let shown = vec![
        operand(x),
        text(symbol),
        operand(amount),
        text(format!(" % {width}")),
    ];
    Some((
        op(of.clone(), vec![x.clone(), masked], e.ty.clone(), e.span),
        shown,
    ))
}

/// The shift to the right of a signed number: ones come in for a number whose highest bit is set.
fn arithmetic_shift(of: &Op, x: &Expr, amount: &Expr, e: &Expr) -> Option<Elsewhere> {
    let width = width(x).filter(|w| is_machine_width(*w))?;
    if *of != Op::Shr {
        return None;
    }
    let inverse = |x: Expr| {
        let (ty, span) = (x.ty.clone(), x.span);
        op(Op::BitNot, vec![x], ty, span)
    };
    let highest = int(BigInt::from(1) << (width - 1), x.ty.clone(), x.span);
    let is_low = op(
        Op::Lt(Num::Bv(width)),
        vec![x.clone(), highest],
        Type::Bool,
        x.span,
    );
    let args = vec![inverse(x.clone()), amount.clone()];
    let filled = inverse(op(Op::Shr, args, e.ty.clone(), e.span));
    let shown = vec![only(e), text(", signed")];
    Some((
        choose(not(is_low), filled, e.clone(), e.ty.clone(), e.span),
        shown,
    ))
}

/// The comparison of signed numbers: one whose highest bit is set is below all others.
fn signed_comparison(of: &Op, width: u32, a: &Expr, b: &Expr, e: &Expr) -> Option<Elsewhere> {
    if !is_machine_width(width) {
        return None;
    }
    // Numbers are in the order of their signed values once the highest bit is flipped.
    let flipped = |x: &Expr| {
        let highest = int(BigInt::from(1) << (width - 1), x.ty.clone(), x.span);
        op(Op::BitXor, vec![x.clone(), highest], x.ty.clone(), x.span)
    };
    let signed = op(
        of.clone(),
        vec![flipped(a), flipped(b)],
        e.ty.clone(),
        e.span,
    );
    Some((signed, vec![only(e), text(", signed")]))
}

/// The width of a bitvector.
fn width(x: &Expr) -> Option<u32> {
    if let Type::Bv(width) = x.ty {
        Some(width)
    } else {
        None
    }
}

/// Whether languages have signed numbers of a width.
fn is_machine_width(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64)
}

#[cfg(test)]
mod tests {
    use crate::describe;
    use dtest_ir::Criteria;
    use dtest_lower::testing::lowered;
    use dtest_lower::units;

    /// The texts of the hints of the first unit that are not about loops.
    fn meanings(source: &str) -> Vec<String> {
        let (sources, program) = lowered(source, Criteria::default());
        let unit = units::units(&program.typed, |_| true)[0].callable;
        let hints = crate::hints(&program, unit);
        // Each hint changes the code of the unit.
        assert!(hints.iter().all(|h| h.applied(&program).is_some()));
        hints
            .iter()
            .map(|h| describe::instead(&h.mutation, &sources))
            .collect()
    }

    #[test]
    fn quotients_are_truncated_or_rounded_down_where_types_allow_a_difference() {
        let all = meanings("function F(a: int, b: int): int requires b != 0 { a / b }");
        assert_eq!(all, ["-(-a / b)", "(a / b) - 1"]);
        let all = meanings(
            "method M(a: int, b: int) returns (r: int) requires b != 0 { r := 1 + a % b; }",
        );
        assert_eq!(all, ["-(-a % b)", "(a % b) + b"]);
        // Neither the dividend nor the divisor is negative.
        let none = "function F(a: nat, s: seq<int>): int { (a + |s|) / 2 + a % 10 }";
        assert!(!meanings(none).iter().any(|t| t.starts_with("-(")));
        assert_eq!(
            meanings("function F(x: real): int { x.Floor }"),
            ["-(-x).Floor"]
        );
    }

    #[test]
    fn only_one_operation_of_a_callable_wraps_around() {
        let all = meanings("function F(a: int, b: int, c: int): int { a * b + c }");
        assert_eq!(all.len(), 1);
        assert_eq!(meanings("function F(a: int): int { a + 1 }"), [""; 0]);
        // Newtypes have bounds of their own.
        let newtype = "newtype N = x: int | 0 <= x < 100\nfunction F(a: N): int requires a < 10 { (a + a) as int }";
        assert_eq!(meanings(newtype), [""; 0]);
    }

    #[test]
    fn shifts_are_masked_and_bitvectors_have_a_sign() {
        let all = meanings("function F(x: bv32, n: nat): bv32 requires n <= 32 { x << n }");
        assert_eq!(all, ["x << n % 32"]);
        let all = meanings("function F(x: bv32, n: nat): bv32 requires n <= 32 { x >> n }");
        assert_eq!(all, ["x >> n % 32", "x >> n, signed"]);
        let all = meanings("function F(x: bv64, y: bv64): bool { x < y }");
        assert_eq!(all, ["x < y, signed"]);
        // A constant amount below the width, and a width that no machine has.
        assert_eq!(meanings("function F(x: bv7): bv7 { x << 3 }"), [""; 0]);
        assert_eq!(
            meanings("function F(x: bv7, y: bv7): bool { x < y }"),
            [""; 0]
        );
    }
}
