//! Newtypes held in a primitive integer: checked Euclidean arithmetic, conversions, and indices.

use std::fmt::Display;

use crate::int::{Int, OutOfRange};

/// A primitive integer that represents a Dafny newtype. Rust's own `/` and `%` truncate; these
/// methods follow Dafny, and panic with the operation and its operands if the result does not fit.
pub trait Native:
    Copy + Ord + Display + Into<Int> + for<'a> TryFrom<&'a Int, Error = OutOfRange>
{
    /// The name of the Rust type.
    const NAME: &'static str;
    /// `self + right`
    fn plus(self, right: Self) -> Self;
    /// `self - right`
    fn minus(self, right: Self) -> Self;
    /// `self * right`
    fn times(self, right: Self) -> Self;
    /// Euclidean `self / right`
    fn divide(self, right: Self) -> Self;
    /// Euclidean `self % right`, never negative
    fn modulo(self, right: Self) -> Self;
    /// `-self`
    fn negate(self) -> Self;

    /// The same number, unbounded.
    fn to_int(self) -> Int {
        self.into()
    }

    /// The same number, if it is in range; panics otherwise.
    fn of_int(value: &Int) -> Self {
        match Self::try_from(value) {
            Ok(native) => native,
            Err(error) => panic!("{error}"),
        }
    }

    /// The same number in another primitive, if it is in range; panics otherwise.
    fn to_native<N: Native>(self) -> N {
        N::of_int(&self.to_int())
    }
}

impl Int {
    /// The same number in a primitive, if it is in range; panics otherwise.
    pub fn to_native<N: Native>(&self) -> N {
        N::of_int(self)
    }
}

fn overflow(name: &str, left: impl Display, operator: &str, right: impl Display) -> ! {
    panic!("{left} {operator} {right} is out of range of {name}")
}

macro_rules! native {
    ($($Primitive:ident)*) => {$(
        impl Native for $Primitive {
            const NAME: &'static str = stringify!($Primitive);
            fn plus(self, right: Self) -> Self {
                self.checked_add(right).unwrap_or_else(|| overflow(Self::NAME, self, "+", right))
            }
            fn minus(self, right: Self) -> Self {
                self.checked_sub(right).unwrap_or_else(|| overflow(Self::NAME, self, "-", right))
            }
            fn times(self, right: Self) -> Self {
                self.checked_mul(right).unwrap_or_else(|| overflow(Self::NAME, self, "*", right))
            }
            fn divide(self, right: Self) -> Self {
                assert!(right != 0, "division by zero: {self} / 0");
                self.checked_div_euclid(right).unwrap_or_else(|| overflow(Self::NAME, self, "/", right))
            }
            fn modulo(self, right: Self) -> Self {
                assert!(right != 0, "division by zero: {self} % 0");
                // The one overflow, MIN % -1, has a result: 0.
                self.checked_rem_euclid(right).unwrap_or(0)
            }
            fn negate(self) -> Self {
                self.checked_neg().unwrap_or_else(|| panic!("- {self} is out of range of {}", Self::NAME))
            }
        }
    )*};
}

native!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// An index of a sequence or an array: an [`Int`], a primitive integer, or a reference to one.
pub trait ToIndex {
    /// The position; `None` if it is negative or does not fit in a `usize`.
    fn to_index(&self) -> Option<usize>;
    /// The number, for messages.
    fn index_as_int(&self) -> Int;
}

macro_rules! to_index {
    ($($Primitive:ty)*) => {$(
        impl ToIndex for $Primitive {
            fn to_index(&self) -> Option<usize> {
                usize::try_from(*self).ok()
            }
            fn index_as_int(&self) -> Int {
                Int::from(*self)
            }
        }
    )*};
}

to_index!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl ToIndex for Int {
    fn to_index(&self) -> Option<usize> {
        self.to_usize()
    }
    fn index_as_int(&self) -> Int {
        self.clone()
    }
}

impl<const N: usize> ToIndex for crate::Bv<N> {
    fn to_index(&self) -> Option<usize> {
        self.to_int().to_usize()
    }
    fn index_as_int(&self) -> Int {
        self.to_int()
    }
}

impl<I: ToIndex + ?Sized> ToIndex for &I {
    fn to_index(&self) -> Option<usize> {
        (**self).to_index()
    }
    fn index_as_int(&self) -> Int {
        (**self).index_as_int()
    }
}

/// The position that `index` denotes in a collection of `length` elements; panics if it is not
/// below `length`.
pub(crate) fn position(index: &impl ToIndex, length: usize, what: &str) -> usize {
    match index.to_index() {
        Some(position) if position < length => position,
        _ => panic!(
            "index {} is out of range of {what} of length {length}",
            index.index_as_int()
        ),
    }
}

/// The bounds of the slice `lo .. hi` of a collection; panics unless `0 <= lo <= hi <= length`.
pub(crate) fn slice_bounds(
    lo: &impl ToIndex,
    hi: &impl ToIndex,
    length: usize,
    what: &str,
) -> (usize, usize) {
    match (lo.to_index(), hi.to_index()) {
        (Some(low), Some(high)) if low <= high && high <= length => (low, high),
        _ => panic!(
            "slice {} .. {} is out of range of {what} of length {length}",
            lo.index_as_int(),
            hi.index_as_int()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::Native;
    use crate::{Int, int};
    use proptest::prelude::*;

    #[test]
    fn division_and_remainder_are_euclidean() {
        assert_eq!(((-7i8).divide(2), (-7i8).modulo(2)), (-4, 1));
        assert_eq!(((-7i8).divide(-2), (-7i8).modulo(-2)), (4, 1));
        assert_eq!((7i8.divide(-2), 7i8.modulo(-2)), (-3, 1));
        assert_eq!(i8::MIN.modulo(-1), 0);
    }

    #[test]
    #[should_panic(expected = "200 + 100 is out of range of u8")]
    fn an_overflow_names_the_operation() {
        let _ = 200u8.plus(100);
    }

    #[test]
    #[should_panic(expected = "- 3 is out of range of u8")]
    fn an_unsigned_number_has_no_negation() {
        let _ = 3u8.negate();
    }

    #[test]
    #[should_panic(expected = "-128 / -1 is out of range of i8")]
    fn the_least_number_has_no_opposite() {
        let _ = i8::MIN.divide(-1);
    }

    #[test]
    #[should_panic(expected = "256 is out of range of u8")]
    fn a_conversion_is_checked() {
        let _: u8 = int(256).to_native();
    }

    proptest! {
        #[test]
        fn native_arithmetic_is_that_of_int_where_it_fits(a: i16, b: i16) {
            let (x, y) = (Int::from(a), Int::from(b));
            let fits = |exact: Int| i16::try_from(&exact).ok();
            for (native, exact) in [
                (a.checked_add(b).map(|_| a.plus(b)), &x + &y),
                (a.checked_sub(b).map(|_| a.minus(b)), &x - &y),
                (a.checked_mul(b).map(|_| a.times(b)), &x * &y),
            ] {
                prop_assert_eq!(native, fits(exact));
            }
            if b != 0 && (a, b) != (i16::MIN, -1) {
                prop_assert_eq!(a.divide(b).to_int(), &x / &y);
                prop_assert_eq!(a.modulo(b).to_int(), &x % &y);
            }
        }
    }
}
