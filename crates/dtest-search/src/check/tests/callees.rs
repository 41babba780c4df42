//! Tests of violations that rest on a callee: if it breaks its own contract in that execution, or
//! its contract is not decided there, the caller's violation is not certain.

use super::{assert_said, check};

/// Asserts that the violation of `unit` is not certain, and that the violation of its callee is.
#[track_caller]
fn assert_rests_on_callee(source: &str, certain: &str, assuming: &str) {
    let said = check(source);
    let has = |wanted: &str| said.lines().any(|line| line.starts_with(wanted));
    assert!(has(certain), "{certain} is missing: {said}");
    assert!(has(assuming), "{assuming} is missing: {said}");
}

#[test]
fn the_result_of_a_function_is_of_its_type() {
    for (body, place) in [
        ("x", "x"),
        ("if x == 3 then 3 else x", "x"),
        ("var y := x; y", "y"),
        ("match x case 3 => 4 case _ => x", "x"),
    ] {
        assert_rests_on_callee(
            &format!(
                "function F(x: int): nat {{ {body} }} method M(x: int) {{ assert F(x) >= 0; }}"
            ),
            &format!("F: Type `{place}`: violated: x = -1"),
            "M: Assertion `F(x) >= 0`: violated assuming: x = -1",
        );
    }
    assert_rests_on_callee(
        "function F(x: int): nat { x } method M(x: int) { var y := F(x); assert y >= 0; }",
        "F: Type `x`: violated: x = -1",
        "M: Assertion `y >= 0`: violated assuming: x = -1",
    );
    assert_rests_on_callee(
        "function F(x: int): seq<nat> { [x] } method M(x: int) { assert forall y | y in F(x) :: y >= 0; }",
        "F: Type `[x]`: violated: x = -1",
        "M: Assertion `forall y | y in F(x) :: y >= 0`: violated assuming: x = -1",
    );
}

#[test]
fn functions_in_specifications_keep_their_postconditions() {
    assert_rests_on_callee(
        "function F(x: int): int ensures F(x) > 0 { x } method M(x: int) { assert F(x) > 0; }",
        "F: Postcondition `F(x) > 0`: violated: x = 0",
        "M: Assertion `F(x) > 0`: violated assuming: x = 0",
    );
    // The other inputs show that the second assertion is wrong by itself.
    assert_said(
        "function F(x: int): int ensures F(x) > 0 { x } method M(x: int) { assert F(x) > 4; }",
        &[
            "F: Postcondition `F(x) > 0`: violated: x = 0",
            "M: Assertion `F(x) > 4`: violated: x = 1",
            "M: elsewhere `F(x) > 0`: the postcondition does not hold",
        ],
    );
}

#[test]
fn functions_in_specifications_call_others_within_their_preconditions() {
    assert_rests_on_callee(
        "function G(x: int): int requires x > 0 { x } function F(x: int): int { G(x) }
        method M(x: int) { assert F(x) > 0; }",
        "F: Precondition `G(x)`: violated: x = 0",
        "M: Assertion `F(x) > 0`: violated assuming: x = 0",
    );
}

#[test]
fn an_undecided_postcondition_of_a_function_is_an_assumption() {
    let said = check(
        "function F(x: int): int ensures forall f: int -> int :: f(F(x)) == f(F(x)) { x }
        method M(x: int) { assert F(x) != 8; }",
    );
    assert!(
        said.contains("M: Assertion `F(x) != 8`: violated assuming: x = 8"),
        "{said}"
    );
}

#[test]
fn an_undecided_claim_of_a_lemma_is_an_assumption() {
    let said = check(
        "lemma L(x: int) ensures forall f: int -> int :: f(x) == f(x) { }
        method M(x: int) { L(x); assert x != 8; }",
    );
    assert!(
        said.contains("M: Assertion `x != 8`: violated assuming: x = 8"),
        "{said}"
    );
}

#[test]
fn a_dispatched_call_keeps_the_contract_that_the_caller_names() {
    let traits =
        "trait T { function F(): int ensures F() > 0 method P() returns (r: int) ensures r > 0 }
        class C extends T {
          function F(): int ensures F() > -2 { -1 }
          method P() returns (r: int) ensures r > -2 { r := -1; }
          constructor () { }
        } ";
    for (code, assertion) in [
        ("method M(t: T) { assert t.F() > 0; }", "t.F() > 0"),
        ("method M(t: T) { var x := t.F(); assert x > 0; }", "x > 0"),
        ("method M(t: T) { var x := t.P(); assert x > 0; }", "x > 0"),
    ] {
        let said = check(&format!("{traits}{code}"));
        assert!(
            said.contains(&format!("M: Assertion `{assertion}`: violated assuming: ")),
            "{code}: {said}"
        );
    }
    // Whoever names the class relies on the contract of the class.
    let said = check(&format!("{traits} method M(c: C) {{ assert c.F() > 0; }}"));
    assert!(
        said.contains("M: Assertion `c.F() > 0`: violated: "),
        "{said}"
    );
}

#[test]
fn a_precondition_that_rests_on_a_broken_contract_admits_no_inputs() {
    let said = check(
        "function F(x: int): nat { x } method M(x: int) requires F(x) < 0 { assert x > 100; }",
    );
    assert!(!said.contains("M: Assertion `x > 100`: violated"), "{said}");
}

#[test]
fn a_constant_is_of_its_type() {
    let said = check("const c: nat := 3 - 4 method M() { assert c >= 0; }");
    assert!(!said.contains("M: Assertion `c >= 0`: violated"), "{said}");
}

#[test]
fn two_state_functions_keep_their_postconditions() {
    assert_rests_on_callee(
        "class C { var f: int method M() modifies this { f := 1; assert F(this) > 0; } }
        twostate function F(c: C): int reads c ensures F(c) > 0 { old(c.f) }",
        "F: Postcondition `F(c) > 0`: violated: c = C { f: 0 }",
        "C.M: Assertion `F(this) > 0`: violated assuming: this = C { f: 0 }",
    );
}

#[test]
fn iterators_keep_what_they_ensure_at_every_yield() {
    let said = check(
        "iterator It() yields (y: int) yield ensures y > 0 ensures |ys| > 4 { y := 0; yield; }
        method M() { var i := new It(); var more := i.MoveNext(); if more { assert i.y > 0; } }",
    );
    assert!(
        !said.contains("M: Assertion `i.y > 0`: violated:"),
        "{said}"
    );
}
