//! Dafny's `real` at run time: a fraction that is *not* kept in lowest terms.
//!
//! The output of `print` depends on the denominator, so that arithmetic must produce the same
//! denominator as Dafny: `7.8` prints as `7.8`, and `31.2 / 4.0` prints as `7.800`. The denominator
//! of a literal is the least power of ten; that of a sum is the least common multiple if neither
//! side is zero; products and quotients are not reduced. The official libraries for C#, Java,
//! JavaScript and Go do the same; the one for Python reduces. Equality, order and hash are those of
//! the number.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Returns the number with the denominator of a literal.
pub fn of_literal(r: &BigRational) -> BigRational {
    let reduced = r.reduced();
    let (places, rest) = decimal_places(reduced.denom());
    if !rest.is_one() {
        return reduced;
    }
    let denominator = BigInt::from(10).pow(places);
    BigRational::new_raw(
        reduced.numer() * &denominator / reduced.denom(),
        denominator,
    )
}

/// Whether the number is an integer.
pub fn is_integer(r: &BigRational) -> bool {
    r.denom().is_one() || r.numer().is_multiple_of(r.denom())
}

/// Returns `a + b`.
pub fn add(a: &BigRational, b: &BigRational) -> BigRational {
    let (x, y, denominator) = common(a, b);
    BigRational::new_raw(x + y, denominator)
}

/// Returns `a - b`.
pub fn subtract(a: &BigRational, b: &BigRational) -> BigRational {
    let (x, y, denominator) = common(a, b);
    BigRational::new_raw(x - y, denominator)
}

/// Returns `a * b`.
pub fn multiply(a: &BigRational, b: &BigRational) -> BigRational {
    BigRational::new_raw(a.numer() * b.numer(), a.denom() * b.denom())
}

/// Returns `a / b`; `None` for a zero divisor.
pub fn divide(a: &BigRational, b: &BigRational) -> Option<BigRational> {
    if b.is_zero() {
        return None;
    }
    let (numerator, denominator) = (a.numer() * b.denom(), a.denom() * b.numer());
    Some(if denominator.is_negative() {
        BigRational::new_raw(-numerator, -denominator)
    } else {
        BigRational::new_raw(numerator, denominator)
    })
}

/// Returns both numerators over a common denominator; that of the other side if one is zero.
fn common(a: &BigRational, b: &BigRational) -> (BigInt, BigInt, BigInt) {
    if a.is_zero() {
        return (BigInt::zero(), b.numer().clone(), b.denom().clone());
    }
    if b.is_zero() {
        return (a.numer().clone(), BigInt::zero(), a.denom().clone());
    }
    let gcd = a.denom().gcd(b.denom());
    let (left, right) = (a.denom() / &gcd, b.denom() / &gcd);
    (a.numer() * &right, b.numer() * left, a.denom() * right)
}

/// Prints the number: a decimal if the denominator divides a power of ten, with as many places as
/// the least such power; otherwise a quotient.
pub fn print(r: &BigRational) -> String {
    if r.is_zero() || r.denom().is_one() {
        return format!("{}.0", r.numer());
    }
    let (places, rest) = decimal_places(r.denom());
    if !rest.is_one() {
        return format!("({}.0 / {}.0)", r.numer(), r.denom());
    }
    let scaled = r.numer() * BigInt::from(10).pow(places) / r.denom();
    let sign = if scaled.is_negative() { "-" } else { "" };
    let places = places as usize;
    let padded = format!("{:0>width$}", scaled.abs().to_string(), width = places + 1);
    let (whole, part) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{part}")
}

/// Returns the least `n` such that `denominator` divides `10ⁿ` times the rest without factors 2 and
/// 5, and that rest.
pub fn decimal_places(denominator: &BigInt) -> (u32, BigInt) {
    let (mut rest, mut most) = (denominator.clone(), 0);
    for prime in [2u32, 5] {
        let mut count = 0;
        loop {
            let (quotient, remainder) = rest.div_rem(&BigInt::from(prime));
            if !remainder.is_zero() || rest.is_zero() {
                break;
            }
            rest = quotient;
            count += 1;
        }
        most = most.max(count);
    }
    (most, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(n: i64, d: i64) -> BigRational {
        of_literal(&BigRational::new(n.into(), d.into()))
    }

    #[test]
    fn literals_are_decimals_where_possible() {
        for (n, d, text) in [
            (0, 1, "0.0"),
            (3, 2, "1.5"),
            (-1, 1000, "-0.001"),
            (1, 3, "(1.0 / 3.0)"),
            (-120, 1, "-120.0"),
            (1, 8, "0.125"),
        ] {
            assert_eq!(print(&ratio(n, d)), text);
        }
    }

    #[test]
    fn arithmetic_leaves_the_denominator_that_dafny_leaves() {
        let (a, b, zero) = (ratio(312, 10), ratio(-4, 1), ratio(0, 1));
        let quotient = divide(&a, &b).unwrap();
        assert_eq!(print(&quotient), "-7.800");
        assert_eq!(print(&multiply(&quotient, &b)), "31.200");
        assert_eq!(print(&add(&ratio(1, 2), &ratio(1, 2))), "1.0");
        assert_eq!(print(&add(&ratio(1, 2), &ratio(1, 4))), "0.75");
        assert_eq!(print(&subtract(&quotient, &zero)), "-7.800");
        assert_eq!(print(&subtract(&quotient, &quotient)), "0.0");
        assert_eq!(
            print(&divide(&ratio(2, 1), &ratio(6, 1)).unwrap()),
            "(2.0 / 6.0)"
        );
        assert!(divide(&a, &zero).is_none());
        assert!(is_integer(&add(&ratio(1, 2), &ratio(1, 2))) && !is_integer(&a));
        assert_eq!(quotient, ratio(-78, 10));
    }
}
