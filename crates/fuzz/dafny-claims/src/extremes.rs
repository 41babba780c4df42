//! Extreme predicates and co-recursion: calls at positions that are not monotone or not guarded,
//! and false facts about limits.

use crate::table::{Basis, Options, Stage, Table};

/// Bodies of an extreme predicate `P` with a call of itself, `$P`, at a position that is not
/// monotone.
const NOT_MONOTONE: &[(&str, &str)] = &[
    ("negated", "!$P"),
    ("premise", "$P ==> n > 0"),
    ("premise-reversed", "n > 0 <== $P"),
    ("equivalence", "$P <==> n > 0"),
    ("equality", "$P == (n > 0)"),
    ("inequality", "$P != (n > 0)"),
    ("condition", "if $P then true else false"),
    (
        "scrutinee",
        "match $P case true => true case false => false",
    ),
    ("in-set", "$P in {true}"),
    ("in-display", "[$P][0]"),
    ("argument", "Truth($P)"),
    ("let", "var p := $P; p"),
    ("lambda", "(() => $P)()"),
    ("comprehension", "|set b: bool | b && $P| == 1"),
    ("sequence", "seq(1, i => $P)[0]"),
    ("quantifier-range", "forall b: bool | $P :: b"),
    ("exists-range-negated", "!exists b: bool | $P :: b"),
    ("such-that", "var b: bool :| b == $P; b"),
    ("tuple", "($P, 1).0"),
    ("map", "map[1 := $P][1]"),
    ("negated-conjunction", "!($P && n > 0)"),
];

/// Kinds of extreme predicates with the body `$B`; `$P` is a call of the predicate.
const EXTREMES: &[(&str, &str, &str)] = &[
    ("least", "least predicate P(n: int) { $B }", "P(n - 1)"),
    (
        "greatest",
        "greatest predicate P(n: int) { $B }",
        "P(n - 1)",
    ),
    (
        "least-nat",
        "least predicate P[nat](n: int) { $B }",
        "P(n - 1)",
    ),
    (
        "greatest-nat",
        "greatest predicate P[nat](n: int) { $B }",
        "P(n - 1)",
    ),
    (
        "least-ordinal",
        "least predicate P[ORDINAL](n: int) { $B }",
        "P(n - 1)",
    ),
    (
        "least-member",
        "datatype D = D { least predicate P(n: int) { $B } }",
        "P(n - 1)",
    ),
    (
        "greatest-class",
        "class D { greatest predicate P(n: int) reads this { $B } }",
        "this.P(n - 1)",
    ),
    (
        "least-static",
        "trait D { static least predicate P(n: int) { $B } }",
        "P(n - 1)",
    ),
    (
        "least-generic",
        "least predicate P<X>(n: int, x: X) { $B }",
        "P(n - 1, x)",
    ),
    (
        "mutual",
        "least predicate P(n: int) { $B } least predicate Q(n: int) { P(n) }",
        "Q(n - 1)",
    ),
    (
        "mutual-greatest",
        "greatest predicate Q(n: int) { P(n) } greatest predicate P(n: int) { $B }",
        "Q(n - 1)",
    ),
];

/// Whole programs that break a rule of extreme predicates.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "mixed",
        "least predicate P(n: int) { Q(n) } greatest predicate Q(n: int) { P(n) }",
    ),
    (
        "through-function",
        "least predicate P(n: int) { F(n) } ghost predicate F(n: int) { P(n) }",
    ),
    (
        "through-function-measured",
        "least predicate P(n: nat) { F(n) } ghost predicate F(n: nat) decreases n { n > 0 && P(n - 1) }",
    ),
    (
        "unbounded-nat",
        "least predicate P[nat](n: int) { forall i: int :: P(i) }",
    ),
    (
        "unbounded-nat-set",
        "greatest predicate P[nat](n: int) { exists i: int :: P(i) }",
    ),
    (
        "limit-quantifier",
        "least predicate P(n: int) { forall o: ORDINAL :: P(n) }",
    ),
    (
        "limit-parameter",
        "greatest predicate P(o: ORDINAL) { exists u: ORDINAL :: u < o && P(u) }",
    ),
    (
        "limit/in-datatype",
        "datatype W = W(o: ORDINAL) | V greatest predicate P(w: W) { exists u: W :: u.W? && (w.V? || u.o < w.o) && P(u) }",
    ),
    (
        "limit/in-tuple",
        "greatest predicate P(w: (ORDINAL, bool)) { exists u: (ORDINAL, bool) :: !u.1 && (w.1 || u.0 < w.0) && P(u) }",
    ),
    (
        "limit/in-generic",
        "datatype W<X> = W(o: X) | V greatest predicate P(w: W<ORDINAL>) { exists u: W<ORDINAL> :: u.W? && (w.V? || u.o < w.o) && P(u) }",
    ),
    (
        "limit/in-sequence",
        "greatest predicate P(w: seq<ORDINAL>) { exists u: seq<ORDINAL> :: |u| == 1 && (|w| == 0 || (|w| == 1 && u[0] < w[0])) && P(u) }",
    ),
    (
        "limit/in-set",
        "greatest predicate P(w: iset<ORDINAL>) { exists u: iset<ORDINAL> :: u < w && P(u) }",
    ),
    (
        "limit/in-function",
        "greatest predicate P(w: int -> ORDINAL) { exists u: int -> ORDINAL :: u(0) < w(0) && P(u) }",
    ),
    (
        "limit/in-subset",
        "type W = o: ORDINAL | true witness * greatest predicate P(w: W) { exists u: W :: u < w && P(u) }",
    ),
    (
        "limit/in-nested-datatype",
        "datatype W = W(o: ORDINAL) | V datatype U = U(w: W) greatest predicate P(u: U) { exists v: U :: v.w.W? && (u.w.V? || v.w.o < u.w.o) && P(v) }",
    ),
    (
        "limit/in-codatatype",
        "codatatype W = W(o: ORDINAL, rest: W) greatest predicate P(w: W) { exists u: W :: u.o < w.o && P(u) }",
    ),
    (
        "limit/in-map",
        "greatest predicate P(w: map<int, ORDINAL>) { exists u: map<int, ORDINAL> :: 0 in u && (0 in w ==> u[0] < w[0]) && P(u) }",
    ),
    (
        "limit/least-datatype",
        "datatype W = W(o: ORDINAL) | V least predicate P(w: W) { forall u: W :: u.W? && (w.V? || u.o < w.o) ==> P(u) }",
    ),
    (
        "lemma-of-other-kind",
        "least predicate P(n: int) { n == 0 } greatest lemma L(n: int) requires P(n) ensures n == 1 { }",
    ),
    (
        "least-lemma-false",
        "least predicate P(n: int) { n == 0 || P(n - 1) } least lemma L(n: int) requires P(n) ensures n == 0 { }",
    ),
    (
        "least-lemma-strong",
        "least predicate P(n: int) { n == 0 || P(n - 1) } least lemma L(n: int) requires P(n) ensures n < 0 { if n != 0 { L(n - 1); } }",
    ),
    (
        "least-lemma-without-premise",
        "least predicate P(n: int) { P(n) } least lemma L(n: int) ensures false { }",
    ),
    (
        "greatest-lemma-false",
        "greatest predicate P(n: int) { n != 9 && P(n + 1) } greatest lemma L(n: int) ensures P(n) { }",
    ),
    (
        "greatest-lemma-recursive",
        "greatest predicate P(n: int) { n != 9 && P(n + 1) } greatest lemma L(n: int) ensures P(n) { L(n + 1); }",
    ),
    (
        "greatest-lemma-guarded",
        "greatest predicate P(n: int) { n != 9 && P(n + 1) } greatest lemma L(n: int) requires n < 9 ensures P(n) { L(n + 1); }",
    ),
    (
        "greatest-lemma-nat",
        "greatest predicate P[nat](n: int) { n != 9 && P(n + 1) } greatest lemma L[nat](n: int) ensures P(n) { L(n + 1); }",
    ),
    (
        "greatest-lemma-codatatype",
        "codatatype C = C(n: int, t: C) greatest lemma L(c: C, d: C) ensures c == d { L(c.t, d.t); }",
    ),
    (
        "greatest-lemma-codatatype-tail",
        "codatatype C = C(n: int, t: C) greatest lemma L(c: C, d: C) requires c.n == d.n ensures c == d { L(c.t, d.t); }",
    ),
    (
        "greatest-lemma-conclusion",
        "greatest predicate P(n: int) { P(n) } greatest lemma L(n: int) ensures P(n) && n == 3 { L(n); }",
    ),
    (
        "lemma-by-prefix",
        "least predicate P(n: int) { n == 0 || P(n - 1) } lemma L(n: int) requires P(n) ensures P#[3](n) { }",
    ),
    (
        "lemma-by-prefix-greatest",
        "greatest predicate P(n: int) { n != 9 && P(n + 1) } lemma L(n: int) requires P#[3](n) ensures P(n) { }",
    ),
    (
        "prefix-lemma-zero",
        "greatest predicate P(n: int) { n != 9 && P(n + 1) } lemma L(n: int) ensures !P#[0](n) { }",
    ),
    (
        "prefix-lemma-all",
        "greatest predicate P(n: int) { n != 9 && P(n + 1) } lemma L(n: int) requires n < 9 requires forall k: nat | k < 3 :: P#[k](n) ensures P(n) { }",
    ),
    (
        "least-prefix-limit",
        "least predicate P(n: int) { n == 0 || P(n - 1) } lemma L(o: ORDINAL, n: int) requires P#[o](n) ensures n == 0 { }",
    ),
    (
        "corecursive/destructor",
        "codatatype C = C(n: int, t: C) function F(): C { F().t }",
    ),
    (
        "corecursive/bare",
        "codatatype C = C(n: int, t: C) function F(): C { F() }",
    ),
    (
        "corecursive/argument",
        "codatatype C = C(n: int, t: C) function Id(c: C): C { c } function F(): C { Id(C(1, F())) }",
    ),
    (
        "corecursive/under-call",
        "codatatype C = C(n: int, t: C) function Id(c: C): C { c } function F(): C { C(1, Id(F())) }",
    ),
    (
        "corecursive/own-head",
        "codatatype C = C(n: int, t: C) function F(): C { C(F().n, F()) }",
    ),
    (
        "corecursive/condition",
        "codatatype C = C(n: int, t: C) function F(): C { if F().n == 1 then C(1, F()) else C(2, F()) }",
    ),
    (
        "corecursive/match",
        "codatatype C = E | C(n: int, t: C) function F(): C { match F() case E => C(1, F()) case C(n, t) => E }",
    ),
    (
        "corecursive/filter",
        "codatatype C = C(n: int, t: C) function F(c: C): C { if c.n > 0 then C(c.n, F(c.t)) else F(c.t) }",
    ),
    (
        "corecursive/let",
        "codatatype C = C(n: int, t: C) function F(): C { var c := F(); C(c.n, c) }",
    ),
    (
        "corecursive/postcondition",
        "codatatype C = C(n: int, t: C) function F(n: int): (r: C) ensures r.n == 0 && r.t.n == 1 { C(0, F(n)) }",
    ),
    (
        "corecursive/false",
        "codatatype C = C(n: int, t: C) function F(n: int): C ensures false { C(n, F(n)) }",
    ),
    (
        "corecursive/update",
        "codatatype C = C(n: int, t: C) function F(c: C): C { F(c).(n := 1) }",
    ),
    (
        "corecursive/precondition",
        "codatatype C = C(n: int, t: C) function F(n: nat): C { C(n, F(n - 1)) }",
    ),
    (
        "corecursive/constraint",
        "codatatype C = C(n: nat, t: C) function F(n: int): C { C(n, F(n + 1)) }",
    ),
    (
        "corecursive/and-recursive",
        "codatatype C = C(n: int, t: C) function F(n: int): C { C(G(n), F(n)) } function G(n: int): int { F(n).n }",
    ),
];

/// Adds calls at positions that are not monotone, and the programs.
pub(crate) fn extremes(table: &mut Table) {
    for (extreme, text, call) in EXTREMES {
        for (position, body) in NOT_MONOTONE {
            let with = |call: &str| text.replace("$B", &body.replace("$P", call));
            table.add(
                "monotonicity",
                &[position, extreme],
                Stage::Resolve,
                Basis::Rule("Extreme predicates: recursive calls must be at monotone positions"),
                Options::Default,
                with(call),
                with("(n == n)"),
            );
        }
    }
    for (name, text) in PROGRAMS {
        table.add(
            "extreme",
            &[name],
            Stage::Verify,
            Basis::Rule(
                "Extreme predicates and co-recursive functions: a call must be guarded, bounded and below the limits, and lemmas must hold",
            ),
            Options::Default,
            (*text).to_owned(),
            String::new(),
        );
    }
}
