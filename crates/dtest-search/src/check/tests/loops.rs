//! Tests of loops: invariants, frames, and loops without bodies.

use super::{assert_said, check, claims};

#[test]
fn invariants_are_separate_obligations_on_entry_and_after_an_iteration() {
    assert_said(
        "method M(n: nat) returns (s: nat) { s := 0; var i := 0;
           while i < n invariant i <= n invariant s == 2 * i invariant n != 4 { s := s + i; i := i + 1; } }",
        &[
            "M: InvariantOnEntry `n != 4`: violated: n = 4",
            "M: InvariantKept `s == 2 * i`: violated: n = 1",
            "M: InvariantKept `n != 4`: violated assuming: n = 4",
        ],
    );
}

#[test]
fn loops_without_bodies_leave_what_their_specification_allows() {
    assert_said(
        "method M(n: nat) { var i, j := 0, 2; while i < n invariant 0 <= i <= n assert i == n; assert j == 2; assert n != 3; }",
        &["M: Assertion `n != 3`: violated by choice: n = 3"],
    );
    assert_said(
        "method M(n: int) { var i := 0; while i < n assert i < 9; }",
        &["M: Assertion `i < 9`: violated by choice: n = 0"],
    );
    assert_said(
        "class C { var y: int } method M(c: C) modifies c { while c.y < 5 invariant c.y <= 7 assert c.y != 6; }",
        &[
            "M: InvariantOnEntry `c.y <= 7`: violated: c = C { y: 8 }",
            "M: Assertion `c.y != 6`: violated by choice: c = C { y: 0 }",
        ],
    );
    assert_said(
        "method M(n: nat) { var s := 0; for i := 0 to n invariant s <= 2 * i assert s <= 3; }",
        &["M: Assertion `s <= 3`: violated by choice: n = 2"],
    );
}

#[test]
fn loops_without_bodies_change_and_make_what_the_method_may() {
    let class = "class C { var y: int } ";
    let said = |source: &str, expected: &[&str]| assert_said(&format!("{class}{source}"), expected);
    said(
        "method M() { var k := new C; k.y := 2; var i := 0; while i < 7 invariant k.y % 2 == 0 assert k.y == 2; }",
        &["M: Assertion `k.y == 2`: violated by choice"],
    );
    let new = check(&format!(
        "{class} method M() {{ var k := new C; var c, i := k, 0; while i < 7 invariant fresh(k) && k.y == k.y assert k == c; }}"
    ));
    assert!(
        new.contains("Assertion `k == c`: violated by choice"),
        "{new}"
    );
    let kept = check(&format!(
        "{class} method M(c: C) {{ var i, y := 0, c.y; while i < 7 invariant c.y == c.y assert y == c.y; }}"
    ));
    assert!(!kept.contains("violated"), "{kept}");
}

#[test]
fn frames_of_loops_and_of_modify_statements_bind_what_is_in_them() {
    for (code, expected) in [
        (
            "method M(a: array<int>, b: array<int>) requires a.Length > 0 && b.Length > 0 modifies a, b
          { for i := 0 to 2 modifies a { b[0] := i; } b[0] := 1; }",
            "M: Frame `b[0] := i;`: violated",
        ),
        (
            "method M(a: array<int>) requires a.Length > 0 { for i := 0 to 2 modifies a { a[0] := i; } }",
            "M: Frame `for i := 0 to 2 modifies a`: violated",
        ),
        (
            "method M(a: array<int>) requires a.Length > 0 modifies a { for i := 0 to 2 modifies {} { var b := new int[1]; b[0] := i; } }",
            "",
        ),
        ("class C { var x: int } method M(c: C) modifies c { modify {} { c.x := 1; } }", "M: Frame `c.x := 1;`: violated"),
        ("class C { var x: int } method M(c: C) modifies c { opaque modifies {} { c.x := 1; } }", "M: Frame `c.x := 1;`: violated"),
        ("class C { var x: int } method M(c: C) { opaque modifies c { } }", "M: Frame `opaque modifies c`: violated"),
        ("class C { var x: int } method M(c: C) modifies c { opaque ensures c.x == 1 { c.x := 1; } }", ""),
    ] {
        let said = check(code);
        let about: Vec<&str> = said.lines().filter(|l| l.contains("Frame")).collect();
        assert!(about.iter().all(|l| l.starts_with(expected)) && about.is_empty() == expected.is_empty(), "{code}: {said}");
    }
}

#[test]
fn what_the_invariants_say_is_proved_of_every_number_of_iterations() {
    let all = claims(
        "class C { var n: nat var k: int }
         method Range(s: seq<int>) { var i := 0; while i < |s| invariant 0 <= i <= |s| { assert i < |s|; i := i + 1; } assert i == |s|; }
         method Relation(n: nat) { var i, j := 0, 0; while i < n invariant i <= n && j == 3 * i { i, j := i + 1, j + 3; } assert j == 3 * n; }
         method Nested(n: nat) { var t := 0; for i := 0 to n invariant t == i * 2 { for j := 0 to 2 invariant t == i * 2 + j { t := t + 1; } } assert t == 2 * n; }
         method Fields(c: C) modifies c { var k, i := c.k, 0; while i < 9 invariant c.k == k { c.n := c.n + 1; i := i + 1; } assert c.k == k; assert c.n >= 0; }
         method Guard(q: seq<nat>) { var s := q; while s != [] decreases |s| { assert s[0] >= 0; s := s[1..]; } assert |s| == 0; }
         datatype Move = Left(steps: nat) | Right(steps: nat)
         method Records(ms: seq<Move>) { var s := ms; while |s| > 0 { var m := s[0]; assert m.steps >= 0; s := s[1..]; } }",
    );
    assert_eq!(all, vec!["holds"; 9]);
}

#[test]
fn a_field_that_no_iteration_writes_is_unchanged() {
    // The verifier knows of the frame only, and needs an invariant.
    let all = claims(
        "class C { var n: nat var k: int }
         method M(c: C) modifies c { var k, i := c.k, 0; while i < 9 { c.n := c.n + 1; i := i + 1; } assert c.k == k; }",
    );
    assert_eq!(all, ["holds"]);
}

#[test]
fn nothing_is_proved_of_what_a_later_iteration_may_change() {
    // Fields and elements are written under another name, by a callee, or by an inner loop.
    let all = claims(
        "class C { var n: nat var k: int }
         method Alias(c: C, d: C) modifies c, d { var n, i := d.n, 0; while i < 3 { c.n := c.n + 1; i := i + 1; } assert d.n == n; }
         method W(c: C) modifies c { c.k := 1; }
         method Callee(c: C) modifies c { var k, i := c.k, 0; while i < 3 { W(c); i := i + 1; } assert c.k == k; }
         method Elements(a: array<int>, b: array<int>) requires a.Length > 0 && b.Length > 0 modifies b { var x, i := a[0], 0; while i < 3 { b[0] := i; i := i + 1; } assert a[0] == x; }
         method Inner(c: C, m: nat) modifies c { var k := c.k; for i := 0 to 3 { for j := 0 to m { c.k := j; } } assert c.k == k; }
         method Late(n: nat) { var s := 0; for i := 0 to n { s := s + 1; } assert s <= 5; }
         method Left(n: nat) { var i := 0; while i < n invariant i <= n { if i == 4 { break; } i := i + 1; } assert i == n; }",
    );
    assert_eq!(all, vec!["violated"; 6]);
}

#[test]
fn a_variable_of_an_empty_type_hides_no_iteration() {
    let all = claims(
        "type Empty = x: int | false witness *
         method Get() returns (e: Empty) requires false
         method M(n: nat) { var e: Empty; var i := 0; while i < n { if i < 0 { e := Get(); } i := i + 1; assert i != 3; } }",
    );
    assert_eq!(all, ["violated"]);
}
