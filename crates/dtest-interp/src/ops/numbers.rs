//! Operations on integers, reals, bitvectors, characters and ordinals.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{Context, OpError, Result, fail};
use crate::api::FailureKind;
use crate::word::Word;
use dafny_resolve::typed::Type;
use dtest_ir::{Num, Op};
use dtest_value::{Value, real as rational};

/// The maximal number of bits of an integer.
const MAX_BITS: u64 = 4_000_000;

fn real(w: &Word) -> Option<&BigRational> {
    if let Some(Value::Real(r)) = w.boxed() {
        Some(r)
    } else {
        None
    }
}

fn bitvector(w: &Word) -> Option<(u32, &BigUint)> {
    if let Some(Value::Bv { width, bits }) = w.boxed() {
        Some((*width, bits))
    } else {
        None
    }
}

fn bv(width: u32, bits: BigUint) -> Word {
    Word::of(Value::Bv { width, bits })
}

/// Returns `n mod 2^width`.
fn wrap(width: u32, n: &BigInt) -> Word {
    let bits = n.mod_floor(&(BigInt::one() << width));
    bv(width, bits.magnitude().clone())
}

/// Whether a number is a character.
fn is_char(unicode: bool, n: &BigInt) -> bool {
    match n.to_u32() {
        Some(c) if unicode => char::from_u32(c).is_some(),
        Some(c) => c <= 0xFFFF,
        None => false,
    }
}

pub(super) fn negate(num: Num, a: Word) -> Result<Word> {
    match num {
        Num::Int => a.as_int().map(|n| Word::int(-n)).ok_or(OpError::Shape),
        Num::Real => real(&a)
            .map(|r| Word::of(Value::Real(-r)))
            .ok_or(OpError::Shape),
        Num::Bv(_) => bitvector(&a)
            .map(|(w, b)| wrap(w, &-BigInt::from(b.clone())))
            .ok_or(OpError::Shape),
        Num::Char | Num::Ordinal => Err(OpError::Shape),
    }
}

pub(super) fn arithmetic(cx: Context<'_>, op: &Op, num: Num, a: Word, b: Word) -> Result<Word> {
    // Reals are fractions of big integers, whose size must be bounded before the operation.
    if num == Num::Real {
        let (a, b) = (
            real(&a).ok_or(OpError::Shape)?,
            real(&b).ok_or(OpError::Shape)?,
        );
        if a.numer()
            .bits()
            .max(a.denom().bits())
            .saturating_add(b.numer().bits().max(b.denom().bits()))
            > MAX_BITS
        {
            return Err(OpError::TooLarge);
        }
        let result = if matches!(op, Op::Add(_)) {
            rational::add(a, b)
        } else if matches!(op, Op::Sub(_)) {
            rational::subtract(a, b)
        } else if matches!(op, Op::Mul(_)) {
            rational::multiply(a, b)
        } else if matches!(op, Op::Div(_)) {
            match rational::divide(a, b) {
                Some(quotient) => quotient,
                None => return fail(FailureKind::Division, "division by zero"),
            }
        } else {
            return Err(OpError::Shape);
        };
        return Ok(Word::of(Value::Real(result)));
    }
    // Machine integers are the fast path; an overflow falls through to big integers.
    if let (Num::Int, Word::Int(x), Word::Int(y)) = (num, &a, &b) {
        let small = if matches!(op, Op::Add(_)) {
            x.checked_add(*y)
        } else if matches!(op, Op::Sub(_)) {
            x.checked_sub(*y)
        } else if matches!(op, Op::Mul(_)) {
            x.checked_mul(*y)
        } else if matches!(op, Op::Div(_)) {
            x.checked_div_euclid(*y)
        } else if matches!(op, Op::Mod(_)) {
            x.checked_rem_euclid(*y)
        } else {
            None
        };
        if let Some(n) = small {
            return Ok(Word::Int(n));
        }
    }
    let (x, y) = match num {
        Num::Char => match (&a, &b) {
            (Word::Char(x), Word::Char(y)) => (BigInt::from(*x), BigInt::from(*y)),
            (_, _) => return Err(OpError::Shape),
        },
        Num::Int | Num::Bv(_) | Num::Ordinal | Num::Real => (
            a.as_number().ok_or(OpError::Shape)?,
            b.as_number().ok_or(OpError::Shape)?,
        ),
    };
    // The product of two numbers has at most as many bits as both together.
    if x.bits().saturating_add(y.bits()) > MAX_BITS {
        return Err(OpError::TooLarge);
    }
    let n = if matches!(op, Op::Add(_)) {
        x + y
    } else if matches!(op, Op::Sub(_)) {
        x - y
    } else if matches!(op, Op::Mul(_)) {
        x * y
    } else if matches!(op, Op::Div(_) | Op::Mod(_)) && y.is_zero() {
        return fail(FailureKind::Division, "division by zero");
    } else if matches!(op, Op::Div(_)) {
        euclid(&x, &y).0
    } else if matches!(op, Op::Mod(_)) {
        euclid(&x, &y).1
    } else {
        return Err(OpError::Shape);
    };
    // The result must lie within the type: bitvectors wrap around, characters and ordinals have
    // bounds.
    match num {
        Num::Int => Ok(Word::int(n)),
        Num::Bv(width) => Ok(wrap(width, &n)),
        Num::Char if is_char(cx.program.options.unicode_char, &n) => {
            Ok(Word::Char(n.to_u32().unwrap_or_default()))
        }
        Num::Char => fail(FailureKind::Domain, format!("{n} is not a character")),
        Num::Ordinal if n.is_negative() => fail(FailureKind::Domain, "an ordinal below zero"),
        Num::Ordinal => Ok(Word::of(Value::Ordinal(n.magnitude().clone()))),
        Num::Real => Err(OpError::Shape),
    }
}

/// Returns the Euclidean quotient and remainder; the remainder is never negative.
fn euclid(x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    let (q, r) = x.div_rem(y);
    if !r.is_negative() {
        (q, r)
    } else if y.is_positive() {
        (q - 1, r + y)
    } else {
        (q + 1, r - y)
    }
}

pub(super) fn compare(a: &Word, b: &Word) -> Result<Ordering> {
    match (a, b) {
        (Word::Char(x), Word::Char(y)) => Ok(x.cmp(y)),
        (Word::Int(x), Word::Int(y)) => Ok(x.cmp(y)),
        (_, _) => match (real(a), real(b)) {
            (Some(x), Some(y)) => Ok(x.cmp(y)),
            (_, _) => Ok(a
                .as_number()
                .ok_or(OpError::Shape)?
                .cmp(&b.as_number().ok_or(OpError::Shape)?)),
        },
    }
}

pub(super) fn bits(op: &Op, a: Word, b: Word) -> Result<Word> {
    let (width, x) = bitvector(&a).ok_or(OpError::Shape)?;
    let pair = || bitvector(&b).map(|(_, y)| y).ok_or(OpError::Shape);
    if matches!(op, Op::BitAnd) {
        return Ok(bv(width, x & pair()?));
    } else if matches!(op, Op::BitOr) {
        return Ok(bv(width, x | pair()?));
    } else if matches!(op, Op::BitXor) {
        return Ok(bv(width, x ^ pair()?));
    }
    // The right operand of a shift or rotation is an amount.
    let amount = b.as_number().ok_or(OpError::Shape)?;
    let Some(n) = amount.to_u32().filter(|n| *n <= width) else {
        return fail(
            FailureKind::Domain,
            format!("shift of a bv{width} by {amount}"),
        );
    };
    let mask = (BigUint::one() << width) - 1u32;
    let result = if matches!(op, Op::Shl) {
        (x << n) & mask
    } else if matches!(op, Op::Shr) {
        x >> n
    } else if matches!(op, Op::RotateLeft) {
        ((x << n) | (x >> (width - n))) & mask
    } else if matches!(op, Op::RotateRight) {
        ((x >> n) | (x << (width - n))) & mask
    } else {
        return Err(OpError::Shape);
    };
    Ok(bv(width, result))
}

pub(super) fn complement(a: Word) -> Result<Word> {
    let (width, x) = bitvector(&a).ok_or(OpError::Shape)?;
    let mask = (BigUint::one() << width) - 1u32;
    Ok(bv(width, mask ^ x))
}

pub(super) fn floor(a: Word) -> Result<Word> {
    real(&a)
        .map(|r| Word::int(r.floor().to_integer()))
        .ok_or(OpError::Shape)
}

/// Converts `a` to the basic type `to`.
pub(crate) fn convert(cx: Context<'_>, a: Word, to: &Type) -> Result<Word> {
    let unicode = cx.program.options.unicode_char;
    if let (Word::Bool(_), Type::Bool) = (&a, to) {
        return Ok(a);
    }
    // All conversions between numeric types go through integers, except between reals.
    let number = if let Word::Char(c) = &a {
        BigInt::from(*c)
    } else {
        match real(&a) {
            Some(r) if *to == Type::Real => return Ok(Word::of(Value::Real(r.clone()))),
            Some(r) if rational::is_integer(r) => r.to_integer(),
            Some(r) => {
                return fail(
                    FailureKind::TypeConstraint,
                    format!("{} is not an integer", rational::print(r)),
                );
            }
            None => a.as_number().ok_or(OpError::Shape)?,
        }
    };
    let outside = |ty: &str| {
        fail(
            FailureKind::TypeConstraint,
            format!("{number} is not a value of {ty}"),
        )
    };
    match to {
        Type::Int => Ok(Word::int(number)),
        Type::Real => Ok(Word::of(Value::Real(number.into()))),
        // The result must lie within the target type.
        Type::Bv(width) if number.is_negative() || number.bits() > u64::from(*width) => {
            outside(&format!("bv{width}"))
        }
        Type::Bv(width) => Ok(bv(*width, number.magnitude().clone())),
        Type::Char if is_char(unicode, &number) => {
            Ok(Word::Char(number.to_u32().unwrap_or_default()))
        }
        Type::Char => outside("char"),
        Type::Ordinal if number.is_negative() => outside("ORDINAL"),
        Type::Ordinal => Ok(Word::of(Value::Ordinal(number.magnitude().clone()))),
        Type::Bool | Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) => Err(OpError::Shape),
        Type::Map { .. } | Type::Tuple(_) | Type::Arrow { .. } | Type::Array { .. } => {
            Err(OpError::Shape)
        }
        Type::Object { .. } | Type::Named { .. } | Type::Param(_) | Type::Error => {
            Err(OpError::Shape)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dafny_resolve::typed;
    use proptest::prelude::*;

    fn run(op: &Op, num: Num, a: i64, b: i64) -> Option<BigInt> {
        let program = typed::Program::default();
        let cx = Context {
            program: &program,
            max_elements: 100,
            max_extent: 100,
        };
        arithmetic(cx, op, num, Word::Int(a), Word::Int(b))
            .ok()?
            .as_int()
    }

    proptest! {
        #[test]
        fn division_is_euclidean(a in any::<i64>(), b in any::<i64>()) {
            let (q, r) = (run(&Op::Div(Num::Int), Num::Int, a, b), run(&Op::Mod(Num::Int), Num::Int, a, b));
            if b == 0 {
                prop_assert!(q.is_none() && r.is_none());
            } else {
                let (q, r) = (q.unwrap(), r.unwrap());
                prop_assert_eq!(&q * b + &r, BigInt::from(a));
                prop_assert!(!r.is_negative() && r < BigInt::from(b).abs());
            }
        }

        #[test]
        fn small_and_large_integers_divide_alike(a in any::<i64>(), b in any::<i64>().prop_filter("", |b| *b != 0)) {
            let (q, r) = euclid(&a.into(), &b.into());
            prop_assert_eq!(run(&Op::Div(Num::Int), Num::Int, a, b), Some(q));
            prop_assert_eq!(run(&Op::Mod(Num::Int), Num::Int, a, b), Some(r));
        }

        #[test]
        fn rotations_undo_each_other(x in any::<u16>(), n in 0u32..=16) {
            let word = bv(16, BigUint::from(x));
            let left = bits(&Op::RotateLeft, word.clone(), Word::Int(n.into())).ok();
            prop_assert_eq!(left.as_ref().and_then(|w| bitvector(w).map(|b| b.1.clone())), Some(BigUint::from(x.rotate_left(n))));
            let back = bits(&Op::RotateRight, left.unwrap(), Word::Int(n.into())).ok();
            prop_assert!(back.is_some_and(|w| w.same(&word)));
        }

        #[test]
        fn bitvectors_wrap(a in any::<u8>(), b in any::<u8>()) {
            let program = typed::Program::default();
            let cx = Context { program: &program, max_elements: 100, max_extent: 100 };
            let word = |n: u8| bv(8, BigUint::from(n));
            let num = Num::Bv(8);
            for (op, expected) in [(Op::Add(num), a.wrapping_add(b)), (Op::Sub(num), a.wrapping_sub(b)), (Op::Mul(num), a.wrapping_mul(b))] {
                prop_assert!(arithmetic(cx, &op, num, word(a), word(b)).is_ok_and(|w| w.same(&word(expected))));
            }
        }
    }
}
