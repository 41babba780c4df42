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
