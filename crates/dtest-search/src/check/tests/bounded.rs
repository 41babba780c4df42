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
fn all_small_inputs_are_executed_where_the_solver_gives_up() {
    let tree = "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)
ghost function Keys(t: Tree): set<int> { if t.Leaf? then {} else Keys(t.left) + {t.key} + Keys(t.right) }
ghost predicate Ordered(t: Tree) { t.Leaf? || (Ordered(t.left) && Ordered(t.right) && (forall k <- Keys(t.left) :: k < t.key) && (forall k <- Keys(t.right) :: t.key < k)) }
function Insert(t: Tree, x: int): Tree { if t.Leaf? then Node(Leaf, x, Leaf) else if x < t.key then t.(left := Insert(t.left, x)) else if x > t.key then t.(right := Insert(t.right, x)) else t }
function Size(t: Tree): nat { if t.Leaf? then 0 else Size(t.left) + 1 + Size(t.right) }";
    let claims_of = |body: &str| claims(&format!("{tree} {body}"));
    assert_eq!(
        claims_of(
            "method M(t: Tree, x: int) requires Ordered(t) { assert Ordered(Insert(t, x)); }"
        ),
        ["holds", "holds", "within depth 2, integers -2 to 2"]
    );
    // Larger inputs may violate what these do not.
    assert_eq!(
        claims_of(
            "method M(t: Tree, x: int) requires Ordered(t) { assert Size(Insert(t, x)) < 6; }"
        ),
        ["holds", "holds", "within depth 2, integers -2 to 2"]
    );
}

#[test]
fn nothing_is_claimed_of_inputs_of_which_something_is_unknown() {
    let tree = "datatype Tree<T> = Leaf | Node(left: Tree<T>, key: T, right: Tree<T>)
ghost function Keys(t: Tree<int>): set<int> { if t.Leaf? then {} else Keys(t.left) + {t.key} + Keys(t.right) }
function Mirror<T>(t: Tree<T>): Tree<T> { if t.Leaf? then t else Node(Mirror(t.right), t.key, Mirror(t.left)) }
function {:extern} Other(t: Tree<int>): Tree<int>
ghost predicate Everywhere(t: Tree<int>) { forall n: int :: n * n != 3 * n * n * n + 17 || t.Leaf? }";
    let claims_of = |body: &str| claims(&format!("{tree} {body}"));
    for body in [
        // An undecided precondition, and an undecided earlier assertion.
        "method M(t: Tree<int>) requires Everywhere(t) { assert Keys(Mirror(t)) == Keys(t); }",
        "method M(t: Tree<int>) { assume {:axiom} Everywhere(t); assert Keys(Mirror(t)) == Keys(t); }",
        // Objects that the inputs do not refer to.
        "class C { var x: int } method M(t: Tree<int>) { assert Keys(Mirror(t)) == Keys(t) && forall c: C :: c.x == 0; }",
        // Results of external code, choices, and numbers that are not listed.
        "method M(t: Tree<int>) { var o := Other(t); assert Keys(Mirror(t)) == Keys(t) || o == t; }",
        "method M(t: Tree<int>) { var x: int := *; assert Keys(Mirror(t)) == Keys(t) || x == 3; }",
        "method M(t: Tree<int>, r: real) { assert Keys(Mirror(t)) == Keys(t) || r == 0.5; }",
    ] {
        for claim in claims_of(body) {
            assert!(claim.starts_with("open"), "{body}: {claim}");
        }
    }
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
