use super::*;
use crate::{Array, DafnyPrint, Field, Int, Object, Ref, Set, int, to_dafny_string};

trait Named: Dynamic {
    fn name(&self) -> Int;
}

trait Shape: Named {
    fn area(&self) -> Int;
}

struct Square {
    side: Field<Int>,
}

impl Object for Square {
    fn class_name(&self) -> &'static str {
        "M.Square"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        offer!(cast, this, dyn Shape, dyn Named);
    }
}

impl Named for Ref<Square> {
    fn name(&self) -> Int {
        int(4)
    }
}

impl Shape for Ref<Square> {
    fn area(&self) -> Int {
        self.side.get() * self.side.get()
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Point(Int);

impl DafnyPrint for Point {
    fn fmt_dafny(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Point")
    }
}

impl Dynamic for Point {
    fn offer(&self, cast: &mut Cast<'_>) {
        cast.offer_own(self);
        offer!(cast, self, dyn Named);
    }
    fn compare(&self, other: &AnyObject) -> std::cmp::Ordering {
        compare(self, other)
    }
}

impl Named for Point {
    fn name(&self) -> Int {
        self.0.clone()
    }
}

fn square(side: i32) -> Ref<Square> {
    Ref::new(Square {
        side: Field::new(int(side)),
    })
}

#[test]
fn an_object_keeps_its_identity_through_its_traits() {
    let s = square(3);
    let (shape, named) = (upcast::<dyn Shape, _>(&s), upcast::<dyn Named, _>(&s));
    assert_eq!(shape.area(), int(9));
    assert!(is_same(&shape, &named) && is_same(&named, &s));
    assert_eq!(upcast::<dyn Named, _>(&shape), named);
    assert_eq!(downcast::<Dyn<dyn Shape>, _>(&named), shape);
    assert_eq!(
        downcast::<Ref<Square>, _>(&upcast::<dyn Dynamic, _>(&named)),
        s
    );
    assert_ne!(upcast::<dyn Shape, _>(&square(3)), shape);
    assert_eq!(to_dafny_string(&shape), "M.Square");
}

#[test]
fn values_of_a_trait_are_compared_as_values() {
    let named = |n: i32| upcast::<dyn Named, _>(&Point(int(n)));
    assert_eq!(named(1), named(1));
    assert!(named(1) < named(2));
    assert_ne!(named(4), upcast(&square(4)));
    assert_eq!(named(4).name(), upcast::<dyn Named, _>(&square(4)).name());
    assert!(instance_of::<Point, _>(&named(1)) && !instance_of::<Ref<Square>, _>(&named(1)));
    assert!(!instance_of::<Dyn<dyn Shape>, _>(&named(1)));
}

#[test]
fn null_is_of_every_type_of_references() {
    let null = upcast::<dyn Shape, _>(&Ref::<Square>::null());
    assert!(null.is_null() && downcast::<Ref<Square>, _>(&null).is_null());
    assert_eq!(null, Dyn::null());
    assert_ne!(null, upcast(&square(1)));
    assert!(cast::<Point, _>(&null).is_none());
}

#[test]
fn sets_of_objects_hold_arrays_and_objects_of_any_class() {
    let (s, a) = (square(1), Array::of([1u8]));
    let object = |o: &dyn Dynamic| upcast::<dyn Dynamic, _>(o);
    let set: Set<AnyObject> = [object(&s), object(&a), object(&upcast::<dyn Shape, _>(&s))]
        .into_iter()
        .collect();
    assert_eq!(set.len(), int(2));
    assert!(instance_of::<Array<u8>, _>(set.iter().last().unwrap()));
}

#[test]
#[should_panic(expected = "invalid cast: the value is not of the target type")]
fn a_cast_to_another_type_panics() {
    let _: Point = downcast(&square(1));
}
