//! Tests of the mutation operators on small programs: the mutants of a unit, by their descriptions.

use super::MutationKind;
use crate::describe;
use dtest_ir::Criteria;
use dtest_lower::testing::lowered;
use dtest_lower::units;

/// The descriptions of the mutants of the first unit.
fn mutants(source: &str) -> Vec<String> {
    let (sources, program) = lowered(source, Criteria::default());
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    super::of(&program, unit)
        .iter()
        .map(|m| describe::mutation(&m.mutation, &sources))
        .collect()
}

#[track_caller]
fn assert_has(source: &str, expected: &[&str]) {
    let found = mutants(source);
    for e in expected {
        assert!(found.iter().any(|f| f == e), "no {e} among {found:#?}");
    }
}

#[track_caller]
fn assert_lacks(source: &str, unexpected: &[&str]) {
    let found = mutants(source);
    for e in unexpected {
        assert!(
            found.iter().all(|f| !f.contains(e)),
            "{e} is among {found:#?}"
        );
    }
}

#[test]
fn operators_constants_and_variables_are_exchanged() {
    assert_has(
        "method M(a: int, b: int) returns (r: int) { if a < b { r := a + 2; } else { r := b; } }",
        &[
            "`a <= b` instead of `a < b`",
            "`b` instead of `a`",
            "`a - 2` instead of `a + 2`",
            "`3` instead of `2`",
            "`a` instead of `b`",
        ],
    );
    assert_has(
        "function F(a: int, b: int): bool { a > b || b > 3 }",
        &[
            "`a >= b` instead of `a > b`",
            "`&&` and `||` exchanged after `a > b`",
        ],
    );
}

#[test]
fn literals_are_exchanged_however_they_are_written() {
    assert_has(
        "predicate Lead(b: int) { 0xC2 <= b < 0x0F0 || b == 1_000 || b == 007 }",
        &[
            "`193` instead of `0xC2`",
            "`241` instead of `0x0F0`",
            "`1001` instead of `1_000`",
            "`6` instead of `007`",
        ],
    );
    assert_has(
        r#"function Escaped(b: bool): string { if b then "a\tb" else "c" }"#,
        &[r#"`""` instead of `"a\tb"`"#],
    );
}

#[test]
fn loops_that_assign_in_a_branch_may_end_there() {
    let hints = |source: &str| {
        let (sources, program) = lowered(source, Criteria::default());
        let unit = units::units(&program.typed, |_| true)[0].callable;
        let hints = super::hints(&program, unit);
        // A hint changes code, and is none of the mutants.
        let mutants = super::of(&program, unit);
        assert!(hints.iter().all(|h| {
            let same = |m: &super::Mutant| {
                (m.mutation.span, &m.mutation.kind, &m.mutation.instead)
                    == (h.mutation.span, &h.mutation.kind, &h.mutation.instead)
            };
            let is_everywhere = h.mutation.kind == super::MutationKind::Order;
            h.mutation.is_hint
                && !mutants.iter().any(same)
                && (h.block().is_some() || is_everywhere)
        }));
        let shown = hints.iter();
        shown
            .map(|h| describe::mutation(&h.mutation, &sources))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        hints(
            "method M(s: seq<int>, k: int) returns (at: int) { at := -1; for i := 0 to |s| { if s[i] == k { at := i; } } }"
        ),
        [
            "`break;` after the assignment of `i`",
            "`s[i] == k && |s| <= 1` instead of `s[i] == k`",
            "`s[i] == k && k != 0` instead of `s[i] == k`",
            "`s[i] == k && at <= 1` instead of `s[i] == k`",
            "`s[i] == k && i <= 1` instead of `s[i] == k`",
            "`s[i] + 1 == k` instead of `s[i] == k`",
            "`i := 0 to |s| in the opposite order` instead of `i := 0 to |s|`",
            "`i := 0 to |s| from one less` instead of `i := 0 to |s|`",
            "`i := 0 to |s| from one more` instead of `i := 0 to |s|`",
        ]
    );
    // Nothing after the loop depends on the assignment, or it is in every iteration.
    assert_eq!(
        hints(
            "method M(s: seq<int>) returns (n: int) { n := 0; var b := false; for i := 0 to |s| { n := s[i]; if n > 3 { b := true; } } }"
        ),
        [
            "`n > 3 && |s| <= 1` instead of `n > 3`",
            "`n > 3 && i <= 1` instead of `n > 3`",
            "`i := 0 to |s| in the opposite order` instead of `i := 0 to |s|`",
            "`i := 0 to |s| from one less` instead of `i := 0 to |s|`",
            "`i := 0 to |s| from one more` instead of `i := 0 to |s|`",
        ]
    );
}

#[test]
fn each_operand_of_a_decision_may_be_missing() {
    let source = "method M(a: int, b: int) returns (r: int) { r := 0; if a < 1 || (b < 2 && a < 3) { r := 1; } while r < a && r < b { r := r + 1; } }";
    let missing = [
        "`false` instead of `a < 1`",
        "`true` instead of `b < 2`",
        "`true` instead of `a < 3`",
        "`true` instead of `r < a`",
        "`true` instead of `r < b`",
    ];
    assert_has(source, &missing);
    assert_lacks(
        source,
        &[
            "`true` instead of `a < 1`",
            "`false` instead of `b < 2`",
            "`false` instead of `a < 3`",
            "`false` instead of `r < b`",
        ],
    );
    // A whole decision has a mutation operator of its own.
    let (sources, program) = lowered(
        "method M(a: int) returns (r: int) { if a < 1 { r := 1; } else { r := 2; } }",
        Criteria::default(),
    );
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let all = super::of(&program, unit);
    let missing = all
        .iter()
        .filter(|m| m.mutation.kind == MutationKind::Operand)
        .map(|m| describe::mutation(&m.mutation, &sources));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_operand_of_an_operation_may_be_what_is_left_of_it() {
    let source = "method M(a: int, b: int, s: set<int>, t: set<int>, x: bv8) returns (r: int, u: set<int>, y: bv8) { r := a + b; r := r + a % 10; r := r - 1; u := s * t; u := u - t; y := x << 2; y := y | x; }";
    let missing = [
        "`a` instead of `a + b`",
        "`b` instead of `a + b`",
        "`r` instead of `r + a % 10`",
        "`a % 10` instead of `r + a % 10`",
        "`a` instead of `a % 10`",
        "`s` instead of `s * t`",
        "`t` instead of `s * t`",
        "`u` instead of `u - t`",
        "`x` instead of `x << 2`",
        "`y` instead of `y | x`",
        "`x` instead of `y | x`",
    ];
    assert_has(source, &missing);
    assert_lacks(
        source,
        &[
            "`r` instead of `r - 1`",
            "`10` instead of",
            "`2` instead of `x",
            "`t` instead of `u - t`",
        ],
    );
}

#[test]
fn decisions_may_always_go_the_same_way() {
    let source = "method M(a: int) returns (r: int, b: bool) { r := 0; b := r < a; if a > 3 { r := 1; } while r < a { r := r + 1; } }";
    assert_has(
        source,
        &[
            "`true` instead of `a > 3`",
            "`false` instead of `a > 3`",
            "`false` instead of `r < a`",
            "`true` instead of `r < a`",
        ],
    );
    assert_eq!(
        mutants(source)
            .iter()
            .filter(|m| **m == "`true` instead of `r < a`")
            .count(),
        1,
        "only what is kept, not the loop's"
    );
    assert_has(
        "function F(a: bool, b: bool): (bool, bool) { (a, !b) }",
        &["`!(a)` instead of `a`", "`b` instead of `!b`"],
    );
}

#[test]
fn calls_are_replaced_by_calls_of_neighbours_or_by_default_values() {
    let source = "method M(a: int) returns (r: int, s: seq<int>) { r := Low(a); s := Twice(s); r := r + High(a) + 700; } function Low(a: int): int { a - 1 } function High(a: int): int { a + 1 } function Other(a: nat): int { a } ghost function Spec(a: int): int { 0 } function Twice(s: seq<int>): seq<int> { s + s }";
    assert_has(
        source,
        &[
            "`High(a)` instead of `Low(a)`",
            "`Low(a)` instead of `High(a)`",
            "`0` instead of `Low(a)`",
            "`[]` instead of `Twice(s)`",
            "`0` instead of `700`",
        ],
    );
    assert_lacks(source, &["`Other", "`Spec", "of something else"]);
    let source = "class C { var n: int method M() modifies this { Up(); Down(); var k := Get(); this.n := k; Set(k); } method Up() modifies this { n := n + 1; } method Down() modifies this { n := n - 1; } method Set(k: int) modifies this { n := k; } method Get() returns (k: int) { k := n; } }";
    assert_has(source, &["another callee in `Up();`"]);
    assert_lacks(source, &["another callee in `var k := Get();`"]);
}

#[test]
fn neighbours_change_places_where_one_reads_what_the_other_writes() {
    let source = "method M(s: seq<int>) returns (r: int, n: int) { r, n := 0, 0; var i := 0; while i < |s| { r := r + s[i]; i := i + 1; n := 7; } }";
    assert_has(
        source,
        &["`i := i + 1; r := r + s[i];` instead of `r := r + s[i]; i := i + 1;`"],
    );
    assert_lacks(source, &["`n := 7; i := i + 1;`", "var i"]);
}

#[test]
fn statements_are_left_out_where_the_program_stays_one() {
    let source = "class C { var n: int method M(a: array<int>) modifies this, a requires a.Length > 0 { n := n + 1; a[0] := n; var x := 3; x := x + n; N(x); } method N(x: int) modifies this { n := x; } }";
    assert_has(
        source,
        &[
            "`n := n + 1;` is removed",
            "`a[0] := n;` is removed",
            "`x := x + n;` is removed",
            "`N(x);` is removed",
        ],
    );
    assert_lacks(source, &["`var x := 3;` is removed"]);
}

#[test]
fn jumps_are_left_out_where_execution_would_go_on_elsewhere() {
    let source = "method M(s: seq<int>, k: int) returns (r: nat) ensures true { r := 0; while r < |s| { if s[r] == k { break; } if s[r] < 0 { r := r + 2; continue; } if s[r] == 7 { r := 0; return; } r := r + 1; } }";
    assert_has(
        source,
        &[
            "`break;` is removed",
            "`continue;` is removed",
            "`return;` is removed",
        ],
    );
    assert_lacks(
        "method M(b: bool) returns (r: int) { r := 1; if b { return; } }",
        &["`return;`"],
    );
    assert_has(
        "method M(b: bool) returns (r: int) { r := 1; if b { return 3; } r := 2; }",
        &["`return 3;` is removed"],
    );
    assert_lacks(
        "method M(b: bool) returns (r: int) { if b { return 3; } r := 2; }",
        &["`return 3;`"],
    );
}

#[test]
fn arms_of_a_match_change_places_where_they_bind_nothing() {
    let source = "datatype D = A | B | C(n: int) function F(d: D): int { match d case A => 1 case B => 2 case C(n) => n }";
    assert_has(source, &["parts of `A => 1 case B => 2` exchanged"]);
    assert_lacks(source, &["case C(n) => n` change places"]);
}

#[test]
fn arguments_fields_and_constructors_are_exchanged() {
    assert_has(
        "datatype D = A(x: int, y: int) | B(x: int, y: int) function F(d: D, s: seq<int>): D requires |s| > 3 { if d.A? then B(d.x, s[1]) else G(s[0], d.y) } function G(i: int, j: int): D { A(i, j) }",
        &[
            "`B(s[1], d.x)` instead of `B(d.x, s[1])`",
            "`A(d.x, s[1])` instead of `B(d.x, s[1])`",
            "`d.y` instead of `d.x`",
            "`G(d.y, s[0])` instead of `G(s[0], d.y)`",
        ],
    );
    // What qualifies a constructor stays. Named arguments have other names.
    assert_has(
        "datatype D = D(x: int) | B(y: int) | N | M method P(n: int) returns (d: D, e: D, f: D) { d := D.D(n); e := B(y := n); f := D.N; }",
        &[
            "`D.B(n)` instead of `D.D(n)`",
            "another constructor in `B(y := n)`",
            "`D.M` instead of `D.N`",
        ],
    );
    assert_has(
        "method M(n: int) returns (b: bool) { var s: iset<int> := iset{n}; var m: imap<int, int> := imap[n := 1]; b := 2 in s && 1 in m; }",
        &[
            "`iset{}` instead of `iset{n}`",
            "`imap[]` instead of `imap[n := 1]`",
        ],
    );
    // An operand stays together with its variables.
    assert_has(
        "function F(n: int, m: int): int { (var k := n + 1; k * k) - m }",
        &["`m - (var k := n + 1; k * k)` instead of `(var k := n + 1; k * k) - m`"],
    );
    assert_has(
        "class C { var p: int var q: int method M() returns (r: int) { r := p; } }",
        &["`this.q` instead of `p`"],
    );
    assert_has(
        "class C { var p: int var q: int method M(that: C) returns (r: int) { r := p; } }",
        &["`that.p` instead of `p`"],
    );
    assert_has(
        "datatype T = Leaf | Node(l: T, v: int, r: T) { function Size(): nat { if Leaf? then 0 else l.Size() + 1 + r.Size() } }",
        &["`this.r` instead of `l`", "`this.l` instead of `r`"],
    );
}

#[test]
fn the_new_object_is_no_argument() {
    let source = "method M(c: C) returns (d: C) { d := c; d := new C(d, 2); } class C { var n: int constructor (that: C, k: int) { n := that.n + k; } }";
    assert_has(source, &["`3` instead of `2`"]);
    assert_lacks(source, &["d, d :="]);
}

#[test]
fn copies_are_not_taken_for_each_other() {
    let source = "method M(a: int, b: int) returns (r: int) { var m := a; if m < b { r := m; } else { m := m + 1; r := m; } }";
    assert_has(source, &["`b` instead of `m`", "`a` instead of `m`"]);
    assert_eq!(
        mutants(source)
            .iter()
            .filter(|m| **m == "`a` instead of `m`")
            .count(),
        1,
        "only after `m := m + 1`"
    );
    assert_has(
        "method M(a: int) returns (r: int) { r := a; while r > 3 { r := r - 1; } }",
        &["`a` instead of `r`"],
    );
}

#[test]
fn collections_and_quantifiers_have_mutants_of_their_own() {
    assert_has(
        "function F(s: seq<int>, m: map<int, int>): (seq<int>, map<int, int>, bool) { (s[1..] + s, m[1 := 2], forall x | x in s :: x > 0) }",
        &[
            "`s + s[1..]` instead of `s[1..] + s`",
            "`s` instead of `s[1..] + s`",
            "`m` instead of `m[1 := 2]`",
            "`exists x | x in s :: x > 0` instead of `forall x | x in s :: x > 0`",
            "`x >= 0` instead of `x > 0`",
        ],
    );
}

#[test]
fn one_side_of_a_union_may_be_missing() {
    let source = "method M(s: set<int>, n: int) returns (r: set<int>) { r := s + {n}; }";
    assert_has(
        source,
        &["`s` instead of `s + {n}`", "`{n}` instead of `s + {n}`"],
    );
}

#[test]
fn types_that_differ_in_constraints_are_alike() {
    // A `nat` operand of a sum of integers, and a variable of a narrower or wider type.
    assert_has(
        "method M(a: int, n: nat) returns (r: int) { r := a + n; }",
        &[
            "`a` instead of `a + n`",
            "`n` instead of `a + n`",
            "`n` instead of `a`",
            "`a` instead of `n`",
        ],
    );
    // Variables of the same type come first.
    assert_lacks(
        "method M(a: int, b: int, c: int, n: nat) returns (r: int) { r := a; }",
        &["`n` instead of `a`"],
    );
    assert_has(
        "type Small = x: nat | x < 100 datatype P = P(x: Small, y: int) class C { var p: nat var q: int method M(d: P, t: (nat, int), s: seq<nat>, u: seq<int>) returns (r: int, v: seq<int>, e: P, x: int, y: int, z: int) modifies this { x := p; y := d.x; z := t.1; r := F(p, q); v := s + u; e := P(p, r); } static function F(a: int, b: nat): nat { b } }",
        &[
            "`this.q` instead of `p`",
            "`d.y` instead of `d.x`",
            "`t.0` instead of `t.1`",
            "`F(q, p)` instead of `F(p, q)`",
            "`q` instead of `F(p, q)`",
            "`0` instead of `F(p, q)`",
            "`u + s` instead of `s + u`",
            "`P(r, p)` instead of `P(p, r)`",
        ],
    );
    // Other types keep their values apart: newtypes, and classes with other arguments.
    assert_lacks(
        "newtype Byte = x: int | 0 <= x < 256 method M(a: int, b: Byte, c: array<int>, d: array<nat>) returns (r: int, s: array<int>) { r := a; s := c; }",
        &["`b` instead of `a`", "`d` instead of `c`"],
    );
    assert_has(
        "function F(a: nat, n: nat, c: bool): nat { if c then G(n) else H(a) } function G(n: nat): nat { n } function H(n: int): nat { 1 }",
        &["`H(n)` instead of `G(n)`", "`G(a)` instead of `H(a)`"],
    );
}

#[test]
fn values_that_are_passed_on_may_be_default_values() {
    let source = "datatype D = D(n: int, s: seq<int>) class C { var f: nat method M(s: seq<int>, m: map<int, int>, ms: seq<map<int, int>>, k: int, a: array<int>) returns (d: D, r: int, n: map<int, int>) requires a.Length > 1 && |ms| > 0 modifies this, a { d := D(k, s); f := |s|; a[k] := f; r := F(d.n, |s|); n := m[k := k + r]; if r > 3 { n := ms[0]; } } } function F(a: int, b: int): int { a - b }";
    assert_has(
        source,
        &[
            "`0` instead of `k`",
            "`[]` instead of `s`",
            "`0` instead of `|s|`",
            "`0` instead of `f`",
            "`0` instead of `d.n`",
            "`map[]` instead of `m`",
            "`map[]` instead of `ms[0]`",
        ],
    );
    // As operands and in conditions, values are replaced by other operators.
    assert_lacks(
        "method M(a: int, b: int) returns (r: int) { if a < b { r := a + b; } else { r := 1; } }",
        &["`0` instead of `a`", "`0` instead of `b`"],
    );
}

#[test]
fn calls_are_replaced_by_arguments_and_parts_of_their_work() {
    let trees = "datatype T = Leaf | Node(l: T, v: int, r: T) method Insert(t: T, x: int) returns (r: T) { if t == Leaf { return Node(Leaf, x, Leaf); } var l := Insert(t.l, x); r := Balanced(l, t.v, t.r); } function Balanced(l: T, v: int, r: T): T { if l == r then Make(l, v, r) else Other(l, v, r) } function Make(l: T, v: int, r: T): T { if v == 0 then Leaf else Node(l, v, r) } function Other(l: T, v: int, r: T): T { Make(r, v, l) }";
    assert_has(
        trees,
        &[
            "`var l := t.l;` instead of `var l := Insert(t.l, x);`",
            "`l` instead of `Balanced(l, t.v, t.r)`",
            "`Make(l, t.v, t.r)` instead of `Balanced(l, t.v, t.r)`",
        ],
    );
    assert_has(
        "datatype T = Leaf | Node(l: T, v: int, r: T) function F(l: T, r: T): T { Make(l, 3, r) } function Make(l: T, v: int, r: T): T { if v == 0 then Leaf else Node(l, v, r) }",
        &["`T.Node(l, 3, r)` instead of `Make(l, 3, r)`"],
    );
    // Generic functions, by the positions of their type parameters.
    assert_has(
        "function F(s: seq<int>): seq<int> { Twice(s) } function Twice<A>(s: seq<A>): seq<A> { Once(s) + s } function Once<B>(s: seq<B>): seq<B> { s } function Third<B>(s: seq<B>, b: B): seq<B> { s }",
        &[
            "`Once(s)` instead of `Twice(s)`",
            "`s` instead of `Twice(s)`",
        ],
    );
    // A method with another signature, and a call with several results.
    let source = "class C { var f: int method M(k: int, b: bool) returns (r: int, u: int) modifies this { f := N(k); r := f; r := N(r); var p, q := Two(k); u := p; var z := Q(b); u := u + z; } method N(k: int) returns (r: int) { r := O(k); r := r + 1; } method O(k: int) returns (r: int) { r := k; } method Two(k: int) returns (p: int, q: int) { p, q := k, k; } method Q(b: bool) returns (r: int) { r := 1; } }";
    assert_has(
        source,
        &[
            "`this.f := k;` instead of `f := N(k);`",
            "`this.f := this.O(k);` instead of `f := N(k);`",
            "`r := this.O(r);` instead of `r := N(r);`",
            "`f := N(k);` is removed",
            "`r := N(r);` is removed",
        ],
    );
    assert_lacks(source, &["var p, q :=", "Q(b)"]);
}

#[test]
fn empty_collections_have_a_text_only_where_they_have_a_type() {
    let source = "method M(a: int) returns (r: int, b: bool, c: bool) { r := |F(a)|; b := F(a) == []; c := a in F(a); } function F(a: int): seq<int> { [a] }";
    assert_has(
        source,
        &["another constant for `F(a)`", "`[]` instead of `F(a)`"],
    );
    let with_text = mutants(source)
        .iter()
        .filter(|m| m.starts_with("`[]`"))
        .count();
    assert_eq!(with_text, 1, "only the one in `a in F(a)`");
}

#[test]
fn quantifiers_in_parentheses_keep_their_variables() {
    assert_has(
        "function F(s: seq<int>): bool { (forall i | 0 <= i < |s| :: s[i] > 0) }",
        &[
            "`(exists i | 0 <= i < |s| :: s[i] > 0)` instead of `(forall i | 0 <= i < |s| :: s[i] > 0)`",
        ],
    );
}

#[test]
fn variables_that_are_not_declared_replace_none() {
    let (sources, program) = lowered(
        "iterator Count(n: nat, k: int) yields (x: int) { x := 0; while x < n { x := x + k; yield; } }",
        Criteria::default(),
    );
    let units = units::units(&program.typed, |_| true);
    let all = units.iter().flat_map(|u| super::of(&program, u.callable));
    let texts: Vec<String> = all
        .map(|m| describe::mutation(&m.mutation, &sources))
        .collect();
    assert!(
        texts.iter().any(|t| t == "`x - k` instead of `x + k`"),
        "{texts:#?}"
    );
    for t in &texts {
        assert!(!t.starts_with("`calls`") && !t.starts_with("`more`"), "{t}");
    }
}

#[test]
fn updates_lose_their_change() {
    assert_has(
        "datatype D = A(x: int, y: int) | B(x: int) function F(d: D, s: seq<int>, e: D): (D, D, seq<int>) requires e.A? && |s| > 0 { (d.(x := 3), e.(x := d.x, y := 4), s[0 := 7]) }",
        &[
            "`d` instead of `d.(x := 3)`",
            "`e` instead of `e.(x := d.x, y := 4)`",
            "`s` instead of `s[0 := 7]`",
            "`4` instead of `3`",
            "`5` instead of `4`",
            "`e` instead of `d`",
        ],
    );
    // With several constructors, the lowering tests which of them the object has.
    let source =
        "datatype D = A(x: int) | B(x: int) function F(d: D, n: int): D { d.(x := n + 2) }";
    assert_has(
        source,
        &[
            "`d` instead of `d.(x := n + 2)`",
            "`n - 2` instead of `n + 2`",
        ],
    );
    assert_lacks(source, &["if !"]);
}

#[test]
fn slices_lose_a_bound() {
    let source = "function F(s: seq<int>, i: nat, j: nat): (seq<int>, seq<int>, seq<int>, seq<int>) requires i <= j < |s| { (s[i..j], s[i..], s[..j], s[1..]) }";
    assert_has(
        source,
        &[
            "`s[..j]` instead of `s[i..j]`",
            "`s[i..]` instead of `s[i..j]`",
            "`s[..]` instead of `s[i..]`",
            "`s[..]` instead of `s[..j]`",
        ],
    );
    // A missing bound has no text, but the other one is an expression of its own.
    assert_has(
        source,
        &[
            "`s[i + 1..]` instead of `s[i..]`",
            "`s[..j - 1]` instead of `s[..j]`",
            "`0` instead of `1`",
        ],
    );
    assert_lacks(source, &["`s[..]` instead of `s[1..]`"]);
    assert_has(
        "method M(a: array<int>, i: nat) returns (s: seq<int>) requires i < a.Length { s := a[i..] + a[..i]; }",
        &["`a[..]` instead of `a[i..]`", "`a[..]` instead of `a[..i]`"],
    );
}

#[test]
fn loops_end_after_one_iteration_or_one_too_early() {
    let early = "`break;` at the end of the loop";
    let source = "method M(s: seq<int>, k: int) returns (r: int) { r := 0; var i := 0; while i < |s| { if s[i] == k { r := r + 1; } else { r := r + s[i]; } i := i + 1; } for j := 0 to |s| { r := r + j; } for j := |s| downto k { r := r * 2; } }";
    assert_has(
        source,
        &[
            early,
            "`(|s|) - 1` instead of `|s|`",
            "`j := 0 to (|s|) - 1` instead of `j := 0 to |s|`",
            "`j := |s| downto k + 1` instead of `j := |s| downto k`",
        ],
    );
    assert_eq!(mutants(source).iter().filter(|m| *m == early).count(), 3);
    // The end of the body is not reached, or its brace does not say what follows.
    for none in [
        "method M(s: seq<int>) returns (r: int) { r := 0; while r < |s| { if s[r] == 3 { r := r + 2; continue; } r := r + 1; } }",
        "method M(s: seq<int>) returns (r: int) { r := 0; while r < |s| { return s[r]; } }",
        "method M(s: seq<int>) returns (r: int) { r := 0; var i := 0; while i < |s| { i := i + 1; } }",
    ] {
        assert_lacks(none, &[early]);
    }
    // The loop decides by its end.
    assert_has(
        "method M(s: seq<int>) returns (r: bool) { var i := 0; while i < |s| { if s[i] == 3 { return true; } i := i + 1; } r := false; }",
        &[early],
    );
    // The bound of an inner loop is no matter of the outer one.
    let nested = "method M(n: int) returns (r: int) { r := 0; var i := 0; while i < n { var j := 0; while j < 10 { r := r + i; j := j + 1; } i := i + 1; } }";
    assert_eq!(mutants(nested).iter().filter(|m| *m == early).count(), 2);
    assert_lacks(nested, &["`10 - 1`"]);
}

#[test]
fn slices_are_taken_at_the_other_end() {
    assert_has(
        "function F(s: seq<int>, n: nat): (seq<int>, seq<int>, seq<int>) requires n < |s| { (s[1..], s[..n], s[..|s| - 1]) }",
        &[
            "`s[..|s| - 1]` instead of `s[1..]`",
            "`s[|s| - n..]` instead of `s[..n]`",
            "`s[|s| - (|s| - 1)..]` instead of `s[..|s| - 1]`",
        ],
    );
}

#[test]
fn equations_of_numbers_become_comparisons() {
    assert_has(
        "method M(a: int, n: nat) returns (r: bool, s: bool) { r := a == n; s := a != n + 1; }",
        &[
            "`a <= n` instead of `a == n`",
            "`a >= n` instead of `a == n`",
            "`a < n + 1` instead of `a != n + 1`",
            "`a > n + 1` instead of `a != n + 1`",
        ],
    );
    assert_lacks(
        "function F(a: seq<int>, b: seq<int>): bool { a == b }",
        &["<=", ">="],
    );
    // A chain has one direction.
    assert_lacks(
        "function F(a: int, b: int, c: int): bool { a < b == c }",
        &["b >= c", "b <= c"],
    );
}

#[test]
fn a_recursive_call_may_end_with_its_arguments() {
    assert_has(
        "datatype R<T> = Done(n: T, at: nat) | Failed function Rest(s: seq<int>, n: int, at: nat): R<int> decreases |s| { if |s| == 0 then Done(n, at) else Rest(s[1..], n + s[0], at + 1) }",
        &["`R.Done(n + s[0], at + 1)` instead of `Rest(s[1..], n + s[0], at + 1)`"],
    );
}

#[test]
fn fields_are_confused_with_variables_of_their_names() {
    assert_has(
        "datatype O = O(price: nat, id: int) function F(o: O, price: int): int { o.price }",
        &["`price` instead of `o.price`"],
    );
}

#[test]
fn accumulators_are_reset() {
    let source = "method M(s: seq<int>, m: map<int, int>) returns (n: nat, r: int, c: map<int, int>) requires 3 in m { n, r := 0, 0; var i := 0; while i < |s| { r := r + s[i]; if s[i] > 0 { n := n + 1; } i := i + 1; } c := m[3 := m[3] - 1]; }";
    assert_has(
        source,
        &[
            "`s[i]` instead of `r + s[i]`",
            "`1` instead of `n + 1`",
            "`1` instead of `m[3] - 1`",
        ],
    );
    // Every test shows that the loop does not end.
    assert_lacks(source, &["`1` instead of `i + 1`"]);
}

#[test]
fn an_assigned_collection_may_be_another_one() {
    assert_has(
        "method M(s: seq<int>, t: seq<nat>, x: int) returns (r: seq<int>) { r := s + [x]; }",
        &["`t` instead of `s + [x]`"],
    );
    assert_lacks(
        "method M(s: seq<int>, t: seq<int>) returns (r: seq<int>) { r := s + t; r := r + [1]; }",
        &["`r` instead of `s + t`"],
    );
}

#[test]
fn sizes_and_indices_of_matrices_change_places() {
    let source = "method M(n: nat, k: nat) returns (a: array2<int>) { a := new int[n, k]((i, j) => i + j); }";
    assert_has(source, &["`k, n` instead of `n, k`"]);
    let source = "method M(a: array2<int>, i: nat, j: nat) requires i < a.Length0 && j < a.Length1 modifies a { a[i, j] := 1; }";
    assert_has(source, &["`j, i` instead of `i, j`"]);
}

#[test]
fn ranges_are_moved_by_one_and_never_dropped() {
    let source = "function F(s: seq<int>, t: set<int>): (bool, set<int>) { (forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j], set x | x in t && x > 3 && x != 5 :: x + 1) }";
    assert_has(
        source,
        &[
            "`0 < i` instead of `0 <= i`",
            "`i <= j` instead of `i < j`",
            "`j <= |s|` instead of `j < |s|`",
            "`-1` instead of `0`",
            "`s[i] < s[j]` instead of `s[i] <= s[j]`",
            "`x >= 3` instead of `x > 3`",
            "`4` instead of `3`",
            "`x == 5` instead of `x != 5`",
            "`x - 1` instead of `x + 1`",
        ],
    );
    assert_lacks(
        source,
        &[
            "||",
            "`j` instead of `x`",
            "`i` instead of `x`",
            "`x` instead of",
            "`!(",
        ],
    );
}

#[test]
fn code_without_observable_results_has_no_mutants() {
    let source = "method Main() { var m := Max(3, 4); assert m == 4; var n := Max(5, 6); print n; } method Max(a: int, b: int) returns (c: int) ensures c >= a && c >= b && (c == a || c == b) { if a > b { c := a; } else { c := b; } }";
    assert_has(source, &["`6` instead of `5`"]);
    assert_lacks(source, &["instead of `3`", "instead of `4`"]);
    // The choice in the callee is not observable either.
    let source = "method Main() { var m := Some({3, 4}); assert m in {3, 4}; var n := Some({5, 6}); print n; } method Some(s: set<int>) returns (c: int) requires s != {} { c :| c in s; }";
    assert_has(source, &["`6` instead of `5`"]);
    assert_lacks(source, &["instead of `3`", "instead of `4`"]);
}

#[test]
fn code_that_is_not_compiled_has_no_mutants() {
    assert_lacks(
        "method M(n: nat) returns (r: nat) requires n > 700 ensures r == n + 5 { ghost var g := n + 600; assert n + 800 > 0; r := n; var i := 0; while i < 5 invariant i + 900 > 0 decreases 5 - i + 400 { i := i + 1; } r := n + 5; L(n + 200); } lemma L(n: nat) {}",
        &["700", "600", "800", "900", "400", "200"],
    );
}

#[test]
fn code_that_only_makes_objects_has_no_mutants() {
    let class = "class C { var x: int constructor() { x := 1; } method Set(n: int) modifies this { x := n; } }\n";
    let of_main = |main: &str| mutants(&format!("{main}\n{class}"));
    assert_eq!(
        of_main("method Main() { var c := new C(); c.Set(3); assert c.x == c.x; }"),
        [""; 0]
    );
    assert!(!of_main("method Main() { var c := new C(); c.Set(3); print c.x; }").is_empty());
    assert!(!of_main("method M(c: C) modifies c { c.Set(3); }").is_empty());
    assert!(!of_main("method M() returns (c: C) { c := new C(); c.Set(3); }").is_empty());
}

#[test]
fn arguments_of_unused_parameters_have_no_mutants() {
    let source = "function Append(lo: int, hi: int, xs: seq<int>, ys: seq<int>): seq<int>
  requires lo <= hi && forall x <- xs + ys :: lo <= x <= hi
{
  if xs == [] then ys else [xs[0]] + Append(lo, xs[0] + hi, xs[1..], ys)
}";
    assert_lacks(
        source,
        &[
            "`xs[0] - hi`",
            "`xs[0] * hi`",
            "`lo` instead of `hi`",
            "`hi` instead of `lo`",
            "`Append(xs[0] + hi, lo",
        ],
    );
    assert_has(source, &["`xs` instead of `ys`"]);
    // An argument that may fail is still evaluated.
    assert_has(
        "function F(n: nat, m: nat): nat decreases n { if n == 0 then 0 else F(n - 1, 10 / (m + 1)) }",
        &["`m - 1` instead of `(m + 1)`"],
    );
}

#[test]
fn a_mutant_changes_one_thing() {
    let (_, program) = lowered(
        "method M(a: int) returns (r: int) { r := a; while r > 3 { r := r - 1; } }",
        Criteria::default(),
    );
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let all = super::of(&program, unit);
    assert!(
        all.iter()
            .any(|m| m.mutation.kind == MutationKind::Statement)
    );
    for m in &all {
        assert!(m.applied(&program).is_some(), "{:?}", m.mutation);
    }
}

#[test]
fn of_a_parallel_assignment_each_part_is_left_out_by_itself() {
    let source = "class C { var f: int method M(x: int, a: array<int>) returns (v: int, r: int)
        requires a.Length == 2 modifies this, a ensures r >= 0
        { v := 1; r := 1000 * x; v, r := v, x; f, a[0], a[1] := r, a[1], a[0]; r := 2; } }";
    let (sources, program) = lowered(source, Criteria::default());
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let all = super::of(&program, unit);
    let said: Vec<String> = all
        .iter()
        .map(|m| describe::mutation(&m.mutation, &sources))
        .collect();
    for part in [
        "`r` instead of `x`",
        "`this.f` instead of `r`",
        "`a[0]` instead of `a[1]`",
        "`a[1]` instead of `a[0]`",
    ] {
        assert!(said.iter().any(|s| s == part), "{part}: {said:#?}");
    }
    assert!(
        !said.iter().any(|s| s.contains(":=") && s.contains(", ")),
        "{said:#?}"
    );
    assert!(
        said.iter().any(|s| s == "`r := 2;` is removed"),
        "{said:#?}"
    );
    // No two mutants have the same description.
    for (i, m) in all.iter().enumerate() {
        assert!(
            !all[..i].iter().any(|o| o.mutation == m.mutation),
            "{:?}",
            m.mutation
        );
    }
}

/// Whether the condition under which the described mutant makes a difference depends on the
/// branches of a decision.
#[track_caller]
fn depends_on_arms(source: &str, what: &str) -> bool {
    let (sources, program) = lowered(source, Criteria::default());
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let all = super::of(&program, unit);
    let found = all
        .iter()
        .find(|m| describe::mutation(&m.mutation, &sources) == what)
        .unwrap_or_else(|| panic!("no {what}"));
    let (_, _, differs) = found.difference(&program).expect("a condition");
    matches!(differs.kind, dtest_ir::ExprKind::And(..))
}

#[test]
fn a_decision_makes_a_difference_where_its_arms_do() {
    let max = |then: &str| {
        format!(
            "method Max(s: seq<int>) returns (r: int, at: int) requires |s| > 0 {{ r := s[0]; at := 0; var i := 0; while i < |s| invariant 0 <= i {{ if r < s[i] {{ {then} }} i := i + 1; }} }}"
        )
    };
    let tie = "`r <= s[i]` instead of `r < s[i]`";
    assert!(depends_on_arms(&max("r := s[i];"), tie));
    assert!(depends_on_arms(&max("at := i; r := s[i];"), tie));
    // A branch that may fail, has other effects than assignments, reads what it assigned, or leaves
    // the loop.
    assert!(!depends_on_arms(&max("r := s[i] / (s[i] - r);"), tie));
    assert!(!depends_on_arms(&max("r := s[i]; print r;"), tie));
    assert!(!depends_on_arms(&max("at := i; r := at;"), tie));
    assert!(!depends_on_arms(&max("r := s[i]; break;"), tie));
}
