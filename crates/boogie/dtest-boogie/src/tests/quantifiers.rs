//! Tests of quantifiers in executions: expansion, witnesses, instances, and what stays undecided.

use crate::test_support::{check, endings};

#[test]
fn a_quantifier_over_known_bounds_is_evaluated() {
    check(
        "",
        &[
            ("(forall i: int :: 0 <= i && i < 5 ==> i * i < 17)", "true"),
            ("(forall i: int :: 0 <= i && i < 5 ==> i * i < 16)", "false"),
            ("(exists i: int :: 0 <= i && i < 5 && i * i == 9)", "true"),
            ("(exists i: int :: 0 <= i && i < 5 && i * i == 10)", "false"),
            ("(forall i: int :: 3 <= i && i < 3 ==> false)", "true"),
            ("(exists i: int :: 3 <= i && i < 3)", "false"),
            ("(forall b: bool :: b || !b)", "true"),
            ("(exists b, c: bool :: b && !c)", "true"),
            (
                "(forall i, j: int :: 0 <= i && i < 3 && 0 <= j && j < 3 ==> i + j < 5)",
                "true",
            ),
        ],
    );
}

#[test]
fn tautologies_and_contradictions_without_bounds_are_decided() {
    assert_eq!(
        endings("procedure P() { assert (forall x: int :: x + 1 > x); }"),
        ["passed"]
    );
    assert_eq!(
        endings("procedure P() { assert !(exists x: int :: x * x < 0 - 1); }"),
        ["passed"]
    );
}

#[test]
fn a_violated_universal_fact_has_a_witness() {
    assert_eq!(
        endings("procedure P(m: [int]int) {\nassert (forall i: int :: m[i] >= 0); }")[0],
        "failed assertion 2 at 2"
    );
}

#[test]
fn an_assumed_universal_fact_holds_for_the_elements_that_are_read() {
    assert_eq!(
        endings(
            "procedure P(m: [int]int, k: int) { assume (forall i: int :: m[i] >= 0); assert m[k] >= 0; assert m[k + 1] + m[k] >= 0; }"
        ),
        ["passed"]
    );
}

#[test]
fn an_assumed_existential_fact_gives_an_element() {
    assert_eq!(
        endings(
            "procedure P(m: [int]bool) { assume (exists i: int :: m[i]); assert !(forall i: int :: !m[i]); }"
        ),
        ["passed"]
    );
}

#[test]
fn quantifiers_over_elements_of_a_type_use_known_constants() {
    assert_eq!(
        endings(
            "type T; const a: T; procedure P(m: [T]bool) { assume (forall t: T :: m[t]); assert m[a]; }"
        ),
        ["passed"]
    );
}

#[test]
fn elements_of_a_polymorphic_map_have_the_types_of_their_indices() {
    assert_eq!(
        endings(
            "type F a; const f: F int; const g: F bool; procedure P(h: <a>[F a]a) { assume h[f] == 3 && h[g]; assert h[f] + 1 == 4; }"
        ),
        ["passed"]
    );
}

#[test]
fn a_quantifier_depends_on_the_state_of_its_evaluation() {
    assert_eq!(
        endings(
            "var m: [int]int; procedure P() modifies m; { assume (forall i: int :: 0 <= i && i < 3 ==> m[i] == 0); m[1] := 5;\nassert (forall i: int :: 0 <= i && i < 3 ==> m[i] == old(m)[i] || i == 1);\nassert (forall i: int :: 0 <= i && i < 3 ==> m[i] == 0); }"
        ),
        ["failed assertion 3 at 3"]
    );
}
