//! The proof obligations of each form of expression and statement, in the order of evaluation, each
//! with the condition under which it is violated.
#![allow(clippy::expect_used, reason = "tests")]

use dtest_ir::print::Printer;
use dtest_ir::{Criteria, Criterion, StmtKind};
use dtest_lower::testing::lowered;

const DECLARATIONS: &str = "datatype D = A(x: int, y: int) | B
    class C { var v: int var next: C? constructor() { v := 0; next := null; } }
    newtype Small = x: int | 0 <= x < 10
    function Half(n: int): int requires n % 2 == 0 { n / 2 }
    method Halve(n: int) returns (r: int) requires n % 2 == 0 { r := n / 2; }";

/// Checks the obligations of a method with these parameters and this body.
#[track_caller]
fn check(table: &[(&str, &str, &[&str])]) {
    let criteria = Criteria::new([Criterion::Obligation]).expect("a criterion");
    for (params, body, expected) in table {
        let source = format!("{DECLARATIONS} method M({params}) {{ {body} }}");
        let (map, program) = lowered(&source, criteria.clone());
        let printer = Printer::new(&program, Some(&map));
        let mut procedures = program.procedures.iter();
        let (_, procedure) = procedures
            .find(|(id, _)| program.typed.callable_path(**id) == "M")
            .expect("a method");
        let mut found = Vec::new();
        for stmt in procedure.blocks.iter().flat_map(|b| &b.stmts) {
            let StmtKind::Probe { probe, cond } = &stmt.kind else {
                continue;
            };
            let goal = procedure.probes.get(*probe as usize).expect("a goal");
            if let Some((kind, _)) = goal.obligation() {
                found.push(format!("{kind:?}: {}", printer.expr(cond, &procedure.vars)));
            }
        }
        assert_eq!(found, *expected, "{params}: {body}");
    }
}

/// Checks the obligations of one expression.
#[track_caller]
fn check_values(table: &[(&str, &str, &[&str])]) {
    for (params, value, expected) in table {
        check(&[(params, &format!("var value := {value};"), expected)]);
    }
}

#[test]
fn operators_are_defined_for_their_operands() {
    check_values(&[
        ("a: int, b: int", "a + b * 2", &[]),
        ("a: int, b: int", "a / b", &["Divisor: !(b != 0)"]),
        ("a: real, b: real", "a / b", &["Divisor: !(b != 0)"]),
        (
            "a: bv8, n: int",
            "a << n",
            &["Domain: !((0 <= n) && (n <= 8))"],
        ),
        (
            "c: char, k: char",
            "c + k",
            &["Domain: !(((c as int) + (k as int)) is char)"],
        ),
        ("c: char, k: char", "c < k", &[]),
    ]);
}

#[test]
fn an_operand_is_evaluated_only_where_the_others_do_not_decide() {
    check_values(&[
        (
            "a: int, b: int",
            "b != 0 && a / b > 1",
            &["Divisor: !(b != 0)"],
        ),
        (
            "a: int, b: int",
            "b == 0 || a / b > 1",
            &["Divisor: !(b != 0)"],
        ),
        (
            "a: int, b: int",
            "b > 0 ==> a % b == 0",
            &["Divisor: !(b != 0)"],
        ),
        (
            "a: int, b: int",
            "if b == 0 then 0 else a / b",
            &["Divisor: !(b != 0)"],
        ),
        ("a: int", "var b := a + 1; 10 / b", &["Divisor: !(b != 0)"]),
        (
            "s: seq<int>",
            "forall i :: 0 <= i < |s| ==> s[i] > 0",
            &[
                "Index: exists i: int <i <- 0..|s|> :: ((0 <= i) && (i < |s|)) && (!((0 <= i) && (i < |s|)))",
            ],
        ),
        (
            "s: seq<int>",
            "set i | 0 <= i < 9 :: s[i]",
            &["Index: exists i: int <i <- 0..9> | (0 <= i) && (i < 9) :: !((0 <= i) && (i < |s|))"],
        ),
    ]);
}

#[test]
fn collections_are_read_where_they_have_elements() {
    check_values(&[
        (
            "s: seq<int>, i: int",
            "s[i]",
            &["Index: !((0 <= i) && (i < |s|))"],
        ),
        (
            "s: seq<int>, i: int",
            "s[i..]",
            &["Index: !((0 <= i) && ((i <= |s|) && (|s| <= |s|)))"],
        ),
        (
            "s: seq<int>, i: int, j: int",
            "s[i..j]",
            &["Index: !((0 <= i) && ((i <= j) && (j <= |s|)))"],
        ),
        (
            "s: seq<int>, i: int",
            "s[i := 7]",
            &["Index: !((0 <= i) && (i < |s|))"],
        ),
        ("m: map<int, bool>, k: int", "m[k]", &["Key: !(k in m)"]),
        ("m: map<int, bool>, k: int", "m[k := true]", &[]),
        ("m: multiset<int>, k: int", "m[k]", &[]),
        (
            "m: multiset<int>, k: int",
            "m[k := k]",
            &["Domain: !(0 <= k)"],
        ),
        (
            "n: int",
            "seq(n, i => i)",
            &["Domain: var $function := lambda 0[]; !(0 <= n)"],
        ),
        ("s: set<int>", "|s| + 1", &[]),
    ]);
}

#[test]
fn values_have_the_parts_that_are_read() {
    check_values(&[
        ("d: D", "d.x", &["Constructor: !d.A?"]),
        (
            "d: D",
            "d.(x := 3)",
            &["Assertion: !d.A?", "Constructor: d.A? && (!d.A?)"],
        ),
        ("d: D", "d.A?", &[]),
        ("p: (int, bool)", "p.0", &[]),
        ("c: C", "c.v", &[]),
        ("c: C?", "c.v", &["NonNull: !(c != null)"]),
        ("c: C", "c.next.v", &["NonNull: !(c.next != null)"]),
        (
            "a: array<int>, i: int",
            "a[i]",
            &["Index: !((0 <= i) && (i < a.Length0))"],
        ),
        ("a: array?<int>", "a.Length", &["NonNull: !(a != null)"]),
        (
            "g: array2<int>, i: int",
            "g[i, 0]",
            &[
                "Index: !((0 <= i) && (i < g.Length0))",
                "Index: !((0 <= 0) && (0 < g.Length1))",
            ],
        ),
        (
            "a: array<int>",
            "a[..]",
            &["Index: !((0 <= 0) && ((0 <= a.Length0) && (a.Length0 <= a.Length0)))"],
        ),
    ]);
}

#[test]
fn values_belong_to_the_types_that_they_get() {
    check_values(&[
        ("a: int", "a as Small", &["Type: !(a is Small)"]),
        ("a: Small", "a as int", &[]),
        ("a: int", "a as nat", &["Type: !(a is nat)"]),
        ("a: int", "a as bv8", &["Type: !(a is bv8)"]),
        ("a: int", "a as char", &["Type: !(a is char)"]),
        ("a: real", "a as int", &["Type: !(a is int)"]),
        (
            "a: Small, b: Small",
            "a + b",
            &["Type: !(((a as int) + (b as int)) is Small)"],
        ),
    ]);
    check(&[
        ("a: int", "var n: nat := a;", &["Type: !(n is nat)"]),
        ("a: nat", "var n: int := a;", &[]),
        (
            "a: int",
            "var s: seq<nat> := [a];",
            &["Type: !(s is seq<nat>)"],
        ),
        ("a: C?", "var c: C := a;", &["Type: !(c is C)"]),
    ]);
}

#[test]
fn callees_are_called_under_their_preconditions() {
    check_values(&[
        (
            "a: int",
            "Half(a)",
            &["Precondition: !requires 0 of Half(a)"],
        ),
        (
            "f: int --> int, a: int",
            "f(a)",
            &["Application: !FunctionRequires(f, a)"],
        ),
        ("f: int -> int, a: int", "f(a)", &[]),
    ]);
    check(&[
        (
            "a: int",
            "var r := Halve(a);",
            &["Precondition: !requires 0 of Halve(a)"],
        ),
        (
            "a: int",
            "if a % 2 == 0 { var r := Halve(a); }",
            &[
                "Divisor: !(2 != 0)",
                "Precondition: !requires 0 of Halve(a)",
            ],
        ),
    ]);
}

#[test]
fn choices_have_a_value() {
    check(&[
        (
            "s: set<int>",
            "var x :| x in s;",
            &["Existence: !(exists x@2: int <x@2 <- elements of s> | x@2 in s :: true)"],
        ),
        ("s: set<int>", "var x :| assume x in s;", &[]),
        (
            "d: D",
            "match d { case A(x, y) => case B => }",
            &["Constructor: !d.A?", "Constructor: !d.A?"],
        ),
        (
            "d: D",
            "if { case d.A? => case d.B? => }",
            &["Case: !false"],
        ),
    ]);
}

#[test]
fn specifications_hold_where_they_stand() {
    check(&[
        ("a: int", "assert a > 0;", &["Assertion: !(0 < a)"]),
        (
            "a: int, b: int",
            "assert a / b > 0;",
            &["Divisor: !(b != 0)", "Assertion: !(0 < (a / b))"],
        ),
        ("a: int", "assume {:axiom} a > 0;", &[]),
        ("a: int", "expect a > 0;", &[]),
        (
            "a: int",
            "var i := 0; while i < a invariant i <= a { i := i + 1; }",
            &[
                "InvariantOnEntry: !(i <= a)",
                "Decreases: !(((0 <= $measure) && ((a - i) < $measure)) || (((a - i) == $measure) && false))",
                "InvariantKept: !(i <= a)",
            ],
        ),
        ("a: int", "for i := 0 to a { }", &["LoopRange: !(0 <= a)"]),
    ]);
}

#[test]
fn only_objects_of_the_frame_are_changed() {
    check(&[
        ("c: C", "c.v := 1;", &["Frame: !fresh(c)"]),
        (
            "a: array<int>, i: int",
            "a[i] := 1;",
            &["Frame: !fresh(a)", "Index: !((0 <= i) && (i < a.Length0))"],
        ),
        ("", "var c := new C(); c.v := 1;", &["Frame: !fresh(c)"]),
        ("n: int", "var a := new int[n];", &["Domain: !(0 <= n)"]),
    ]);
}
