//! Tests of type constraints.

use super::{assert_said, check, check_by};

#[test]
fn values_are_held_against_types_wherever_they_go() {
    assert_said(
        "function F(n: nat): nat { n } method M(i: int, a: array<nat>) requires a.Length == 1 modifies a { var x := F(i); a[0] := i - 1; }",
        &[
            "M: Type `i`: violated: i = -1, a = array<nat> [0]",
            "M: Type `i - 1`: violated: i = 0, a = array<nat> [0]",
        ],
    );
    assert_said(
        "newtype byte = x: int | 0 <= x < 256 function Sum(a: byte, b: byte): byte { a + b }",
        &["Sum: Type `a + b`: violated: a = 1, b = 255"],
    );
}

#[test]
fn conversions_are_obligations_wherever_they_stand() {
    assert_said(
        "method M(r: int) { if * { var x := r as bv3; } }",
        &["M: Type `r as bv3`: violated by choice: r = -1"],
    );
    assert_said(
        "method M(r: real) { if r > 1000.0 { var x := r as int; } }",
        &["M: Type `r as int`: violated: r = 1000.5"],
    );
    assert_said(
        "trait T {} class C extends T {} class D extends T {} method M() { var t: T := new D; var c: C := t; }",
        &["M: Type `t`: violated"],
    );
    assert_said(
        "datatype P<A> = P(a: A) method M(p: P<int>) { var q: P<nat> := p; }",
        &["M: Type `p`: violated: p = -1"],
    );
}

#[test]
fn numbers_are_values_of_their_newtypes() {
    assert_said(
        "newtype Even = x: int | x % 2 == 0
newtype Low = x: int | -5 <= x < 0 witness -1
newtype Unit = r: real | 0.0 <= r <= 1.0
method M(o: Even) returns (e: Even, u: Unit, l: Low) requires 1 < o { e := 3; u := 2.0; l := -3; }
method N(o: Even) returns (e: Even, u: Unit) requires 2 < o { e := 4; u := 0.5; if o == 6 { e := 5; } }
method L() returns (l: Low) { l := -6; }
",
        &["M.contract: Type `1`: violated: o = 0", "N: Type `5`: violated: o = 6", "L: Type `-6`: violated"],
    );
}

#[test]
fn abstract_types_have_values_of_which_nothing_is_known() {
    let constant =
        check("type T { const c: int function F(): int requires c < 10 { 100 / (c - 10) } }");
    assert!(!constant.contains("violated"), "{constant}");
    assert_said(
        "type T(==) method M(t: T, u: T) { assert t == u; }",
        &["M: Assertion `t == u`: violated: t = (0), u = (1)"],
    );
    assert_said(
        "type T method M(s: seq<T>, t: T) { assert t in s + [t]; }",
        &[
            "M: Assertion `t in s + [t]`: open: the interpreter could not confirm any model of the solver",
        ],
    );
}

#[test]
fn an_object_has_one_type() {
    let known = "class P {} class Cell<T> { constructor() {} }";
    for (code, expected) in [
        (
            "method M() { var n := new nat[2]; var a: array<int> := n; }",
            "M: Type `n`: violated",
        ),
        (
            "method M(c: Cell<bool>) returns (d: Cell<int>) { var o: object := c; d := o as Cell<int>; }",
            "M: Type `o as Cell<int>`: violated: c = Cell",
        ),
    ] {
        assert_said(&format!("{known} {code}"), &[expected]);
    }
    assert_said(
        &format!(
            "{known} method M<T>(a: array<T>, c: Cell<nat>) {{ var b: array<T> := a; var d: Cell<nat> := c; }}"
        ),
        &[],
    );
    // With its older type system, Dafny's resolver rejects different type arguments itself.
    for (code, expected) in [
        (
            "method M(a: array?<P>) returns (b: array?<P?>) { b := a; }",
            "M: Type `a`: violated: a = array<P> []",
        ),
        (
            "method M() { var c: Cell<P?>; c := new Cell<P>(); }",
            "M: Type `c := new Cell<P>();`: violated",
        ),
    ] {
        let options = dafny_resolve::typed::Options {
            type_system_refresh: true,
            ..dafny_resolve::typed::Options::default()
        };
        let said = check_by(&format!("{known} {code}"), options);
        assert_eq!(said.lines().collect::<Vec<_>>(), [expected], "{code}");
    }
}

#[test]
fn a_value_of_a_trait_need_not_be_a_number() {
    let options = dafny_resolve::typed::Options {
        type_system_refresh: true,
        general_traits: dafny_resolve::typed::GeneralTraits::Full,
        ..dafny_resolve::typed::Options::default()
    };
    let said = check_by(
        "trait Parent {} datatype Color extends Parent = Blue newtype Small extends Parent = x | 0 <= x < 10
         method M(p: Parent) returns (s: Small) { s := p as Small; }",
        options,
    );
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        ["M: Type `p as Small`: violated: p = Color.Blue"]
    );
}

#[test]
fn type_parameters_stand_for_other_types_too() {
    assert_said(
        "class Box<T> { var x: T constructor (x: T) { this.x := x; } }
         method M<T>(b: Box<T>) returns (c: Box<int>) { var o: object := b; c := o as Box<int>; }",
        &[
            "Box._ctor: Frame `this.x := x;`: within bounds",
            "Box._ctor: Assigned `}`: within bounds",
            "M: Type `o as Box<int>`: violated: b = Box { x: false }",
        ],
    );
}

#[test]
fn arithmetic_stays_in_its_type() {
    assert_said(
        "method Add(c: char, d: char) returns (e: char) requires c > 'a' { e := c + d; }
method Sub(c: char) returns (e: char) { e := c - 'a'; }
newtype Prob = r: real | 0.0 <= r <= 1.0
method Plus(x: Prob, y: Prob) returns (z: Prob) requires x > 0.75 { z := x + y; }
method Half(x: Prob) returns (z: Prob) { z := x / 2.0; }
method Neg(x: Prob) returns (z: Prob) requires x < 0.5 { z := -x; }
method Ord(x: ORDINAL, y: ORDINAL) returns (z: ORDINAL) requires y.IsNat { z := x - y; }
",
        &[
            "Add: Domain `c + d`: violated: c = '\u{d7ff}', d = 'a'",
            "Sub: Domain `c - 'a'`: violated: c = 'A'",
            "Plus: Type `x + y`: violated: x = 1.0, y = 0.5",
            "Half: Type `2.0`: violated: x = 0.0",
            "Neg: Type `-x`: violated: x = 0.25",
            "Ord: Domain `x - y`: violated: x = 0, y = 1",
        ],
    );
}

#[test]
fn variables_of_patterns_are_of_the_types_that_are_written_for_them() {
    assert_said(
        "method M(p: (int, int)) { var (a: nat, b) := p; }
         method N(x: int) { match x case 3 => case n: nat => print n; }
         method W(x: int) { match x case 3 => case _: nat => }
         function F(x: int): int { match x case n: nat => n }
         method Pure(p: (int, int)) { assert (var (a: nat, b) := p; a == a) || p.0 > 0; }
         method Same(x: int) { match x case n: int => print n; case _ => }",
        &[
            "M: Type `a: nat`: violated: p = (-1, 0)",
            "N: Type `n: nat`: violated: x = -1",
            "W: Type `_: nat`: violated: x = -1",
            "F: Type `n: nat`: violated: x = -1",
            "Pure: Type `a: nat`: violated: p = (-1, 0)",
        ],
    );
}

#[test]
fn default_values_are_of_their_types() {
    assert_said(
        "datatype Made = One(x: nat := -1) | Two(y: nat := 1)
         class C { var k: int ghost function F(x: int, y: nat := x): int { y } static function G(x: nat := 2): nat { x } }",
        &["One.defaults: Type `-1`: violated: x = 0", "C.F.defaults: Type `x`: violated: this = C { k: 0 }, x = -1, y = 0"],
    );
}
