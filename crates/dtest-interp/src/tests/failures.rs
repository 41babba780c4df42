//! Tests of failures: each kind ends an execution at the place of the obligation, with the values
//! in its message.

use super::super::*;
use super::source::{Subject, subject, with};

/// Runs a unit that fails; returns the kind, the text at its place, and the message.
fn failure(
    s: &Subject,
    name: &str,
    args: impl IntoIterator<Item = Value>,
) -> (FailureKind, String, String) {
    match s.run(name, &with(args)).outcome {
        Outcome::Failed(f) => (f.kind, s.text(f.span).to_owned(), f.message),
        other => panic!("{name}: {other:?}"),
    }
}

/// Checks the kind and the place of the failure of method `M`, whose parameter `n` is 0.
fn fails(declarations: &str, body: &str, kind: FailureKind, place: &str) {
    let s = subject(&format!("{declarations} method M(n: int) {{ {body} }}"));
    let (found, text, _) = failure(&s, "M", [Value::int(0)]);
    assert_eq!((found, text.as_str()), (kind, place), "{body}");
}

#[test]
fn divisors_are_not_zero() {
    fails("", "print 1 / n;", FailureKind::Division, "1 / n");
    fails("", "print 1 % n;", FailureKind::Division, "1 % n");
    fails(
        "",
        "print 1.0 / (n as real);",
        FailureKind::Division,
        "1.0 / (n as real)",
    );
    fails(
        "",
        "print (1 as bv8) / (n as bv8);",
        FailureKind::Division,
        "(1 as bv8) / (n as bv8)",
    );
}

#[test]
fn indices_are_in_range() {
    fails("", "print [1][n + 1];", FailureKind::Index, "[1][n + 1]");
    fails("", "print [1][n - 1];", FailureKind::Index, "[1][n - 1]");
    fails(
        "",
        "print [1][n + 2..];",
        FailureKind::Index,
        "[1][n + 2..]",
    );
    fails(
        "",
        "print [1, 2][n + 1..n];",
        FailureKind::Index,
        "[1, 2][n + 1..n]",
    );
    fails(
        "",
        "print [1][n + 1 := 5];",
        FailureKind::Index,
        "[1][n + 1 := 5]",
    );
    fails(
        "",
        "var a := new int[1]; print a[n + 1];",
        FailureKind::Index,
        "a[n + 1]",
    );
    fails(
        "",
        "var a := new int[1]; a[n + 1] := 3;",
        FailureKind::Index,
        "a[n + 1] := 3;",
    );
    fails(
        "",
        "var a := new int[2, 2]; print a[n, n + 2];",
        FailureKind::Index,
        "a[n, n + 2]",
    );
}

#[test]
fn keys_are_in_their_map() {
    fails(
        "",
        "print map[1 := 2][n];",
        FailureKind::Key,
        "map[1 := 2][n]",
    );
}

#[test]
fn destructors_belong_to_the_constructor() {
    let declarations = "datatype D = A | B(x: int)";
    fails(
        declarations,
        "var d := if n == 0 then A else B(1); print d.x;",
        FailureKind::Destructor,
        "d.x",
    );
    fails(
        declarations,
        "var d := if n == 0 then A else B(1); print d.(x := 2);",
        FailureKind::Assert,
        "d.(x := 2)",
    );
}

#[test]
fn references_are_not_null() {
    let declarations = "class C { var f: int constructor() { f := 0; } method Q() {} }";
    let start = "var c: C? := null; if n > 0 { c := new C(); }";
    fails(
        declarations,
        &format!("{start} print c.f;"),
        FailureKind::Null,
        "c.f",
    );
    fails(
        declarations,
        &format!("{start} c.f := 1;"),
        FailureKind::Null,
        "c.f := 1;",
    );
    fails(
        declarations,
        &format!("{start} c.Q();"),
        FailureKind::Null,
        "c.Q();",
    );
}

#[test]
fn conversions_stay_within_their_type() {
    let declarations = "newtype u8 = x: int | 0 <= x < 256 type Even = x: int | x % 2 == 0";
    fails(
        declarations,
        "var x := (n - 1) as u8;",
        FailureKind::TypeConstraint,
        "(n - 1) as u8",
    );
    fails(
        declarations,
        "var x: Even := n + 1;",
        FailureKind::TypeConstraint,
        "n + 1",
    );
    fails(
        declarations,
        "var x: nat := n - 1;",
        FailureKind::TypeConstraint,
        "n - 1",
    );
    fails(
        declarations,
        "var x := (n + 256) as bv8;",
        FailureKind::TypeConstraint,
        "(n + 256) as bv8",
    );
    fails(
        declarations,
        "var x := (n as real + 0.5) as int;",
        FailureKind::TypeConstraint,
        "(n as real + 0.5) as int",
    );
    fails(
        declarations,
        "var x := (n - 1) as char;",
        FailureKind::TypeConstraint,
        "(n - 1) as char",
    );
}

#[test]
fn operands_lie_in_the_domain_of_their_operator() {
    fails(
        "",
        "var a := new int[n - 1];",
        FailureKind::Domain,
        "var a := new int[n - 1];",
    );
    fails(
        "",
        "print seq(n - 1, i => i);",
        FailureKind::Domain,
        "seq(n - 1, i => i)",
    );
    fails(
        "",
        "print (1 as bv8) << (n - 1);",
        FailureKind::Domain,
        "(1 as bv8) << (n - 1)",
    );
    fails(
        "",
        "print multiset{1}[1 := n - 1];",
        FailureKind::Domain,
        "multiset{1}[1 := n - 1]",
    );
    fails(
        "",
        "print 'a' - (n as char) - 'b';",
        FailureKind::Domain,
        "'a' - (n as char) - 'b'",
    );
}

#[test]
fn preconditions_hold_at_calls() {
    let declarations =
        "function F(x: int): int requires x > 0 { x } method Q(x: int) requires x > 0 {}";
    fails(
        declarations,
        "print F(n);",
        FailureKind::Precondition,
        "F(n)",
    );
    fails(declarations, "Q(n);", FailureKind::Precondition, "Q(n);");
}

#[test]
fn function_values_are_applied_within_their_precondition() {
    fails(
        "",
        "var f := x requires x > 0 => x; print f(n);",
        FailureKind::Application,
        "f(n)",
    );
}

#[test]
fn assertions_hold() {
    fails("", "assert n > 0;", FailureKind::Assert, "n > 0");
}

#[test]
fn a_case_applies() {
    fails(
        "",
        "if { case n > 0 => print 1; case n < 0 => print 2; }",
        FailureKind::MissingCase,
        "if { case n > 0 => print 1; case n < 0 => print 2; }",
    );
}

#[test]
fn a_choice_has_a_candidate() {
    fails(
        "",
        "var x :| 0 <= x < n; print x;",
        FailureKind::NoCandidate,
        "var x :| 0 <= x < n;",
    );
}

#[test]
fn targets_of_one_statement_differ() {
    fails(
        "",
        "var a := new int[2]; a[n], a[0] := 1, 2;",
        FailureKind::Aliasing,
        "a[n], a[0] := 1, 2;",
    );
}

#[test]
fn the_message_has_the_values() {
    let s = subject(
        "method Div(a: int, b: int) returns (r: int) { r := a / b; }
         method At(s: seq<int>, i: int) returns (r: int) { r := s[i]; }
         method Get(m: map<int, int>, k: int) returns (r: int) { r := m[k]; }",
    );
    let message = |name: &str, args: Vec<Value>| failure(&s, name, args).2;
    assert_eq!(
        message("Div", vec![Value::int(7), Value::int(0)]),
        "division by zero"
    );
    let row = Value::seq([Value::int(4), Value::int(5)]);
    assert_eq!(
        message("At", vec![row, Value::int(2)]),
        "index 2 of 2 elements"
    );
    let map = Value::map([(Value::int(1), Value::int(2))]);
    assert_eq!(
        message("Get", vec![map, Value::int(3)]),
        "3 is not a key of the map"
    );
}

#[test]
fn nothing_is_printed_after_a_failure() {
    let s = subject("method M(n: int) { print 1; print 1 / n; print 2; }");
    assert_eq!(s.run("M", &with([Value::int(0)])).printed, "1");
}

#[test]
fn operands_that_are_skipped_do_not_fail() {
    let s = subject(
        "method M(n: int, s: seq<int>) returns (a: bool, b: bool, c: int) { a := n == 0 || 1 / n > 0; b := 0 <= n < |s| && s[n] > 0; c := if n == 0 then 0 else 1 / n; }",
    );
    assert_eq!(
        s.returns("M", [Value::int(0), Value::seq([])]),
        [Value::Bool(true), Value::Bool(false), Value::int(0)]
    );
}
