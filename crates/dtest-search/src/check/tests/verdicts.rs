//! Tests of verdicts: the assumptions that they depend on, and their bounds.

use std::sync::Arc;

use super::super::{check_obligations, check_unit, says_more};
use super::{assert_said, check, check_by};
use crate::Options;
use dtest_ir::Criteria;
use dtest_lower::testing::resolved;

#[test]
fn of_values_of_which_nothing_is_known_it_is_known_whether_they_are_the_same() {
    let said = check(
        "type A method M<Y>(y: Y, a: A, n: nat) { var i := n; while i > 0 decreases y, a, i { i := i - 1; } }",
    );
    assert!(!said.contains("violated"), "{said}");
    assert_said(
        "method M<Y>(y: Y, n: nat) decreases y { if n > 0 { M(y, n - 1); } }",
        &[
            "M: Type `n - 1`: within bounds",
            "M: Decreases `M(y, n - 1);`: violated: y = 0, n = 1",
        ],
    );
}

#[test]
fn inputs_get_smaller_together() {
    assert_said(
        "method M(s: seq<int>, k: int) requires |s| == 3 && s[0] == s[1] < s[2] == k - 40 && k < 0 { assert s[2] < -90; }",
        &["M: Assertion `s[2] < -90`: violated: s = [-42, -42, -41], k = -1"],
    );
    assert_said(
        "method M(s: seq<int>, k: int) { assert !(|s| == 3 && s[0] == s[1] < s[2] == k); }",
        &["M: Assertion `!(|s| == 3 && s[0] == s[1] < s[2] == k)`: violated: s = [0, 0, 1], k = 1"],
    );
}

#[test]
fn assumptions_of_an_execution_are_reported() {
    assert_said(
        "method {:extern} Get() returns (x: int) ensures x > 0 method M() { var x := Get(); assert x > 5; }",
        &["M: Assertion `x > 5`: violated assuming"],
    );
    // No execution exists in which the claim of an axiom is false.
    assert_said(
        "lemma {:axiom} Ax(x: int) ensures x < 3 method M(x: int) { Ax(x); assert x < 4; }",
        &[
            "Ax.claim: Postcondition `x < 3`: violated: x = 3",
            "M: Assertion `x < 4`: holds assuming",
        ],
    );
    assert_said(
        "method M(x: int) { assume {:axiom} x < 3; assert x < 4; }",
        &["M: Assertion `x < 4`: holds assuming"],
    );
}

#[test]
fn an_obligation_comes_after_those_before_it() {
    assert_said(
        "method M(x: int) { assert x > 0; assert x > -1; }",
        &["M: Assertion `x > 0`: violated: x = 0"],
    );
}

#[test]
fn inputs_that_are_excluded_for_one_obligation_prove_nothing_of_the_next() {
    let options = dafny_resolve::typed::Options {
        relax_definite_assignment: true,
        ..dafny_resolve::typed::Options::default()
    };
    let said = check_by(
        "method P(n: nat) {} method M() { var a, b, c: int; if false { a, b := -1, -1; } P(a); P(b); assert c > 3; }",
        options,
    );
    assert!(
        said.contains("open") && said.contains("Assertion `c > 3`: violated"),
        "{said}"
    );
}

#[test]
fn violations_behind_others_depend_on_disregarding_these() {
    assert_said(
        "method M(x: int) { assert x != x; assert x < x; assert x <= x; }",
        &[
            "M: Assertion `x != x`: violated: x = 0",
            "M: Assertion `x < x`: violated assuming: x = 0",
        ],
    );
    assert_said(
        "method N(s: seq<int>) ensures |s| > 9 { assert |s| != |s|; var x := s[|s|]; assert x != x; }",
        &[
            "N: Assertion `|s| != |s|`: violated: s = []",
            "N: Index `s[|s|]`: violated assuming: s = []",
        ],
    );
    assert_said(
        "method L(n: nat) { var i, j := 0, 0; while i < n invariant i < 1 invariant j < 1 { i, j := i + 1, j + 1; } }",
        &[
            "L: InvariantKept `i < 1`: violated: n = 1",
            "L: InvariantKept `j < 1`: violated assuming: n = 1",
        ],
    );
}

#[test]
fn obligations_that_short_queries_leave_open_are_tried_again() {
    // The short query gives up.
    let said = check(
        "lemma Nearly(x: nat, y: nat, z: nat) requires 0 < x < y < z { assert x * x + y * y != z * z + 1 || z < 300; }",
    );
    assert!(said.contains("violated"), "{said}");
}

#[test]
fn of_one_obligation_no_less_is_known_than_of_all() {
    let source = "class C { var n: int var s: set<object>
  predicate Ok() reads this, s { this in s && n >= 0 }
  method Less() requires Ok() modifies s ensures this in s { n := n - 1; if n == 2 { n := -7; } }
}
method Run(c: C) requires c.Ok() modifies c.s decreases * {
  while c.n > 0 invariant c.Ok() decreases * { c.Less(); }
  assert c.n == 0;
}
";
    let (_, typed) = resolved(source, dafny_resolve::typed::Options::default());
    let program = dtest_lower::lower_for(
        Arc::new(dtest_desugar::unghosted(typed)),
        Criteria::obligations(),
    );
    for unit in dtest_lower::units::units_with_obligations(&program.typed, |_| true) {
        for (id, verdict) in check_unit(&program, unit.callable, &Options::default()).obligations {
            let goal = program.goal(unit.callable, id).unwrap();
            let is_wanted =
                |g: &dtest_ir::Goal| g.span == goal.span && g.obligation() == goal.obligation();
            let alone = check_obligations(
                &program,
                unit.callable,
                &Options::default(),
                &is_wanted,
                None,
            );
            let (_, found) = alone
                .obligations
                .iter()
                .find(|(other, _)| *other == id)
                .unwrap();
            assert!(
                !says_more(&verdict, found),
                "{}: {goal:?} {verdict:?} {found:?}",
                unit.path
            );
        }
    }
}

#[test]
fn a_few_values_with_parts_refute_quantifiers() {
    assert_said(
        "datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)
         lemma S<T>() { assert forall a: set<T>, b: set<T> :: a <= b; }
         lemma M() { assert forall a: multiset<int>, t: int :: t in a; }
         lemma P() { assert forall m: map<int, bool> :: forall k | k in m :: m[k]; }
         lemma D() { assert forall t: Tree :: t.Leaf? || t.left.Leaf?; }
         lemma E() { assert exists p: (int, seq<bool>) :: p.0 == 1 && p.1 == [true]; }
         lemma N() { assert forall s: seq<nat> :: |s| < 2 || s[0] == s[1]; }
         lemma Kept() { assert forall s: seq<nat> :: |s| == 0 || s[0] >= 0; }
         class C { var x: int }
         lemma H(c: C) { assert forall d: C :: d != c || d.x == 0; }
         lemma A(a: array<nat>) requires a.Length == 1 { assert forall b: array<nat> :: b.Length == 0; }
         lemma B(a: array<nat>) requires a.Length == 1 { assert forall b: array<int> :: b.Length == 0; }
         lemma F() { assert forall f: int --> int :: f(0) == f(0); }
         lemma I() { assert forall s: seq<int> :: s[0] == s[0]; }",
        &[
            "S: Assertion `forall a: set<T>, b: set<T> :: a <= b`: violated",
            "M: Assertion `forall a: multiset<int>, t: int :: t in a`: violated",
            "P: Key `m[k]`: open: no violation was found within the bounds, and no proof",
            "P: Assertion `forall m: map<int, bool> :: forall k | k in m :: m[k]`: violated",
            "D: Constructor `t.left`: open: no violation was found within the bounds, and no proof",
            "D: Assertion `forall t: Tree :: t.Leaf? || t.left.Leaf?`: violated",
            "E: Assertion `exists p: (int, seq<bool>) :: p.0 == 1 && p.1 == [true]`: open: no violation was found within the bounds, and no proof",
            "N: Assertion `forall s: seq<nat> :: |s| < 2 || s[0] == s[1]`: violated",
            "H: Assertion `forall d: C :: d != c || d.x == 0`: violated: c = C { x: 1 }",
            "A: Assertion `forall b: array<nat> :: b.Length == 0`: violated: a = array<nat> [0]",
            "B: Assertion `forall b: array<int> :: b.Length == 0`: open: the interpreter could not confirm any model of the solver",
            "F: Application `f(0)`: violated",
            "F: Application `f(0)`: open: no violation was found within the bounds, and no proof",
            "F: Assertion `forall f: int --> int :: f(0) == f(0)`: open: no violation was found within the bounds, and no proof",
            "I: Index `s[0]`: violated",
            "I: Index `s[0]`: open: no violation was found within the bounds, and no proof",
        ],
    );
}
