//! Tests of the heap: earlier states, allocation in them, and ghost fields.

use super::{assert_said, check, check_by};

#[test]
fn expressions_in_an_older_state_are_evaluated_there() {
    let class = "class C { var data: int method M() returns (ghost x: int) requires data == 3 modifies this { data := 4; ";
    let kept = |body: &str| assert_said(&format!("{class} x := 3; {body} }} }}"), &[]);
    kept("x := old(var y :| y == data; y); assert x == 3;");
    kept("x := old(var y := data; if y == 3 then y else data); assert x == 3;");
    kept("x := old(assert data == 3; data); assert x == 3;");
    kept("assert old(data == 3 && (data > 2 ==> data < 4));");
}

#[test]
fn older_states_know_what_was_allocated() {
    let class = "class C { var x: int const k: int ghost function F(): int reads this { x } } ";
    let broken = |body: &str, expected: &[&str]| assert_said(&format!("{class}{body}"), expected);
    broken(
        "method M() { var c := new C; ghost var y := old(c.x); }",
        &["M: Allocated `c`: violated"],
    );
    broken(
        "method M() { var c := new C; ghost var y := old(c.k); }",
        &["M: Allocated `c`: violated"],
    );
    broken(
        "method M() { var c := new C; ghost var y := old(c.F()); }",
        &["M: Allocated `c`: violated"],
    );
    broken(
        "method M() { var c := new C; label L: assert old@L(c.x) == c.x; }",
        &[],
    );
    broken(
        "method M(c: C) { assert old(c.x) == c.x; assert unchanged(c); }",
        &[],
    );
    broken(
        "method M() { var c := new C; assert unchanged(c); }",
        &["M: Allocated `c`: violated"],
    );
    broken(
        "method M() { var a := new int[1]; ghost var x := old(a[0]); }",
        &["M: Allocated `a`: violated"],
    );
    broken(
        "method M() { var c := new C; assert !old(allocated(c)) || old(c.x) == 0; }",
        &[],
    );
    broken(
        "twostate function G(c: C, new d: C): int { 1 } method M(c: C) { var d := new C; assert G(c, d) == 1; ghost var y := G(d, c); }",
        &["M: Allocated `d`: violated: c = C { x: 0, k: 0 }"],
    );
    broken(
        "twostate lemma G(c: C, new d: C) {} method M(c: C) { var d := new C; G(c, d); label L: G@L(d, c); G(d, c); }",
        &["M: Allocated `d`: violated: c = C { x: 0, k: 0 }"],
    );
}

#[test]
fn two_state_callables_begin_in_the_earlier_state() {
    let class = "class C { var x: int } ";
    let broken = |body: &str, expected: &[&str]| assert_said(&format!("{class}{body}"), expected);
    broken(
        "twostate lemma L(c: C) ensures old(c.x) == c.x {}",
        &["L: Postcondition `old(c.x) == c.x`: violated by choice: c = C { x: 0 }"],
    );
    broken(
        "twostate lemma L(c: C) requires unchanged(c) ensures old(c.x) == c.x {}",
        &[],
    );
    broken(
        "twostate function F(new c: C): int reads c { old(c.x) }",
        &["F: Allocated `c`: violated by choice: c = C { x: 0 }"],
    );
    broken(
        "twostate lemma L(c: C) requires old(c.x) < c.x ensures c.x != 7 {}",
        &["L: Postcondition `c.x != 7`: violated by choice: c = C { x: 0 }"],
    );
    broken(
        "twostate predicate P(c: C) { unchanged(c) }",
        &["P: Reads `c`: violated: c = C { x: 0 }"],
    );
    broken("twostate predicate P(c: C) reads c { c.x == 0 }", &[]);
}

#[test]
fn what_new_parameters_stand_for_may_have_been_made_since() {
    let made = |params: &str, rest: &str| {
        check(&format!(
            "{rest} twostate lemma L{params} {{ assert old(allocated(x)); }}"
        ))
    };
    let broken = |said: String| {
        assert!(
            said.contains("Assertion `old(allocated(x))`: violated by choice"),
            "{said}"
        )
    };
    let kept = |said: String| assert!(!said.contains("violated"), "{said}");
    broken(made("<X>(new x: X)", ""));
    broken(made("(new x: object)", ""));
    broken(made(
        "(new x: T)",
        "trait T extends object {} class C extends T {}",
    ));
    kept(made("<X(!new)>(new x: X)", ""));
    kept(made("<X>(x: X)", ""));
    kept(made("(new x: int)", ""));
}

#[test]
fn ghost_code_modifies_ghost_fields_alone() {
    let said = check(
        "class C { var x: int ghost var g: int ghost method M() modifies this { var y, h := x, g; modify this; assert x == y; assert g == h; } }",
    );
    assert!(
        !said.contains("`x == y`: violated") && said.contains("`g == h`: violated"),
        "{said}"
    );
}

#[test]
fn what_a_function_value_reads_was_allocated_in_the_state_in_which_it_is_applied() {
    assert_said(
        "class Cell { var data: int }
         method M(c: Cell) {
           var y := new Cell; y.data := c.data;
           var f := () reads y => y.data; var g := () reads c => c.data; var h := (b: bool) => if b then y else c;
           if * { assert old(g()) == g(); } else if * { assert old(h(false)) == c; } else { assert old(f()) == 0; }
         }",
        &[
            "M: Allocated `g`: open: the interpreter could not confirm any model of the solver",
            "M: Allocated `f`: violated by choice: c = Cell { data: 0 }",
            "M: Assertion `old(f()) == 0`: open: the interpreter could not confirm any model of the solver",
        ],
    );
}

#[test]
fn older_parameters_are_older_where_the_predicate_holds() {
    assert_said(
        "ghost predicate Any<X>(older x: X, s: set<X>) { true }
         ghost predicate In<X>(older x: X, s: set<X>) { x in s }
         ghost predicate Out<X(!new)>(older x: X, s: set<X>) { x !in s }
         class C { const next: C? }
         ghost predicate Next(c: C, older d: C?) { d == c.next }",
        &[
            "Any: Postcondition `x`: violated: x = 0, s = {}",
            "In: Postcondition `x`: within bounds",
            "Next: Postcondition `d`: open: the interpreter could not confirm any model of the solver",
        ],
    );
}

#[test]
fn what_a_datatype_seen_as_a_trait_holds_is_no_newer_than_it() {
    let options = dafny_resolve::typed::Options {
        type_system_refresh: true,
        general_traits: dafny_resolve::typed::GeneralTraits::Datatype,
        ..dafny_resolve::typed::Options::default()
    };
    let said = check_by(
        "class C { constructor () {} } trait T {} datatype D extends T = D(c: C)
         ghost predicate Holds(older c: C, t: T) { t is D && (t as D).c == c }
         ghost predicate Any(older c: C, t: T) { t is D }",
        options,
    );
    assert!(
        !said.contains("Holds: Postcondition `c`: violated")
            && said.contains("Any: Postcondition `c`: violated"),
        "{said}"
    );
}

#[test]
fn the_body_of_a_lambda_is_evaluated_in_later_states() {
    // Dafny reports the division: `x` may be 0 when the function is applied.
    let class = |body: &str| {
        format!(
            "class C {{ var x: int method M() returns (f: int ~> int) modifies this {{ x := 1; f := {body}; }} }}"
        )
    };
    for body in [
        "n reads this => 10 / x",
        "n reads this requires n == 3 => n / x",
    ] {
        let said = check(&class(body));
        assert!(
            said.contains("Divisor") && said.contains("open") && !said.contains("violated"),
            "{body}: {said}"
        );
    }
    let said = check(
        "class C { var x: int method M() returns (f: () ~> int) modifies this { x := 1; f := () reads this => 10 / x; } }",
    );
    assert!(said.contains("Divisor") && said.contains("open"), "{said}");
    // A violation in the present state is one.
    let said = check(
        "class C { var x: int method M() returns (f: () ~> int) modifies this { x := 0; f := () reads this => 10 / x; } }",
    );
    assert!(said.contains("violated"), "{said}");
    // What does not depend on the state is proved.
    for body in [
        "n reads this => if n == 0 then x else x + 10 / n",
        "n reads this requires x > 0 && n > 0 => x + 10 / n",
    ] {
        assert_said(&class(body), &[]);
    }
}

/// The precondition of the value says that arguments were allocated, which `requires` of the
/// declaration does not mention.
#[test]
fn two_state_functions_as_values_are_not_decided_for_objects() {
    let class = "class C { var x: int } twostate function G(c: C): int reads c { c.x } twostate function H(i: int): int { i }";
    let said = |body: &str| check(&format!("{class} method M(e: C) {{ {body} }}"));
    let open = said("var c := new C; ghost var g := G; ghost var x := g(c);");
    assert!(open.contains("Application `g(c)`: open"), "{open}");
    assert_eq!(said("ghost var h := H; assert h(3) == 3;"), "");
}

/// A counterexample to an inductive invariant over the heap needs the solver's contents of the
/// object, not arbitrary ones.
#[test]
fn modified_places_get_the_contents_of_the_model() {
    assert_said(
        "class C { var x: int var n: nat } method M(c: C, a: array<int>) requires a.Length == 3 modifies c, a {
  c.x := 0;
  modify c;
  assert c.x != 4711;
  assert c.n >= 0;
  modify a;
  assert a[0] < 5 || a[1] > 7 || a[2] != a[0] + a[1];
}",
        &[
            "M: Assertion `c.x != 4711`: violated by choice: c = C { x: 0, n: 0 }, a = array<int> [0, 0, 0]",
            "M: Assertion `a[0] < 5 || a[1] > 7 || a[2] != a[0] + a[1]`: violated by choice: c = C { x: 0, n: 0 }, a = array<int> [0, 0, 0]",
        ],
    );
}
