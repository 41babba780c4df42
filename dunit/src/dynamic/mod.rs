//! Values of Dafny's traits and of `object`, and casts between them.
//!
//! A trait of the translation is a Rust trait that extends [`Dynamic`]; it is implemented by what
//! the values of the trait are: [`Ref<C>`](crate::Ref) of a class, an array, a datatype. A value of
//! the trait's type is a [`Dyn<dyn Shape>`](Dyn), and Dafny's `object` is [`AnyObject`]. References
//! keep their identity through every cast, so that equality, sets and maps see the object and not
//! the type that it is seen as.
//!
//! ```
//! use dunit::prelude::*;
//!
//! trait Shape: Dynamic {
//!     fn area(&self) -> Int;
//! }
//!
//! struct Square { side: Field<Int> }
//! impl Object for Square {
//!     fn class_name(&self) -> &'static str { "Square" }
//!     fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) { offer!(cast, this, dyn Shape); }
//! }
//! impl Shape for Ref<Square> {
//!     fn area(&self) -> Int { self.side.get() * self.side.get() }
//! }
//!
//! let square = Ref::new(Square { side: Field::new(int(3)) });
//! let shape = upcast::<dyn Shape, _>(&square);
//! assert_eq!(shape.area(), int(9));
//! assert!(is_same(&shape, &square));
//! assert_eq!(downcast::<Ref<Square>, _>(&shape), square);
//! ```

mod cast;
mod value;

pub use cast::{Cast, cast, downcast, instance_of, is_same, upcast};
pub use value::{AnyObject, Dyn};

use std::cmp::Ordering;

use crate::heap::Fields;
use crate::print::DafnyPrint;
use crate::value::Value;

/// A value that can be converted to a trait or to `object`.
pub trait Dynamic: DafnyPrint + 'static {
    /// Offers the value in each of its types: its own and every trait that it extends.
    fn offer(&self, cast: &mut Cast<'_>);

    /// The number of the object that the value refers to; 0 for null and for values without
    /// identity.
    fn object_identity(&self) -> u64 {
        0
    }

    /// Reports the fields of the object that the value refers to, or the elements of the array.
    fn look_at_fields(&self, fields: &mut Fields<'_>) {
        let _ = fields;
    }

    /// Whether it is null.
    fn is_null_reference(&self) -> bool {
        false
    }

    /// The null of this type, if it has one.
    fn null_reference() -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Orders values without identity: by type, then by the order of the type.
    fn compare(&self, other: &AnyObject) -> Ordering;

    /// The name of the Rust type, which orders values of different types.
    fn rust_name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }
}

/// Compares a value with any other one, for [`Dynamic::compare`].
pub fn compare<T: Value + Dynamic>(value: &T, other: &AnyObject) -> Ordering {
    match cast::<T, _>(other) {
        Some(other) => value.cmp(&other),
        None => value.rust_name().cmp(other.rust_name()),
    }
}

/// `offer!(cast, this, dyn A, dyn B)`: offers the value as these traits, which it implements.
#[macro_export]
macro_rules! offer {
    ($cast:expr, $value:expr $(, $Trait:ty)* $(,)?) => {
        $($cast.offer(|| $crate::Dyn::<$Trait>::of(::std::rc::Rc::new(::std::clone::Clone::clone($value)))));*
    };
}

#[cfg(test)]
mod tests;
