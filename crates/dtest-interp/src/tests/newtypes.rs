//! Tests of the interpreter with newtypes that extend traits.

use std::sync::Arc;

use super::source::{Subject, subject_with};
use crate::{FailureKind, Outcome};
use dafny_resolve::typed::{GeneralTraits, Options, Type};
use dtest_value::{FunctionValue, Value};

fn general(source: &str) -> Subject {
    let options = Options {
        type_system_refresh: true,
        general_newtypes: true,
        general_traits: GeneralTraits::Full,
        ..Options::default()
    };
    subject_with(source, options)
}

/// Returns a value of a newtype without parameters, converted to a trait.
fn seen(s: &Subject, newtype: &str, value: Value) -> Value {
    match s.ty(newtype) {
        Type::Named { decl, args, .. } => Value::newtype(decl, args, value),
        other => panic!("{other:?}"),
    }
}

const SHAPES: &str = "trait Shape { const k: int := 7 function Area(): int function Twice(): int { 2 * Area() } method Say() returns (r: int) }
    newtype Square extends Shape = x: int | 0 <= x < 100 { function Area(): int { (this * this) as int } method Say() returns (r: int) { r := 1; } }
    newtype Flat extends Shape = b: bool | true { function Area(): int { if this then 5 else 0 } method Say() returns (r: int) { r := 2; } }
    newtype Small extends Shape = s: Square | s < 4 { }
    newtype Many<X(==)> extends Shape = multiset<X> { function Area(): int { |this| } method Say() returns (r: int) { r := 3; } }
    type Large = s: Shape | s.Area() > 10 witness *
    datatype Pair<+X> = Pair(a: X, b: X)\n";

#[test]
fn calls_run_the_members_of_the_newtype_and_the_bodies_of_the_trait() {
    let s = general(&format!(
        "{SHAPES} method M(s: Shape) returns (a: int, b: int, c: int, d: int) {{ a := s.Area(); b := s.Twice(); c := s.Say(); d := s.k; }}
         method N(n: Square) returns (a: int, b: Shape) {{ a := n.Twice(); b := n; }}
         method P(n: Small) returns (a: int) {{ var s: Shape := n; a := s.Area(); }}
         method Q<X extends Shape>(x: X) returns (a: int, b: bool) {{ a := (x as Shape).Twice(); b := (x as Shape) is Square; }}
         method R() returns (a: int, b: bool) {{ var q: Square := 5; a, b := Q(q); }}
         method S() returns (a: int) {{ var m: Many<bool> := multiset{{true, true}}; var s: Shape := m; a := s.Twice(); }}"
    ));
    let four = |a: i64, b: i64, c: i64| [a, b, c, 7].map(Value::int).to_vec();
    assert_eq!(
        s.returns("M", [seen(&s, "Square", Value::int(3))]),
        four(9, 18, 1)
    );
    assert_eq!(
        s.returns("M", [seen(&s, "Flat", Value::Bool(true))]),
        four(5, 10, 2)
    );
    assert_eq!(
        s.returns("M", [seen(&s, "Small", Value::int(2))]),
        four(4, 8, 1)
    );
    assert_eq!(
        s.returns("N", [Value::int(3)]),
        [Value::int(18), seen(&s, "Square", Value::int(3))]
    );
    assert_eq!(s.returns("P", [Value::int(3)]), [Value::int(9)]);
    assert_eq!(s.returns("R", []), [Value::int(50), Value::Bool(true)]);
    assert_eq!(s.returns("S", []), [Value::int(4)]);
}

#[test]
fn a_trait_value_is_of_its_own_newtype_alone() {
    let s = general(&format!(
        "{SHAPES} method M(s: Shape) returns (a: bool, b: bool, c: bool, d: bool) {{ a := s is Square; b := s is Flat; c := s is Small; d := s is Large; }}
         method N(s: Shape) returns (n: Square) requires s is Square {{ n := s as Square; }}
         method O(s: Shape) returns (n: Square) {{ n := s as Square; }}
         method P(n: Square) returns (l: Large) {{ l := n; }}
         method Q(s: Shape, n: Square) returns (ghost e: bool) {{ e := s == n; }}"
    ));
    let bools = |bs: [bool; 4]| bs.map(Value::Bool).to_vec();
    assert_eq!(
        s.returns("M", [seen(&s, "Square", Value::int(3))]),
        bools([true, false, false, false])
    );
    assert_eq!(
        s.returns("M", [seen(&s, "Square", Value::int(9))]),
        bools([true, false, false, true])
    );
    assert_eq!(
        s.returns("M", [seen(&s, "Small", Value::int(3))]),
        bools([false, false, true, false])
    );
    assert_eq!(
        s.returns("N", [seen(&s, "Square", Value::int(9))]),
        [Value::int(9)]
    );
    let kind = |name, value| match s.run(name, &super::source::with([value])).outcome {
        Outcome::Failed(f) => f.kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        kind("O", seen(&s, "Flat", Value::Bool(true))),
        FailureKind::TypeConstraint
    );
    assert_eq!(kind("P", Value::int(3)), FailureKind::TypeConstraint);
    assert_eq!(
        s.returns("P", [Value::int(9)]),
        [seen(&s, "Square", Value::int(9))]
    );
}

#[test]
fn collections_of_newtypes_become_collections_of_traits_and_back() {
    let s = general(&format!(
        "{SHAPES} function Sum(s: seq<Shape>): int {{ if s == [] then 0 else s[0].Area() + Sum(s[1..]) }}
         method M(s: seq<Square>, p: Pair<Square>, m: map<int, Flat>) returns (a: int, b: Pair<Shape>, c: map<int, Shape>)
         {{ a := Sum(s); b := p; c := m; }}
         method N(s: seq<Shape>) returns (r: seq<Square>) requires forall x <- s :: x is Square {{ r := s as seq<Square>; }}
         method F(f: int -> Square, g: Shape -> int) returns (a: int, b: int, c: int)
         {{ var h: int -> Shape := i => 3 as Square; a := h(1).Area(); h := f; b := h(1).Twice(); var k: Square -> int := g; c := k(5); }}"
    ));
    let squares = Value::seq([1, 2, 3].map(Value::int));
    let pair = |a, b| Value::datatype(s.ctor("Pair"), vec![a, b]);
    let flats = Value::map([(Value::int(1), Value::Bool(true))]);
    let square = |n: i64| seen(&s, "Square", Value::int(n));
    assert_eq!(
        s.returns(
            "M",
            [squares.clone(), pair(Value::int(4), Value::int(5)), flats]
        ),
        [
            Value::int(14),
            pair(square(4), square(5)),
            Value::map([(Value::int(1), seen(&s, "Flat", Value::Bool(true)))])
        ]
    );
    assert_eq!(
        s.returns("N", [Value::seq([1, 2, 3].map(square))]),
        [squares]
    );
    let table = |entries, default: i64| {
        Value::Function(Arc::new(FunctionValue::Table {
            entries,
            default: Value::int(default),
        }))
    };
    let functions = [
        table(vec![(vec![Value::int(1)], Value::int(6))], 2),
        table(vec![(vec![square(5)], Value::int(8))], 0),
    ];
    assert_eq!(s.returns("F", functions), [9, 72, 8].map(Value::int));
}

#[test]
fn the_same_value_of_two_newtypes_is_not_known_to_differ() {
    let s = general(
        "trait T { } newtype A extends T = int newtype B extends T = int newtype C extends T = bool
         method M(a: A, b: B, c: C) returns (ghost x: bool) { var s: T, t: T, u: T := a, b, c; assert s != u; assert a as int == b as int ==> s != t; }",
    );
    let run = s.run(
        "M",
        &super::source::with([Value::int(1), Value::int(2), Value::Bool(true)]),
    );
    assert!(
        matches!(run.outcome, Outcome::Returned(_)),
        "{:?}",
        run.outcome
    );
    let run = s.run(
        "M",
        &super::source::with([Value::int(1), Value::int(1), Value::Bool(true)]),
    );
    assert!(
        !matches!(run.outcome, Outcome::Failed(_)),
        "{:?}",
        run.outcome
    );
}
