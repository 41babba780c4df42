//! The bound of every type parameter, and default values.

use crate::print::DafnyPrint;

/// A Dafny value: it can be copied, printed, and compared by a total order that agrees with
/// equality. Implemented by every such type.
pub trait Value: Clone + Ord + DafnyPrint + 'static {}

impl<T: Clone + Ord + DafnyPrint + 'static> Value for T {}

/// A type with a default value in Dafny: the value of a variable that is read without having been
/// assigned.
pub trait DafnyDefault {
    /// The value.
    fn dafny_default() -> Self;
}

macro_rules! by_default {
    ($($Type:ty)*) => {$(
        impl DafnyDefault for $Type {
            fn dafny_default() -> $Type {
                <$Type>::default()
            }
        }
    )*};
}

by_default!(
    bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    crate::Int crate::Real crate::Char crate::Char16 crate::Ordinal
);

impl<const N: usize> DafnyDefault for crate::Bv<N> {
    fn dafny_default() -> Self {
        Self::default()
    }
}

impl<T: DafnyDefault> DafnyDefault for std::rc::Rc<T> {
    fn dafny_default() -> Self {
        Self::new(T::dafny_default())
    }
}
