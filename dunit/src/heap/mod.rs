//! Objects of classes: references with an identity, fields that can be assigned, and snapshots for
//! `old`.

mod frame;
mod state;
mod versions;

use std::any::Any;
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

pub use frame::{
    Change, Fields, Frame, Objects, check_distinct, check_frame, constant_names, field_names,
};
pub(crate) use state::with_state;
pub use versions::Snapshot;
pub(crate) use versions::{Versioned, allocate_later};

use crate::dynamic::{AnyObject, Cast, Dynamic};
use crate::print::DafnyPrint;
use crate::rc::Rc;
use crate::value::DafnyDefault;

thread_local! {
    static LAST_IDENTITY: Cell<u64> = const { Cell::new(0) };
}

/// Returns an unused number for an object or function of this thread; numbers ascend from 1.
pub(crate) fn next_identity() -> u64 {
    LAST_IDENTITY.with(|last| {
        last.set(last.get() + 1);
        last.get()
    })
}

/// The number that was assigned last; 0 if none was.
fn last_identity() -> u64 {
    LAST_IDENTITY.with(Cell::get)
}

/// An object of a class: a struct of [`Field`]s and immutable constants.
pub trait Object: 'static {
    /// The name that `print` shows, such as `M.Counter`.
    fn class_name(&self) -> &'static str;

    /// Visits every mutable field and every constant with its Dafny name, in the order of
    /// declaration. Without it, [`Snapshot::changes`] does not detect changes of the object, and
    /// reports show only its identity.
    fn fields(&self, fields: &mut Fields<'_>) {
        let _ = fields;
    }

    /// Offers a reference to the object as each of the traits that its class extends, by
    /// [`offer!`](crate::offer).
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>)
    where
        Self: Sized,
    {
        let _ = (this, cast);
    }
}

/// Returns the name of a class for people: without `_module`, which `print` shows for the module
/// without a name.
pub(crate) fn shown_name(class: &str) -> &str {
    class.strip_prefix("_module.").unwrap_or(class)
}

/// The object that `new object` allocates.
pub struct PlainObject;

impl Object for PlainObject {
    fn class_name(&self) -> &'static str {
        "object"
    }
}

/// An object with its identity, as [`Ref`] holds it.
struct Allocated<T> {
    identity: u64,
    /// The functions that the object redefines; usually none.
    redefined: Option<Box<Redefined>>,
    object: T,
}

/// Functions that one object redefines, by name: the stubs of a mock. Only functions of classes
/// that were made mockable consult it (see the crate `dmock`).
#[derive(Default)]
pub struct Redefined(BTreeMap<&'static str, Box<dyn Any>>);

impl Redefined {
    /// Redefines the function with that name; `F` is the type with which [`Ref::redefined`] asks
    /// for it.
    pub fn set<F: 'static>(&mut self, name: &'static str, body: F) {
        self.0.insert(name, Box::new(body));
    }
}

/// A reference to an object, or null. References are equal if they are to the same object; they are
/// ordered by allocation, null first. Reaching through null panics.
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
pub struct Ref<T>(Option<Rc<Allocated<T>>>);

impl<T: 'static> Ref<T> {
    /// Allocates an object.
    pub fn new(object: T) -> Ref<T> {
        Ref(Some(Rc::new(Allocated {
            identity: next_identity(),
            redefined: None,
            object,
        })))
    }

    /// Allocates an object that redefines some functions of its class.
    pub fn redefining(object: T, redefined: Redefined) -> Ref<T> {
        let redefined = (!redefined.0.is_empty()).then(|| Box::new(redefined));
        Ref(Some(Rc::new(Allocated {
            identity: next_identity(),
            redefined,
            object,
        })))
    }
}

impl<T> Ref<T> {
    /// Returns the redefinition of the function with that name, if the object has one.
    pub fn redefined<F: 'static>(&self, name: &str) -> Option<&F> {
        self.0
            .as_ref()?
            .redefined
            .as_ref()?
            .0
            .get(name)?
            .downcast_ref()
    }

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
}

impl<T> Deref for Ref<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            Some(shared) => &shared.object,
            None => panic!("null dereference"),
        }
    }
}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Ref<T> {
        Ref(self.0.clone())
    }
}

impl<T> DafnyDefault for Ref<T> {
    fn dafny_default() -> Ref<T> {
        Ref::null()
    }
}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Ref<T>) -> bool {
        self.identity() == other.identity()
    }
}

impl<T> Eq for Ref<T> {}

impl<T> PartialOrd for Ref<T> {
    fn partial_cmp(&self, other: &Ref<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ref<T> {
    fn cmp(&self, other: &Ref<T>) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl<T: Object> Dynamic for Ref<T> {
    fn offer(&self, cast: &mut Cast<'_>) {
        cast.offer_own(self);
        T::offer(self, cast);
    }
    fn look_at_fields(&self, fields: &mut Fields<'_>) {
        if let Some(object) = self.as_object() {
            object.fields(fields);
        }
    }
    fn object_identity(&self) -> u64 {
        self.identity()
    }
    fn is_null_reference(&self) -> bool {
        self.is_null()
    }
    fn null_reference() -> Option<Self> {
        Some(Ref::null())
    }
    fn compare(&self, other: &AnyObject) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl<T: Object> DafnyPrint for Ref<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_object() {
            Some(object) if f.alternate() => {
                write!(f, "{}#{}", shown_name(object.class_name()), self.identity())?;
                state::fmt_fields(self.identity(), || frame::state(object), f)
            }
            Some(object) => f.write_str(object.class_name()),
            None => f.write_str("null"),
        }
    }
}

impl<T: Object> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", crate::print::Shown(self))
    }
}

/// A mutable field of an object. A constructor may leave it [`unassigned`](Field::unassigned) at
/// first.
pub struct Field<T>(Versioned<Option<T>>);

impl<T> Field<T> {
    /// A field with a value.
    pub fn new(value: T) -> Field<T> {
        Field(Versioned::new(Some(value)))
    }

    /// A field whose constructor has not assigned it yet; reading it panics.
    pub fn unassigned() -> Field<T> {
        Field(Versioned::new(None))
    }
}

impl<T: Clone> Field<T> {
    /// Assigns the field.
    pub fn set(&self, value: T) {
        // The old value is dropped after the borrow ends, because its drop may access the field.
        drop(self.0.write(|current| current.replace(value)));
    }

    /// Reads the field; within [`Snapshot::old`], in the state of the snapshot.
    pub fn get(&self) -> T {
        match self.0.read(Option::clone) {
            Some(value) => value,
            None => panic!("a field is read before it is assigned"),
        }
    }
}

impl<T: DafnyDefault> Default for Field<T> {
    fn default() -> Field<T> {
        Field::new(T::dafny_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Object, Ref, Snapshot};
    use crate::{Int, int, shown, to_dafny_string};

    struct Counter {
        count: Field<Int>,
    }

    impl Object for Counter {
        fn class_name(&self) -> &'static str {
            "M.Counter"
        }
    }

    fn counter(count: i32) -> Ref<Counter> {
        Ref::new(Counter {
            count: Field::new(int(count)),
        })
    }

    #[test]
    fn references_are_equal_to_their_copies_only_and_ordered_by_allocation() {
        let (a, b) = (counter(0), counter(0));
        assert_eq!(a, a.clone());
        assert_ne!(a, b);
        assert!(Ref::null() < a && a < b);
    }

    #[test]
    fn a_snapshot_distinguishes_fresh_objects() {
        let old = counter(1);
        let before = Snapshot::take();
        let new = counter(2);
        old.count.set(int(5));
        assert!(
            before.is_fresh(new.identity())
                && !before.is_fresh(old.identity())
                && !before.is_fresh(0)
        );
        assert_eq!(before.old(|| old.count.get() + new.count.get()), int(3));
    }

    #[test]
    fn an_object_prints_the_name_of_its_class() {
        assert_eq!(to_dafny_string(&counter(0)), "M.Counter");
        assert_eq!(to_dafny_string(&Ref::<Counter>::null()), "null");
        assert!(format!("{:#}", shown(&counter(0))).starts_with("M.Counter#"));
    }

    #[test]
    #[should_panic(expected = "null dereference")]
    fn null_has_no_fields() {
        let _ = Ref::<Counter>::null().count.get();
    }

    #[test]
    #[should_panic(expected = "a field is read before it is assigned")]
    fn a_field_is_read_after_it_was_assigned() {
        let _ = Field::<Int>::unassigned().get();
    }

    #[test]
    fn people_do_not_see_the_module_without_a_name() {
        struct Bare;
        impl Object for Bare {
            fn class_name(&self) -> &'static str {
                "_module.Bare"
            }
        }
        let bare = Ref::new(Bare);
        assert_eq!(crate::to_dafny_string(&bare), "_module.Bare");
        assert_eq!(format!("{bare:?}"), format!("Bare#{}", bare.identity()));
    }
}
