//! `forall` statements: all right sides are evaluated before the first store.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "forall over an array",
        "var a := new int[4](i => i); forall i | 0 <= i < a.Length { a[i] := i * i; } print a[..];",
        "[0, 1, 4, 9]",
    ),
    (
        "forall reads old values",
        "var a := new int[4](i => i); forall i | 0 <= i < 3 { a[i] := a[i + 1]; } print a[..];",
        "[1, 2, 3, 3]",
    ),
    (
        "forall reverses",
        "var a := new int[4](i => i); forall i | 0 <= i < 4 { a[i] := a[3 - i]; } print a[..];",
        "[3, 2, 1, 0]",
    ),
    (
        "forall without a body of braces",
        "var a := new int[3](i => i); forall i | 0 <= i < 3 { { a[i] := 7; } } print a[..];",
        "[7, 7, 7]",
    ),
    (
        "forall over two variables",
        "var m := new int[2, 3]((i, j) => 0); forall i, j | 0 <= i < 2 && 0 <= j < 3 { m[i, j] := 10 * i + j; } for i := 0 to 2 { for j := 0 to 3 { print m[i, j], \" \"; } }",
        "0 1 2 10 11 12 ",
    ),
    (
        "forall transposes",
        "var m := new int[2, 2]((i, j) => 10 * i + j); forall i, j | 0 <= i < 2 && 0 <= j < 2 { m[i, j] := m[j, i]; } print m[0, 1], \" \", m[1, 0];",
        "10 1",
    ),
    (
        "forall over a set",
        "var a := new int[5](i => 0); var s := {1, 3}; forall i | i in s { a[i] := i; } print a[..];",
        "[0, 1, 0, 3, 0]",
    ),
    (
        "forall over a map's keys",
        "var a := new int[3](i => 0); var m := map[0 := 5, 2 := 6]; forall i | i in m { a[i] := m[i]; } print a[..];",
        "[5, 0, 6]",
    ),
    (
        "forall over a domain by arrow",
        "var a := new int[3](i => 0); forall i <- {0, 2} { a[i] := 1; } print a[..];",
        "[1, 0, 1]",
    ),
    (
        "forall over objects",
        "class C { var x: int constructor (n: int) { x := n; } } method Main() { var a := new C(1); var b := new C(2); var s := {a, b}; forall c | c in s { c.x := c.x * 10; } print a.x, b.x; }",
        "1020",
    ),
    (
        "forall over objects in a sequence",
        "class C { var x: int constructor (n: int) { x := n; } } method Main() { var a := new C(1); var b := new C(2); forall c <- [a, b] { c.x := a.x + b.x; } print a.x, b.x; }",
        "33",
    ),
    (
        "forall over indices of objects",
        "class C { var x: int constructor () { x := 0; } } method Main() { var s: seq<C> := []; for i := 0 to 3 { var c := new C(); s := s + [c]; } forall i | 0 <= i < |s| { s[i].x := i; } print s[0].x, s[1].x, s[2].x; }",
        "012",
    ),
    (
        "forall with a condition",
        "var a := new int[6](i => i); forall i | 0 <= i < 6 && i % 2 == 0 { a[i] := -a[i]; } print a[..];",
        "[0, 1, -2, 3, -4, 5]",
    ),
    (
        "forall of a native type",
        "newtype byte = x: int | 0 <= x < 256  method Main() { var a := new byte[3](i => 0); forall i: byte | 0 <= i < 3 { a[i] := i + 1; } print a[..]; }",
        "[1, 2, 3]",
    ),
    (
        "forall that proves",
        "var x := 3; forall i | 0 <= i < 3 ensures i < x { } forall i: int { assert i == i; } print x;",
        "3",
    ),
    (
        "forall with a local index",
        "var a := new int[3](i => i); var k := 1; forall i | k <= i < 3 { a[i - k] := a[i]; } print a[..];",
        "[1, 2, 2]",
    ),
    (
        "forall over booleans",
        "var a := new int[2](i => 5); forall b: bool { a[if b then 1 else 0] := if b then 8 else 9; } print a[..];",
        "[9, 8]",
    ),
    (
        "forall with nothing to do",
        "var a := new int[0]; forall i | 0 <= i < a.Length { a[i] := 1; } print a.Length;",
        "0",
    ),
    (
        "forall over one array through another",
        "var a, p := new int[3](i => 0), new int[3](i => (i + 1) % 3); forall i | 0 <= i < 3 { a[p[i]] := i; } print a[..];",
        "[2, 0, 1]",
    ),
];
