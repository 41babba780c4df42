//! Tests of functions as values: their preconditions, and fields that they initialize.

use super::{assert_said, check};

#[test]
fn a_partial_function_is_known_where_it_was_asked_for_and_nowhere_else() {
    assert_said(
        "lemma Next(f: int --> int, x: int) requires f.requires(x) { assert f.requires(x); assert f.requires(x + 1); }",
        &["Next: Assertion `f.requires(x + 1)`: violated: f = {_ => 0} only for 0, x = 0"],
    );
    assert_said(
        "method M(f: int --> int) returns (y: int) requires !f.requires(1) requires f.requires(2) { y := f(2); y := f(1); }",
        &["M: Application `f(1)`: violated: f = {_ => 0} only for 2"],
    );
    assert_said(
        "datatype Box = Box(g: (int, bool) --> int) lemma L(b: Box) requires b.g.requires(0, true) { assert b.g.requires(0, false); }",
        &["L: Assertion `b.g.requires(0, false)`: violated: b = {_ => 0} only for (0, true)"],
    );
    // A function that reads the heap may change its precondition when the heap changes.
    assert_said(
        "class Cell { var v: int }
         method M(c: Cell, f: Cell ~> int) requires f.requires(c) modifies c { c.v := 3; assert f.requires(c); }",
        &["M: Assertion `f.requires(c)`: open: function values that may read the heap (`~>`) are tried only as functions that do not"],
    );
    assert_said("lemma L(f: int -> int) { assert f.requires(1); }", &[]);
}

#[test]
fn functions_are_of_the_types_that_they_are_used_as() {
    assert_said(
        "method M(f: int -> int) { var g: int -> nat := f; }",
        &["M: Type `f`: violated: f = {_ => -1}"],
    );
    assert_said(
        "method M(f: int --> int) { var g: int -> int := f; }",
        &["M: Type `f`: violated: f = (a function that `requires false`)"],
    );
    assert_said(
        "method M(f: int -> nat) { var g: nat --> int := f; var h: nat ~> int := g; }",
        &[],
    );
    // Functions are contravariant in their parameters.
    assert_said(
        "method M(f: nat -> int) { var g: int ~> int := f; }",
        &["M: Type `f`: violated: f = {_ => 0}"],
    );
    assert_said(
        "method M(f: nat ~> int, x: int) requires x < 0 || f.requires(x) {}",
        &[],
    );
    assert_said(
        "function F(f: nat -> int, x: int): int { f(x) }",
        &["F: Type `x`: violated: f = {_ => 0}, x = -1"],
    );
    assert_said("method M() { var f: nat -> nat := x => x + 1; }", &[]);
}

#[test]
fn sequences_are_made_by_functions_that_are_defined_for_every_index() {
    assert_said(
        "function S(n: nat): seq<int> { seq(n, i requires i < 2 => i) }",
        &["S: Application `seq(n, i requires i < 2 => i)`: violated: n = 3"],
    );
    assert_said(
        "function S(n: nat): seq<int> { seq(n, i requires i < n => i) }",
        &[],
    );
    assert_said(
        "class C { var x: int function G(i: nat): int reads this { x } function S(n: nat): seq<int> { seq(n, G) } }",
        &["C.S: Reads `seq(n, G)`: violated: this = C { x: 0 }, n = 1"],
    );
    assert_said(
        "class C { var x: int function S(): seq<int> { seq(2, i => x) } }",
        &["C.S: Reads `x`: violated: this = C { x: 0 }"],
    );
    let said = check(
        "class C { var x: int function S(): seq<int> reads this { seq(2, i reads this => x) } }",
    );
    assert!(!said.contains("violated"), "{said}");
}

#[test]
fn a_function_takes_the_arguments_that_it_is_declared_for() {
    assert_said(
        "function Half(n: nat): int { n / 2 } method M(x: int) { var f := Half; var y := f(x); }",
        &["M: Type `x`: violated: x = -1"],
    );
}

#[test]
fn functions_initialize_every_element_and_keys_have_one_value() {
    assert_said(
        "method Keys(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x * x := x; }
method Even(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x + 1 := x; }
method Same(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x * x := 3; }
method Init(x: nat) { var a := new int[3](i requires i < x => i); }
method Grid(x: int) { var a := new nat[2, 2]((i, j) => i + j + x); }
method Fine(n: nat) { var a := new nat[n](i => i); }
method Lam(x: int) returns (r: int) { var f := (y: nat) => y; r := f(x); }
",
        &[
            "Keys: Aliasing `map x | x in s :: x * x := x`: violated: s = {-1, 1}",
            "Init: Application `var a := new int[3](i requires i < x => i);`: violated: x = 0",
            "Grid: Type `var a := new nat[2, 2]((i, j) => i + j + x);`: violated: x = -1",
            "Lam: Type `x`: violated: x = -1",
        ],
    );
}

#[test]
fn bodies_of_lambdas_are_proved_for_all_values_of_their_parameters() {
    for body in [
        "n => 10 / (if n == 0 then 1 else n)",
        "n => n / x",
        "(n: int) requires n > x => 10 / n",
        "n => (var k := n + n; assert k != 1; k)",
    ] {
        let source =
            format!("method M(x: int) returns (f: int --> int) requires x > 0 {{ f := {body}; }}");
        assert_said(&source, &[]);
    }
    assert_said(
        "method M() returns (f: int -> int) { f := n => 10 / n; }",
        &["M: Divisor `10 / n`: violated"],
    );
}

#[test]
fn quantifiers_over_more_candidates_than_are_listed_are_proved() {
    for claim in [
        "forall i: int :: i < 0 || i + x > 0",
        "forall i :: 0 <= i < |s| ==> s[i] == s[i]",
        "!exists i :: 0 <= i < |s| && s[i] != s[i]",
    ] {
        let source = format!("method M(s: seq<int>, x: nat) requires x > 1 {{ assert {claim}; }}");
        assert_said(&source, &[]);
    }
    let said = check("method M(x: int) { assert forall i: int :: i != x + 7; }");
    assert!(!said.is_empty(), "{said}");
}
