//! Tests of termination measures and the order in which they decrease.

use super::{assert_said, check};

#[test]
fn parts_of_a_value_are_below_it() {
    let data = "datatype List = Nil | Cons(h: int, t: List) datatype Rose = Rose(v: int, kids: seq<Rose>) ";
    let said = |source: &str, expected: &[&str]| assert_said(&format!("{data}{source}"), expected);
    said(
        "function Zip(a: List, b: List): List { if a.Cons? && b.Cons? then Cons(a.h + b.h, Zip(a.t, b.t)) else Nil }",
        &[],
    );
    said(
        "function Even(l: List): bool { if l.Cons? && l.t.Cons? then Even(l.t.t) else l.Nil? }",
        &[],
    );
    said(
        "function Sum(r: Rose): int { r.v + Sums(r.kids) } function Sums(rs: seq<Rose>): int { if rs == [] then 0 else Sum(rs[0]) + Sums(rs[1..]) }",
        &[],
    );
    said(
        "function Grow(l: List, n: nat): nat decreases l { if n == 0 then 0 else Grow(Cons(1, l), n - 1) }",
        &["Grow: Decreases `Grow(Cons(1, l), n - 1)`: violated: l = List.Nil, n = 1"],
    );
    said(
        "function Turn(s: seq<int>): nat decreases s { if |s| > 2 then Turn([s[1], s[0]] + s[2..]) else 0 }",
        &["Turn: Decreases `Turn([s[1], s[0]] + s[2..])`: violated: s = [0, 0, 0]"],
    );
}

#[test]
fn measures_are_guessed_from_guards_that_are_negated() {
    let ends = |guard: &str, step: &str| {
        let said = check(&format!(
            "method M(s: set<int>, n: nat) {{ var t, i := s, n; while {guard} {{ {step} }} }}"
        ));
        assert!(
            said.contains("Decreases") && !said.contains("violated") && !said.contains("open"),
            "{said}"
        );
    };
    let take = "var x :| x in t; t := t - {x};";
    ends("!(t == {})", take);
    ends("!!(t != {})", take);
    ends("!(t == {} || i > 3)", take);
    ends("!({} < t ==> i > 3)", take);
    let said = check(
        "method M(n: nat) { var i := n; while !(i <= 0) { i := i - 1; } while !(i <= 0) { i := i + 1; } }",
    );
    assert!(!said.contains("violated"), "{said}");
}

#[test]
fn there_are_ordinals_beyond_the_natural_numbers() {
    let open = "open: values of type ORDINAL are tried as natural numbers only";
    assert_said(
        "lemma L(o: ORDINAL) { assert o.IsNat; }",
        &[&format!("L: Assertion `o.IsNat`: {open}")],
    );
    assert_said(
        "lemma L(o: ORDINAL) requires o.IsLimit { assert o == 0; }",
        &[&format!("L: Assertion `o == 0`: {open}")],
    );
    assert_said(
        "lemma L(o: ORDINAL) requires o < 3 { assert o != 2; }",
        &["L: Assertion `o != 2`: violated: o = 2"],
    );
}
