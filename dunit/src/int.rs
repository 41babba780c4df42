//! Dafny's `int`: unbounded, with a fast path for values of 64 bits.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;
use std::rc::Rc;
use std::str::FromStr;

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};

use crate::forward::forward_binary;

/// An unbounded integer. Division and remainder are Euclidean, as in Dafny: the remainder is never
/// negative.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

/// `Big` holds only what does not fit in `Small`, so that derived equality is equality of numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Rc<BigInt>),
}

/// The integer of a Rust integer or of decimal digits: `int(5)`, `int(-3)`,
/// `int("123456789012345678901234567890")`. A literal outside of `i32` needs its suffix:
/// `int(5_000_000_000_i64)`.
pub fn int(value: impl Into<Int>) -> Int {
    value.into()
}

impl Int {
    /// 0
    pub const ZERO: Int = Int(Repr::Small(0));
    /// 1
    pub const ONE: Int = Int(Repr::Small(1));

    /// The integer as an arbitrary-precision number of `num-bigint`.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(small) => BigInt::from(*small),
            Repr::Big(big) => (**big).clone(),
        }
    }

    /// The value as an `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(small) => Some(*small),
            Repr::Big(_) => None,
        }
    }

    /// The value as a `usize`, if it fits.
    pub fn to_usize(&self) -> Option<usize> {
        self.try_to()
    }

    /// The value as any primitive integer, if it fits.
    pub fn try_to<N: TryFrom<i64> + TryFrom<BigInt>>(&self) -> Option<N> {
        match &self.0 {
            Repr::Small(small) => N::try_from(*small).ok(),
            Repr::Big(big) => N::try_from((**big).clone()).ok(),
        }
    }

    /// Whether the value is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether the value is less than 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(small) => *small < 0,
            Repr::Big(big) => big.is_negative(),
        }
    }

    /// The distance from 0.
    pub fn abs(&self) -> Int {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// `self` raised to a natural power.
    pub fn pow(&self, exponent: u32) -> Int {
        match &self.0 {
            Repr::Small(small) => match small.checked_pow(exponent) {
                Some(power) => Int(Repr::Small(power)),
                None => BigInt::from(*small).pow(exponent).into(),
            },
            Repr::Big(big) => big.pow(exponent).into(),
        }
    }

    /// `self + right`
    pub fn plus(&self, right: &Int) -> Int {
        match (&self.0, &right.0) {
            (Repr::Small(a), Repr::Small(b)) => match a.checked_add(*b) {
                Some(sum) => Int(Repr::Small(sum)),
                None => Int::from(i128::from(*a) + i128::from(*b)),
            },
            (Repr::Small(a), Repr::Big(b)) => (&**b + *a).into(),
            (Repr::Big(a), Repr::Small(b)) => (&**a + *b).into(),
            (Repr::Big(a), Repr::Big(b)) => (&**a + &**b).into(),
        }
    }

    /// `self - right`
    pub fn minus(&self, right: &Int) -> Int {
        match (&self.0, &right.0) {
            (Repr::Small(a), Repr::Small(b)) => match a.checked_sub(*b) {
                Some(difference) => Int(Repr::Small(difference)),
                None => Int::from(i128::from(*a) - i128::from(*b)),
            },
            (Repr::Small(a), Repr::Big(b)) => (*a - &**b).into(),
            (Repr::Big(a), Repr::Small(b)) => (&**a - *b).into(),
            (Repr::Big(a), Repr::Big(b)) => (&**a - &**b).into(),
        }
    }

    /// `self * right`
    pub fn times(&self, right: &Int) -> Int {
        match (&self.0, &right.0) {
            (Repr::Small(a), Repr::Small(b)) => match a.checked_mul(*b) {
                Some(product) => Int(Repr::Small(product)),
                None => Int::from(i128::from(*a) * i128::from(*b)),
            },
            (Repr::Small(a), Repr::Big(b)) => (&**b * *a).into(),
            (Repr::Big(a), Repr::Small(b)) => (&**a * *b).into(),
            (Repr::Big(a), Repr::Big(b)) => (&**a * &**b).into(),
        }
    }

    /// Dafny's `self / right`: the quotient whose remainder is in `0 .. |right|`. Panics if `right`
    /// is 0.
    pub fn div_euclid(&self, right: &Int) -> Int {
        self.div_rem(right).0
    }

    /// Dafny's `self % right`, in `0 .. |right|`. Panics if `right` is 0.
    pub fn rem_euclid(&self, right: &Int) -> Int {
        self.div_rem(right).1
    }

    fn div_rem(&self, right: &Int) -> (Int, Int) {
        assert!(!right.is_zero(), "division by zero: {self} / 0");
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &right.0) {
            if let (Some(quotient), Some(remainder)) =
                (a.checked_div_euclid(*b), a.checked_rem_euclid(*b))
            {
                return (Int(Repr::Small(quotient)), Int(Repr::Small(remainder)));
            }
        }
        let (a, b) = (self.to_big(), right.to_big());
        let (quotient, remainder) = num_integer::Integer::div_rem(&a, &b);
        if !remainder.is_negative() {
            (quotient.into(), remainder.into())
        } else if b.is_positive() {
            (Int::from(quotient - 1), Int::from(remainder + b))
        } else {
            (Int::from(quotient + 1), Int::from(remainder - b))
        }
    }
}

forward_binary!(Int: Add add, AddAssign add_assign = Int::plus);
forward_binary!(Int: Sub sub, SubAssign sub_assign = Int::minus);
forward_binary!(Int: Mul mul, MulAssign mul_assign = Int::times);
forward_binary!(Int: Div div, DivAssign div_assign = Int::div_euclid);
forward_binary!(Int: Rem rem, RemAssign rem_assign = Int::rem_euclid);

/// Operators between an `Int` and a literal: `&n + 1`, `2 * n`, `n < 10`. `i32` is the default type
/// of literals.
macro_rules! with_literals {
    ($($Trait:ident $method:ident, $Assign:ident $assign:ident = $function:path;)*) => {$(
        impl std::ops::$Trait<i32> for Int {
            type Output = Int;
            fn $method(self, right: i32) -> Int {
                $function(&self, &Int::from(right))
            }
        }
        impl std::ops::$Trait<i32> for &Int {
            type Output = Int;
            fn $method(self, right: i32) -> Int {
                $function(self, &Int::from(right))
            }
        }
        impl std::ops::$Trait<Int> for i32 {
            type Output = Int;
            fn $method(self, right: Int) -> Int {
                $function(&Int::from(self), &right)
            }
        }
        impl std::ops::$Trait<&Int> for i32 {
            type Output = Int;
            fn $method(self, right: &Int) -> Int {
                $function(&Int::from(self), right)
            }
        }
        impl std::ops::$Assign<i32> for Int {
            fn $assign(&mut self, right: i32) {
                *self = $function(self, &Int::from(right));
            }
        }
    )*};
}

with_literals! {
    Add add, AddAssign add_assign = Int::plus;
    Sub sub, SubAssign sub_assign = Int::minus;
    Mul mul, MulAssign mul_assign = Int::times;
    Div div, DivAssign div_assign = Int::div_euclid;
    Rem rem, RemAssign rem_assign = Int::rem_euclid;
}

impl PartialEq<i32> for Int {
    fn eq(&self, other: &i32) -> bool {
        self.0 == Repr::Small(i64::from(*other))
    }
}

impl PartialEq<Int> for i32 {
    fn eq(&self, other: &Int) -> bool {
        other == self
    }
}

impl PartialOrd<i32> for Int {
    fn partial_cmp(&self, other: &i32) -> Option<Ordering> {
        Some(self.cmp(&Int::from(*other)))
    }
}

impl PartialOrd<Int> for i32 {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(Int::from(*self).cmp(other))
    }
}

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match &self.0 {
            Repr::Small(small) => match small.checked_neg() {
                Some(negated) => Int(Repr::Small(negated)),
                None => Int::from(-i128::from(*small)),
            },
            Repr::Big(big) => (-&**big).into(),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Small(_), Repr::Big(b)) => {
                if b.sign() == Sign::Minus {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Repr::Big(a), Repr::Small(_)) => {
                if a.sign() == Sign::Minus {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl std::iter::Sum for Int {
    fn sum<I: Iterator<Item = Int>>(terms: I) -> Int {
        terms.fold(Int::ZERO, |sum, term| sum + term)
    }
}

impl<'a> std::iter::Sum<&'a Int> for Int {
    fn sum<I: Iterator<Item = &'a Int>>(terms: I) -> Int {
        terms.fold(Int::ZERO, |sum, term| sum + term)
    }
}

impl From<BigInt> for Int {
    fn from(big: BigInt) -> Int {
        match big.to_i64() {
            Some(small) => Int(Repr::Small(small)),
            None => Int(Repr::Big(Rc::new(big))),
        }
    }
}

impl From<&Int> for Int {
    fn from(value: &Int) -> Int {
        value.clone()
    }
}

/// Decimal digits, with an optional sign and underscores. Panics if the text is not a number: it is
/// meant for literals.
impl From<&str> for Int {
    fn from(digits: &str) -> Int {
        digits.parse().unwrap_or_else(|error| panic!("{error}"))
    }
}

macro_rules! from_narrow {
    ($($Primitive:ty)*) => {$(
        impl From<$Primitive> for Int {
            fn from(value: $Primitive) -> Int {
                Int(Repr::Small(i64::from(value)))
            }
        }
    )*};
}

macro_rules! from_wide {
    ($($Primitive:ty)*) => {$(
        impl From<$Primitive> for Int {
            fn from(value: $Primitive) -> Int {
                match i64::try_from(value) {
                    Ok(small) => Int(Repr::Small(small)),
                    Err(_) => Int(Repr::Big(Rc::new(BigInt::from(value)))),
                }
            }
        }
    )*};
}

macro_rules! primitive_from {
    ($($Primitive:ty)*) => {$(
        impl TryFrom<&Int> for $Primitive {
            type Error = OutOfRange;
            fn try_from(value: &Int) -> Result<$Primitive, OutOfRange> {
                value.try_to().ok_or_else(|| OutOfRange { value: value.clone(), target: stringify!($Primitive) })
            }
        }
        impl TryFrom<Int> for $Primitive {
            type Error = OutOfRange;
            fn try_from(value: Int) -> Result<$Primitive, OutOfRange> {
                <$Primitive>::try_from(&value)
            }
        }
    )*};
}

from_narrow!(i8 i16 i32 i64 u8 u16 u32);
from_wide!(u64 i128 u128 usize isize);
primitive_from!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// An integer that does not fit in the type it was to be converted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The integer.
    pub value: Int,
    /// The name of the type.
    pub target: &'static str,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is out of range of {}", self.value, self.target)
    }
}

impl std::error::Error for OutOfRange {}

/// Text that is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseNumberError {
    pub(crate) text: String,
}

impl fmt::Display for ParseNumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a number", self.text)
    }
}

impl std::error::Error for ParseNumberError {}

impl FromStr for Int {
    type Err = ParseNumberError;
    fn from_str(text: &str) -> Result<Int, ParseNumberError> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Int(Repr::Small(small)));
        }
        let big: BigInt = text.parse().map_err(|_| ParseNumberError {
            text: text.to_owned(),
        })?;
        Ok(big.into())
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(small) => write!(f, "{small}"),
            Repr::Big(big) => write!(f, "{big}"),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Int, int};
    use proptest::prelude::*;

    /// Numbers of every size, often at the border between the two representations.
    fn any_int() -> impl Strategy<Value = i128> {
        let border = i128::from(i64::MAX);
        prop_oneof![
            -9..=9_i128,
            any::<i64>().prop_map(i128::from),
            (border - 3)..=(border + 3),
            (-border - 4)..=(-border + 2),
            -(1_i128 << 100)..(1_i128 << 100),
        ]
    }

    #[test]
    fn literals_of_any_size_print_as_they_were_written() {
        for digits in [
            "0",
            "-1",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
        ] {
            assert_eq!(int(digits).to_string(), digits);
        }
        assert!("12x".parse::<Int>().is_err());
    }

    #[test]
    fn a_number_that_shrinks_equals_the_small_one() {
        let big = int(i64::MAX) + int(1);
        assert_eq!(big.clone() - int(1), int(i64::MAX));
        assert_eq!(-(-&big), big);
        assert_eq!(int(i64::MIN) / int(-1), big);
        assert_eq!(int(i64::MIN) % int(-1), int(0));
        assert_eq!(int(2).pow(64), int("18446744073709551616"));
    }

    #[test]
    #[should_panic(expected = "division by zero: 5 / 0")]
    fn nothing_is_divided_by_zero() {
        let _ = int(5) / int(0);
    }

    #[test]
    fn a_conversion_out_of_range_says_so() {
        assert_eq!(
            u8::try_from(int(256)).map_err(|error| error.to_string()),
            Err("256 is out of range of u8".into())
        );
        assert_eq!(i128::try_from(int(-5)), Ok(-5));
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_wide_integers(a in any_int(), b in any_int()) {
            let (x, y) = (int(a), int(b));
            prop_assert_eq!(&x + &y, int(a + b));
            prop_assert_eq!(&x - &y, int(a - b));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x == y, a == b);
            prop_assert_eq!(-&x, int(-a));
            prop_assert_eq!(x.abs(), int(a.abs()));
            if let Some(product) = a.checked_mul(b) {
                prop_assert_eq!(&x * &y, int(product));
            }
            if b != 0 {
                prop_assert_eq!(&x / &y, int(a.div_euclid(b)));
                prop_assert_eq!(&x % &y, int(a.rem_euclid(b)));
            }
            prop_assert_eq!(x.to_string().parse::<Int>(), Ok(x));
        }

        #[test]
        fn division_is_euclidean_on_huge_numbers(a in any_int(), b in any_int(), scale in any_int()) {
            prop_assume!(b != 0 && scale != 0);
            let (x, y) = (int(a) * int(scale) * int(scale), int(b) * int(scale));
            let (quotient, remainder) = (&x / &y, &x % &y);
            prop_assert!(Int::ZERO <= remainder && remainder < y.abs());
            prop_assert_eq!(quotient * y + remainder, x);
        }
    }
}
