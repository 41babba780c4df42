//! Recursion that does not end, by every route from a callable to itself. With the postcondition
//! `false`, a verifier that accepts it proves everything.

use crate::table::{Basis, Options, Stage, Table};

/// Functions with a body `$C`, an expression of type `int` that calls `F(n)`.
const FUNCTIONS: &[(&str, &str)] = &[
    ("function", "function F(n: int): int ensures $P { $C }"),
    (
        "ghost-function",
        "ghost function F(n: int): int ensures $P { $C }",
    ),
    (
        "opaque-function",
        "opaque function F(n: int): int ensures $P { $C }",
    ),
    (
        "measured",
        "function F(n: int): int ensures $P decreases n { $C }",
    ),
    (
        "measured-constant",
        "function F(n: int): int ensures $P decreases 3 { $C }",
    ),
    (
        "measured-wrong",
        "function F(n: int): int ensures $P decreases 1 / (1 + n * n) { $C }",
    ),
    (
        "measured-real",
        "function F(n: int): int ensures $P decreases 1.5 { $C }",
    ),
    (
        "measured-set",
        "function F(n: int): int ensures $P decreases {n} { $C }",
    ),
    (
        "measured-iset",
        "function F(n: int): int ensures $P decreases iset{n} { $C }",
    ),
    (
        "measured-seq",
        "function F(n: int): int ensures $P decreases [n] { $C }",
    ),
    (
        "measured-multiset",
        "function F(n: int): int ensures $P decreases multiset{n} { $C }",
    ),
    (
        "measured-map",
        "function F(n: int): int ensures $P decreases map[n := n] { $C }",
    ),
    (
        "measured-string",
        "function F(n: int): int ensures $P decreases \"a\" { $C }",
    ),
    (
        "measured-char",
        "function F(n: int): int ensures $P decreases 'a' { $C }",
    ),
    (
        "measured-bool",
        "function F(n: int): int ensures $P decreases n > 0 { $C }",
    ),
    (
        "measured-datatype",
        "function F(n: int): int ensures $P decreases Some(n) { $C }",
    ),
    (
        "measured-codatatype",
        "function F(n: int): int ensures $P decreases Lazy.End { $C }",
    ),
    (
        "measured-tuple",
        "function F(n: int): int ensures $P decreases (n, n) { $C }",
    ),
    (
        "measured-function",
        "function F(n: int): int ensures $P decreases ((x: int) => x) { $C }",
    ),
    (
        "measured-bitvector",
        "function F(n: int): int ensures $P decreases 3 as bv8 { $C }",
    ),
    (
        "measured-ordinal",
        "ghost function F(n: int): int ensures $P decreases 3 as ORDINAL { $C }",
    ),
    (
        "measured-mixed",
        "function F(n: int): int ensures $P decreases if n > 0 then 1 else 0, n { $C }",
    ),
    (
        "tail-recursive",
        "function {:tailrecursion} F(n: int): int ensures $P { $C }",
    ),
    (
        "static",
        "class K { static function F(n: int): int ensures $P { $C } }",
    ),
    (
        "class",
        "class K { function F(n: int): int ensures $P { $C } }",
    ),
    (
        "trait",
        "trait K { function F(n: int): int ensures $P { $C } }",
    ),
    (
        "datatype",
        "datatype K = K(k: int) { function F(n: int): int ensures $P { $C } }",
    ),
    (
        "newtype",
        "newtype K = int { function F(n: int): int ensures $P { $C } }",
    ),
    (
        "twostate",
        "twostate function F(n: int): int ensures $P { $C }",
    ),
    (
        "override",
        "trait T { function F(n: int): int ensures $P decreases n } class K extends T { function F(n: int): int ensures $P decreases n { $C } }",
    ),
    (
        "refined",
        "abstract module A { function F(n: int): int ensures $P } module B refines A { function F(n: int): int ensures $P { $C } }",
    ),
    (
        "by-method",
        "function F(n: int): int ensures $P { $C } by method { assume {:axiom} false; return 0; }",
    ),
    (
        "requires",
        "function F(n: int): int requires n == 3 ensures $P { $C }",
    ),
];

/// Routes of an expression to `F(n)`.
const ROUTES: &[(&str, &str)] = &[
    ("call", "F(n)"),
    ("negative", "-F(n)"),
    ("let", "var x := F(n); x"),
    ("let-unused", "var x := F(n); 0"),
    ("branch", "if n == n then F(n) else 0"),
    ("condition", "if F(n) == 0 then 0 else 1"),
    ("scrutinee", "match F(n) case 0 => 1 case _ => 2"),
    ("growing", "F(n + 1)"),
    ("growing-guarded", "if n < 0 then F(n - 1) else F(n + 1)"),
    ("shrinking-below-zero", "F(n - 1)"),
    ("named-argument", "F(n := n)"),
    ("nested-argument", "F(F(n))"),
    ("tuple", "(F(n), 1).0"),
    ("sequence", "[F(n)][0]"),
    ("sequence-comprehension", "seq(1, i => F(n))[0]"),
    ("set", "|{F(n)}|"),
    ("set-comprehension", "|set i | 0 <= i < 1 :: F(n)|"),
    ("map", "map[1 := F(n)][1]"),
    ("map-comprehension", "(map i | 0 <= i < 1 :: F(n))[0]"),
    (
        "quantifier",
        "if forall i | 0 <= i < 1 :: F(n) == 0 then 0 else 1",
    ),
    (
        "exists",
        "if exists i | 0 <= i < 1 :: F(n) == 0 then 0 else 1",
    ),
    ("lambda", "((x: int) => F(x))(n)"),
    ("lambda-requires", "((x: int) requires x == n => F(x))(n)"),
    ("lambda-unused", "(var f := (x: int) => F(n); 0)"),
    ("let-lambda", "(var f := () => F(n); f())"),
    ("apply", "Apply(x => F(x), n)"),
    ("apply-ghost", "Apply((x: int) => F(n), n)"),
    ("datatype-lambda", "Held(x => F(x)).f(n)"),
    ("assertion", "assert F(n) == F(n); 0"),
    ("assertion-by", "assert true by { assert F(n) == F(n); } 0"),
    ("assumption", "assume {:axiom} F(n) == F(n); 0"),
    ("calculation", "calc { 1; { assert F(n) == F(n); } 1; } 0"),
    ("calculation-line", "calc { F(n); } 0"),
    (
        "forall-in-calculation",
        "calc { 1; { forall i: int ensures F(n) == F(n) { } } 1; } 0",
    ),
    ("such-that", "(var x :| x == F(n); x)"),
    ("constructor", "Some(F(n)).v"),
    ("update", "Some(1).(v := F(n)).v"),
    ("conversion", "(F(n) as real).Floor"),
    ("short-circuit", "if n == n && F(n) == 0 then 0 else 1"),
    ("implication", "if n != n ==> F(n) == 0 then F(n) else 1"),
];

/// Whole programs with a cycle through something other than a body, with the postcondition `$P`.
const CYCLES: &[(&str, &str)] = &[
    ("method", "method M(n: int) ensures $P { M(n); }"),
    (
        "method-measured",
        "method M(n: int) ensures $P decreases n { M(n - 1); }",
    ),
    (
        "method-mutual",
        "method M(n: int) ensures $P { N(n); } method N(n: int) ensures $P { M(n); }",
    ),
    (
        "method-mutual-measured",
        "method M(n: nat) ensures $P decreases n, 1 { N(n); } method N(n: nat) ensures $P decreases n, 0 { M(n); }",
    ),
    (
        "method-in-loop",
        "method M(n: int) ensures $P { for i := 0 to 3 { M(n); } assume {:axiom} false; }",
    ),
    (
        "method-of-trait",
        "trait T { method M(n: int) ensures $P } class K extends T { method M(n: int) ensures $P { var t: T := this; t.M(n); } }",
    ),
    (
        "method-of-trait-measured",
        "trait T { method M(n: nat) ensures $P decreases n } class K extends T { method M(n: nat) ensures $P decreases n { var t: T := this; t.M(n); } }",
    ),
    (
        "method-of-generic-trait",
        "trait T<X> { method M(x: X) ensures $P } class K extends T<int> { method M(x: int) ensures $P { var t: T<int> := this; t.M(x); } }",
    ),
    (
        "function-of-trait",
        "trait T { function F(n: int): int ensures $P } class K extends T { function F(n: int): int ensures $P { var t: T := this; t.F(n) } }",
    ),
    (
        "function-of-other-object",
        "trait T { function F(n: int): int ensures $P decreases n } class K extends T { const o: T constructor (o: T) { this.o := o; } function F(n: int): int ensures $P decreases n { o.F(n) } }",
    ),
    ("lemma", "lemma L(n: int) ensures $P { L(n); }"),
    (
        "lemma-implicit",
        "lemma L(n: nat) ensures $P { if n > 0 { L(n - 1); } else { L(n); } }",
    ),
    (
        "lemma-forall",
        "lemma L(n: int) ensures $P { forall i: int ensures $P { L(i); } assert $P; }",
    ),
    (
        "lemma-forall-range",
        "lemma L(n: int) ensures $P { forall i | i == n { L(i); } }",
    ),
    (
        "lemma-mutual",
        "lemma L(n: int) ensures $P { K(n); } lemma K(n: int) ensures $P { L(n); }",
    ),
    (
        "lemma-calc",
        "lemma L(n: int) ensures $P { calc ==> { true; { L(n); } $P; } }",
    ),
    (
        "lemma-by",
        "lemma L(n: int) ensures $P { assert $P by { L(n); } }",
    ),
    (
        "lemma-in-function",
        "lemma L(n: int) ensures $P { var x := F(n); } function F(n: int): int ensures $P { L(n); 0 }",
    ),
    (
        "lemma-in-expression",
        "lemma L(n: int) ensures $P { var x := (L(n); 0); }",
    ),
    ("lemma-in-ensures", "lemma L(n: int) ensures (L(n); $P) { }"),
    (
        "lemma-twostate",
        "twostate lemma L(n: int) ensures $P { L(n); }",
    ),
    (
        "lemma-least",
        "least predicate Q(n: int) { n == 0 || Q(n) } lemma L(n: int) requires Q(n) ensures $P { L(n); }",
    ),
    (
        "lemma-codatatype",
        "lemma L(l: Lazy) ensures $P { match l case End => case More(h, t) => L(t); assume {:axiom} l != Lazy.End; }",
    ),
    (
        "greatest-lemma",
        "greatest predicate Q(n: int) { Q(n) } greatest lemma L(n: int) ensures Q(n) ensures $P { L(n); }",
    ),
    (
        "constructor",
        "class K { constructor () ensures $P { new; var k := new K(); } }",
    ),
    (
        "constructor-late",
        "class K { var k: K? constructor () ensures $P { k := new K(); } }",
    ),
    (
        "constant",
        "const c: int := F(0) function F(n: int): int ensures $P { c }",
    ),
    (
        "constant-of-object",
        "class K { const c: int := F() function F(): int ensures $P { c } constructor () { } }",
    ),
    (
        "constant-of-datatype",
        "datatype D = D { const c: int := F() function F(): int ensures $P { c } }",
    ),
    ("constant-self", "const c: int := c"),
    ("constant-mutual", "const c: int := d const d: int := c"),
    (
        "constant-in-constant",
        "datatype D = D { const c: int := this.c }",
    ),
    (
        "constant-through-lambda",
        "const c: int -> int := x => c(x)",
    ),
    (
        "default-argument",
        "function F(n: int, m: int := F(n, n)): int ensures $P { F(n) }",
    ),
    (
        "constraint",
        "type S = x: int | F(x) == 0 witness * function F(n: int): int ensures $P { var s: S :| true; s }",
    ),
    (
        "constraint-self",
        "type S = x: int | exists s: S :: s != x witness *",
    ),
    (
        "constraint-parameter",
        "type S = x: int | P(x) witness * predicate P(x: int) { exists s: S :: s == x }",
    ),
    (
        "witness",
        "type S = x: int | true witness F() function F(): int ensures $P { var s: S := 0; s }",
    ),
    (
        "newtype-constraint",
        "newtype S = x: int | P(x) witness * predicate P(x: int) { exists s: S :: s as int == x }",
    ),
    (
        "requires-self",
        "function F(n: int): int requires F(n) == 0 { 0 }",
    ),
    (
        "ensures-self",
        "function F(n: int): int ensures F(n + 1) == 0 && F(n) != 0 { 1 }",
    ),
    (
        "reads-self",
        "function F(o: object): int reads if F(o) == 0 then {o} else {} { 0 }",
    ),
    (
        "decreases-self",
        "function F(n: int): int decreases F(n) { 0 }",
    ),
    (
        "by-method",
        "function F(n: int): int { 0 } by method { var x := F(n); return 0; }",
    ),
    (
        "by-method-call",
        "function F(n: int): int { 0 } by method { var x := M(n); return 0; } method M(n: int) returns (r: int) ensures $P { r := F(n); assume {:axiom} $P; }",
    ),
    ("loop", "method M() ensures $P { while true { } }"),
    (
        "loop-measured",
        "method M() ensures $P { while true decreases 0 { } }",
    ),
    (
        "loop-unchanged",
        "method M(n: int) ensures $P { var i := 0; while i == i decreases n - i { } }",
    ),
    (
        "loop-downwards",
        "method M() ensures $P { var i := 0; while true decreases i { i := i - 1; } }",
    ),
    (
        "loop-real",
        "method M() ensures $P { var r := 1.0; while true decreases r { r := r / 2.0; } }",
    ),
    (
        "loop-iset",
        "method M() ensures $P { ghost var s := iset x: int | x >= 0; var i := 0; while true decreases s { s := s - iset{i}; i := i + 1; } }",
    ),
    (
        "loop-imap",
        "method M() ensures $P { ghost var s := imap x: int | x >= 0 :: x; var i := 0; while true decreases s { s := s - {i}; i := i + 1; } }",
    ),
    (
        "loop-seq",
        "method M() ensures $P { var s := [1]; while true decreases s { s := [2]; } }",
    ),
    (
        "loop-set",
        "method M() ensures $P { var s := {1}; while true decreases s { s := {2}; } }",
    ),
    (
        "loop-multiset",
        "method M() ensures $P { var s := multiset{1}; while true decreases s { s := multiset{2}; } }",
    ),
    (
        "loop-map",
        "method M() ensures $P { var s := map[1 := 1]; while true decreases s { s := map[2 := 2]; } }",
    ),
    (
        "loop-function",
        "method M() ensures $P { var f := (x: int) => x; while true decreases f { f := (x: int) => x + 1; } }",
    ),
    (
        "loop-reference",
        "method M(o: object?) ensures $P { var p := o; while true decreases p { p := o; } }",
    ),
    (
        "loop-char",
        "method M() ensures $P { var c := 'b'; while true decreases c { c := 'c'; } }",
    ),
    (
        "loop-bool",
        "method M() ensures $P { var c := true; while true decreases c { c := true; } }",
    ),
    (
        "loop-bitvector",
        "method M() ensures $P { var c: bv8 := 0; while true decreases c { c := c - 1; } }",
    ),
    (
        "loop-codatatype",
        "method M(k: Lazy) ensures $P { var c := k; while true decreases c { match c case End => case More(h, t) => c := t; } }",
    ),
    (
        "loop-continue",
        "method M() ensures $P { var i := 0; while i < 3 { if i == 0 { continue; } i := i + 1; } assume {:axiom} false; }",
    ),
    (
        "loop-cases",
        "method M() ensures $P { while { case true => } }",
    ),
    (
        "loop-for-unbounded",
        "method M() ensures $P { for i := 0 to * { } }",
    ),
    (
        "loop-bodyless-call",
        "method M(n: int) ensures $P { while true { M(n); } }",
    ),
    (
        "loop-ghost",
        "method M() ensures $P { ghost var i := 0; while true { i := i + 1; } }",
    ),
    ("loop-in-lemma", "lemma L() ensures $P { while true { } }"),
    (
        "knot-constant",
        "class K { const f: () -> int constructor () ensures $P { f := () => this.f() + 1; new; assert f() == f() + 1; } }",
    ),
    (
        "datatype-function",
        "datatype D = D(f: D -> int) method M() { var d := D((x: D) => x.f(x)); }",
    ),
    (
        "datatype-function-nested",
        "datatype D = D(f: seq<D> -> int) method M() { }",
    ),
    (
        "datatype-function-synonym",
        "type G = D -> int datatype D = D(f: G) method M() { }",
    ),
    (
        "datatype-function-partial",
        "datatype D = D(f: D ~> int) method M() { }",
    ),
    (
        "datatype-function-subset",
        "type G = f: D --> int | true witness * datatype D = D(f: G) method M() { }",
    ),
    (
        "datatype-function-through",
        "datatype E<!X> = E(f: X -> int) datatype D = D(e: E<D>) method M() { }",
    ),
    ("datatype-iset", "datatype D = D(s: iset<D>) method M() { }"),
    (
        "datatype-imap",
        "datatype D = D(s: imap<D, int>) method M() { }",
    ),
    (
        "datatype-imap-values",
        "datatype D = D(s: imap<int, iset<D>>) method M() { }",
    ),
    (
        "datatype-iset-tuple",
        "datatype D = D(s: (int, iset<D>)) method M() { }",
    ),
    (
        "datatype-iset-synonym",
        "type I = iset<D> datatype D = D(s: I) method M() { }",
    ),
    (
        "datatype-iset-subset",
        "type I = s: iset<D> | true datatype D = D(s: I) method M() { }",
    ),
    (
        "datatype-iset-generic",
        "type I<X> = s: iset<X> | true datatype D = D(s: I<D>) method M() { }",
    ),
    (
        "datatype-iset-through",
        "datatype E<!X> = E(s: iset<X>) datatype D = D(e: E<D>) method M() { }",
    ),
    (
        "datatype-iset-codatatype",
        "codatatype D = D(s: iset<D>) method M() { }",
    ),
    (
        "datatype-iset-ghost",
        "datatype D = D(ghost s: iset<D>, n: int) method M() { }",
    ),
    (
        "datatype-iset-mutual",
        "datatype D = D(e: E) datatype E = E(s: iset<D>) method M() { }",
    ),
    (
        "datatype-function-mutual",
        "datatype D = D(e: E) datatype E = E(s: D -> bool) method M() { }",
    ),
    (
        "datatype-opaque-parameter",
        "type O<!X> datatype D = D | N(o: O<iset<D>>) method M() { }",
    ),
    (
        "endless-field",
        "datatype D = D(d: D) class K { const x: D constructor () { } } method M() { }",
    ),
    ("type-cycle", "type A = B type B = A method M() { }"),
    (
        "subset-cycle",
        "type A = b: B | true type B = a: A | true method M() { }",
    ),
    ("newtype-cycle", "newtype A = b: A | true method M() { }"),
    (
        "trait-cycle",
        "trait A extends B { } trait B extends A { } method M() { }",
    ),
];

const FALSE: &str = "false";
const TRUE: &str = "true";

/// Adds recursion without an end.
pub(crate) fn recursion(table: &mut Table) {
    let basis =
        Basis::Rule("Termination: every recursive call must decrease the measure of its caller");
    for (function, text) in FUNCTIONS {
        for (route, call) in ROUTES {
            let with = |p: &str, call: &str| text.replace("$P", p).replace("$C", call);
            table.add(
                "termination",
                &[function, route],
                Stage::Verify,
                basis,
                Options::Default,
                with(FALSE, call),
                with(TRUE, "0"),
            );
        }
    }
    for (cycle, text) in CYCLES {
        table.add(
            "cycle",
            &[cycle],
            Stage::Verify,
            basis,
            Options::Default,
            text.replace("$P", FALSE),
            String::new(),
        );
    }
}
