//! Dafny's bit-vectors of any width.

use std::fmt;
use std::ops::{Not, Shl, Shr};

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use crate::forward::forward_binary;
use crate::int::Int;
use crate::native::ToIndex;

/// A bit-vector of `N` bits: an unsigned number below 2^N whose arithmetic wraps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bv<const N: usize>(Repr);

/// `Small` if and only if `N <= 128`; bits from `N` up are 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Small(u128),
    Big(BigUint),
}

impl<const N: usize> Bv<N> {
    /// Whether a number is in `0 .. 2^N`.
    pub fn holds(value: &Int) -> bool {
        Bv::<N>::wrapping(value).to_int() == *value
    }

    /// The vector of a number in range; panics if it is not in `0 .. 2^N`.
    pub fn of_int(value: &Int) -> Bv<N> {
        let vector = Bv::wrapping(value);
        assert!(
            vector.to_int() == *value,
            "{value} is out of range of bv{N}"
        );
        vector
    }

    /// The vector of the low `N` bits of a number, in two's complement.
    pub fn wrapping(value: &Int) -> Bv<N> {
        if N <= 128 {
            if let Some(small) = value.to_i64() {
                return Bv::small(i128::from(small) as u128);
            }
        }
        let modulus = BigInt::one() << N;
        let reduced = num_integer::Integer::mod_floor(&value.to_big(), &modulus);
        Bv::big(reduced.magnitude().clone())
    }

    /// The number.
    pub fn to_int(&self) -> Int {
        match &self.0 {
            Repr::Small(bits) => Int::from(*bits),
            Repr::Big(bits) => BigInt::from(bits.clone()).into(),
        }
    }

    /// The vector of another width: `b as bvM`; panics if the number does not fit.
    pub fn to_width<const M: usize>(&self) -> Bv<M> {
        Bv::of_int(&self.to_int())
    }

    /// `self + right`, wrapping
    pub fn plus(&self, right: &Self) -> Self {
        self.zip(right, u128::wrapping_add, |a, b| a + b)
    }

    /// `self - right`, wrapping
    pub fn minus(&self, right: &Self) -> Self {
        self.zip(right, u128::wrapping_sub, |a, b| {
            (BigUint::one() << N) + a - b
        })
    }

    /// `self * right`, wrapping
    pub fn times(&self, right: &Self) -> Self {
        self.zip(right, u128::wrapping_mul, |a, b| a * b)
    }

    /// `self / right`, unsigned; panics if `right` is 0.
    pub fn divide(&self, right: &Self) -> Self {
        assert!(!right.is_zero(), "division by zero: {self} / 0");
        self.zip(right, |a, b| a / b, |a, b| a / b)
    }

    /// `self % right`, unsigned; panics if `right` is 0.
    pub fn modulo(&self, right: &Self) -> Self {
        assert!(!right.is_zero(), "division by zero: {self} % 0");
        self.zip(right, |a, b| a % b, |a, b| a % b)
    }

    /// The bits set in both.
    pub fn and(&self, right: &Self) -> Self {
        self.zip(right, |a, b| a & b, |a, b| a & b)
    }

    /// The bits set in either.
    pub fn or(&self, right: &Self) -> Self {
        self.zip(right, |a, b| a | b, |a, b| a | b)
    }

    /// The bits set in exactly one.
    pub fn xor(&self, right: &Self) -> Self {
        self.zip(right, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `self << places`; panics unless `0 <= places <= N`.
    pub fn shift_left(&self, places: impl ToIndex) -> Self {
        let places = Self::places(&places);
        match &self.0 {
            Repr::Small(bits) => Bv::small(
                u32::try_from(places)
                    .ok()
                    .and_then(|by| bits.checked_shl(by))
                    .unwrap_or(0),
            ),
            Repr::Big(bits) => Bv::big(bits << places),
        }
    }

    /// `self >> places`, filling with 0; panics unless `0 <= places <= N`.
    pub fn shift_right(&self, places: impl ToIndex) -> Self {
        let places = Self::places(&places);
        match &self.0 {
            Repr::Small(bits) => Bv::small(
                u32::try_from(places)
                    .ok()
                    .and_then(|by| bits.checked_shr(by))
                    .unwrap_or(0),
            ),
            Repr::Big(bits) => Bv::big(bits >> places),
        }
    }

    /// Dafny's `b.RotateLeft(places)`; panics unless `0 <= places <= N`.
    pub fn rotate_left(&self, places: impl ToIndex) -> Self {
        let places = Self::places(&places);
        self.shift_left(places).or(&self.shift_right(N - places))
    }

    /// Dafny's `b.RotateRight(places)`; panics unless `0 <= places <= N`.
    pub fn rotate_right(&self, places: impl ToIndex) -> Self {
        let places = Self::places(&places);
        self.shift_right(places).or(&self.shift_left(N - places))
    }

    /// Whether every bit is 0.
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small(bits) => *bits == 0,
            Repr::Big(bits) => *bits == BigUint::ZERO,
        }
    }

    fn places(places: &impl ToIndex) -> usize {
        match places.to_index() {
            Some(by) if by <= N => by,
            _ => panic!("shift by {} of a bv{N}", places.index_as_int()),
        }
    }

    fn zip(
        &self,
        right: &Self,
        small: impl Fn(u128, u128) -> u128,
        big: impl Fn(&BigUint, &BigUint) -> BigUint,
    ) -> Self {
        match (&self.0, &right.0) {
            (Repr::Small(a), Repr::Small(b)) => Bv::small(small(*a, *b)),
            (Repr::Big(a), Repr::Big(b)) => Bv::big(big(a, b)),
            // A width has one representation, so these combinations cannot occur; they are
            // converted nevertheless.
            (Repr::Small(a), Repr::Big(b)) => Bv::big(big(&BigUint::from(*a), b)),
            (Repr::Big(a), Repr::Small(b)) => Bv::big(big(a, &BigUint::from(*b))),
        }
    }

    /// The low `N` bits; `N` is at most 128.
    fn small(bits: u128) -> Self {
        let mask = if N == 0 {
            0
        } else {
            u128::MAX >> (128 - N.min(128))
        };
        Bv(Repr::Small(bits & mask))
    }

    /// The low `N` bits, for any `N`.
    fn big(bits: BigUint) -> Self {
        let bits = if bits.bits() > N as u64 {
            bits & ((BigUint::one() << N) - BigUint::one())
        } else {
            bits
        };
        if N > 128 {
            return Bv(Repr::Big(bits));
        }
        let low = bits.iter_u64_digits().take(2).enumerate();
        Bv(Repr::Small(low.fold(0, |sum, (place, digit)| {
            sum | (u128::from(digit) << (64 * place))
        })))
    }
}

forward_binary!([const N: usize] Bv<N>: Add add, AddAssign add_assign = Bv::plus);
forward_binary!([const N: usize] Bv<N>: Sub sub, SubAssign sub_assign = Bv::minus);
forward_binary!([const N: usize] Bv<N>: Mul mul, MulAssign mul_assign = Bv::times);
forward_binary!([const N: usize] Bv<N>: Div div, DivAssign div_assign = Bv::divide);
forward_binary!([const N: usize] Bv<N>: Rem rem, RemAssign rem_assign = Bv::modulo);
forward_binary!([const N: usize] Bv<N>: BitAnd bitand, BitAndAssign bitand_assign = Bv::and);
forward_binary!([const N: usize] Bv<N>: BitOr bitor, BitOrAssign bitor_assign = Bv::or);
forward_binary!([const N: usize] Bv<N>: BitXor bitxor, BitXorAssign bitxor_assign = Bv::xor);

impl<const N: usize> Not for &Bv<N> {
    type Output = Bv<N>;
    fn not(self) -> Bv<N> {
        match &self.0 {
            Repr::Small(bits) => Bv::small(!bits),
            Repr::Big(bits) => Bv::big(((BigUint::one() << N) - BigUint::one()) ^ bits),
        }
    }
}

impl<const N: usize> Not for Bv<N> {
    type Output = Bv<N>;
    fn not(self) -> Bv<N> {
        !&self
    }
}

/// Dafny's `-b`: `0 - b`, wrapping.
impl<const N: usize> std::ops::Neg for &Bv<N> {
    type Output = Bv<N>;
    fn neg(self) -> Bv<N> {
        Bv::default().minus(self)
    }
}

impl<const N: usize> std::ops::Neg for Bv<N> {
    type Output = Bv<N>;
    fn neg(self) -> Bv<N> {
        -&self
    }
}

macro_rules! shifts {
    ($($Trait:ident $method:ident = $function:ident;)*) => {$(
        impl<const N: usize, I: ToIndex> $Trait<I> for &Bv<N> {
            type Output = Bv<N>;
            fn $method(self, places: I) -> Bv<N> {
                self.$function(places)
            }
        }
        impl<const N: usize, I: ToIndex> $Trait<I> for Bv<N> {
            type Output = Bv<N>;
            fn $method(self, places: I) -> Bv<N> {
                self.$function(places)
            }
        }
    )*};
}

shifts! {
    Shl shl = shift_left;
    Shr shr = shift_right;
}

impl<const N: usize> Default for Bv<N> {
    fn default() -> Bv<N> {
        Bv::wrapping(&Int::ZERO)
    }
}

/// The vector of a literal; panics if it is not in `0 .. 2^N`.
impl<const N: usize, I: Into<Int>> From<I> for Bv<N> {
    fn from(value: I) -> Bv<N> {
        Bv::of_int(&value.into())
    }
}

impl<const N: usize> fmt::Display for Bv<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(bits) => write!(f, "{bits}"),
            Repr::Big(bits) => write!(f, "{bits}"),
        }
    }
}

impl<const N: usize> fmt::Debug for Bv<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Bv;
    use crate::{Int, int};
    use proptest::prelude::*;

    fn check<const N: usize>(a: &Int, b: &Int, places: usize) -> Result<(), TestCaseError> {
        let modulus =
            int(2).pow(u32::try_from(N).map_err(|error| TestCaseError::fail(error.to_string()))?);
        let (x, y) = (Bv::<N>::wrapping(a), Bv::<N>::wrapping(b));
        let (m, n) = (a % &modulus, b % &modulus);
        prop_assert_eq!(x.to_int(), m.clone());
        prop_assert_eq!((&x + &y).to_int(), (&m + &n) % &modulus);
        prop_assert_eq!((&x - &y).to_int(), (&m - &n) % &modulus);
        prop_assert_eq!((&x * &y).to_int(), (&m * &n) % &modulus);
        prop_assert_eq!(x.cmp(&y), m.cmp(&n));
        prop_assert_eq!((!&x).to_int(), &modulus - Int::ONE - &m);
        prop_assert_eq!((&x & &y) + (&x | &y), &x + &y);
        prop_assert_eq!((&x & &y) ^ (&x | &y), &x ^ &y);
        if !y.is_zero() {
            prop_assert_eq!((&x / &y).to_int(), &m / &n);
            prop_assert_eq!((&x % &y).to_int(), &m % &n);
        }
        let places = places.min(N);
        let power = int(2).pow(places as u32);
        prop_assert_eq!((&x << places).to_int(), &m * &power % &modulus);
        prop_assert_eq!((&x >> places).to_int(), &m / &power);
        prop_assert_eq!(x.rotate_left(places).rotate_right(places), x.clone());
        prop_assert_eq!(x.rotate_left(places), x.rotate_right(N - places));
        Ok(())
    }

    proptest! {
        #[test]
        fn vectors_of_any_width_wrap(a: i128, b: i128, scale: i64, places in 0_usize..300) {
            let (a, b) = (int(a) * int(scale), int(b));
            check::<0>(&a, &b, places)?;
            check::<1>(&a, &b, places)?;
            check::<8>(&a, &b, places)?;
            check::<64>(&a, &b, places)?;
            check::<127>(&a, &b, places)?;
            check::<128>(&a, &b, places)?;
            check::<129>(&a, &b, places)?;
            check::<256>(&a, &b, places)?;
        }
    }

    #[test]
    #[should_panic(expected = "256 is out of range of bv8")]
    fn a_literal_fits_its_width() {
        let _ = Bv::<8>::from(256);
    }

    #[test]
    #[should_panic(expected = "shift by 9 of a bv8")]
    fn a_shift_is_at_most_the_width() {
        let _ = Bv::<8>::from(1) << 9;
    }
}
