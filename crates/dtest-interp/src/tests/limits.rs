//! Tests of the limits of an execution, and of the truth of conditions that exceed them.

use super::super::*;
use super::source::{subject, with};
use ir::reason::Limit;

/// Runs method `M` within limits.
fn run(source: &str, limits: Limits) -> Execution {
    let s = subject(source);
    Interp::new(&s.program, limits).run(s.callable("M"), &with([]))
}

/// Returns the limit that ended method `M`.
fn exceeded(source: &str, limits: Limits) -> Limit {
    match run(source, limits).outcome {
        Outcome::OutOfFuel(limit) => limit,
        other => panic!("{other:?}"),
    }
}

const COUNT: &str = "method M() returns (i: int) { i := 0; while i < 1000 { i := i + 1; } }";

#[test]
fn steps_are_limited() {
    let few = Limits {
        steps: 500,
        ..Limits::default()
    };
    assert_eq!(exceeded(COUNT, few), Limit::Steps);
    let e = run(COUNT, Limits::default());
    assert_eq!(e.outcome, Outcome::Returned(vec![Some(Value::int(1000))]));
    assert!(e.steps > 1000);
}

#[test]
fn an_execution_has_as_many_steps_each_time() {
    assert_eq!(
        run(COUNT, Limits::default()).steps,
        run(COUNT, Limits::default()).steps
    );
}

#[test]
fn objects_are_limited() {
    let source = "class C { constructor() {} } method M() decreases * { while true decreases * { var c := new C(); } }";
    let few = Limits {
        objects: 10,
        ..Limits::default()
    };
    assert_eq!(exceeded(source, few), Limit::Memory);
}

#[test]
fn the_size_of_values_is_limited() {
    let source =
        "method M() returns (s: seq<seq<int>>) { s := [[1]]; for i := 0 to 40 { s := s + s; } }";
    let small = Limits {
        extent: 1000,
        ..Limits::default()
    };
    assert_eq!(exceeded(source, small), Limit::Memory);
}

#[test]
fn a_condition_that_exceeds_its_limits_is_unknown() {
    let s = subject(
        "ghost function Slow(n: nat): nat { if n == 0 then 0 else Slow(n - 1) + Slow(n - 1) } method M(n: nat) requires Slow(n) == 0 { }",
    );
    let check = |n: i64| {
        let interp = Interp::new(
            &s.program,
            Limits {
                steps: 10_000,
                ..Limits::default()
            },
        );
        let checked = interp.check_inputs(s.callable("M"), &with([Value::int(n)]));
        checked.verdict()
    };
    assert_eq!(check(3), Truth::True);
    assert!(matches!(check(50), Truth::Unknown(_)));
}

#[test]
fn a_condition_that_is_kept_short_is_cut_and_says_so() {
    let s = subject(
        "ghost predicate Even(n: nat) { n == 0 || (n > 1 && Even(n - 2)) } method M(n: nat) requires Even(n) { }",
    );
    let interp = Interp::new(&s.program, Limits::default());
    let check = |n: i64| {
        let checked = interp.check_inputs(s.callable("M"), &with([Value::int(n)]));
        (checked.verdict(), interp.is_last_check_cut())
    };
    interp.keep_short(Some(50));
    assert_eq!(check(4), (Truth::True, false));
    assert_eq!(check(5), (Truth::False, false));
    let (verdict, is_cut) = check(5_001);
    assert!(matches!(verdict, Truth::Unknown(_)) && is_cut);
    // A higher limit decides it, and ends at the general one.
    assert!(interp.lengthen(1_000));
    assert_eq!(check(5_001), (Truth::False, false));
    assert!(interp.lengthen(1_000_000));
    assert!(!interp.lengthen(2));
    interp.keep_short(None);
    assert!(!interp.lengthen(2));
    assert_eq!(check(5_000), (Truth::True, false));
}

#[test]
fn truth_has_three_values() {
    let unknown = || Truth::Unknown(ir::reason::Reason::OutOfFuel(Limit::Steps));
    for (a, b, expected) in [
        (Truth::True, Truth::True, Truth::True),
        (Truth::True, Truth::False, Truth::False),
        (Truth::False, unknown(), Truth::False),
        (unknown(), Truth::False, Truth::False),
        (Truth::True, unknown(), unknown()),
        (unknown(), Truth::True, unknown()),
        (unknown(), unknown(), unknown()),
    ] {
        assert_eq!(a.and(b), expected);
    }
}

#[test]
fn calls_are_checked_unless_the_caller_asks_not_to() {
    let source = "method Q(n: int) returns (r: int) requires n > 0 { r := n; } method M() returns (r: int) { r := Q(0); }";
    assert!(matches!(
        run(source, Limits::default()).outcome,
        Outcome::Failed(_)
    ));
    let unchecked = Limits {
        check_calls: false,
        ..Limits::default()
    };
    assert_eq!(
        run(source, unchecked).outcome,
        Outcome::Returned(vec![Some(Value::int(0))])
    );
}

#[test]
fn a_long_sequence_of_constrained_values_is_checked_in_few_steps() {
    let source = "newtype byte = x: int | 0 <= x < 256
         type Block = b: seq<byte> | |b| == 4096 witness *
         method M(b: Block) { }";
    let s = subject(source);
    let interp = Interp::new(&s.program, Limits::default());
    let truth = |values: Vec<Value>| {
        let before = interp.steps();
        let truth = interp.value_has_type(&Value::seq(values), &s.ty("Block"), &Heap::default());
        (truth.is_false(), interp.steps() - before)
    };
    let mixed: Vec<Value> = (0..4096).map(|i| Value::int(i % 256)).collect();
    let (is_false, steps) = truth(mixed.clone());
    // Less than a step for each element.
    assert!(!is_false && steps < 1000, "{steps} steps");
    // An equal run is examined once.
    let (is_false, steps) = truth(vec![Value::int(7); 4096]);
    assert!(!is_false && steps < 50, "{steps} steps");
    // One wrong element counts wherever it is.
    for at in [0, 1, 2000, 4095] {
        let mut wrong = mixed.clone();
        wrong[at] = Value::int(256);
        assert!(truth(wrong).0, "{at}");
    }
    assert!(truth(vec![Value::int(7); 4095]).0);
}
