//! Tests of nondeterministic choices.

use super::{assert_said, check};

#[test]
fn choices_are_explored() {
    assert_said(
        "newtype Byte = x: int | 0 <= x < 256 method M() { var y: Byte := *; y := y + 1; }",
        &["M: Type `y + 1`: violated by choice"],
    );
    assert_said(
        "method M(n: nat) { var y :| 0 <= y <= n; assert y == 0; }",
        &["M: Assertion `y == 0`: violated by choice: n = 1"],
    );
    assert_said(
        "method M(s: set<int>) { var y :| y in s; }",
        &["M: Existence `var y :| y in s;`: violated: s = {}"],
    );
    // A condition on something else decides without any candidate.
    assert_said(
        "class C { var x: int } ghost method M(k: int) { var c: C :| k == 3 && c.x == 4; }",
        &["M: Existence `var c: C :| k == 3 && c.x == 4;`: violated: k = 0"],
    );
}

#[test]
fn choices_of_the_solver_are_followed() {
    assert_said(
        "method M() { var x: int := *; assert 3 * x != 37035; }",
        &["M: Assertion `3 * x != 37035`: violated by choice"],
    );
    assert_said(
        "ghost method M() { var x: int :| x * x > 1000000; assert x != -1729; }",
        &[
            "M: Existence `var x: int :| x * x > 1000000;`: open: no violation was found within the bounds, and no proof",
            "M: Assertion `x != -1729`: violated by choice",
        ],
    );
    assert_said(
        "method M(k: int) { if { case true => case true => case true => case true => case true => case true => case true =>
           case true => case true => case k > 5 => assert k != 40; } }",
        &["M: Assertion `k != 40`: violated by choice: k = 40"],
    );
}

#[test]
fn a_function_chooses_the_same_for_the_same_arguments() {
    // A compiled function may not choose among several values, a ghost function may.
    let pick = "ghost function Pick(s: set<int>): int requires s != {} { var x :| x in s; x }";
    let said = check(&format!(
        "{pick} method M(a: set<int>) {{ var b := a; if |a| > 1 {{ assert Pick(a) == Pick(b); }} }}"
    ));
    assert!(!said.contains("violated"), "{said}");
    let said = check(&format!(
        "{pick} method M(a: set<int>, b: set<int>) {{ if |a| > 1 && a < b {{ assert Pick(a) == Pick(b); }} }}"
    ));
    assert!(
        said.contains("Assertion `Pick(a) == Pick(b)`: violated"),
        "{said}"
    );
    let all = "ghost function Sum(s: set<int>): seq<int> { if s == {} then [] else var x :| x in s; [x] + Sum(s - {x}) }";
    let said = check(&format!(
        "{all} method M() {{ assert Sum({{1, 2, 3}}) == Sum({{3, 2, 1}}); }}"
    ));
    assert!(!said.contains("violated"), "{said}");
}

#[test]
fn a_havoc_gives_no_value_of_a_type_that_may_be_empty() {
    assert_said(
        "trait General {} datatype Box = Box(g: General) datatype Maybe = None | Some(g: General)
         method M() { var b: Box := *; var m: Maybe := *; var i: int := *; if * { print i; } else if * { print m; } else { print b; } }",
        &["M: Assigned `b`: violated by choice"],
    );
}
