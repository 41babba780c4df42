//! Tests of callables without a body.

use super::{assert_said, check};

#[test]
fn what_has_no_body_gives_what_its_contract_allows() {
    assert_said(
        "function F(x: int): int method M(n: nat) { var y := F(3); assert y != 7 || F(4) != 9; }",
        &["M: Assertion `y != 7 || F(4) != 9`: violated assuming: n = 0"],
    );
    assert_said(
        "function F(x: int): int method M() { assert F(3) == F(1 + 2); }",
        &[],
    );
    assert_said(
        "ghost predicate P(x: int) lemma L(x: int) requires P(x) ensures P(x + 1) {}",
        &["L: Postcondition `P(x + 1)`: violated assuming: x = 0"],
    );
    assert_said(
        "class C { var s: seq<int> constructor () ensures |s| == 0 } method M() { var c := new C(); assert |c.s| == 0; var t := *; assert t != 4; }",
        &[
            "M: Assertion `|c.s| == 0`: holds assuming",
            "M: Assertion `t != 4`: violated assuming by choice",
        ],
    );
    assert_said(
        "greatest predicate H[nat](x: int) { x > 0 && H(x) } lemma L(k: nat, x: int) requires H#[k](x) requires k > 0 ensures x > 0 {}",
        &[
            "L: Postcondition `x > 0`: open: inputs were found that violate it, but it could not be decided whether a precondition holds for them: `H#` has no body",
        ],
    );
    // A stub's result alone is no violation if a lemma without a proof says more about the
    // function.
    assert_said(
        "function E(x: int): int lemma {:axiom} A(x: int) ensures E(x) > 0 lemma B() ensures E(0) > 0 { A(0); } method M() { B(); assert E(0) > 0; } method N() { assert E(0) > 0; } method O() { B(); assert E(1) > 0; }",
        &[
            "A.claim: Postcondition `E(x) > 0`: open: it constrains the result of code without a body",
            "B: Postcondition `E(0) > 0`: holds assuming",
            "M: Assertion `E(0) > 0`: holds assuming",
            "N: Assertion `E(0) > 0`: open: it is violated by a result of code without a body, about which lemmas say more than its contract",
            "O: Assertion `E(1) > 0`: open: it is violated by a result of code without a body, about which lemmas say more than its contract",
        ],
    );
}

#[test]
fn what_has_no_body_may_answer_otherwise_once_what_it_reads_is_changed() {
    let class = "class C { var d: int } function All(): int reads * function Of(c: C): int reads c function In(s: set<C>): int reads s \
        function Low(c: C): int reads c ensures Low(c) < 9 function Told(c: C): int reads c \
        method Tell(c: C) ensures Told(c) == 3 ";
    let said = |source: &str| {
        check(&format!(
            "{class} method M(c: C, e: C, s: set<C>) modifies c {{ {source} }}"
        ))
    };
    // Nothing is said about the functions, so that any results are possible.
    let verdict = |call: &str, verdict: &str| {
        let said = said(&format!(
            "var u := {call}; c.d := c.d + 1; assert u == {call};"
        ));
        assert!(
            said.contains(&format!("Assertion `u == {call}`: {verdict}")),
            "{said}"
        );
    };
    verdict("All()", "violated assuming");
    verdict("Of(c)", "violated assuming");
    verdict("In(s)", "violated assuming");
    // There is no proof where postconditions may exclude results elsewhere.
    verdict("Low(c)", "open");
    verdict("Told(c)", "open");
    let kept = |source: &str| assert!(!said(source).contains("violated"), "{}", said(source));
    kept("var u := All(); assert u == All();");
    kept("var u := Of(e); if c != e { c.d := c.d + 1; } assert u == Of(e);");
    kept("var u := In(s); if c !in s { c.d := c.d + 1; } assert u == In(s);");
    kept("var u := All(); var n := new C; n.d := 3; assert u == All();");
    assert_said(
        "class C { var d: int } function Of(c: C): int reads c method M(c: C) { assert Of(c) == Of(c); }",
        &[],
    );
}

/// A method without a body may modify more than the declared fields of an object.
#[test]
fn what_a_function_says_of_an_object_changes_when_code_without_a_body_modifies_it() {
    let said = check(
        "class {:extern} Box { ghost function {:extern} Content(): int reads this method {:extern} Put(v: int) modifies this } method M(b: Box, c: Box) modifies b { ghost var x := b.Content(); b.Put(4); assert x == b.Content(); }",
    );
    assert!(
        said.contains("Assertion `x == b.Content()`: open"),
        "{said}"
    );
}
