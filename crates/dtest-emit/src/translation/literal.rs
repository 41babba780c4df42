//! Translates literals to their most readable form.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::code::number;
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::rep::primitive;
use crate::rust::{self, expr};
use dafny_resolve::typed::{Literal, Span, Type};
use dtest_value::real;

/// Translates a literal of a type.
pub(super) fn literal(
    scope: &Scope<'_, '_>,
    literal: &Literal,
    ty: &Type,
    span: Span,
) -> Translated<rust::Expr> {
    match literal {
        Literal::Bool(b) => Ok((*b).into()),
        Literal::Int(n) => integer(scope, n, ty, span),
        Literal::Real(r) => Ok(rational(scope, r)),
        Literal::Char(c) => Ok(character(scope, *c)),
        Literal::String(chars) => Ok(string(scope, chars)),
        Literal::Null => Ok(expr!(Ref::null())),
    }
}

/// Writes an integer of `int`, a newtype, a bitvector type or `ORDINAL`.
pub(crate) fn integer(
    scope: &Scope<'_, '_>,
    n: &BigInt,
    ty: &Type,
    span: Span,
) -> Translated<rust::Expr> {
    match scope.ground.rep(ty) {
        Rep::Int => Ok(int(scope, n)),
        Rep::Native(native) => Ok(number(&format!("{n}{}", primitive(native)))),
        Rep::Bv(width) => {
            let (bv, bits) = (scope.runtime("Bv"), into_int(n));
            Ok(expr!(#bv::<#width>::from(#bits)))
        }
        Rep::Ordinal => {
            let (ordinal, n) = (scope.runtime("Ordinal"), int(scope, n));
            Ok(expr!(#ordinal::of_int(&#n)))
        }
        Rep::Real => Ok(rational(scope, &BigRational::from(n.clone()))),
        Rep::Bool
        | Rep::Char
        | Rep::Seq(_)
        | Rep::Set(_)
        | Rep::Multiset(_)
        | Rep::Map(..)
        | Rep::Tuple(_)
        | Rep::Arrow(..)
        | Rep::Array(..)
        | Rep::Datatype(..)
        | Rep::Class(..)
        | Rep::Trait(..)
        | Rep::Object
        | Rep::Opaque
        | Rep::Param(_)
        | Rep::Error => Err(scope.unsupported(span, "an integer literal of this type")),
    }
}

/// Writes `int(5)`.
pub(super) fn int(scope: &Scope<'_, '_>, n: &BigInt) -> rust::Expr {
    let (int, n) = (scope.runtime("int"), into_int(n));
    expr!(#int(#n))
}

/// Writes the argument of `int`: a Rust literal, without a suffix if possible.
fn into_int(n: &BigInt) -> rust::Expr {
    if n.to_i32().is_some() {
        number(&n.to_string())
    } else if n.to_i64().is_some() {
        number(&format!("{}_i64", underscored(n)))
    } else {
        n.to_string().into()
    }
}

/// Formats digits in groups of three.
fn underscored(n: &BigInt) -> String {
    let digits = n.magnitude().to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(c);
    }
    if n.sign() == num_bigint::Sign::Minus {
        format!("-{out}")
    } else {
        out
    }
}

/// Writes `real("1.5")` or `real("1/3")`.
pub(crate) fn rational(scope: &Scope<'_, '_>, r: &BigRational) -> rust::Expr {
    let real = scope.runtime("real");
    let text = decimal(r).unwrap_or_else(|| format!("{}/{}", r.numer(), r.denom()));
    expr!(#real(#text))
}

/// Formats a number in decimal notation if it is finite. The printed form of the number and of
/// computed results depends on the notation.
fn decimal(r: &BigRational) -> Option<String> {
    let literal = real::of_literal(r);
    let (places, rest) = real::decimal_places(literal.denom());
    if !rest.is_one() {
        return None;
    }
    let sign = if literal.is_negative() { "-" } else { "" };
    let (digits, places) = (literal.numer().magnitude().to_string(), places as usize);
    // At least one digit before the point, and one after it.
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some(format!(
        "{sign}{whole}.{}",
        if fraction.is_empty() { "0" } else { fraction }
    ))
}

/// Writes `ch('a')`.
pub(crate) fn character(scope: &Scope<'_, '_>, c: u32) -> rust::Expr {
    let unicode = scope.ground.program.options.unicode_char;
    let function = scope.runtime(if unicode { "ch" } else { "ch16" });
    match char::from_u32(c) {
        Some(c) if unicode || (c as u32) <= 0xFFFF => {
            expr!(#function(#c))
        }
        Some(_) | None => {
            let (ty, c) = (scope.runtime("Char16"), number(&format!("0x{c:04X}")));
            expr!(#ty(#c))
        }
    }
}

/// Writes `str("abc")`.
pub(crate) fn string(scope: &Scope<'_, '_>, chars: &[u32]) -> rust::Expr {
    let unicode = scope.ground.program.options.unicode_char;
    let text: Option<String> = if unicode {
        chars.iter().map(|&c| char::from_u32(c)).collect()
    } else {
        let units: Option<Vec<u16>> = chars.iter().map(|&c| u16::try_from(c).ok()).collect();
        units.and_then(|u| String::from_utf16(&u).ok())
    };
    match text {
        Some(text) => {
            let function = scope.runtime(if unicode { "str" } else { "str16" });
            expr!(#function(#text))
        }
        None => {
            let chars = chars.iter().map(|&c| character(scope, c));
            expr!(seq![#..chars])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rationals_are_decimal_where_that_ends() {
        let ratio = |n: i64, d: i64| BigRational::new(BigInt::from(n), BigInt::from(d));
        let cases = [
            (ratio(3, 2), Some("1.5")),
            (ratio(-1, 100), Some("-0.01")),
            (ratio(2, 1), Some("2.0")),
            (ratio(1, 3), None),
            (ratio(0, 1), Some("0.0")),
            (ratio(-120, 1), Some("-120.0")),
            (ratio(1, 1 << 22), Some("0.0000002384185791015625")),
        ];
        for (r, text) in cases {
            assert_eq!(decimal(&r).as_deref(), text);
        }
    }

    #[test]
    fn long_integers_are_grouped() {
        assert_eq!(
            underscored(&BigInt::from(-5_000_000_000_i64)),
            "-5_000_000_000"
        );
        assert_eq!(underscored(&BigInt::from(500)), "500");
    }
}
