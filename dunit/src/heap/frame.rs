//! Checks of the changes that a call may make: Dafny's `modifies` and `unchanged`, by comparing
//! objects with a [`Snapshot`].

use std::collections::BTreeMap;

use super::{Field, Ref, Snapshot};
use crate::array::ArrayN;
use crate::dynamic::{Dyn, Dynamic, is_same};
use crate::harness::{ClauseKind, Side, enter};
use crate::print::Shown;
use crate::value::Value;
use crate::{Multiset, Object, Seq, Set};

/// A field or element that has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name of the field in Dafny; of an array's element, its indices: `[1, 2]`.
    pub place: String,
    /// Its value when the snapshot was taken.
    pub was: String,
    /// Its value now.
    pub is: String,
}

/// A visitor of the fields of an object, for [`Object::fields`].
pub struct Fields<'a>(Look<'a>);

/// The purpose of a visit.
enum Look<'a> {
    /// Finds changes.
    Changes {
        before: &'a Snapshot,
        changes: Vec<Change>,
    },
    /// Collects names.
    Names {
        fields: Vec<String>,
        constants: Vec<String>,
    },
    /// Formats each as `name: value`.
    State(Vec<String>),
}

impl<'a> Fields<'a> {
    /// Creates a visitor that finds changes since a snapshot.
    pub(crate) fn since(before: &'a Snapshot) -> Fields<'a> {
        Fields(Look::Changes {
            before,
            changes: Vec::new(),
        })
    }

    /// Visits a field, with its name in Dafny.
    pub fn field<T: Value>(&mut self, name: &str, field: &Field<T>) {
        let show = |value: Option<T>| {
            value.map_or_else(|| "unassigned".to_owned(), |v| format!("{:#}", Shown(&v)))
        };
        match &mut self.0 {
            Look::Changes { before, changes } => {
                let (was, is) = (
                    before.old(|| field.0.read(Option::clone)),
                    field.0.read(Option::clone),
                );
                if was != is {
                    changes.push(Change {
                        place: name.to_owned(),
                        was: show(was),
                        is: show(is),
                    });
                }
            }
            Look::Names { fields, .. } => fields.push(name.to_owned()),
            Look::State(shown) => {
                shown.push(format!("{name}: {}", show(field.0.read(Option::clone))))
            }
        }
    }

    /// Visits a constant of the object, with its name in Dafny: reports show it with the fields.
    pub fn constant<T: Value>(&mut self, name: &str, value: &T) {
        match &mut self.0 {
            Look::Changes { .. } => {}
            Look::Names { constants, .. } => constants.push(name.to_owned()),
            Look::State(shown) => shown.push(format!("{name}: {:#}", Shown(value))),
        }
    }

    /// Visits the elements of an array, each with its indices: `[1, 2]`. `elements` reads them from
    /// the heap that is current when it is called.
    pub(crate) fn elements<T: Value>(
        &mut self,
        elements: impl Fn() -> Vec<T>,
        indices: impl Iterator<Item = String>,
    ) {
        let Look::Changes { before, changes } = &mut self.0 else {
            return;
        };
        let show = |value: &T| format!("{:#}", Shown(value));
        let (were, are) = (before.old(&elements), elements());
        let places = indices
            .zip(were.iter().zip(&are))
            .filter(|(_, (was, is))| was != is);
        changes.extend(places.map(|(place, (was, is))| Change {
            place,
            was: show(was),
            is: show(is),
        }));
    }

    fn changes(self) -> Vec<Change> {
        match self.0 {
            Look::Changes { changes, .. } => changes,
            Look::Names { .. } | Look::State(_) => Vec::new(),
        }
    }
}

/// Returns the present fields and constants of an object, each as `name: value`.
pub(super) fn state(object: &impl Object) -> Vec<String> {
    let mut fields = Fields(Look::State(Vec::new()));
    object.fields(&mut fields);
    match fields.0 {
        Look::State(shown) => shown,
        Look::Changes { .. } | Look::Names { .. } => Vec::new(),
    }
}

/// Returns the Dafny names of the mutable fields of an object, in which changes are detected, and
/// of the constants that reports show.
fn names(object: &(impl Dynamic + ?Sized)) -> (Vec<String>, Vec<String>) {
    let mut names = Fields(Look::Names {
        fields: Vec::new(),
        constants: Vec::new(),
    });
    object.look_at_fields(&mut names);
    match names.0 {
        Look::Names { fields, constants } => (fields, constants),
        Look::Changes { .. } | Look::State(_) => (Vec::new(), Vec::new()),
    }
}

/// Returns the Dafny names of the mutable fields of an object, in which changes are detected.
pub fn field_names(object: &(impl Dynamic + ?Sized)) -> Vec<String> {
    names(object).0
}

/// Returns the Dafny names of the constants that reports show of an object.
pub fn constant_names(object: &(impl Dynamic + ?Sized)) -> Vec<String> {
    names(object).1
}

/// References and collections of them: the parts of Dafny's frames.
pub trait Objects {
    /// Calls `f` for every object, and for null.
    fn each_object(&self, f: &mut dyn FnMut(&dyn Dynamic));
}

impl<T: Object> Objects for Ref<T> {
    fn each_object(&self, f: &mut dyn FnMut(&dyn Dynamic)) {
        f(self);
    }
}

impl<T: Value, const D: usize> Objects for ArrayN<T, D> {
    fn each_object(&self, f: &mut dyn FnMut(&dyn Dynamic)) {
        f(self);
    }
}

impl<U: Dynamic + ?Sized> Objects for Dyn<U> {
    fn each_object(&self, f: &mut dyn FnMut(&dyn Dynamic)) {
        f(self);
    }
}

macro_rules! objects_of_collections {
    ($($Collection:ident)*) => {$(
        impl<T: Value + Objects> Objects for $Collection<T> {
            fn each_object(&self, f: &mut dyn FnMut(&dyn Dynamic)) {
                self.iter().for_each(|object| object.each_object(f));
            }
        }
    )*};
}

objects_of_collections!(Seq Set Multiset);

/// The objects of a `modifies` clause, with the fields that it names.
#[derive(Default)]
pub struct Frame {
    /// By identity: all fields (`None`), or the given ones.
    objects: BTreeMap<u64, Option<Vec<&'static str>>>,
}

impl Frame {
    /// Adds objects with all of their fields.
    pub fn add(&mut self, objects: &impl Objects) {
        objects.each_object(&mut |object| {
            self.objects.insert(object.object_identity(), None);
        });
    }

    /// Adds one field of objects.
    pub fn add_field(&mut self, objects: &impl Objects, field: &'static str) {
        objects.each_object(&mut |object| {
            if let Some(fields) = self
                .objects
                .entry(object.object_identity())
                .or_insert_with(|| Some(Vec::new()))
            {
                fields.push(field);
            }
        });
    }

    fn allows(&self, object: u64, place: &str) -> bool {
        self.objects
            .get(&object)
            .is_some_and(|fields| fields.as_ref().is_none_or(|names| names.contains(&place)))
    }
}

impl Snapshot {
    /// Returns the changes of an object since the snapshot.
    pub fn changes(&self, object: &(impl Dynamic + ?Sized)) -> Vec<Change> {
        let mut fields = Fields::since(self);
        object.look_at_fields(&mut fields);
        fields.changes()
    }

    /// Dafny's `unchanged`: whether the objects have their former contents.
    pub fn unchanged(&self, objects: &impl Objects) -> bool {
        let mut same = true;
        objects.each_object(&mut |object| same &= self.changes(object).is_empty());
        same
    }

    /// Dafny's ``unchanged(objects`field)``.
    pub fn unchanged_field(&self, objects: &impl Objects, field: &str) -> bool {
        let mut same = true;
        objects.each_object(&mut |object| {
            same &= self.changes(object).iter().all(|c| c.place != field)
        });
        same
    }

    /// Dafny's `fresh` of a collection: whether all elements were allocated since; null was not.
    pub fn are_fresh(&self, objects: &impl Objects) -> bool {
        let mut fresh = true;
        objects.each_object(&mut |object| fresh &= self.is_fresh(object.object_identity()));
        fresh
    }
}

/// Checks that these objects, each with its name in the test, have changed only within the frame,
/// which is evaluated in the state of `before`. The expansion of
/// [`expect_frame!`](crate::expect_frame).
pub fn check_frame(
    before: &Snapshot,
    objects: &[(&'static str, &dyn Dynamic)],
    frame: impl FnOnce(&mut Frame),
    text: &str,
) {
    let clause = enter(ClauseKind::Expect, text);
    let mut allowed = Frame::default();
    before.old(|| frame(&mut allowed));
    for (name, object) in objects {
        let change = before
            .changes(*object)
            .into_iter()
            .find(|c| !allowed.allows(object.object_identity(), &c.place));
        if let Some(Change { place, was, is }) = change {
            let dot = if place.starts_with('[') { "" } else { "." };
            let side = |role, value| Side {
                role,
                expression: "",
                value: Some(value),
            };
            clause.fail_at(
                format!("{name}{dot}{place} is modified, but is not in the frame"),
                vec![side("was", was), side("is", is)],
            );
        }
    }
}

/// Checks that no two of these variables, each with its name in the test, are the same object. The
/// expansion of [`expect_distinct!`](crate::expect_distinct).
pub fn check_distinct(objects: &[(&'static str, &dyn Dynamic)], text: &str) {
    let clause = enter(ClauseKind::Expect, text);
    for (i, (name, object)) in objects.iter().enumerate() {
        if let Some((first, _)) = objects
            .iter()
            .take(i)
            .find(|(_, earlier)| is_same(*earlier, *object))
        {
            clause.fail_at(
                format!("{first} and {name} are the same object"),
                Vec::new(),
            );
        }
    }
}

/// `expect_distinct!([node, this], "src/lib.dfy:9: Copy by Dafny's semantics")`: the variables are
/// different objects.
#[macro_export]
macro_rules! expect_distinct {
    ([$($object:ident),* $(,)?], $text:expr $(,)?) => {
        $crate::heap::check_distinct(&[$((stringify!($object), &$object as &dyn $crate::Dynamic)),*], $text)
    };
}

/// `expect_frame!(before, [this, node], [this.repr.get()], "src/lib.dfy:9: modifies Repr")`: since
/// the snapshot `before`, the variables of the first list have changed only within the frame. A
/// part of the frame is an object, a collection of objects, or ``(objects, "field")``.
#[macro_export]
macro_rules! expect_frame {
    ($before:expr, [$($object:ident),* $(,)?], [$($part:tt)*], $text:expr $(,)?) => {
        $crate::heap::check_frame(
            &$before,
            &[$((stringify!($object), &$object as &dyn $crate::Dynamic)),*],
            |_frame| { $crate::frame_parts!(_frame; $($part)*); },
            $text,
        )
    };
}

/// The parts of a frame, for [`expect_frame!`](crate::expect_frame).
#[doc(hidden)]
#[macro_export]
macro_rules! frame_parts {
    ($frame:ident;) => {};
    ($frame:ident; ($objects:expr, $field:literal) $(, $($rest:tt)*)?) => {
        $frame.add_field(&$objects, $field);
        $crate::frame_parts!($frame; $($($rest)*)?);
    };
    ($frame:ident; $objects:expr $(, $($rest:tt)*)?) => {
        $frame.add(&$objects);
        $crate::frame_parts!($frame; $($($rest)*)?);
    };
}

#[cfg(test)]
mod tests {
    use super::{Change, Frame, constant_names, field_names};
    use crate::prelude::*;

    struct Node {
        limit: Int,
        value: Field<Int>,
        next: Field<Ref<Node>>,
    }

    impl Object for Node {
        fn class_name(&self) -> &'static str {
            "Node"
        }
        fn fields(&self, fields: &mut Fields<'_>) {
            fields.constant("limit", &self.limit);
            fields.field("value", &self.value);
            fields.field("next", &self.next);
        }
    }

    fn node(value: i32) -> Ref<Node> {
        Ref::new(Node {
            limit: int(9),
            value: Field::new(int(value)),
            next: Field::new(Ref::null()),
        })
    }

    #[test]
    fn changes_name_field_and_values() {
        let (a, b) = (node(1), node(2));
        let before = Snapshot::take();
        a.value.set(int(5));
        b.value.set(int(2));
        let change = Change {
            place: "value".into(),
            was: "1".into(),
            is: "5".into(),
        };
        assert_eq!(
            before.changes(&a),
            before.changes(&upcast::<dyn Dynamic, _>(&a))
        );
        assert_eq!(before.changes(&a), [change]);
        assert!(before.unchanged(&b) && !before.unchanged(&set! {a.clone(), b.clone()}));
        assert!(
            before.unchanged_field(&seq![a.clone(), b], "next")
                && !before.unchanged_field(&a, "value")
        );
        assert!(before.unchanged(&Ref::<Node>::null()));
    }

    #[test]
    fn fields_have_names() {
        assert_eq!(field_names(&node(1)), ["value", "next"]);
        assert_eq!(constant_names(&node(1)), ["limit"]);
        assert_eq!(field_names(&Ref::<Node>::null()), Vec::<String>::new());
    }

    #[test]
    fn changes_of_arrays_name_the_index() {
        let (a, m) = (
            Array::of([1u8, 2]),
            Array2::init_with([int(2), int(2)], |_| 0u8),
        );
        let before = Snapshot::take();
        a.set(1, 7);
        m.set((1, 0), 9);
        assert_eq!(
            before.changes(&a),
            [Change {
                place: "[1]".into(),
                was: "2".into(),
                is: "7".into()
            }]
        );
        assert_eq!(
            before.changes(&m),
            [Change {
                place: "[1, 0]".into(),
                was: "0".into(),
                is: "9".into()
            }]
        );
    }

    #[test]
    fn a_frame_has_objects_and_fields() {
        let (a, b, c) = (node(1), node(2), node(3));
        let mut frame = Frame::default();
        frame.add(&set! {a.clone()});
        frame.add_field(&b, "next");
        frame.add_field(&a, "next");
        let allows = |node: &Ref<Node>, field| frame.allows(node.identity(), field);
        assert!(
            allows(&a, "value")
                && allows(&b, "next")
                && !allows(&b, "value")
                && !allows(&c, "next")
        );
    }

    #[test]
    fn a_frame_is_that_of_before() {
        let (a, b) = (node(1), node(2));
        a.next.set(b.clone());
        let before = Snapshot::take();
        b.value.set(int(7));
        a.next.set(Ref::null());
        expect_frame!(
            before,
            [a, b],
            [(a, "next"), a.next.get()],
            "modifies this`next, next"
        );
        assert!(before.are_fresh(&node(4)) && !before.are_fresh(&a));
    }
}
