//! Tests of claims within bounds: each comes from an enumeration that was completed.

use super::claims;

#[test]
fn what_is_cut_is_not_decided() {
    let recursion = "open: executions with recursion of more than 8 calls (`--inline`) were not followed to their end";
    for (declarations, condition) in [
        ("greatest predicate P(n: int) { n > 0 && P(n + 1) }", "P(5)"),
        ("least predicate P(n: int) { n == 0 || P(n - 2) }", "P(5)"),
        ("least predicate P(n: int) { P(n + 1) }", "P(0)"),
        (
            "ghost function Ack(m: nat, n: nat): nat decreases m, n { if m == 0 then n + 1 else if n == 0 then Ack(m - 1, 1) else Ack(m - 1, Ack(m, n - 1)) }",
            "Ack(4, 2) == 3",
        ),
    ] {
        for assertion in [condition.to_owned(), format!("!({condition})")] {
            let source = format!("{declarations} method M() {{ assert {assertion}; }}");
            assert_eq!(claims(&source), [recursion], "{source}");
        }
    }
}

#[test]
fn claims_name_the_inputs_that_were_enumerated() {
    let count = "method Count(n: nat) returns (c: int) { c := 0; while c < n { c := c + 1; }";
    assert_eq!(
        claims(&format!("{count} assert c == n; }}")),
        ["within integers -8 to 8"]
    );
    // No execution within the bounds has that many iterations.
    assert_eq!(
        claims(&format!("{count} assert c != 40001; }}")),
        ["within integers -8 to 8"]
    );
    assert_eq!(
        claims(
            "method M(s: seq<int>) { var i := 0; while i < |s| { i := i + 1; } assert i == |s|; }"
        ),
        ["within collections 16"]
    );
}

#[test]
fn small_inputs_show_what_the_solver_cannot_follow() {
    let tree = "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)
ghost function Keys(t: Tree): set<int> { if t.Leaf? then {} else Keys(t.left) + {t.key} + Keys(t.right) }
ghost predicate Ordered(t: Tree) { t.Leaf? || (Ordered(t.left) && Ordered(t.right) && (forall k <- Keys(t.left) :: k < t.key) && (forall k <- Keys(t.right) :: t.key < k)) }
function Count(t: Tree): nat { if t.Leaf? then 0 else Count(t.left) + 1 + Count(t.right) }";
    let source = format!(
        "{tree} lemma L(t: Tree) requires Ordered(t) {{ assert Count(t) != 3 || t.left.Leaf?; }}"
    );
    assert_eq!(claims(&source), ["violated"]);
}

#[test]
fn obligations_that_no_execution_reaches_are_not_reached() {
    assert_eq!(
        claims(
            "function F(x: int): int requires x != 0 { 10 / x } method M() { var y := F(0); assert y == 1; }"
        ),
        ["not reached"]
    );
    assert_eq!(
        claims("method M(x: int) requires x > 1 && x < 0 { assert false; }"),
        ["not reached"]
    );
    assert_eq!(
        claims("method M(x: int) { if x * 0 == 1 { assert x == 1; } assert x == x; }"),
        ["not reached", "holds"]
    );
    // A part of the condition always fails.
    for part in ["1 / 0 == 0", "1 / (x - x) != 0", "[x][1] == x"] {
        let source = format!("method M(x: int) {{ assert {part}; }}");
        assert_eq!(claims(&source), ["not reached"], "{source}");
        let negated = source.replace(part, &format!("!({part})"));
        assert_eq!(claims(&negated), ["not reached"], "{negated}");
    }
    assert_eq!(
        claims("function F(x: int): int requires x > 0 { x } method M() { assert F(-1) == -1; }"),
        ["not reached"]
    );
    // A part of it fails for some inputs only.
    assert_eq!(
        claims("method M(x: int) { assert 1 / x == 1 / x; }"),
        ["holds"]
    );
    assert_eq!(
        claims("method M(x: int) { assert 1 / x == 1; }"),
        ["violated"]
    );
}

#[test]
fn quantified_preconditions_contradict_each_other() {
    for requires in [
        "|s| == 2 && (forall i, j :: 0 <= i < j < |s| ==> s[i] < s[j]) && s[0] == s[1]",
        "|s| == 2 && (forall i :: 0 <= i < |s| - 1 ==> s[i] < s[i + 1]) && s[0] == s[1]",
        "|s| > 1 && (forall i, j :: 0 <= i < j < |s| ==> s[i] < s[j]) && s[0] > s[1]",
        "|s| > 0 && (forall x :: x in s ==> x > 3) && s[0] == 2",
    ] {
        let source = format!("method M(s: seq<int>) requires {requires} {{ assert false; }}");
        assert_eq!(claims(&source), ["not reached"], "{source}");
    }
}
