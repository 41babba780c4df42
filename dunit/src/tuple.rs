//! Printed forms and default values of tuples.

use std::fmt;

use crate::print::DafnyPrint;
use crate::value::DafnyDefault;

macro_rules! tuple {
    ($($T:ident $at:tt),*) => {
        impl<$($T: DafnyPrint),*> DafnyPrint for ($($T,)*) {
            fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let components: &[&dyn DafnyPrint] = &[$(&self.$at),*];
                f.write_str("(")?;
                crate::print::fmt_separated(&mut components.iter().copied(), f)?;
                f.write_str(")")
            }
        }
        impl<$($T: DafnyDefault),*> DafnyDefault for ($($T,)*) {
            #[allow(clippy::unused_unit)]
            fn dafny_default() -> Self {
                ($($T::dafny_default(),)*)
            }
        }
    };
}

tuple!();
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

macro_rules! long_tuple {
    ($Name:ident: $($T:ident $at:tt),*) => {
        /// A tuple with more components than Rust's own tuples implement traits for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Name<$($T),*>($(pub $T),*);

        impl<$($T: DafnyPrint),*> DafnyPrint for $Name<$($T),*> {
            fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let components: &[&dyn DafnyPrint] = &[$(&self.$at),*];
                f.write_str("(")?;
                crate::print::fmt_separated(&mut components.iter().copied(), f)?;
                f.write_str(")")
            }
        }
        impl<$($T: DafnyDefault),*> DafnyDefault for $Name<$($T),*> {
            fn dafny_default() -> Self {
                $Name($($T::dafny_default()),*)
            }
        }
    };
}

long_tuple!(Tuple13: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
long_tuple!(Tuple14: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
long_tuple!(Tuple15: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
long_tuple!(Tuple16: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);
long_tuple!(Tuple17: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15, Q 16);
long_tuple!(Tuple18: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15, Q 16, R 17);
long_tuple!(Tuple19: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15, Q 16, R 17, S 18);
long_tuple!(Tuple20: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15, Q 16, R 17, S 18, T 19);
long_tuple!(Tuple21: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15, Q 16, R 17, S 18, T 19, U 20);
