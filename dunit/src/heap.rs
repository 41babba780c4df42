//! Objects of classes: references with an identity, and fields that can be assigned.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::print::DafnyPrint;
use crate::value::DafnyDefault;

thread_local! {
    static LAST_IDENTITY: Cell<u64> = const { Cell::new(0) };
}

/// A number that no object or function of this thread has yet; they ascend from 1.
pub(crate) fn next_identity() -> u64 {
    LAST_IDENTITY.with(|last| {
        last.set(last.get() + 1);
        last.get()
    })
}

/// An object of a class: a struct of [`Field`]s and immutable constants.
pub trait Object: 'static {
    /// The name that `print` shows, such as `M.Counter`.
    fn class_name(&self) -> &'static str;
}

/// An object with its identity, as [`Ref`] holds it.
pub struct Allocated<T: ?Sized> {
    identity: u64,
    object: T,
}

/// What a reference that is not null points to.
pub type Shared<T> = Rc<Allocated<T>>;

/// A reference to an object, or null. References are equal if they are to the same object; they are ordered by
/// allocation, null first. Reaching through null panics.
///
/// ```
/// use dunit::prelude::*;
///
/// struct Counter { count: Field<Int> }
/// impl Object for Counter {
///     fn class_name(&self) -> &'static str { "Counter" }
/// }
///
/// let counter = Ref::new(Counter { count: Field::new(int(0)) });
/// counter.count.set(counter.count.get() + int(1));
/// assert_eq!(counter.count.get(), int(1));
/// assert_ne!(counter, Ref::null());
/// ```
pub struct Ref<T: ?Sized>(Option<Shared<T>>);

impl<T> Ref<T> {
    /// Allocates an object.
    pub fn new(object: T) -> Ref<T> {
        Ref(Some(Rc::new(Allocated { identity: next_identity(), object })))
    }
}

impl<T: ?Sized> Ref<T> {
    /// `null`
    pub const fn null() -> Ref<T> {
        Ref(None)
    }

    /// Whether the reference is null.
    pub fn is_null(&self) -> bool {
        self.0.is_none()
    }

    /// The number of the object, counted from 1 in order of allocation; 0 is null.
    pub fn identity(&self) -> u64 {
        self.0.as_ref().map_or(0, |shared| shared.identity)
    }

    /// The object, unless the reference is null.
    pub fn as_object(&self) -> Option<&T> {
        self.0.as_ref().map(|shared| &shared.object)
    }

    /// For [`upcast!`](crate::upcast): what the reference holds.
    pub fn into_shared(self) -> Option<Shared<T>> {
        self.0
    }

    /// For [`upcast!`](crate::upcast): the reference that holds it.
    pub fn from_shared(shared: Option<Shared<T>>) -> Ref<T> {
        Ref(shared)
    }
}

impl<T: ?Sized> Deref for Ref<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            Some(shared) => &shared.object,
            None => panic!("null is dereferenced"),
        }
    }
}

impl<T: ?Sized> Clone for Ref<T> {
    fn clone(&self) -> Ref<T> {
        Ref(self.0.clone())
    }
}

impl<T: ?Sized> DafnyDefault for Ref<T> {
    fn dafny_default() -> Ref<T> {
        Ref::null()
    }
}

impl<T: ?Sized, U: ?Sized> PartialEq<Ref<U>> for Ref<T> {
    fn eq(&self, other: &Ref<U>) -> bool {
        self.identity() == other.identity()
    }
}

impl<T: ?Sized> Eq for Ref<T> {}

impl<T: ?Sized> PartialOrd for Ref<T> {
    fn partial_cmp(&self, other: &Ref<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: ?Sized> Ord for Ref<T> {
    fn cmp(&self, other: &Ref<T>) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl<T: Object + ?Sized> DafnyPrint for Ref<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_object() {
            Some(object) if f.alternate() => write!(f, "{}#{}", object.class_name(), self.identity()),
            Some(object) => f.write_str(object.class_name()),
            None => f.write_str("null"),
        }
    }
}

impl<T: Object + ?Sized> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", crate::print::Shown(self))
    }
}

/// A mutable field of an object.
pub struct Field<T>(RefCell<T>);

impl<T> Field<T> {
    /// A field that holds a value.
    pub const fn new(value: T) -> Field<T> {
        Field(RefCell::new(value))
    }

    /// Assigns the field.
    pub fn set(&self, value: T) {
        // The old value goes after the borrow, in case dropping it comes back here.
        let old = self.0.replace(value);
        drop(old);
    }
}

impl<T: Clone> Field<T> {
    /// Reads the field.
    pub fn get(&self) -> T {
        self.0.borrow().clone()
    }
}

impl<T: DafnyDefault> Default for Field<T> {
    fn default() -> Field<T> {
        Field::new(T::dafny_default())
    }
}
