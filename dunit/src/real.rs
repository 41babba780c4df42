//! Dafny's `real`: exact rationals, as fractions that are *not* kept in lowest terms.
//!
//! The printed form depends on the denominator, so arithmetic produces the same denominator as
//! Dafny: `31.2 / 4.0` prints `7.800`. A literal has the least power of ten as its denominator;
//! sums have the least common multiple if neither operand is zero; products and quotients multiply
//! across. (The official libraries for C#, Java, JavaScript and Go do the same. The one for Python
//! reduces.) Equality, order and hash are those of the number.

use std::fmt;
use std::ops::Neg;
use std::rc::Rc;
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::forward::forward_binary;
use crate::int::{Int, ParseNumberError};

/// An exact rational number, the run-time form of Dafny's `real`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Real(Rc<BigRational>);

/// The number of a literal or of an integer: `real("1.5")`, `real("-1/3")`, `real(2)`.
pub fn real(value: impl Into<Real>) -> Real {
    value.into()
}

impl Real {
    /// `numerator / denominator`; panics if the denominator is 0.
    pub fn ratio(numerator: &Int, denominator: &Int) -> Real {
        assert!(
            !denominator.is_zero(),
            "division by zero: {numerator}.0 / 0.0"
        );
        Real::of(BigRational::new(numerator.to_big(), denominator.to_big()))
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(&self) -> Int {
        self.0.reduced().numer().clone().into()
    }

    /// The denominator of the reduced fraction, above 0.
    pub fn denominator(&self) -> Int {
        self.0.reduced().denom().clone().into()
    }

    /// Dafny's `r.Floor`: the greatest integer that is not above the number.
    pub fn floor(&self) -> Int {
        self.0.floor().to_integer().into()
    }

    /// Dafny's `r as int`; panics if the number is not an integer.
    pub fn to_int(&self) -> Int {
        assert!(self.is_integer(), "{self} is not an integer");
        self.floor()
    }

    /// Whether the number is an integer.
    pub fn is_integer(&self) -> bool {
        self.0.denom().is_one() || self.0.numer().is_multiple_of(self.0.denom())
    }

    /// `self + right`
    pub fn plus(&self, right: &Real) -> Real {
        let (x, y, denominator) = self.common(right);
        Real::raw(x + y, denominator)
    }

    /// `self - right`
    pub fn minus(&self, right: &Real) -> Real {
        let (x, y, denominator) = self.common(right);
        Real::raw(x - y, denominator)
    }

    /// `self * right`
    pub fn times(&self, right: &Real) -> Real {
        Real::raw(
            self.0.numer() * right.0.numer(),
            self.0.denom() * right.0.denom(),
        )
    }

    /// `self / right`; panics if `right` is 0.
    pub fn divide(&self, right: &Real) -> Real {
        assert!(!right.0.is_zero(), "division by zero: {self} / 0.0");
        let (numerator, denominator) = (
            self.0.numer() * right.0.denom(),
            self.0.denom() * right.0.numer(),
        );
        if denominator.is_negative() {
            Real::raw(-numerator, -denominator)
        } else {
            Real::raw(numerator, denominator)
        }
    }

    fn of(rational: BigRational) -> Real {
        Real(Rc::new(rational))
    }

    /// `digits * 10 ^ exponent`, over the least power of ten.
    fn decimal(mut digits: BigInt, mut exponent: i64) -> Real {
        while exponent < 0 && (digits.is_zero() || digits.is_multiple_of(&BigInt::from(10))) {
            digits /= 10;
            exponent += 1;
        }
        let power = num_traits::pow(
            BigInt::from(10),
            usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX),
        );
        if exponent < 0 {
            Real::raw(digits, power)
        } else {
            Real::raw(digits * power, BigInt::one())
        }
    }

    fn raw(numerator: BigInt, denominator: BigInt) -> Real {
        Real::of(BigRational::new_raw(numerator, denominator))
    }

    /// Both numerators over a common denominator: that of the other operand if one is zero.
    fn common(&self, right: &Real) -> (BigInt, BigInt, BigInt) {
        let (a, b) = (&*self.0, &*right.0);
        if a.is_zero() {
            return (BigInt::zero(), b.numer().clone(), b.denom().clone());
        }
        if b.is_zero() {
            return (a.numer().clone(), BigInt::zero(), a.denom().clone());
        }
        let gcd = a.denom().gcd(b.denom());
        let (of_left, of_right) = (a.denom() / &gcd, b.denom() / &gcd);
        (
            a.numer() * &of_right,
            b.numer() * of_left,
            a.denom() * of_right,
        )
    }
}

forward_binary!(Real: Add add, AddAssign add_assign = Real::plus);
forward_binary!(Real: Sub sub, SubAssign sub_assign = Real::minus);
forward_binary!(Real: Mul mul, MulAssign mul_assign = Real::times);
forward_binary!(Real: Div div, DivAssign div_assign = Real::divide);

impl Neg for &Real {
    type Output = Real;
    fn neg(self) -> Real {
        Real::raw(-self.0.numer(), self.0.denom().clone())
    }
}

impl Neg for Real {
    type Output = Real;
    fn neg(self) -> Real {
        -&self
    }
}

impl Default for Real {
    fn default() -> Real {
        Real::of(BigRational::zero())
    }
}

impl From<&Int> for Real {
    fn from(value: &Int) -> Real {
        Real::of(BigRational::from_integer(value.to_big()))
    }
}

impl From<Int> for Real {
    fn from(value: Int) -> Real {
        Real::from(&value)
    }
}

macro_rules! from_primitive {
    ($($Primitive:ty)*) => {$(
        impl From<$Primitive> for Real {
            fn from(value: $Primitive) -> Real {
                Real::of(BigRational::from_integer(BigInt::from(value)))
            }
        }
    )*};
}

from_primitive!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// A Dafny literal or a fraction of integers. Panics if the text is not a number: it is meant for
/// literals.
impl From<&str> for Real {
    fn from(literal: &str) -> Real {
        literal.parse().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl FromStr for Real {
    type Err = ParseNumberError;
    fn from_str(text: &str) -> Result<Real, ParseNumberError> {
        let error = || ParseNumberError {
            text: text.to_owned(),
        };
        let parse = |digits: &str| digits.parse::<BigInt>().map_err(|_| error());
        if let Some((numerator, denominator)) = text.split_once('/') {
            let (numerator, denominator) = (parse(numerator.trim())?, parse(denominator.trim())?);
            if denominator.is_zero() {
                return Err(error());
            }
            return Ok(Real::of(BigRational::new(numerator, denominator)));
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| error())?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if !fraction
            .chars()
            .all(|digit| digit.is_ascii_digit() || digit == '_')
        {
            return Err(error());
        }
        let fraction: String = fraction.chars().filter(char::is_ascii_digit).collect();
        let digits = parse(&format!("{whole}{fraction}"))?;
        let decimals = i32::try_from(fraction.len()).map_err(|_| error())?;
        Ok(Real::decimal(
            digits,
            i64::from(exponent) - i64::from(decimals),
        ))
    }
}

impl fmt::Display for Real {
    /// Formats the number like Dafny: `1.5` if it is a finite decimal, otherwise `(1.0 / 3.0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = (self.0.numer(), self.0.denom());
        if denominator.is_one() || numerator.is_zero() {
            return write!(f, "{numerator}.0");
        }
        let Some((factor, places)) = decimal_places(denominator) else {
            return write!(f, "({numerator}.0 / {denominator}.0)");
        };
        let digits = (numerator.abs() * factor).to_string();
        let sign = if numerator.is_negative() { "-" } else { "" };
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The least `places` and its `factor` with `denominator * factor == 10 ^ places`, if there are
/// any.
fn decimal_places(denominator: &BigInt) -> Option<(BigInt, usize)> {
    let (mut rest, mut twos, mut fives) = (denominator.clone(), 0usize, 0usize);
    while (&rest % 2u8).is_zero() {
        rest /= 2u8;
        twos += 1;
    }
    while (&rest % 5u8).is_zero() {
        rest /= 5u8;
        fives += 1;
    }
    if !rest.is_one() {
        return None;
    }
    let places = twos.max(fives);
    let power = |base: u8, times: usize| num_traits::pow(BigInt::from(base), times);
    Some((power(2, places - twos) * power(5, places - fives), places))
}

#[cfg(test)]
mod tests {
    use super::{Real, real};
    use crate::{Int, int};
    use proptest::prelude::*;

    #[test]
    fn reals_print_as_dafny_prints_them() {
        for (literal, printed) in [
            ("0.0", "0.0"),
            ("1.50", "1.5"),
            ("-0.05", "-0.05"),
            ("3", "3.0"),
            ("1/3", "(1.0 / 3.0)"),
            ("-2/6", "(-1.0 / 3.0)"),
            ("5/4", "1.25"),
            ("1e3", "1000.0"),
            ("1_0.2_5e-1", "1.025"),
        ] {
            assert_eq!(real(literal).to_string(), printed, "{literal}");
        }
        for wrong in ["", ".", "1.x", "1/0", "1.-5", "e"] {
            assert!(wrong.parse::<Real>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn arithmetic_leaves_the_denominator_that_dafny_leaves() {
        let quotient = real("31.2") / real("-4.0");
        for (value, printed) in [
            (quotient.clone(), "-7.800"),
            (&quotient * real("-4.0"), "31.200"),
            (real("0.5") + real("0.5"), "1.0"),
            (&quotient - real("0.0"), "-7.800"),
            (&quotient - &quotient, "0.0"),
            (-&quotient, "7.800"),
            (real("2.0") / real("6.0"), "(2.0 / 6.0)"),
        ] {
            assert_eq!(value.to_string(), printed);
        }
        assert_eq!(quotient, real("-7.8"));
        assert_eq!((real("0.5") + real("0.5")).to_int(), int(1));
        assert_eq!(
            (quotient.numerator(), quotient.denominator()),
            (int(-39), int(5))
        );
    }

    #[test]
    fn the_floor_is_not_above_the_number() {
        assert_eq!(
            (real("-1.5").floor(), real("1.5").floor()),
            (int(-2), int(1))
        );
    }

    #[test]
    #[should_panic(expected = "1.5 is not an integer")]
    fn a_fraction_is_no_int() {
        real("1.5").to_int();
    }

    fn any_real() -> impl Strategy<Value = Real> {
        (any::<i32>(), 1..1000_i32)
            .prop_map(|(numerator, denominator)| Real::ratio(&int(numerator), &int(denominator)))
    }

    proptest! {
        #[test]
        fn reals_are_a_field(x in any_real(), y in any_real(), z in any_real()) {
            prop_assert_eq!((&x + &y) * &z, &x * &z + &y * &z);
            prop_assert_eq!(&x - &y + &y, x.clone());
            if y != real(0) {
                prop_assert_eq!(&x / &y * &y, x.clone());
            }
            prop_assert_eq!(x < y, &x - &y < real(0));
            prop_assert!(Real::from(x.floor()) <= x && x < Real::from(x.floor() + Int::ONE));
        }
    }
}
