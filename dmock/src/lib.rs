//! Builders for objects from a description of their behaviour: fields by name, functions by closure.
//!
//! Dafny's `{:synthesize}` asks for an object of which only the specification is known. [`mock!`] declares such an
//! object for a trait of the translation: a struct, a builder for it, and the trait's implementation. A field that the
//! builder was not told of cannot be read before it is assigned, and a function that it was not told of cannot be
//! called: both panic with a name, so that no test rests on a value that nobody chose.
//!
//! ```
//! use dmock::mock;
//! use dunit::prelude::*;
//!
//! // A trait as `cargo dtest` translates it.
//! trait Tariff: Dynamic {
//!     fn base(&self) -> Int;
//!     fn price(&self, weight: &Int, express: bool) -> Int;
//! }
//!
//! mock! {
//!     /// A tariff whose prices are told.
//!     pub struct MockTariff, built by TariffBuilder, prints as "Post.Tariff", implements Tariff {
//!         field surcharge: Int;
//!         fn base(&self) -> Int;
//!         fn price(&self, weight: &Int, express: bool) -> Int;
//!     }
//! }
//!
//! let tariff = MockTariff::build()
//!     .surcharge(int(2))
//!     .price(|weight, express| if express { weight * int(3) } else { weight.clone() })
//!     .create();
//! assert_eq!(tariff.price(&int(5), true), int(15));
//! assert_eq!(tariff.surcharge.get(), int(2));
//! assert_eq!(to_dafny_string(&tariff), "Post.Tariff");
//!
//! // Where the trait is asked for:
//! let seen = upcast::<dyn Tariff, _>(&tariff);
//! assert_eq!(seen.price(&int(5), false), int(5));
//! ```
//!
//! An object whose functions have a fixed body, which is what a class without a trait has, needs no mock: the
//! translation's struct is built from its fields.

#[doc(hidden)]
pub use dunit;

/// A function of a mock: told, or not.
pub struct Behaviour<F: ?Sized> {
    name: &'static str,
    body: Option<Box<F>>,
}

impl<F: ?Sized> Behaviour<F> {
    /// A function that cannot be called yet. `name` is for the message, `Post.Tariff.price`.
    pub const fn untold(name: &'static str) -> Behaviour<F> {
        Behaviour { name, body: None }
    }

    /// Says what the function does from now on.
    pub fn tell(&mut self, body: Box<F>) {
        self.body = Some(body);
    }

    /// What the function does; panics if nobody told.
    pub fn body(&self) -> &F {
        match &self.body {
            Some(body) => body,
            None => panic!("the mock was not told what {} does", self.name),
        }
    }
}

/// Declares a mock of a trait, as shown at the head of this crate.
///
/// The members of the struct are `field name: Type;`, a public [`dunit::Field`], and `fn name(&self, ..) -> Type;`, a
/// function of the trait. What else the trait asks for, such as accessors of its fields, is written out in a block
/// `impl { .. }` that follows the members.
#[macro_export]
macro_rules! mock {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $Mock:ident, built by $Builder:ident, prints as $class:literal, implements $Trait:path {
            $(field $field:ident: $Field:ty;)*
            $(fn $function:ident(&self $(, $parameter:ident: $Parameter:ty)*) $(-> $Result:ty)?;)*
            $(impl { $($extra:tt)* })?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
        $visibility struct $Mock($crate::dunit::Ref<$Builder>);

        /// Tells a mock what it is to be, and holds what it was told.
        $visibility struct $Builder {
            $(
                /// A field of the object.
                pub $field: $crate::dunit::Field<$Field>,
            )*
            $($function: $crate::Behaviour<dyn ::std::ops::Fn($($Parameter),*) $(-> $Result)?>,)*
        }

        #[allow(dead_code)]
        impl $Mock {
            /// Begins an object that was told nothing.
            $visibility fn build() -> $Builder {
                $Builder {
                    $($field: $crate::dunit::Field::unassigned(),)*
                    $($function: $crate::Behaviour::untold(
                        ::std::concat!($class, ".", ::std::stringify!($function)),
                    ),)*
                }
            }
        }

        #[allow(dead_code)]
        impl $Builder {
            $(
                /// The value of this field.
                #[must_use]
                $visibility fn $field(self, value: $Field) -> $Builder {
                    self.$field.set(value);
                    self
                }
            )*
            $(
                /// What this function does.
                #[must_use]
                $visibility fn $function(
                    mut self,
                    body: impl ::std::ops::Fn($($Parameter),*) $(-> $Result)? + 'static,
                ) -> $Builder {
                    self.$function.tell(::std::boxed::Box::new(body));
                    self
                }
            )*
            /// Allocates the object.
            $visibility fn create(self) -> $Mock {
                $Mock($crate::dunit::Ref::new(self))
            }
        }

        impl $crate::dunit::Object for $Builder {
            fn class_name(&self) -> &'static str {
                $class
            }
        }

        impl ::std::ops::Deref for $Mock {
            type Target = $Builder;
            fn deref(&self) -> &$Builder {
                &self.0
            }
        }

        impl $crate::dunit::DafnyPrint for $Mock {
            fn fmt_dafny(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt_dafny(f)
            }
        }

        impl $crate::dunit::Dynamic for $Mock {
            fn offer(&self, cast: &mut $crate::dunit::Cast<'_>) {
                cast.offer_own(self);
                $crate::dunit::offer!(cast, self, dyn $Trait);
            }
            fn object_identity(&self) -> u64 {
                self.0.identity()
            }
            fn compare(&self, other: &$crate::dunit::AnyObject) -> ::std::cmp::Ordering {
                self.0.identity().cmp(&other.identity())
            }
        }

        impl $Trait for $Mock {
            $(
                fn $function(&self $(, $parameter: $Parameter)*) $(-> $Result)? {
                    (self.0.$function.body())($($parameter),*)
                }
            )*
            $($($extra)*)?
        }
    };
}

#[cfg(test)]
mod tests {
    use dunit::prelude::*;

    trait Cell: Dynamic {
        fn value(&self) -> Int;
        fn set_value(&self, value: &Int);
        fn scaled(&self, by: &Int) -> Int;
        fn touch(&self);
    }

    mock! {
        struct MockCell, built by CellBuilder, prints as "M.Cell", implements Cell {
            field value: Int;
            fn scaled(&self, by: &Int) -> Int;
            fn touch(&self);
            impl {
                fn value(&self) -> Int {
                    self.value.get()
                }
                fn set_value(&self, value: &Int) {
                    self.value.set(value.clone());
                }
            }
        }
    }

    #[test]
    fn a_mock_does_what_it_was_told() {
        let cell = MockCell::build().value(int(3)).scaled(|by| by * int(3)).touch(|| ()).create();
        let seen = upcast::<dyn Cell, _>(&cell);
        seen.set_value(&int(4));
        seen.touch();
        assert_eq!((seen.value(), cell.value.get(), seen.scaled(&int(2))), (int(4), int(4), int(6)));
    }

    #[test]
    #[should_panic(expected = "the mock was not told what M.Cell.scaled does")]
    fn a_function_that_was_not_told_cannot_be_called() {
        MockCell::build().create().scaled(&int(1));
    }

    #[test]
    #[should_panic(expected = "a field is read before it is assigned")]
    fn a_field_that_was_not_told_cannot_be_read() {
        Cell::value(&MockCell::build().create());
    }
}
