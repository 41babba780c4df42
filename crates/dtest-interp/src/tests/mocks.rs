//! Tests of the interpreter with mock objects, which define the results of functions.

use super::super::*;
use super::source::{subject, with};
use dtest_value::{Contents, FunctionValue, Heap, Object, ObjectId, Value};

fn table(entries: impl IntoIterator<Item = (i64, i64)>, default: i64) -> FunctionValue {
    let entries = entries
        .into_iter()
        .map(|(a, r)| (vec![Value::int(a)], Value::int(r)))
        .collect();
    FunctionValue::Table {
        entries,
        default: Value::int(default),
    }
}

fn mock(ty: Type, redefined: impl IntoIterator<Item = (CallableId, FunctionValue)>) -> Inputs {
    let object = Object {
        redefined: redefined.into_iter().collect(),
        ..Object::new(ty, Contents::Fields(Default::default()))
    };
    Inputs {
        heap: Heap {
            objects: vec![object],
        },
        ..with([Value::Ref(ObjectId(0))])
    }
}

#[test]
fn a_mock_returns_configured_results_and_runs_other_bodies() {
    let s = subject(
        "trait Tariff extends object {
           function Base(): int
           function Price(weight: int): int
           function Twice(weight: int): int { 2 * Price(weight) }
         }
         method Ask(t: Tariff) returns (a: int, b: int) { a := t.Price(3) + t.Price(4); b := t.Twice(4); }
         method Forgotten(t: Tariff) returns (a: int) { a := t.Base(); }",
    );
    let inputs = mock(
        s.ty("Tariff"),
        [(s.callable("Tariff.Price"), table([(3, 10)], 7))],
    );
    let e = s.run("Ask", &inputs);
    assert_eq!(
        e.outcome,
        Outcome::Returned(vec![Some(Value::int(17)), Some(Value::int(14))])
    );
    assert!(e.deterministic);
    assert_eq!(s.requires("Ask", &inputs), [Truth::True]);
    // Without a configured result, it returns what its contract allows, which is recorded.
    let e = s.run("Forgotten", &inputs);
    assert_eq!(e.outcome, Outcome::Returned(vec![Some(Value::int(0))]));
    assert_eq!(
        e.answers
            .iter()
            .map(|a| (a.callee, a.args.clone()))
            .collect::<Vec<_>>(),
        [(
            s.callable("Tariff.Base"),
            vec![Some(inputs.args[0].clone())]
        )]
    );
}

#[test]
fn one_object_of_a_class_may_differ_from_the_others() {
    let s = subject(
        "class Key {
           const bits: int
           constructor (bits: int) { this.bits := bits; }
           function Strength(factor: int): int { factor * bits }
           function Double(): int { Strength(2) }
         }
         method Compare(k: Key) returns (a: int, b: int)
           ensures a == k.Double()
         { var other := new Key(10); a := k.Double(); b := other.Double(); }",
    );
    let inputs = mock(
        s.ty("Key"),
        [(s.callable("Key.Strength"), table([(2, 99)], 0))],
    );
    assert_eq!(
        s.run("Compare", &inputs).outcome,
        Outcome::Returned(vec![Some(Value::int(99)), Some(Value::int(20))])
    );
    assert_eq!(s.ensures("Compare", &inputs), [Truth::True]);
}
