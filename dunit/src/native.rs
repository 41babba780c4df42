//! Newtypes held in a primitive integer: checked Euclidean arithmetic, conversions, and indices.

use std::fmt::Display;

use crate::int::{Int, OutOfRange};

/// A primitive integer that represents a Dafny newtype. Rust's own `/` and `%` truncate; these methods do as Dafny does,
/// and panic with the operation and its operands where the result does not fit.
pub trait Native: Copy + Ord + Display + Into<Int> + for<'a> TryFrom<&'a Int, Error = OutOfRange> {
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
                self.checked_neg().unwrap_or_else(|| overflow(Self::NAME, "", "-", self))
            }
        }
    )*};
}

native!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// What may stand between the brackets of a sequence or an array: an [`Int`], a primitive integer, or a reference to one.
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

/// The position that `index` names in a collection of `length` elements; panics if it is not below `length`.
pub(crate) fn position(index: &impl ToIndex, length: usize, what: &str) -> usize {
    match index.to_index() {
        Some(position) if position < length => position,
        _ => panic!("index {} is out of range of {what} of length {length}", index.index_as_int()),
    }
}

/// The bound of a slice, at most `length`; panics otherwise.
pub(crate) fn bound(index: &impl ToIndex, length: usize, what: &str) -> usize {
    match index.to_index() {
        Some(position) if position <= length => position,
        _ => panic!("bound {} is out of range of {what} of length {length}", index.index_as_int()),
    }
}
