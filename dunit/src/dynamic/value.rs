//! The values of a trait's type.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use super::{Cast, Dynamic, upcast};
use crate::heap::Fields;
use crate::print::DafnyPrint;
use crate::value::DafnyDefault;

/// A value of a trait's type, `Dyn<dyn Shape>`, or null. References are equal if they are to the
/// same object and ordered by allocation, null first; other values are equal if they are equal
/// values of one type.
pub struct Dyn<U: ?Sized>(Option<Rc<U>>);

/// Dafny's `object`.
pub type AnyObject = Dyn<dyn Dynamic>;

impl<U: ?Sized> Dyn<U> {
    /// `null`
    pub const fn null() -> Dyn<U> {
        Dyn(None)
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        self.0.is_none()
    }

    /// Wraps a value that implements the trait: `Dyn::<dyn Shape>::of(Rc::new(circle))`.
    pub fn of(value: Rc<U>) -> Dyn<U> {
        Dyn(Some(value))
    }
}

impl<U: Dynamic + ?Sized> Dyn<U> {
    /// The number of the object that it refers to, counted from 1 in order of allocation; 0 for
    /// null and for values without identity.
    pub fn identity(&self) -> u64 {
        self.0.as_ref().map_or(0, |value| value.object_identity())
    }
}

impl<U: ?Sized> Deref for Dyn<U> {
    type Target = U;
    fn deref(&self) -> &U {
        match &self.0 {
            Some(value) => value,
            None => panic!("null dereference"),
        }
    }
}

impl<U: ?Sized> Clone for Dyn<U> {
    fn clone(&self) -> Dyn<U> {
        Dyn(self.0.clone())
    }
}

impl<U: ?Sized> DafnyDefault for Dyn<U> {
    fn dafny_default() -> Dyn<U> {
        Dyn::null()
    }
}

impl<U: Dynamic + ?Sized> Dynamic for Dyn<U> {
    fn offer(&self, cast: &mut Cast<'_>) {
        cast.offer(|| self.clone());
        if let Some(value) = &self.0 {
            value.offer(cast);
        }
    }
    fn look_at_fields(&self, fields: &mut Fields<'_>) {
        if let Some(value) = &self.0 {
            value.look_at_fields(fields);
        }
    }
    fn object_identity(&self) -> u64 {
        self.identity()
    }
    fn is_null_reference(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|value| value.is_null_reference())
    }
    fn null_reference() -> Option<Self> {
        Some(Dyn::null())
    }
    fn compare(&self, other: &super::AnyObject) -> Ordering {
        self.0
            .as_ref()
            .map_or(Ordering::Less, |value| value.compare(other))
    }
    fn rust_name(&self) -> &'static str {
        self.0.as_ref().map_or("", |value| value.rust_name())
    }
}

impl<U: Dynamic + ?Sized> PartialEq for Dyn<U> {
    fn eq(&self, other: &Dyn<U>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<U: Dynamic + ?Sized> Eq for Dyn<U> {}

impl<U: Dynamic + ?Sized> PartialOrd for Dyn<U> {
    fn partial_cmp(&self, other: &Dyn<U>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<U: Dynamic + ?Sized> Ord for Dyn<U> {
    fn cmp(&self, other: &Dyn<U>) -> Ordering {
        match (self.identity(), other.identity()) {
            (0, 0) if !self.is_null_reference() && !other.is_null_reference() => {
                self.compare(&upcast(other))
            }
            (0, 0) => other.is_null_reference().cmp(&self.is_null_reference()),
            (a, b) => a.cmp(&b),
        }
    }
}

impl<U: Dynamic + ?Sized> DafnyPrint for Dyn<U> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt_dafny(f),
            None => f.write_str("null"),
        }
    }
}

impl<U: Dynamic + ?Sized> fmt::Debug for Dyn<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", crate::print::Shown(self))
    }
}
