//! Tests of assertions, contracts and lemmas.

use super::{assert_said, check};

#[test]
fn assertions_and_contracts_are_broken_by_small_inputs() {
    assert_said(
        "method Abs(x: int) returns (y: int) ensures y >= 0 { if x < 0 { y := -x - 1; } else { y := x - 1; } }",
        &["Abs: Postcondition `y >= 0`: violated: x = 0"],
    );
    assert_said(
        "method M(x: int) { assert x != 77; }",
        &["M: Assertion `x != 77`: violated: x = 77"],
    );
    assert_said(
        "method P(n: int) requires n > 3 {} method Q(n: int) { if n != 2 { P(n); } }",
        &["Q: Precondition `P(n);`: violated: n = 0"],
    );
    assert_said(
        "ghost predicate P(a: array?<int>) reads a { forall i :: a != null && 0 <= i < a.Length ==> a[i] > 0 }",
        &[],
    );
}

#[test]
fn lemmas_and_ghost_code_are_executed() {
    assert_said(
        "lemma L(x: int) requires x > 3 ensures x * x > 16 {}",
        &["L: Postcondition `x * x > 16`: violated: x = 4"],
    );
    assert_said(
        "ghost function At(s: seq<int>, i: int): int { s[i] }",
        &["At: Index `s[i]`: violated: s = [], i = 0"],
    );
    assert_said(
        "method M(n: nat) { ghost var g := n; if g > 2 { assert g != 5; } calc { g; == { assert n != 9; } n; } }",
        &[
            "M: Assertion `g != 5`: violated: n = 5",
            "M: Assertion `n != 9`: violated: n = 9",
        ],
    );
}

#[test]
fn forall_statements_are_looked_into() {
    assert_said(
        "lemma L(n: nat) { forall x | 0 <= x < n ensures x < 5 { assert x != 3; } }",
        &[
            "L: Assertion `x < 5`: violated: n = 6",
            "L: Assertion `x != 3`: violated by choice: n = 4",
        ],
    );
    assert_said(
        "lemma P(n: int) requires n > 5 {} lemma L(n: int) { calc ==> { n > 6; { P(n); } n > 5; { P(n - 2); } n > 4; } }",
        &["L: Precondition `P(n - 2);`: violated: n = 6"],
    );
    assert_said(
        "function F(n: nat): nat { 0 } by method { var a := new nat[1](_ => 0); return a[0]; }",
        &[],
    );
}

#[test]
fn what_is_not_proved_is_an_assumption() {
    assert_said(
        "method M(s: set<int>, y: int) { forall x | x in s ensures x < 0 assert y in s ==> y < 0; assert y in s ==> y != -4; }",
        &[
            "M: Assertion `y in s ==> y < 0`: holds assuming",
            "M: Assertion `y in s ==> y != -4`: violated: s = {-4}, y = -4",
        ],
    );
    assert_said(
        "function P(n: nat): int lemma L() { forall n: nat | n < 3 ensures P(n) == 5 { assume false; } }",
        &["L: Assertion `P(n) == 5`: holds assuming"],
    );
    assert_said(
        "lemma L(k: nat) { forall n: nat | n < k ensures n < 3 { assume {:axiom} n != 4; } }",
        &["L: Assertion `n < 3`: violated by choice: k = 4"],
    );
}

#[test]
fn what_a_lemma_claims_is_its_obligation() {
    assert_said(
        "lemma Zero(x: int) ensures x == 0 {} method M(x: int) { Zero(x); assert x == 0; }",
        &[
            "Zero: Postcondition `x == 0`: violated: x = 1",
            "M: Assertion `x == 0`: violated assuming: x = 1",
            "M: elsewhere `x == 0`: the postcondition does not hold",
        ],
    );
    assert_said(
        "lemma Known(s: seq<int>) ensures s != [] ==> s[0] in s {} method M(s: seq<int>) { Known(s); assert |s| != 4; }",
        &["M: Assertion `|s| != 4`: violated: s = [0, 0, 0, 0]"],
    );
    let lemma = "class C { var d: int } twostate lemma Same(c: C) returns (e: C) { e := c; }";
    let said = check(&format!("{lemma} method M(c: C) {{ var e := Same(c); }}"));
    assert!(!said.contains("M: Frame"), "{said}");
}

#[test]
fn contracts_are_well_formed_by_themselves() {
    assert_said(
        "function F(a: int, b: int): int requires a / b > 2 { a }",
        &["F.contract: Divisor `a / b`: violated: a = 0, b = 0"],
    );
    assert_said(
        "function F(a: int, b: int): int requires b != 0 requires a / b > 2 { a }",
        &[],
    );
    assert_said(
        "method M(s: seq<int>) returns (i: nat) ensures s[i] == 0",
        &["M.ensures: Index `s[i]`: violated: s = [], i = 0"],
    );
    assert_said(
        "method M(s: seq<int>) returns (i: nat) ensures i < |s| && s[i] == 0",
        &[],
    );
    assert_said(
        "lemma L(n: int, m: map<int, int>) decreases m[n]",
        &["L.contract: Key `m[n]`: violated: n = 0, m = map[]"],
    );
    assert_said(
        "class C { var v: int function F(): int requires v > 0 { 2 } }",
        &["C.F.reads: Reads `v`: violated: this = C { v: 1 }"],
    );
    // A later clause may constrain what an earlier one reads.
    assert_said(
        "class C { var r: set<C> var v: int predicate P(c: C) requires c.v == 1 requires c in r reads this, r { true } }",
        &["C.P.reads: Reads `c.v`: within bounds"],
    );
    assert_said(
        "type T = x: real | 1.0 / x > 2.0 witness 0.25",
        &["T.constraint: Divisor `1.0 / x`: violated: x = 0.0"],
    );
    assert_said(
        "class C { var next: C? predicate P() reads this, next.next { true } }",
        &[
            "C.P.contract: NonNull `next.next`: violated: this = C { next: null }",
            "C.P.reads: Reads `next.next`: violated: this = C { next: C { next: null } }",
        ],
    );
}

#[test]
fn what_overrides_takes_and_ensures_what_is_overridden() {
    let shelf = "trait Shelf extends object { const size: nat var f: int method Put(n: nat) returns (left: nat) requires n <= 10 ensures left <= 10 - n }
        trait Rooms extends object { const size: nat var f: int function Room(n: nat): nat requires n <= size decreases n }";
    for (member, expected) in [
        (
            "method Put(n: nat) returns (left: nat) requires n <= 20 ensures left <= 10 - n { left := 0; }",
            "",
        ),
        (
            "method Put(n: nat) returns (left: nat) requires n <= 10 { left := 9; }",
            "Low.Put.override: Override `Put`: violated",
        ),
        (
            "method Put(n: nat) returns (left: nat) requires n <= 9 ensures left == 0 { left := 0; }",
            "Low.Put.override: Precondition `Put`: violated",
        ),
        (
            "method Put(n: nat) returns (left: nat) requires n <= 10 modifies this ensures left == 0 { left := 0; }",
            "Low.Put.override: Frame `Put`: violated",
        ),
        (
            "function Room(n: nat): nat reads this decreases n { 3 }",
            "Low.Room.override.reads: Reads `Room`: violated",
        ),
    ] {
        let parent = if member.starts_with("function") {
            "Rooms"
        } else {
            "Shelf"
        };
        let said = check(&format!(
            "{shelf} class Low extends {parent} {{ {member} }}"
        ));
        let about: Vec<&str> = said.lines().filter(|l| l.contains("override")).collect();
        assert!(
            about.iter().all(|l| l.starts_with(expected))
                && about.is_empty() == expected.is_empty(),
            "{member}: {said}"
        );
    }
}

#[test]
fn postconditions_of_callees_are_their_obligations_in_what_callers_execute() {
    assert_said(
        "class Log { var lines: seq<int>
  predicate Ok() reads this { |lines| != 40 }
  method Add(x: int) requires Ok() modifies this ensures Ok() { lines := lines + [x]; }
}
method Fill(l: Log) requires l.Ok() && l.lines == [] modifies l {
  var i := 0;
  while i < 40 { l.Add(i); i := i + 1; }
}
function Next(x: int): (r: int) ensures r > x ensures Next(x) != 77 { x + 1 }
method Walk(n: nat) { var i := 70; while i < 80 { i := Next(i); } }
method Bump(a: array<int>) modifies a ensures a.Length == 20 ==> a[0] == old(a[0]) + 1 { }
method Rise() { var a := new int[20](i => i); Bump(a); assert a[0] == 1; }
class Fresh { var n: int constructor(k: int) ensures fresh(this) && n == k { n := if k == 12 then 0 else k; } }
method Make(k: int) { var i := 10; while i < 14 { var f := new Fresh(i); i := i + 1; } }
",
        &[
            "Log.Add: Postcondition `Ok()`: within bounds",
            "Fill: elsewhere `Ok()`: the postcondition does not hold",
            "Next: Postcondition `Next(x) != 77`: violated: x = 76",
            "Walk: elsewhere `Next(x) != 77`: the postcondition does not hold",
            "Bump: Postcondition `a.Length == 20 ==> a[0] == old(a[0]) + 1`: violated: a = array<int> [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "Rise: Assertion `a[0] == 1`: violated assuming",
            "Rise: elsewhere `a.Length == 20 ==> a[0] == old(a[0]) + 1`: the postcondition does not hold",
            "Fresh._ctor: Postcondition `fresh(this) && n == k`: violated: this = Fresh, k = 12",
            "Make: elsewhere `fresh(this) && n == k`: the postcondition does not hold",
        ],
    );
}

#[test]
fn every_precondition_of_a_call_is_an_obligation_of_its_own() {
    assert_said(
        "method Need(x: int, y: int) requires x > 0 requires 10 / x > 3 requires y > 0 {}
method Call(x: int, y: int) { if x == 2 { Need(x, y); } else if y > 5 { Need(x, y); } }
function Half(x: int): int requires x >= 0 requires x % 2 == 0 { x / 2 }
function Use(x: nat): int { Half(x) }
",
        &[
            "Call: Precondition `Need(x, y);`: violated: x = 2, y = 0",
            "Call: Precondition `Need(x, y);`: violated: x = 0, y = 6",
            "Call: Precondition `Need(x, y);`: violated: x = 3, y = 6",
            "Use: Precondition `Half(x)`: violated: x = 1",
        ],
    );
}

#[test]
fn a_contradiction_over_elements_of_unknown_collections_is_proved() {
    for (parameters, requires) in [
        (
            "m: map<int, int>, k: int",
            "(forall x <- m :: m[x] > x) && k in m && m[k] == k",
        ),
        (
            "s: set<int>, k: int",
            "(forall x <- s :: x > 3) && k in s && k == 2",
        ),
    ] {
        let source = format!("method M({parameters}) requires {requires} {{ assert false; }}");
        assert_said(&source, &[]);
    }
    // Two maps are not the same, however little is known of them.
    let said = check(
        "method M(a: map<int, int>, b: map<int, int>, k: int) requires k in a && k in b { assert a[k] == b[k]; }",
    );
    assert!(said.contains("violated"), "{said}");
    let said = check(
        "method M(a: map<int, int>, b: map<int, int>, k: int) requires k in a && forall x <- b :: b[x] > 3 { assert k !in a || a[k] > 3; }",
    );
    assert!(said.contains("violated"), "{said}");
}
