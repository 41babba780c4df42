//! The lowering of each form of expression: a function's body as it is printed in the IR.
#![allow(clippy::expect_used, reason = "tests")]

use dtest_ir::Criteria;
use dtest_ir::print::Printer;
use dtest_lower::testing::lowered;

const DECLARATIONS: &str = "datatype D = A(x: int, y: int) | B
    class C { var v: int constructor() { v := 0; } function Get(k: int): int reads this { v + k } }
    newtype Small = x: int | 0 <= x < 10 const K := 7 function G(a: int, b: int): int { a - b }";

/// Checks the body of a function with these parameters and this result. Lambdas follow it.
#[track_caller]
fn check(table: &[(&str, &str, &str, &str)]) {
    for (params, result, body, expected) in table {
        let source = format!("{DECLARATIONS} function F({params}): {result} reads * {{ {body} }}");
        let (map, program) = lowered(&source, Criteria::default());
        let printer = Printer::new(&program, Some(&map));
        let mut functions = program.functions.iter();
        let (_, f) = functions
            .find(|(id, _)| program.typed.callable_path(**id) == "F")
            .expect("a function");
        let printed = printer.function("F", f);
        let (_, text) = printed.split_once(" = ").expect("a body");
        assert_eq!(text.trim_end(), *expected, "{body}");
    }
}

#[test]
fn operators_of_numbers() {
    check(&[
        (
            "a: int, b: int",
            "int",
            "a + b * 2 - -a",
            "(a + (b * 2)) - (-a)",
        ),
        ("a: int, b: int", "int", "a / b % 3", "(a / b) % 3"),
        ("a: int, b: int", "bool", "a < b", "a < b"),
        (
            "a: int, b: int",
            "bool",
            "a < b <= 5",
            "(a < b) && (b <= 5)",
        ),
        (
            "a: int, b: int",
            "bool",
            "a == b || a != 3",
            "(a == b) || (a != 3)",
        ),
        ("a: real", "int", "(a * 1.5).Floor", "(a * 3/2).Floor"),
        ("a: bv8", "bv8", "(a << 2) | !a", "(a << 2) | (!a)"),
        ("a: bv8", "bv8", "a.RotateLeft(3)", "RotateLeft(a, 3)"),
        ("a: int", "bv8", "a as bv8", "a as bv8"),
        ("a: bv8", "int", "a as int", "a as int"),
        ("a: char", "bool", "a < 'z'", "a < 'z'"),
        ("a: int", "nat", "a", "a"),
        ("a: int", "Small", "a as Small", "a as Small"),
        ("a: int", "int", "K + a", "const K + a"),
    ]);
}

#[test]
fn connectives() {
    check(&[
        ("a: bool, b: bool", "bool", "a && !b", "a && (!b)"),
        ("a: bool, b: bool", "bool", "a <== b", "b ==> a"),
    ]);
}

#[test]
fn functions_are_applied_and_made() {
    check(&[
        ("a: bool, b: bool", "bool", "a ==> b", "a ==> b"),
        ("a: bool, b: bool", "bool", "a <==> b", "a == b"),
        ("n: nat", "seq<int>", "seq(n, i => i)", "seq(n, lambda 0[])"),
        ("a: int", "int", "G(a, 1)", "G(a, 1)"),
        ("f: int -> int", "int", "f(3)", "f.(3)"),
        ("a: int", "int -> int", "x => x + a", "lambda 0[a]"),
    ]);
}

#[test]
fn operators_of_collections() {
    check(&[
        ("s: seq<int>, i: int", "int", "s[i]", "s[i]"),
        ("s: seq<int>, i: int", "seq<int>", "s[i..]", "s[i..|s|]"),
        ("s: seq<int>, i: int", "seq<int>", "s[i := 5]", "s[i := 5]"),
        ("s: seq<int>", "int", "|s|", "|s|"),
        ("s: seq<int>", "seq<int>", "s + [1, 2]", "s + [1, 2]"),
        ("s: seq<int>", "bool", "s <= [1]", "s <= [1]"),
        ("s: seq<int>", "bool", "3 in s", "3 in s"),
        ("s: string", "bool", "s == \"ab\"", "s == \"ab\""),
        (
            "s: set<int>",
            "set<int>",
            "s * {1} - {2}",
            "(s * {1}) - {2}",
        ),
        ("s: set<int>", "bool", "s !! {1}", "s !! {1}"),
        ("s: set<int>", "bool", "s < {1}", "s < {1}"),
        ("m: map<int, bool>", "bool", "m[3]", "m[3]"),
        (
            "m: map<int, bool>",
            "map<int, bool>",
            "m[3 := true]",
            "m[3 := true]",
        ),
        ("m: map<int, bool>", "set<int>", "m.Keys", "m.Keys"),
        ("m: multiset<int>", "nat", "m[3]", "m[3]"),
    ]);
}

#[test]
fn datatypes_and_tuples() {
    check(&[
        ("p: (int, bool)", "int", "p.0", "p.0"),
        ("a: int", "(int, int)", "(a, 2)", "(a, 2)"),
        ("d: D", "int", "d.x", "d.x"),
        ("d: D", "bool", "d.A?", "d.A?"),
        ("d: D", "D", "d.(x := 4)", "assert d.A?; A(4, d.y)"),
        ("a: int", "D", "A(a, 1)", "A(a, 1)"),
    ]);
}

#[test]
fn control_within_expressions() {
    check(&[
        (
            "d: D",
            "int",
            "match d case A(x, _) => x case B => 0",
            "if d.A? then var x := d.x; x else 0",
        ),
        (
            "a: int",
            "int",
            "if a > 0 then a else -a",
            "if 0 < a then a else -a",
        ),
        (
            "a: int",
            "int",
            "var b := a + 1; b * b",
            "var b := a + 1; b * b",
        ),
        (
            "a: int",
            "int",
            "var (b, c) := (a, 2); b + c",
            "var $let := (a, 2); var b := $let.0; var c := $let.1; b + c",
        ),
        ("a: int", "int", "assert a > 0; a", "assert 0 < a; a"),
    ]);
}

#[test]
fn binders_have_their_candidates() {
    check(&[
        (
            "s: set<int>",
            "int",
            "var x :| x in s; x",
            "var x: int <x <- elements of s> | x in s; x",
        ),
        (
            "s: seq<int>",
            "bool",
            "forall i :: 0 <= i < |s| ==> s[i] > 0",
            "forall i: int <i <- 0..|s|> :: ((0 <= i) && (i < |s|)) ==> (0 < s[i])",
        ),
        (
            "s: seq<int>",
            "bool",
            "exists i | 0 <= i < |s| :: s[i] > 0",
            "exists i: int <i <- 0..|s|> | (0 <= i) && (i < |s|) :: 0 < s[i]",
        ),
        (
            "s: set<int>",
            "set<int>",
            "set x | x in s && x > 1 :: x * 2",
            "{x: int <x <- elements of s> | (x in s) && (1 < x) :: x * 2}",
        ),
        (
            "s: set<int>",
            "map<int, int>",
            "map x | x in s :: x * 2",
            "map[x: int <x <- elements of s> | x in s :: x := x * 2]",
        ),
    ]);
}

#[test]
fn objects_and_arrays() {
    check(&[
        ("c: C", "int", "c.v", "c.v"),
        ("c: C", "int", "c.Get(2)", "C.Get(c, 2)"),
        ("a: array<int>", "int", "a[1]", "a[1]"),
        ("a: array<int>", "seq<int>", "a[..2]", "a[0..2]"),
        ("a: array<int>", "int", "a.Length", "a.Length0"),
        ("a: array2<int>", "int", "a[1, 2]", "a[1, 2]"),
        ("c: C?", "bool", "c == null", "c == null"),
    ]);
}
