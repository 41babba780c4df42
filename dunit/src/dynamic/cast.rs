//! Casts between the types that one value has.

use std::any::Any;

use super::{AnyObject, Dyn, Dynamic};
use crate::heap::Fields;
use crate::value::Value;

/// A request for a value in one of its types.
pub struct Cast<'a> {
    /// An `Option` of that type.
    found: &'a mut dyn Any,
}

impl Cast<'_> {
    /// Stores the value if its type is the requested one.
    pub fn offer<T: 'static>(&mut self, value: impl FnOnce() -> T) {
        if let Some(found) = self.found.downcast_mut::<Option<T>>() {
            *found = Some(value());
        }
    }

    /// Offers the value in its own type and as `object`.
    pub fn offer_own<T: Dynamic + Clone>(&mut self, value: &T) {
        self.offer(|| value.clone());
        self.offer(|| AnyObject::of(std::rc::Rc::new(value.clone())));
    }
}

/// Converts a value to another of its types: a class, a datatype, a trait. Null belongs to every
/// reference type. `None` if the value does not have the type.
pub fn cast<T: Dynamic, V: Dynamic + ?Sized>(value: &V) -> Option<T> {
    if value.is_null_reference() {
        return T::null_reference();
    }
    let mut found: Option<T> = None;
    value.offer(&mut Cast { found: &mut found });
    found
}

/// Dafny's checked `value as T`; panics if the value does not have the type.
pub fn downcast<T: Dynamic, V: Dynamic + ?Sized>(value: &V) -> T {
    match cast(value) {
        Some(value) => value,
        None => panic!("invalid cast: the value is not of the target type"),
    }
}

/// Converts a value to a trait that its type extends: `upcast::<dyn Shape, _>(&circle)`.
pub fn upcast<U: Dynamic + ?Sized, V: Dynamic + ?Sized>(value: &V) -> Dyn<U> {
    downcast(value)
}

/// Dafny's `value is T`, for a value that is not null.
pub fn instance_of<T: Dynamic, V: Dynamic + ?Sized>(value: &V) -> bool {
    cast::<T, V>(value).is_some()
}

/// Whether both are the same object, or both null, regardless of their static types.
pub fn is_same<A: Dynamic + ?Sized, B: Dynamic + ?Sized>(a: &A, b: &B) -> bool {
    a.object_identity() == b.object_identity() && a.is_null_reference() == b.is_null_reference()
}

/// Implements `Dynamic` for types of this library, which extend no traits.
macro_rules! plain_dynamic {
    ($($Type:ty),*) => {$(
        impl Dynamic for $Type {
            fn offer(&self, cast: &mut Cast<'_>) {
                cast.offer_own(self);
            }
            fn compare(&self, other: &AnyObject) -> std::cmp::Ordering {
                super::compare(self, other)
            }
        }
    )*};
}

plain_dynamic!(
    crate::Int,
    crate::Real,
    bool,
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    u64,
    i64,
    u128,
    i128
);

impl<T: Value, const D: usize> Dynamic for crate::ArrayN<T, D> {
    fn offer(&self, cast: &mut Cast<'_>) {
        cast.offer_own(self);
    }
    fn look_at_fields(&self, fields: &mut Fields<'_>) {
        self.look_at_elements(fields);
    }
    fn object_identity(&self) -> u64 {
        self.identity()
    }
    fn is_null_reference(&self) -> bool {
        self.is_null()
    }
    fn null_reference() -> Option<Self> {
        Some(Self::null())
    }
    fn compare(&self, other: &AnyObject) -> std::cmp::Ordering {
        self.identity().cmp(&other.identity())
    }
}
