//! Tests of dead code: blocks that only large inputs reach must never be reported as certainly
//! dead, even at bounds that hide them.

use super::{Strength, Verdict, dead_unit};
use crate::{Bounds, Options};
use dtest_ir::{Criteria, Criterion};
use dtest_lower::testing::{lowered, resolved};
use dtest_lower::units::units;

/// Options for the solver alone, at the smallest bounds.
fn blinkered() -> Options {
    Options {
        seeds: 0,
        enumerate: 0,
        caps: Bounds::START,
        ..Options::default()
    }
}

/// The outermost dead blocks by their text and strength: `P` for proved, `A` under assertions, `G`
/// under assumptions, `B` within bounds, and `F` for blocks that always fail.
fn dead(source: &str, options: &Options) -> Vec<(String, char)> {
    // Type tests of subset types require the type system refresh.
    let language = dafny_resolve::typed::Options {
        type_system_refresh: true,
        ..Default::default()
    };
    let (map, typed) = resolved(source, language);
    let program = dtest_lower::lower_for(
        std::sync::Arc::new(typed),
        Criteria::new([Criterion::Flow]).unwrap(),
    );
    let mut out = Vec::new();
    for unit in units(&program.typed, |_| true) {
        for (goal, verdict) in dead_unit(&program, unit.callable, options).goals {
            let strength = match verdict {
                Verdict::Dead {
                    cause: super::Cause::Inside(_),
                    ..
                }
                | Verdict::AlwaysFails {
                    inside: Some(_), ..
                } => continue,
                Verdict::Dead {
                    strength: Strength::Proved,
                    ..
                } => 'P',
                Verdict::Dead {
                    strength: Strength::GivenAssertions,
                    ..
                } => 'A',
                Verdict::Dead {
                    strength: Strength::GivenAssumptions,
                    ..
                } => 'G',
                Verdict::Dead {
                    strength: Strength::WithinBounds { .. },
                    ..
                } => 'B',
                Verdict::AlwaysFails { inside: None, .. } => 'F',
                Verdict::Reached
                | Verdict::OnlyByChoice
                | Verdict::OnlyByFinding { .. }
                | Verdict::Open(_) => continue,
            };
            let text = program
                .goal(unit.callable, goal)
                .map_or("", |g| map.text(g.span));
            out.push((text.to_owned(), strength));
        }
    }
    out
}

#[test]
fn blocks_beyond_the_bounds_are_not_reported_as_dead() {
    let sources = [
        // Added elements may already be among those beyond the slots.
        "method M(s: set<int>, x: int, y: int, z: int, w: int) {
           if x in s && y in s && z in s && w in s && x < y < z < w && |s| == 4 && |s + {x} + {y} + {z} + {w}| == 4 { print 1; } }",
        "method M(m: map<int, int>) {
           if |m| == 4 && 1 in m && 2 in m && 3 in m && 4 in m && |m[1 := 0][2 := 0][3 := 0][4 := 0]| == 4 { print 1; } }",
        // Operators may drop all elements beyond the slots.
        "method M(s: set<int>) { if |s| == 9 && |s * {1}| == 0 { print 1; } }",
        "method M(s: set<int>, t: set<int>) { if |s| == 6 && |s - t| == 0 { print 1; } }",
        "method M(m: map<int, int>) { if |m| == 9 && |m.Values| == 1 { print 1; } }",
        "method M(m: multiset<int>) { if |m| == 9 && |m * multiset{1}| == 0 { print 1; } }",
        // Elements move to other positions.
        "method M(b: seq<int>, c: bool) {
           var a: seq<int> := [];
           if c { a := [7, 8]; }
           var s := a + b;
           if !c && |b| == 4 && s[3] == 5 && b[1] == 0 { print 1; } }",
        "method M(s: seq<int>, i: int) {
           if |s| > 5 { var t := s[1..4]; if i == 2 && t[i] != s[1] && s[3] != s[1] { print 1; } } }",
        "method M(s: seq<int>) { if |s| > 5 { var t := s[1..4]; if 77 in t && s[1] != 77 && s[2] != 77 { print 1; } } }",
        // A type may constrain elements beyond the slots.
        "type Small = x: int | 0 <= x < 10
         method M(s: seq<int>) {
           if |s| == 5 && s[0] == 1 && s[1] == 2 && s[2] == 3 && s[3] == 4 && exists x | x in s :: !(x is Small) { print 1; } }",
        "type Small = x: int | 0 <= x < 10
         datatype Box = Box(s: seq<int>)
         method M(s: seq<seq<int>>) { if |s| > 4 && !(s is seq<seq<Small>>) && s[0] == [] && s[1] == [] { print 1; } }",
        // Loops and recursion exceed the bounds.
        "method M(s: seq<int>) {
           var t: seq<int> := []; var i := 0;
           while i < |s| { t := [s[i]] + t; i := i + 1; }
           if |s| == 6 && t[0] == 9 && s[5] == 9 { print 1; } }",
        "function F(n: int): int { if n <= 0 then 0 else 1 + F(n - 1) }
         method M(n: int) { if F(n) == 30 { print 1; } }",
        "method M(n: int) { var i := 0; while true { if i == 20 { break; } i := i + 1; } print 1; }",
        // Objects may be identical, and may lead to many others.
        "class C { var next: C?  var v: int }
         method M(c: C) { var p: C? := c; var k := 0; while p != null && k < 10 { p := p.next; k := k + 1; } if k == 7 { print 1; } }",
        "class C { var next: C?  var v: int }
         method M(a: C, b: C, c: C) modifies a, b, c {
           a.v := 1; b.v := 2; c.v := 3;
           if a.v == 1 && b.v == 2 { print 1; }
           if a.v == 3 && b.v == 3 { print 2; }
           if a.v == 2 { print 3; } }",
        "class C { var next: C? }
         method M(a: C) {
           if a.next != null && a.next.next != null && a.next.next.next == a && a.next != a && a.next.next != a { print 1; } }",
        "method M(a: array<int>, b: array<int>) modifies a, b {
           if a.Length > 5 && b.Length > 5 { a[4] := 1; b[4] := 2; if a[4] == 2 { print 1; } if a[4] == 1 { print 2; } } }",
        "method M(a: array<int>) modifies a {
           var i := 0;
           while i < a.Length { a[i] := i; i := i + 1; }
           if a.Length > 6 && a[6] == 6 { print 1; } }",
        // A partial function may be defined for some arguments only. Ordinals exceed the natural
        // numbers.
        "method M(f: int --> int, x: int) returns (r: int) requires f.requires(0) && !f.requires(1)
         { if x == 0 { r := f(x); } else { r := 1; } }",
        "method M(fs: seq<int --> int>) returns (r: int) requires |fs| == 2 && fs[0].requires(0) && !fs[1].requires(0) { r := fs[0](0); }",
        "method M(o: ORDINAL) { if !o.IsNat { print 1; } if o.IsLimit && o != 0 { print 2; } }",
        // Execution stops at the element that decides a quantifier, so that the zero after it is
        // not divided by.
        "method M(s: seq<int>) {
           if |s| == 2 && s[1] == 0 && !(forall i | 0 <= i < 2 :: 10 / s[i] >= 5) { print 2; } }",
    ];
    assert_none_dead(&sources);
}

#[test]
fn functions_of_parts_beyond_the_bounds_are_not_constant() {
    let sources = [
        // Two values may differ beyond the bounds although they are equal within.
        "datatype Rose = Rose(v: int, kids: seq<Rose>) function V(r: Rose): int { r.v }
         method M(r: Rose) { if |r.kids| == 2 { if V(r.kids[0]) != V(r.kids[1]) { print 1; } } }",
        "datatype Rose = Rose(v: int, kids: seq<Rose>) function V(r: Rose): int { r.v }
         method M(r: Rose) { if |r.kids| == 1 && |r.kids[0].kids| == 2 { if V(r.kids[0].kids[0]) != V(r.kids[0].kids[1]) { print 1; } } }",
        "datatype Rose = Rose(v: int, kids: seq<Rose>) function V(r: Rose): int { r.v }
         method M(r: Rose) {
           if |r.kids| == 1 && |r.kids[0].kids| == 1 && |r.kids[0].kids[0].kids| == 2 {
             if V(r.kids[0].kids[0].kids[0]) != V(r.kids[0].kids[0].kids[1]) { print 1; } } }",
        "function At(s: seq<int>): int { if |s| > 100 then s[100] else 0 }
         method M(s: seq<int>, v: int) { if |s| > 100 { if At(s) != At(s[100 := v]) { print 1; } } }",
        "function At(s: seq<int>): int { if |s| > 100 then s[100] else 0 }
         method M(s: seq<int>) { if |s| > 102 { var t := [s[0], s[1]] + s[3..] + [s[2]]; if |t| == |s| && At(t) != At(s) { print 1; } } }",
        "function At(s: seq<int>): int { if |s| > 100 then s[100] else 0 }
         method M(s: seq<int>) { if |s| > 104 { if At(s[1..]) != At(s[2..]) { print 1; } if At(s[..104]) != At(s[1..103] ) { print 2; } } }",
        "function At(s: seq<int>): int { if |s| > 100 then s[100] else 0 }
         method M(s: seq<int>, r: seq<int>) { if |s| > 100 && |r| > 100 { if At(r + s) != At(s + r) { print 2; } } }",
        "function Card(s: set<int>): int { if |s| > 5 then |s| else 0 }
         method M(s: set<int>, x: int) { if |s| > 6 { var t := s - {x}; if Card(s) != Card(t) { print 1; } } }",
        "function Card(s: set<int>): int { if |s| > 5 then |s| else 0 }
         method M(s: set<int>, r: set<int>) { if |s| > 6 && |r| > 6 { if Card(s) != Card(s + r) { print 1; } if Card(s) != Card(s * r) { print 2; } if Card(s) != Card(r) { print 3; } } }",
        "function Card(s: set<int>): int { if |s| > 5 then |s| else 0 }
         method M(s: set<int>) { var t := set x | x in s && x > 3; if Card(s) != Card(t) { print 1; } }",
        "function Card(m: map<int, int>): int { if |m| > 5 then |m| else 0 }
         method M(m: map<int, int>, x: int) { var t := m - {x}; if Card(m) != Card(t) { print 1; } }",
        "function Get(m: map<int, int>, k: int): int { if k in m then m[k] else 0 }
         method M(m: map<int, int>, k: int, v: int) { var t := m[k := v]; if Get(m, k) != Get(t, k) { print 1; } }",
        "function Get(m: map<int, int>, k: int): int { if k in m then m[k] else 0 }
         method M(m: map<int, int>, r: map<int, int>, k: int) { if Get(m, k) != Get(m + r, k) { print 1; } }",
        "function Count(m: multiset<int>, x: int): nat { m[x] }
         method M(s: seq<int>) { if |s| > 100 { if Count(multiset(s), 7) != Count(multiset(s[100 := 7]), 7) { print 1; } if multiset(s) != multiset(s[100 := 7]) { print 2; } } }",
        "method M(s: seq<int>, m: map<int, int>) { if |s| > 100 && s != s[100 := 7] { print 1; } if |m| > 5 && m.Keys != m.Values { print 2; } if |m| > 5 && m != m - {7} { print 3; } }",
        "function Card(m: multiset<int>): int { if |m| > 5 then |m| else 0 }
         method M(s: multiset<int>, x: int) { if |s| > 6 { var t := s - multiset{x}; if Card(s) != Card(t) { print 1; } } }",
        "function Card(m: multiset<int>): int { if |m| > 5 then |m| else 0 }
         method M(s: seq<int>, r: seq<int>) { if |s| > 6 && |r| > 6 { if Card(multiset(s)) != Card(multiset(r)) { print 1; } } }",
        "function At(a: array<int>): int reads a { if a.Length > 100 then a[100] else 0 }
         method M(a: array<int>) modifies a { if a.Length > 100 { var x := At(a); a[100] := 7; var y := At(a); if x != y { print 1; } } }",
        "function At(s: seq<int>): int { if |s| > 100 then s[100] else 0 }
         method M(a: array<int>) modifies a { if a.Length > 100 { var x := At(a[..]); a[100] := 7; var y := At(a[..]); if x != y { print 1; } } }",
        "datatype L = N | C(h: int, t: L) function D(l: L): int { if l.C? && l.t.C? && l.t.t.C? && l.t.t.t.C? then l.t.t.t.h else 0 }
         method M(l: L, m: L) { if l.C? && m.C? && l.h == m.h && l.t.C? && m.t.C? && l.t.h == m.t.h { if D(l) != D(m) { print 1; } } }",
        "datatype T = B(l: T, r: T) | E function S(t: T): int { match t case E => 0 case B(l, r) => 1 + S(l) + S(r) }
         method M(t: T) { if t.B? && t.l.B? && t.r.B? && t.l.l.B? && t.l.r.B? && t.r.l.B? && t.r.r.B? { if S(t.l.l) != S(t.r.r) { print 1; } if S(t.l.l.l) != S(t.l.l.r) { print 2; } } }",
        "codatatype S = C(h: int, t: S) method M(s: S) { if s.t.t.t.t.t.t.h == 5 { print 1; } if s.t.t.t.t.h != s.t.t.t.t.t.h { print 2; } }",
        "codatatype S = E | C(h: int, t: S) function F(s: S): int { if s.C? then s.h else 0 }
         method M(s: S, r: S) { if s.C? && s.t.C? && s.t.t.C? && s.t.t.t.C? && F(s.t.t.t) == 7 { print 1; } if s.C? && r.C? && s.h == r.h && F(s.t) != F(r.t) { print 2; } }",
        "class Cell { var s: seq<int> } function At(c: Cell): int reads c { if |c.s| > 100 then c.s[100] else 0 }
         method M(c: Cell, v: int) modifies c { if |c.s| > 100 { var x := At(c); c.s := c.s[100 := v]; if x != At(c) { print 1; } } }",
    ];
    assert_none_dead(&sources);
}

/// Checks that no block of these programs is reported as dead without a doubt.
#[track_caller]
fn assert_none_dead(sources: &[&str]) {
    for source in sources {
        let sure: Vec<_> = dead(source, &blinkered())
            .into_iter()
            .filter(|(_, s)| *s != 'B')
            .collect();
        assert_eq!(sure, [], "{source}");
    }
}

/// Programs with a block that is reached only if a nondeterministic choice is resolved differently
/// from the rule for choices.
pub(in super::super) const CHOICES: &[&str] = &[
    // The choice between several guards that hold.
    "method M(x: int) returns (r: int) { if { case x >= 0 => r := 1; case x > 9 => r := 2; case x < 0 => r := 3; } }",
    "method M(n: nat) returns (a: nat, b: nat) { a, b := 0, 0; while decreases n - a - b { case a + b < n => a := a + 1; case a + b < n => b := b + 1; } }",
    "method M(s: set<int>) returns (r: int) { if { case x :| x in s => r := x; case |s| > 1 => r := 0; case true => r := 2; } }",
    // Each call and each iteration of a loop makes its own choices.
    "method Any() returns (y: int) { y := *; } method M() { var a := Any(); var b := Any(); if a != b { print 1; } }",
    "method Pick() returns (y: int) { y :| 0 <= y < 10; } method M() { var a := Pick(); var b := Pick(); if a != b { print 1; } }",
    "method Flip() returns (y: bool) { if * { y := true; } else { y := false; } } method M() { var a := Flip(); var b := Flip(); if a != b { print 1; } }",
    "class C { constructor () {} method G() returns (y: int) { y :| 0 <= y < 5; } }
     method M() { var c := new C(); var a := c.G(); var b := c.G(); if a != b { print 1; } }",
    "method Pick(s: seq<int>) returns (i: nat) requires s != [] { i :| 0 <= i < |s|; }
     method M(s: seq<int>) requires s != [] { var a := Pick(s); var b := Pick(s); if s[a] < s[b] { print 1; } }",
    "method Set(a: array<int>) modifies a requires a.Length > 1 { var i: nat :| i < a.Length; a[i] := 7; }
     method M(a: array<int>) modifies a requires a.Length == 2 && a[..] == [0, 0] { Set(a); if a[1] == 7 { print 1; } }",
    "method M() { var r := 0; for i := 0 to 2 { var y :| 0 <= y < 10; r := r + y; } if r % 2 == 1 { print 1; } }",
    "method M() { var s := {1, 2, 3}; var t := []; while s != {} { var x :| x in s; s := s - {x}; t := t + [x]; } if t == [3, 1, 2] { print 1; } }",
    "method Pick() returns (y: int) { y :| 0 <= y < 10; }
     method Twice() returns (a: int, b: int) { a := Pick(); b := Pick(); }
     method M() { var a, b := Twice(); if a != b { print 1; } }",
    // Each variable of an assignment is chosen separately.
    "method M() { var a: bool, b: bool := *, *; if a && !b { print 1; } }",
    "method M() { var x: nat := *; if x * x == 49 { print 1; } }",
    // Elements, fields and variables without a value.
    "method M() { var a := new int[2]; if a[0] != a[1] { print 1; } }",
    "method M() { var a := new bool[2, 2]; if a[0, 1] { print 1; } }",
    "method M(n: nat) { var a := new int[n]; for i := 0 to n { if a[i] == 3 { print 1; } } }",
    "class C { var f: int constructor () {} } method M() { var c := new C(); var d := new C(); if c.f != d.f { print 1; } }",
    "class C { var f: int constructor (b: bool) { new; if b { f := 1; } } } method M(b: bool) { var c := new C(b); if c.f == 2 { print 1; } }",
    // The fields after `modify`.
    "class C { var f: int constructor () {} } method M(c: C) modifies c { c.f := 1; modify c; if c.f == 2 { print 1; } }",
    // Choices in constants and functions.
    "const K: int := var y: int :| 5 <= y < 10; y method M() { if K == 7 { print 1; } }",
    "class C { const h: int := var y: int :| 0 <= y < 5; y constructor () {} } method M(c: C) { if c.h == 3 { print 1; } }",
    "function F(): int { var y: int :| 0 <= y < 10; y } method M() { if F() == 7 { print 1; } }",
    "function F(): int { var y: int :| 0 <= y < 10; y } const K := F() method M() { if K == 7 { print 1; } }",
    "type Sub = x: int | 0 <= x witness (var y: int :| 0 <= y < 10; y)
     class C { var x: Sub constructor () {} } method M() { var c := new C(); if c.x == 7 { print 1; } }",
    "method M() { var f := (n: int) => (var y: int :| 0 <= y < n; y); if f(10) == 7 { print 1; } }",
];

#[test]
fn blocks_that_another_choice_reaches_are_not_reported_as_dead() {
    for source in CHOICES {
        for options in [blinkered(), Options::default()] {
            // Some of the blocks lie beyond the smallest bounds.
            let sure: Vec<_> = dead(source, &options)
                .into_iter()
                .filter(|(_, s)| *s != 'B')
                .collect();
            assert_eq!(sure, [], "{source}");
        }
    }
}

#[test]
fn blocks_that_another_choice_reaches_have_their_own_verdict() {
    let mut missed = Vec::new();
    for source in CHOICES {
        let (_, program) = lowered(source, Criteria::default());
        let verdicts = units(&program.typed, |_| true)
            .into_iter()
            .flat_map(|u| dead_unit(&program, u.callable, &Options::default()).goals);
        if !verdicts
            .into_iter()
            .any(|(_, v)| v == Verdict::OnlyByChoice)
        {
            missed.push(source);
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn what_no_resolution_of_a_choice_reaches_is_dead() {
    let cases = [
        (
            "method M(x: int) { if { case x >= 0 => print 2; case x < 0 => if x == 3 { print 1; } } }",
            "{ print 1; }",
        ),
        (
            "method Pick() returns (y: int) { y :| 0 <= y < 10; } method M() { var a := Pick(); if a == 10 { print 1; } }",
            "{ print 1; }",
        ),
        (
            "const K: int := var y: int :| 5 <= y < 10; y method M() { if K == 4 { print 1; } }",
            "{ print 1; }",
        ),
        (
            "const K: int := var y: int :| 5 <= y < 10; y method M() { var k := K; if K != k { print 1; } }",
            "{ print 1; }",
        ),
        (
            "method M() { var a := new int[2]; if a[0] != a[0] { print 1; } }",
            "{ print 1; }",
        ),
    ];
    for (source, text) in cases {
        assert_eq!(
            dead(source, &Options::default()),
            [(text.to_owned(), 'P')],
            "{source}"
        );
    }
}

#[test]
fn no_block_of_a_program_with_large_inputs_is_reported_as_certainly_dead() {
    let sure: Vec<_> = dead(include_str!("beyond.dfy"), &blinkered())
        .into_iter()
        .filter(|(_, s)| *s != 'B')
        .collect();
    assert_eq!(sure, []);
}

#[test]
fn the_strength_of_a_claim_is_that_of_its_weakest_fact() {
    let cases = [
        (
            "method M(x: int) { if x > 3 { if x < 2 { print 1; } } }",
            "{ print 1; }",
            'P',
        ),
        (
            "method M(x: nat) { if x < 0 { print 1; } }",
            "{ print 1; }",
            'P',
        ),
        (
            "method M(a: set<int>, b: set<int>, c: set<int>, x: int) { if a !! b !! c { if x in a && x in c { print 1; } } }",
            "{ print 1; }",
            'B',
        ),
        (
            "method M(x: int) { expect x > 3; if x < 2 { print 1; } }",
            "{ print 1; }",
            'P',
        ),
        (
            "method M(x: int) { assert x > 3; if x < 2 { print 1; } }",
            "{ print 1; }",
            'A',
        ),
        (
            "method M(n: nat) { var i := 0; while i < n invariant i <= n { i := i + 1; } if i > n { print 1; } }",
            "{ print 1; }",
            'A',
        ),
        (
            "method M(n: nat) { for i := 0 to n { if i >= n { print 1; } } }",
            "{ print 1; }",
            'P',
        ),
        (
            "method M(n: int) { var i := 0; while i < n { i := i + 1; } if i > n + 1 && n > 0 { print 1; } }",
            "{ print 1; }",
            'B',
        ),
        (
            "function F(n: nat): int { if n == 0 then 0 else 2 + F(n - 1) } method M(n: nat) { if F(n) % 2 == 1 { print 1; } }",
            "{ print 1; }",
            'B',
        ),
        (
            "function F(n: nat): (r: int) ensures r >= n { if n == 0 then 0 else 2 + F(n - 1) } method M(n: nat) { if F(n) < n { print 1; } }",
            "{ print 1; }",
            'A',
        ),
        (
            "method M(x: int) returns (r: int) { return 1; r := x; }",
            "r := x;",
            'P',
        ),
        (
            "method M(x: int) decreases * { while true decreases * { } print x; }",
            "print x;",
            'P',
        ),
    ];
    for (source, text, strength) in cases {
        assert_eq!(
            dead(source, &Options::default()),
            [(text.to_owned(), strength)],
            "{source}"
        );
    }
}
