//! False facts about built-in types, extreme predicates and the inhabitants of types, in every
//! kind of proof.

use crate::table::{Basis, Options, Stage, Table};

/// Proofs of a condition `$F` without any help.
const PROOFS: &[(&str, &str)] = &[
    ("assert", "method M() { assert $F; }"),
    ("lemma", "lemma L() ensures $F { }"),
    ("function", "function F(): int ensures $F { 0 }"),
    ("constant", "ghost const c: bool := (assert $F; true)"),
    ("forall", "lemma L() { forall q: int ensures $F { } }"),
    ("calc", "lemma L() { calc ==> { true; $F; } }"),
    (
        "by-contradiction",
        "lemma L() ensures $F { if !($F) { assert false; } }",
    ),
    (
        "condition",
        "lemma L() { if $F { } else { assert false; } }",
    ),
    ("iterator", "iterator I() { assert $F; }"),
    ("witness", "type S = x: int | assert $F; true"),
    ("let", "lemma L() { assert var q := 1; $F; }"),
    ("lambda", "lemma L() { var f := () => (assert $F; 1); }"),
    ("twostate", "twostate lemma L() ensures $F { }"),
    (
        "through-function",
        "ghost predicate P() { $F } lemma L() ensures P() { }",
    ),
    (
        "through-opaque",
        "ghost opaque predicate P() { $F } lemma L() ensures P() { reveal P(); }",
    ),
    ("through-variable", "lemma L() { var q := $F; assert q; }"),
    (
        "through-constraint",
        "type S = b: bool | b witness true lemma L() { var s: S := $F; }",
    ),
    (
        "through-match",
        "lemma L() { match $F case true => case false => assert false; }",
    ),
];

/// Conditions that are false, with only literals and bound variables, and declarations that they
/// need.
const FALSE: &[(&str, &str, &str)] = &[
    ("divide-negative", "-7 / 2 == -3", ""),
    ("divide-by-negative", "7 / -2 == -4", ""),
    ("divide-negatives", "-7 / -2 == 3", ""),
    ("modulo-negative", "-7 % 2 == -1", ""),
    ("modulo-by-negative", "7 % -3 == -2", ""),
    ("real-floor", "(-0.5).Floor == 0", ""),
    ("real-divide", "1.0 / 3.0 == 0.333333", ""),
    ("real-conversion", "(3 as real) == 3.5", ""),
    ("bv-add", "(255 as bv8) + 1 != 0", ""),
    ("bv-subtract", "(0 as bv8) - 1 == 0", ""),
    ("bv-multiply", "(16 as bv8) * 16 != 0", ""),
    ("bv-shift", "(1 as bv8) << 8 == 1", ""),
    ("bv-shift-right", "(128 as bv8) >> 7 != 1", ""),
    ("bv-compare", "(255 as bv8) < 1", ""),
    ("bv-rotate", "(129 as bv8).RotateLeft(1) == 2", ""),
    ("bv-rotate-right", "(129 as bv8).RotateRight(1) == 64", ""),
    ("bv-not", "!(0 as bv4) != 15", ""),
    ("bv-conversion", "(255 as bv8) as int == -1", ""),
    ("bv-widening", "(255 as bv8) as bv16 == 65535", ""),
    ("bv0", "(0 as bv0) as int == 1", ""),
    ("char-compare", "'a' < 'A'", ""),
    ("char-conversion", "'a' as int == 65", ""),
    ("string-compare", "\"ab\" <= \"aa\"", ""),
    ("string-length", "|\"\\U{1F600}\"| == 2", ""),
    ("seq-prefix", "[1, 2] <= [1]", ""),
    ("seq-proper-prefix", "[1] < [1]", ""),
    ("seq-equal", "[1, 2] == [2, 1]", ""),
    ("seq-slice", "[1, 2, 3][1..][0] == 1", ""),
    ("seq-update", "[1, 2][0 := 3] == [1, 3]", ""),
    ("seq-member", "3 in [1, 2]", ""),
    ("seq-nested", "[] in [[1]]", ""),
    ("seq-comprehension", "seq(3, i => i)[1] == 2", ""),
    ("set-subset", "{1, 2} < {1, 2}", ""),
    ("set-cardinality", "|{1, 1}| == 2", ""),
    ("set-disjoint", "{1} !! {1, 2}", ""),
    ("set-disjoint-chain", "{1} !! {2} !! {1}", ""),
    ("set-difference", "{1, 2} - {2} == {2}", ""),
    ("set-comprehension", "(set x | 0 <= x < 3) == {0, 1}", ""),
    (
        "set-comprehension-cardinality",
        "|set x | 0 <= x < 3 :: x / 2| == 3",
        "",
    ),
    (
        "iset-everything",
        "(iset x: int | x > 0) == iset x: int | true",
        "",
    ),
    ("multiset-count", "multiset{1, 1}[1] == 1", ""),
    ("multiset-cardinality", "|multiset{1, 1}| == 1", ""),
    (
        "multiset-union",
        "multiset{1} + multiset{1} == multiset{1}",
        "",
    ),
    (
        "multiset-difference",
        "multiset{1} - multiset{1, 1} != multiset{}",
        "",
    ),
    (
        "multiset-of-seq",
        "multiset([1, 2]) == multiset([1, 1])",
        "",
    ),
    ("multiset-subset", "multiset{1, 1} <= multiset{1}", ""),
    ("multiset-update", "multiset{1}[1 := 0] == multiset{1}", ""),
    ("map-merge", "(map[1 := 1] + map[1 := 2])[1] == 1", ""),
    ("map-minus", "1 in map[1 := 1] - {1}", ""),
    ("map-keys", "map[1 := 2].Keys == {2}", ""),
    ("map-values", "map[1 := 2].Values == {1}", ""),
    ("map-items", "(1, 2) !in map[1 := 2].Items", ""),
    ("map-cardinality", "|map[1 := 1, 1 := 2]| == 2", ""),
    (
        "map-comprehension",
        "(map x | 0 <= x < 2 :: x + 1)[1] == 1",
        "",
    ),
    ("map-display-order", "map[1 := 1, 1 := 2][1] == 1", ""),
    ("imap-domain", "0 in imap x: int | x > 0 :: x", ""),
    (
        "function-equality",
        "((x: int) => x) != ((x: int) => x)",
        "",
    ),
    ("function-result", "((x: int) => x + 1)(1) == 1", ""),
    (
        "function-requires",
        "!((x: int) requires x > 0 => x).requires(1)",
        "",
    ),
    ("function-reads", "((x: int) => x).reads(1) != {}", ""),
    ("tuple", "(1, 2) == (2, 1)", ""),
    ("datatype", "Opt.Some(1) == Opt.Some(2)", ""),
    ("datatype-discriminator", "Opt.Some(1).None?", ""),
    ("datatype-rank", "forall o: Opt :: o.None?", ""),
    ("datatype-update", "Opt.Some(1).(v := 2) == Opt.Some(1)", ""),
    (
        "datatype-order",
        "T.N(T.L, T.L) decreases to T.N(T.L, T.L)",
        "datatype T = L | N(l: T, r: T)",
    ),
    (
        "datatype-order-reversed",
        "T.L decreases to T.N(T.L, T.L)",
        "datatype T = L | N(l: T, r: T)",
    ),
    ("codatatype", "Lazy.End != Lazy.End", ""),
    ("decreases-int", "-1 decreases to -2", ""),
    ("decreases-equal", "1, 2 decreases to 1, 2", ""),
    ("decreases-bool", "false decreases to true", ""),
    ("decreases-set", "{1} decreases to {2}", ""),
    ("decreases-seq", "[1] decreases to [2]", ""),
    ("decreases-real", "1.0 decreases to 0.5", ""),
    ("decreases-shorter", "1, 2 decreases to 1", ""),
    ("decreases-iset", "iset{1, 2} decreases to iset{1, 2}", ""),
    ("nonincreases", "1 nonincreases to 2", ""),
    ("ordinal-add", "forall o: ORDINAL :: 1 + o == o + 1", ""),
    ("ordinal-equal", "forall o: ORDINAL :: o + 1 == o", ""),
    (
        "ordinal-limit",
        "exists o: ORDINAL :: o.IsLimit && o.IsSucc",
        "",
    ),
    ("ordinal-less", "exists o: ORDINAL :: o < o", ""),
    ("ordinal-nat", "forall o: ORDINAL :: o.IsNat", ""),
    ("ordinal-offset", "forall o: ORDINAL :: o.Offset == 0", ""),
    ("ordinal-least", "exists o: ORDINAL :: o < 0 as ORDINAL", ""),
    (
        "ordinal-limit-only-zero",
        "forall o: ORDINAL :: o.IsLimit ==> o == 0 as ORDINAL",
        "",
    ),
    ("ordinal-one-limit", "(1 as ORDINAL).IsLimit", ""),
    (
        "ordinal-decreases",
        "forall o: ORDINAL :: o decreases to o",
        "",
    ),
    ("exists-int", "exists x: int :: x > x", ""),
    ("exists-empty", "exists x: Empty :: x == x", ""),
    ("exists-bounded", "exists x | 0 <= x < 3 :: x == 3", ""),
    ("exists-nat", "exists x: nat :: x < 0", ""),
    ("exists-bool", "forall x: bool :: x", ""),
    ("exists-character", "forall c: char :: c == 'a'", ""),
    ("exists-bitvector", "forall x: bv2 :: x < 3", ""),
    ("exists-newtype", "forall x: Byte :: x < 255", ""),
    ("exists-subset", "exists x: Pos :: x <= 0", ""),
    ("forall-product", "forall x: int, y: int :: x * y >= 0", ""),
    ("forall-in-set", "forall x | x in {1, 2} :: x == 1", ""),
    ("forall-in-map", "forall k | k in map[1 := 2] :: k == 2", ""),
    (
        "least",
        "Down(-1)",
        "least predicate Down(n: int) { n == 0 || Down(n - 1) }",
    ),
    (
        "least-loop",
        "Loop(0)",
        "least predicate Loop(n: int) { Loop(n) }",
    ),
    (
        "least-nat",
        "Down(-1)",
        "least predicate Down[nat](n: int) { n == 0 || Down(n - 1) }",
    ),
    (
        "least-prefix-zero",
        "Down#[0](0)",
        "least predicate Down[nat](n: int) { n == 0 || Down(n - 1) }",
    ),
    (
        "least-prefix",
        "Down#[1](1)",
        "least predicate Down[nat](n: int) { n == 0 || Down(n - 1) }",
    ),
    (
        "greatest",
        "!Up(0)",
        "greatest predicate Up(n: int) { Up(n + 1) }",
    ),
    (
        "greatest-false",
        "Up(0)",
        "greatest predicate Up(n: int) { n < 3 && Up(n + 1) }",
    ),
    (
        "greatest-prefix",
        "!Up#[0](0)",
        "greatest predicate Up[nat](n: int) { n < 3 && Up(n + 1) }",
    ),
    (
        "corecursive",
        "Ones().head == 2",
        "function Ones(): Lazy { More(1, Ones()) }",
    ),
    (
        "corecursive-end",
        "Ones() == Lazy.End",
        "function Ones(): Lazy { More(1, Ones()) }",
    ),
    (
        "corecursive-tail",
        "Ones().tail != Ones()",
        "function Ones(): Lazy { More(1, Ones()) }",
    ),
    ("let-such-that", "(var x :| x in {1, 2}; x) == 3", ""),
    ("type-test", "-1 is nat", ""),
    ("type-test-newtype", "(300 is Byte)", ""),
    ("type-test-real", "0.5 is int", ""),
    ("conversion-real", "(2.0 as int) == 3", ""),
    (
        "recursive-function",
        "Fact(3) == 7",
        "function Fact(n: nat): nat { if n == 0 then 1 else n * Fact(n - 1) }",
    ),
    (
        "recursive-function-big",
        "Fact(9) == 1",
        "function Fact(n: nat): nat { if n == 0 then 1 else n * Fact(n - 1) }",
    ),
    ("constant", "Eight == 7", "const Eight := 8"),
    (
        "constant-of-type",
        "N.Max == 8",
        "newtype N = x: int | 0 <= x < 8 { static const Max: N := 7 }",
    ),
    ("short-circuit", "false && true", ""),
    ("explies", "false <== true", ""),
    ("iff-chain", "true <==> false <==> true", ""),
    ("chain", "1 < 2 < 2", ""),
];

/// Types that may have no value, with their declarations.
const UNINHABITED: &[(&str, &str)] = &[
    ("Empty", "empty"),
    ("Opaque", "opaque"),
    ("Cell", "class"),
    ("(int, Empty)", "tuple"),
    ("Full<Empty>", "datatype"),
    ("EmptyNumber", "newtype"),
    ("X", "parameter"),
];

/// Programs that need a value of the type `$T` out of nothing.
const CREATIONS: &[(&str, &str)] = &[
    ("exists", "lemma L<X>() ensures exists x: $T :: true { }"),
    (
        "exists-witness",
        "lemma L<X>() { assert exists x: $T :: x == x; }",
    ),
    ("such-that", "ghost method M<X>() { var x: $T :| true; }"),
    (
        "let-such-that",
        "ghost function F<X>(): int { var x: $T :| true; 0 }",
    ),
    (
        "local",
        "method M<X>() returns (ghost r: $T) { ghost var x: $T; r := x; }",
    ),
    (
        "local-compiled",
        "method M<X>() returns (r: $T) { var x: $T; r := x; }",
    ),
    ("result", "method M<X>() returns (r: $T) { }"),
    (
        "result-early",
        "method M<X>(b: bool, t: $T) returns (r: $T) { if b { return; } r := t; }",
    ),
    (
        "result-in-loop",
        "method M<X>(n: int, t: $T) returns (r: $T) { for i := 0 to n { r := t; } }",
    ),
    (
        "result-after-break",
        "method M<X>(n: bool, t: $T) returns (r: $T) { label L: { if n { break L; } r := t; } }",
    ),
    ("result-ghost", "method M<X>() returns (ghost r: $T) { }"),
    (
        "result-ghost-method",
        "ghost method M<X>() returns (r: $T) { }",
    ),
    ("result-lemma", "lemma M<X>() returns (r: $T) { }"),
    (
        "result-match",
        "method M<X>(o: Opt, t: $T) returns (r: $T) { match o case Some(v) => r := t; case None => }",
    ),
    (
        "result-if-cases",
        "method M<X>(b: bool, t: $T) returns (r: $T) { if { case true => r := t; case b => } }",
    ),
    ("result-havoc", "method M<X>() returns (r: $T) { r := *; }"),
    (
        "result-havoc-pair",
        "method M<X>() returns (r: $T, i: int) { r, i := *, 1; }",
    ),
    ("yield", "iterator I<X>() yields (r: $T) { yield; }"),
    ("field", "class K<X> { var x: $T constructor () { } }"),
    (
        "field-late",
        "class K<X> { var x: $T constructor () { new; } }",
    ),
    (
        "field-branch",
        "class K<X> { var x: $T constructor (b: bool, t: $T) { if b { x := t; } } }",
    ),
    (
        "field-ghost",
        "class K<X> { ghost var x: $T constructor () { } }",
    ),
    (
        "field-const",
        "class K<X> { const x: $T constructor () { } }",
    ),
    (
        "field-without-constructor",
        "class K<X> { var x: $T } method M<X>() { var k := new K<X>; }",
    ),
    (
        "const-without-constructor",
        "class K<X> { const x: $T } method M<X>() { var k := new K<X>; }",
    ),
    ("array", "method M<X>() { var a := new $T[3]; }"),
    (
        "array-of-size",
        "method M<X>(n: nat) { var a := new $T[n]; }",
    ),
    ("matrix", "method M<X>() { var a := new $T[3, 3]; }"),
    ("const-static", "class K<X> { static const x: $T }"),
    (
        "const-trait",
        "trait T<X> { const x: $T } class K<X> extends T<X> { constructor () { } }",
    ),
    (
        "field-trait",
        "trait T<X> { var x: $T } class K<X> extends T<X> { constructor () { } }",
    ),
    (
        "nonempty-call",
        "function G<Y(00)>(): int { 0 } ghost function F<X>(): int { G<$T>() }",
    ),
    (
        "auto-init-call",
        "method G<Y(0)>() { } method M<X>() { G<$T>(); }",
    ),
    (
        "seq-element",
        "method M<X>() { ghost var s: seq<$T> :| |s| == 1; }",
    ),
    (
        "set-element",
        "ghost method M<X>() { var s: iset<$T> :| s != iset{}; }",
    ),
    (
        "function",
        "ghost method M<X>() { var f: int -> $T :| true; }",
    ),
    ("tuple", "ghost method M<X>() { var f: ($T, int) :| true; }"),
    (
        "binding-guard",
        "method M<X>() { if x: $T :| true { } else { assert false; } }",
    ),
    (
        "forall-vacuous",
        "lemma L<X>() ensures !forall x: $T :: false { }",
    ),
    (
        "default-value-in-loop",
        "method M<X>(t: $T) returns (r: $T) { var i := 0; while i < 3 { var y: $T; r := y; i := i + 1; } r := t; }",
    ),
    ("block", "method M<X>() returns (r: $T) { opaque { } }"),
    (
        "by-method",
        "function F<X>(t: $T): $T { t } by method { var u: $T; return u; }",
    ),
];

/// Adds false conditions in every kind of proof.
pub(crate) fn conditions(table: &mut Table) {
    for (name, condition, declarations) in FALSE {
        for (proof, text) in PROOFS {
            let with = |f: &str| {
                format!("{}\n{declarations}", text.replace("$F", &format!("({f})")))
                    .trim_end()
                    .to_owned()
            };
            table.add(
                "condition",
                &[proof, name],
                Stage::Verify,
                Basis::Execution,
                Options::Default,
                with(condition),
                with("1 == 1"),
            );
        }
    }
}

/// Adds values of types that may have none.
pub(crate) fn inhabitants(table: &mut Table) {
    for (creation, text) in CREATIONS {
        for (t, name) in UNINHABITED {
            // With a parameter of a type that has no value, every claim holds.
            let has_none = !["opaque", "class", "parameter"].contains(name);
            if has_none && text.contains("t: $T") {
                continue;
            }
            // Without a control: Dafny requires assignments to variables of other types, too.
            table.add(
                "inhabitant",
                &[creation, name],
                Stage::Verify,
                Basis::Rule("Types: a value of a type that may be empty must come from somewhere"),
                Options::Default,
                text.replace("$T", t),
                String::new(),
            );
        }
    }
}
