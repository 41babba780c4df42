//! `expect`, `:-`, and failure-compatible types.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "expect that holds",
        "expect 1 < 2; expect 2 < 3, \"never\"; print \"on\";",
        "on",
    ),
    (
        "expect that fails",
        "method Main() {\n  print \"a\\n\";\n  expect 2 < 1;\n  print \"b\";\n}",
        "a\n[Program halted] test.dfy(3,2): expectation violation\n",
    ),
    (
        "expect with a message",
        "method Main() {\n  expect 2 < 1, \"two is \" + \"not less\";\n}",
        "[Program halted] test.dfy(2,2): two is not less\n",
    ),
    (
        "expect with a message of another type",
        "datatype D = D(n: int, b: bool) method Main() { expect false, D(3, true); }",
        "[Program halted] test.dfy(1,48): D.D(3, true)\n",
    ),
    (
        "expect with a number",
        "method Main() { var n := 7; expect n == 8, n + 1; }",
        "[Program halted] test.dfy(1,28): 8\n",
    ),
    (
        "a message is evaluated only where it is needed",
        "function F(n: nat): string { if n == 0 then \"done\" else F(n - 1) } method Main() { expect true, F(3); expect false, F(2); }",
        "[Program halted] test.dfy(1,102): done\n",
    ),
    (
        "propagation",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " method Half(n: int) returns (r: R<int>) { if n % 2 != 0 { return Bad(\"odd\"); } return Ok(n / 2); } method Quarter(n: int) returns (r: R<int>) { var h :- Half(n); print h, \" \"; r := Half(h); } method Main() { var a := Quarter(8); var b := Quarter(6); var c := Quarter(5); print a, b, c; }"
        ),
        "4 3 R.Ok(2)R.Bad(\"odd\")R.Bad(\"odd\")",
    ),
    (
        "propagation of expressions",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " function Half(n: int): R<int> { if n % 2 != 0 then Bad(\"odd\") else Ok(n / 2) } function Quarter(n: int): R<int> { var h :- Half(n); Half(h) } method M(n: int) returns (r: R<int>) { var x :- Quarter(n); x :- Half(x); return Ok(x); } method Main() { var a, b := Quarter(8), Quarter(6); print a, b; var c := M(16); var d := M(8); var e := M(24); print c, d, e; }"
        ),
        "R.Ok(2)R.Bad(\"odd\")R.Ok(2)R.Ok(1)R.Ok(3)",
    ),
    (
        "a status without a value",
        concat!(
            "datatype S = Fine | Broken(why: string) { predicate IsFailure() { Broken? } function PropagateFailure(): S requires Broken? { this } }",
            " method Check(n: int) returns (s: S) { if n < 0 { return Broken(\"negative\"); } print n; return Fine; } method All() returns (s: S) { :- Check(1); :- Check(2); :- Check(-1); :- Check(3); return Fine; } method Main() { var s := All(); print s; }"
        ),
        "12S.Broken(\"negative\")",
    ),
    (
        "further results",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " method Two(n: int) returns (r: R<int>, k: int) { k := n + 1; r := if n < 0 then Bad(\"no\") else Ok(n); } method M(n: int) returns (r: R<int>, z: int) { z := 0; var x, y :- Two(n); z := x + y; return Ok(x), z; } method Main() { var a, b := M(4); var c, d := M(-4); print a, b, c, d; }"
        ),
        "R.Ok(4)9R.Bad(\"no\")0",
    ),
    (
        "several right sides",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " function F(n: int): R<int> { if n < 0 then Bad(\"no\") else Ok(n) } method M(n: int) returns (r: R<bool>) { var x, y :- F(n), n * 2; print x, y; return Ok(true); } method Main() { var a := M(2); var b := M(-2); print a, b; }"
        ),
        "24R.Ok(true)R.Bad(\"no\")",
    ),
    (
        "into places",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " class C { var f: int } function F(n: int): R<int> { Ok(n) } method M(c: C, a: array<int>) returns (r: R<int>) requires a.Length > 1 modifies c, a { c.f :- F(3); a[1] :- F(4); return Ok(0); } method Main() { var c := new C; var a := new int[2]; var r := M(c, a); print c.f, a[1], r; }"
        ),
        "34R.Ok(0)",
    ),
    (
        "into what is already declared",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " method G(n: int) returns (r: R<int>) { return if n > 2 then Bad(\"big\") else Ok(n); } method M() returns (r: R<int>) { var s := 0; for i := 0 to 9 { var x :- G(i); s := s + x; print s; } return Ok(s); } method Main() { var r := M(); print r; }"
        ),
        "013R.Bad(\"big\")",
    ),
    (
        "or else halt",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }\n",
            "function F(n: int): R<int> { if n < 0 then Bad(\"no\") else Ok(n) }\nmethod Main() {\n  var x :- expect F(3);\n  print x, \"\\n\";\n  x :- expect F(-3);\n  print x;\n}"
        ),
        "3\n[Program halted] test.dfy(6,2): R.Bad(\"no\")\n",
    ),
    (
        "or else halt with further words",
        concat!(
            "datatype S = Fine | Broken(why: string) { predicate IsFailure() { Broken? } function PropagateFailure(): S requires Broken? { this } }\n",
            "method Check(n: int) returns (s: S) { return if n < 0 then Broken(\"negative\") else Fine; }\nmethod Main() {\n  :- expect Check(1);\n  :- expect Check(-1);\n}"
        ),
        "[Program halted] test.dfy(5,2): S.Broken(\"negative\")\n",
    ),
    (
        "assumed and asserted",
        concat!(
            "datatype R<T> = Ok(v: T) | Bad(e: string) { predicate IsFailure() { Bad? } function PropagateFailure<U>(): R<U> requires Bad? { Bad(e) } function Extract(): T requires Ok? { v } }",
            " function F(n: int): R<int> { if n < 0 then Bad(\"no\") else Ok(n) } method Main() { var x :- assume {:axiom} F(3); var y :- assert F(4); print x, y; }"
        ),
        "34",
    ),
    (
        "a let with a failure",
        concat!(
            "datatype O<T> = None | Some(v: T) { predicate IsFailure() { None? } function PropagateFailure<U>(): O<U> requires None? { None } function Extract(): T requires Some? { v } }",
            " function Get(m: map<int, int>, k: int): O<int> { if k in m then Some(m[k]) else None } function Add(m: map<int, int>): O<int> { var a :- Get(m, 1); var b :- Get(m, 2); Some(a + b) } datatype C = Good | Poor { predicate IsFailure() { Poor? } function PropagateFailure<U>(): O<U> requires Poor? { None } } function Only(m: map<int, int>): O<bool> { :- if 1 in m then Good else Poor; Some(true) } method Main() { print Add(map[1 := 10, 2 := 20]), Add(map[1 := 10]), Only(map[]), Only(map[1 := 1]); }"
        ),
        "O.Some(30)O.NoneO.NoneO.Some(true)",
    ),
];
