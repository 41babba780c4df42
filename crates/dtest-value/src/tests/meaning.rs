//! Tests of equality, order, parts and extents.

use std::sync::Arc;

use dafny_resolve::typed::{CtorId, Type, TypeId};
use dtest_ir::reason::Reason;
use num_bigint::BigUint;

use crate::{
    Contents, Elements, FunctionValue, Heap, LazyValue, Object, ObjectId, Template, Thunk, Value,
    rows,
};

fn ints(items: impl IntoIterator<Item = i64>) -> Vec<Value> {
    items.into_iter().map(Value::int).collect()
}

fn table(entries: &[(i64, i64)], default: i64) -> Value {
    let entries = entries
        .iter()
        .map(|(k, v)| (vec![Value::int(*k)], Value::int(*v)))
        .collect();
    Value::Function(Arc::new(FunctionValue::Table {
        entries,
        default: Value::int(default),
    }))
}

fn data(ctor: u32, args: Vec<Value>) -> Value {
    Value::datatype(CtorId(ctor), args)
}

fn lazy(lambda: u32) -> Arc<LazyValue> {
    Arc::new(LazyValue::new(Thunk::Code {
        lambda,
        captured: Vec::new(),
        type_args: Vec::new(),
    }))
}

#[test]
fn collections_forget_order_and_repetition_as_their_kind_does() {
    assert_eq!(Value::set(ints([2, 1, 2])), Value::set(ints([1, 2])));
    assert_eq!(
        Value::multiset(ints([2, 1, 2])),
        Value::multiset(ints([2, 2, 1]))
    );
    assert_ne!(
        Value::multiset(ints([2, 1, 2])),
        Value::multiset(ints([1, 2]))
    );
    assert_ne!(Value::seq(ints([1, 2])), Value::seq(ints([2, 1])));
    let pair = |k, v| (Value::int(k), Value::int(v));
    assert_eq!(
        Value::map([pair(1, 2), pair(1, 3)]),
        Value::map([pair(1, 3)])
    );
}

#[test]
fn multiplicities_are_counted() {
    let Value::Multiset(counts) = Value::multiset(ints([5, 7, 5])) else {
        panic!("a multiset")
    };
    assert_eq!(counts.get(&Value::int(5)), Some(&BigUint::from(2u32)));
    assert_eq!(counts.get(&Value::int(9)), None);
}

#[test]
fn values_are_ordered_by_structure() {
    let ordered = [
        [Value::Bool(false), Value::Bool(true)],
        [Value::int(-5), Value::int(3)],
        [Value::Char(97), Value::Char(98)],
        [Value::seq(ints([1, 9])), Value::seq(ints([2]))],
        [Value::seq(ints([1])), Value::seq(ints([1, 0]))],
        [Value::tuple(ints([1, 2])), Value::tuple(ints([1, 3]))],
        [data(0, ints([9])), data(1, ints([0]))],
        [data(1, ints([0])), data(1, ints([1]))],
        [Value::Null, Value::Ref(ObjectId(0))],
        [Value::Ref(ObjectId(0)), Value::Ref(ObjectId(1))],
    ];
    for [less, more] in ordered {
        assert!(less < more, "{less:?} {more:?}");
        assert!(more > less);
    }
}

#[test]
fn a_string_is_a_sequence_of_code_points() {
    assert_eq!(
        Value::string("aé😀"),
        Value::seq([0x61, 0xe9, 0x1f600].map(Value::Char))
    );
}

#[test]
fn parts_are_the_direct_components() {
    assert_eq!(Value::seq(ints([1, 2])).parts().len(), 2);
    assert_eq!(
        Value::map([(Value::int(1), Value::Bool(true))])
            .parts()
            .len(),
        2
    );
    assert_eq!(Value::multiset(ints([1, 1])).parts().len(), 1);
    assert_eq!(data(0, ints([1, 2, 3])).parts().len(), 3);
    assert_eq!(
        Value::newtype(TypeId(0), Vec::new(), Value::int(1))
            .parts()
            .len(),
        1
    );
    for whole in [Value::int(1), Value::Null, table(&[(1, 2)], 0)] {
        assert!(whole.parts().is_empty());
    }
}

#[test]
fn a_value_comes_before_its_parts() {
    let inner = Value::seq(ints([7]));
    let outer = Value::tuple([inner.clone(), Value::Bool(true)]);
    let all: Vec<&Value> = outer.within().collect();
    assert_eq!(all.len(), 4);
    assert_eq!(all[0], &outer);
    let at = |v: &Value| all.iter().position(|x| *x == v).expect("a part");
    assert!(at(&inner) < at(&Value::int(7)));
}

#[test]
fn deep_values_are_compared_hashed_and_dropped() {
    use std::hash::{Hash as _, Hasher as _};
    let deep = |n: i64| {
        (0..n).fold(data(0, Vec::new()), |tail, i| {
            data(1, vec![Value::int(i), tail])
        })
    };
    let (a, b) = (deep(50_000), deep(50_000));
    assert_eq!(a, b);
    assert_eq!(a.cmp(&b), std::cmp::Ordering::Equal);
    let hash = |v: &Value| {
        let mut hasher = std::hash::DefaultHasher::new();
        v.hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(&a), hash(&b));
}

#[test]
fn values_that_differ_in_functions_only_may_be_equal() {
    let (f, g) = (table(&[(1, 2)], 0), table(&[], 0));
    assert!(f.may_equal(&g));
    assert!(!f.may_equal(&f));
    assert!(
        Value::tuple([f.clone(), Value::int(1)])
            .may_equal(&Value::tuple([g.clone(), Value::int(1)]))
    );
    assert!(
        !Value::tuple([f.clone(), Value::int(1)])
            .may_equal(&Value::tuple([g.clone(), Value::int(2)]))
    );
    assert!(!Value::int(1).may_equal(&Value::int(2)));
    assert!(Value::seq([f.clone()]).holds_functions() && !Value::int(1).holds_functions());
    assert!(Value::set([f.clone(), g.clone()]).may_repeat());
    assert!(!Value::set([f.clone()]).may_repeat());
    // Elements of a sequence are compared with the others, but not by the sequence itself.
    assert!(!Value::seq([f.clone(), g.clone()]).may_repeat());
    assert!(Value::may_coincide(&[f], &[Value::seq([g])]));
}

#[test]
fn a_partial_function_is_defined_by_its_exceptions() {
    let exceptions = [ints([1])];
    for (elsewhere, arg, defined) in [
        (true, 1, false),
        (true, 2, true),
        (false, 1, true),
        (false, 2, false),
    ] {
        assert_eq!(
            FunctionValue::may_be_applied(elsewhere, &exceptions, &ints([arg])),
            defined
        );
    }
}

#[test]
fn functions_with_laws_have_a_text() {
    for (template, text) in [
        (Template::Identity, "x => x"),
        (Template::Less, "(x, y) => x < y"),
        (Template::AtMost, "(x, y) => x <= y"),
        (Template::Equal, "(x, y) => x == y"),
        (Template::Add, "(x, y) => x + y"),
        (Template::Successor, "x => x + 1"),
        (Template::Mix, "(x, y) => x + x + y"),
        (Template::Odd, "x => x % 2 == 1"),
    ] {
        assert_eq!(template.text(), text);
    }
}

#[test]
fn a_newtype_value_equals_those_of_its_newtype_alone() {
    let of = |decl, n| Value::newtype(TypeId(decl), Vec::new(), Value::int(n));
    assert_eq!(of(1, 5), of(1, 5));
    assert_ne!(of(1, 5), of(2, 5));
    assert_ne!(of(1, 5), of(1, 6));
    assert_ne!(of(1, 5), Value::int(5));
    // Type arguments do not matter.
    assert_eq!(
        of(1, 5),
        Value::newtype(TypeId(1), vec![Type::Int], Value::int(5))
    );
}

#[test]
fn a_lazy_value_is_computed_once() {
    let value = lazy(0);
    assert!(value.computed().is_none());
    value.note(Ok(Value::int(1)));
    value.note(Ok(Value::int(2)));
    assert_eq!(value.computed(), Some(Ok(&Value::int(1))));
}

#[test]
fn lazy_values_are_equal_by_their_computation() {
    let (a, b) = (Value::Lazy(lazy(0)), Value::Lazy(lazy(0)));
    if let Value::Lazy(l) = &a {
        l.note(Ok(Value::int(1)));
    }
    assert_eq!(a, b);
    assert_ne!(a, Value::Lazy(lazy(1)));
}

#[test]
fn computed_lazy_values_are_replaced() {
    let part = lazy(0);
    let whole = data(0, vec![Value::Lazy(part.clone()), Value::int(3)]);
    assert!(whole.holds_lazy());
    assert_eq!(whole.settled(), None);
    part.note(Ok(Value::int(1)));
    assert_eq!(whole.settled(), Some(data(0, ints([1, 3]))));
    assert_eq!(Value::int(3).settled(), Some(Value::int(3)));
}

#[test]
fn unknown_and_infinite_lazy_values_are_not_replaced() {
    let unknown = lazy(0);
    unknown.note(Err(Reason::Halts));
    assert_eq!(Value::seq([Value::Lazy(unknown)]).settled(), None);
    let long = (0..100).fold(data(0, Vec::new()), |tail, _| {
        let part = lazy(1);
        part.note(Ok(tail));
        data(1, vec![Value::Lazy(part)])
    });
    assert_eq!(long.settled(), None);
    // The elements of a set may become equal.
    let part = lazy(2);
    part.note(Ok(Value::int(1)));
    assert_eq!(Value::set([Value::Lazy(part)]).settled(), None);
}

#[test]
fn rows_vary_one_column_at_a_time() {
    let found = rows(&[ints([1, 2]), ints([10, 20, 30])]);
    let pairs: Vec<(i64, i64)> = vec![(1, 10), (2, 10), (1, 20), (1, 30), (2, 20), (1, 30)];
    let expected: Vec<Vec<Value>> = pairs.into_iter().map(|(a, b)| ints([a, b])).collect();
    assert_eq!(found, expected);
    assert_eq!(rows(&[ints([1]), Vec::new()]), Vec::<Vec<Value>>::new());
    assert_eq!(rows(&[ints([1]), ints([2])]), [ints([1, 2])]);
}

#[test]
fn the_contents_of_a_heap_are_all_its_values() {
    let elements = Elements::row(vec![Some(Value::int(1)), None, Some(Value::int(2))]);
    let ty = Type::Array {
        dims: 1,
        nullable: false,
        elem: Box::new(Type::Int),
    };
    let heap = Heap {
        objects: vec![Object::new(ty, Contents::Elements(elements))],
    };
    let all: Vec<&Value> = heap.contents().collect();
    assert_eq!(all, [&Value::int(1), &Value::int(2)]);
}

#[test]
fn elements_of_arrays_are_mapped_with_their_lengths() {
    let matrix = Elements::new(vec![2, 2], vec![1, 2, 3, 4]).expect("four elements");
    let doubled = matrix.map(|n| n * 2);
    assert_eq!(
        (doubled.dims(), &doubled[..]),
        (&[2, 2][..], &[2, 4, 6, 8][..])
    );
    assert!(matrix.try_map(|n| (*n < 4).then_some(*n)).is_none());
    assert_eq!(matrix.try_map(|n| Some(*n)), Some(matrix.clone()));
    let zeros = Elements::filled(vec![3, 1], 0, 10).expect("three elements");
    assert_eq!(zeros.len(), 3);
}
