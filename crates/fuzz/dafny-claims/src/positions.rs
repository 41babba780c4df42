//! Positions of an expression: every place of the grammar that takes one.
//!
//! A position is a text with holes: `$E` for an expression of type `int`. Apart from what stands
//! in the hole, a position has nothing that a verifier could refuse: conditions are of the form
//! `$E == $E`, so that only the well-formedness of the hole is in question.

/// A position of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The name, in results.
    pub(crate) name: &'static str,
    /// Declarations of a module, with the hole `$E`.
    pub(crate) text: &'static str,
    /// Whether code is generated for the expression, unless it is ghost where that is allowed.
    pub(crate) is_compiled: bool,
}

const fn compiled(name: &'static str, text: &'static str) -> Position {
    Position {
        name,
        text,
        is_compiled: true,
    }
}

const fn ghost(name: &'static str, text: &'static str) -> Position {
    Position {
        name,
        text,
        is_compiled: false,
    }
}

/// Positions in declarations, outside bodies and clauses.
pub(crate) const DECLARATIONS: &[Position] = &[
    compiled("const", "const c: int := $E"),
    compiled("const-inferred", "const c := $E"),
    ghost("const-ghost", "ghost const c: int := $E"),
    compiled(
        "const-class",
        "class K { const c: int := $E constructor () { } }",
    ),
    compiled(
        "const-class-static",
        "class K { static const c: int := $E }",
    ),
    compiled("const-trait", "trait K { const c: int := $E }"),
    compiled("const-datatype", "datatype D = D { const c: int := $E }"),
    compiled(
        "const-datatype-static",
        "datatype D = D { static const c: int := $E }",
    ),
    compiled(
        "const-codatatype",
        "codatatype D = D(d: D) { const c: int := $E }",
    ),
    compiled("const-newtype", "newtype N = int { const c: int := $E }"),
    compiled(
        "const-newtype-static",
        "newtype N = int { static const c: int := $E }",
    ),
    compiled("const-abstract-type", "type N { const c: int := $E }"),
    ghost(
        "const-ghost-class",
        "class K { ghost const c: int := $E constructor () { } }",
    ),
    ghost("subset-constraint", "type S = x: int | $E == $E"),
    ghost(
        "subset-constraint-guarded",
        "type S = x: int | x > 5 ==> $E == $E",
    ),
    compiled("subset-witness", "type S = x: int | x == x witness $E"),
    ghost(
        "subset-ghost-witness",
        "type S = x: int | x == x ghost witness $E",
    ),
    ghost("newtype-constraint", "newtype N = x: int | $E == $E"),
    compiled("newtype-witness", "newtype N = x: int | x == x witness $E"),
    ghost(
        "newtype-ghost-witness",
        "newtype N = x: int | x == x ghost witness $E",
    ),
    compiled("default-of-method", "method M(x: int := $E) { }"),
    compiled("default-of-function", "function F(x: int := $E): int { 0 }"),
    ghost("default-of-lemma", "lemma L(x: int := $E) { }"),
    compiled(
        "default-of-constructor",
        "class K { constructor (x: int := $E) { } }",
    ),
    compiled("default-of-datatype", "datatype D = D(x: int := $E)"),
    compiled("default-of-iterator", "iterator I(x: int := $E) { }"),
    ghost(
        "default-of-predicate",
        "least predicate P(x: int := $E) { true }",
    ),
    ghost(
        "default-of-twostate",
        "twostate function F(x: int := $E): int { 0 }",
    ),
];

/// Positions in clauses.
pub(crate) const CLAUSES: &[Position] = &[
    ghost("requires-method", "method M() requires $E == $E { }"),
    ghost(
        "requires-function",
        "function F(): int requires $E == $E { 0 }",
    ),
    ghost("requires-lemma", "lemma L() requires $E == $E { }"),
    ghost(
        "requires-constructor",
        "class K { constructor () requires $E == $E { } }",
    ),
    ghost("requires-iterator", "iterator I() requires $E == $E { }"),
    ghost(
        "requires-iterator-yield",
        "iterator I() yield requires $E == $E { }",
    ),
    ghost(
        "requires-twostate",
        "twostate lemma L() requires $E == $E { }",
    ),
    ghost(
        "requires-twostate-function",
        "twostate function F(): int requires $E == $E { 0 }",
    ),
    ghost(
        "requires-least-lemma",
        "least predicate P() { true } least lemma L() requires P() && $E == $E { }",
    ),
    ghost(
        "requires-bodyless",
        "trait T { method M() requires $E == $E }",
    ),
    ghost(
        "requires-trait-function",
        "trait T { function F(): int requires $E == $E }",
    ),
    ghost(
        "requires-by-method",
        "function F(): int requires $E == $E { 0 } by method { return 0; }",
    ),
    ghost(
        "requires-opaque",
        "opaque function F(): int requires $E == $E { 0 }",
    ),
    ghost(
        "requires-datatype-member",
        "datatype D = D { function F(): int requires $E == $E { 0 } }",
    ),
    ghost("ensures-method", "method M() ensures $E == $E { }"),
    ghost(
        "ensures-method-result",
        "method M() returns (r: int) ensures r > 5 ==> $E == $E { r := 6; }",
    ),
    ghost(
        "ensures-function",
        "function F(): int ensures $E == $E { 0 }",
    ),
    ghost(
        "ensures-function-named",
        "function F(): (r: int) ensures r == 0 && $E == $E { 0 }",
    ),
    ghost("ensures-lemma", "lemma L() ensures $E == $E { }"),
    ghost(
        "ensures-constructor",
        "class K { constructor () ensures $E == $E { } }",
    ),
    ghost("ensures-iterator", "iterator I() ensures $E == $E { }"),
    ghost(
        "ensures-iterator-yield",
        "iterator I() yield ensures $E == $E { yield; }",
    ),
    ghost(
        "ensures-iterator-yield-never",
        "iterator I() yield ensures $E == $E { }",
    ),
    ghost(
        "ensures-twostate",
        "twostate lemma L() ensures $E == $E { }",
    ),
    ghost(
        "ensures-twostate-function",
        "twostate function F(): int ensures $E == $E { 0 }",
    ),
    ghost(
        "ensures-least-lemma",
        "least predicate P() { true } least lemma L() requires P() ensures $E == $E { }",
    ),
    ghost(
        "ensures-greatest-lemma",
        "greatest predicate P() { true } greatest lemma L() ensures P() && $E == $E { }",
    ),
    ghost(
        "ensures-trait-method",
        "trait T { method M() ensures $E == $E { } }",
    ),
    ghost(
        "ensures-trait-bodyless",
        "trait T { method M() ensures $E == $E }",
    ),
    ghost(
        "ensures-trait-function",
        "trait T { function F(): int ensures $E == $E }",
    ),
    ghost(
        "ensures-by-method",
        "function F(): int ensures $E == $E { 0 } by method { return 0; }",
    ),
    ghost(
        "ensures-opaque",
        "opaque function F(): int ensures $E == $E { 0 }",
    ),
    ghost(
        "ensures-ghost-function",
        "ghost function F(): int ensures $E == $E { 0 }",
    ),
    ghost(
        "ensures-least-predicate",
        "least predicate P() { $E == $E }",
    ),
    ghost(
        "ensures-greatest-predicate",
        "greatest predicate P() { $E == $E }",
    ),
    ghost("decreases-method", "method M() decreases $E { }"),
    ghost("decreases-second", "method M() decreases 1, $E { }"),
    ghost("decreases-function", "function F(): int decreases $E { 0 }"),
    ghost("decreases-lemma", "lemma L() decreases $E { }"),
    ghost("decreases-iterator", "iterator I() decreases $E { }"),
    ghost(
        "decreases-constructor",
        "class K { constructor () decreases $E { } }",
    ),
    ghost("decreases-trait", "trait T { method M() decreases $E }"),
    ghost("decreases-twostate", "twostate lemma L() decreases $E { }"),
    ghost(
        "decreases-loop",
        "method M() { var i := 0; while i < 3 decreases 3 - i, $E { i := i + 1; } }",
    ),
    ghost(
        "reads-function",
        "function F(o: object): int reads if $E == $E then {} else {o} { 0 }",
    ),
    ghost(
        "reads-predicate",
        "predicate P(o: object) reads if $E == $E then {} else {o} { true }",
    ),
    ghost(
        "reads-twostate",
        "twostate function F(o: object): int reads if $E == $E then {} else {o} { 0 }",
    ),
    ghost(
        "reads-trait",
        "trait T { function F(o: object): int reads if $E == $E then {} else {o} }",
    ),
    ghost(
        "reads-iterator",
        "iterator I(o: object) reads if $E == $E then {} else {o} { }",
    ),
    ghost(
        "reads-lambda",
        "method M(o: object) { var f := (x: int) reads if $E == $E then {} else {o} => x; }",
    ),
    ghost(
        "modifies-method",
        "method M(o: object) modifies if $E == $E then {} else {o} { }",
    ),
    ghost(
        "modifies-constructor",
        "class K { constructor (o: object) modifies if $E == $E then {} else {o} { } }",
    ),
    ghost(
        "modifies-iterator",
        "iterator I(o: object) modifies if $E == $E then {} else {o} { }",
    ),
    ghost(
        "modifies-trait",
        "trait T { method M(o: object) modifies if $E == $E then {} else {o} }",
    ),
    ghost(
        "modifies-loop",
        "method M(o: object) { var i := 0; while i < 3 modifies if $E == $E then {} else {o} { i := i + 1; } }",
    ),
    ghost(
        "modifies-statement",
        "method M(o: object) modifies o { modify if $E == $E then {} else {o}; }",
    ),
    ghost(
        "invariant",
        "method M() { var i := 0; while i < 3 invariant $E == $E { i := i + 1; } }",
    ),
    ghost(
        "invariant-for",
        "method M() { for i := 0 to 3 invariant $E == $E { } }",
    ),
    ghost(
        "invariant-never",
        "method M() { while false invariant $E == $E { } }",
    ),
    ghost(
        "invariant-iterator",
        "iterator I() { var i := 0; while i < 3 invariant $E == $E { i := i + 1; } }",
    ),
    ghost(
        "invariant-bodyless-effect",
        "method M() { var i := 0; while i < 3 invariant i >= 0 && $E == $E { i := i + 1; } }",
    ),
    ghost(
        "opaque-block-ensures",
        "method M() { opaque ensures $E == $E { } }",
    ),
    ghost(
        "lambda-requires",
        "method M() { var f := (x: int) requires $E == $E => x; }",
    ),
    ghost(
        "lambda-requires-const",
        "const f := (x: int) requires $E == $E => x",
    ),
    ghost(
        "forall-ensures",
        "method M() { forall x | 0 <= x < 3 ensures $E == $E { } }",
    ),
];

/// Positions in statements.
pub(crate) const STATEMENTS: &[Position] = &[
    compiled("var", "method M() { var x := $E; }"),
    compiled("var-typed", "method M() { var x: int := $E; }"),
    ghost("var-ghost", "method M() { ghost var x := $E; }"),
    compiled("var-pair", "method M() { var x, y := 1, $E; }"),
    compiled("var-pattern", "method M() { var (x, y) := (1, $E); }"),
    compiled("assign", "method M() { var x := 0; x := $E; }"),
    compiled(
        "assign-pair",
        "method M() { var x, y := 0, 0; x, y := $E, 1; }",
    ),
    compiled("assign-result", "method M() returns (r: int) { r := $E; }"),
    compiled("return", "method M() returns (r: int) { return $E; }"),
    compiled(
        "return-second",
        "method M() returns (r: int, s: int) { return 0, $E; }",
    ),
    compiled("yield", "iterator I() yields (r: int) { yield $E; }"),
    compiled(
        "iterator-assign",
        "iterator I() yields (r: int) { r := $E; }",
    ),
    compiled("iterator-var", "iterator I() { var r := $E; }"),
    compiled(
        "iterator-after-yield",
        "iterator I() { yield; var r := $E; }",
    ),
    compiled("print", "method M() { print $E; }"),
    compiled("expect", "method M() { expect $E == $E; }"),
    compiled(
        "expect-message",
        "method M(b: bool) { expect b, if $E == $E then \"\" else \"a\"; }",
    ),
    ghost("assert", "method M() { assert $E == $E; }"),
    ghost("assume", "method M() { assume {:axiom} $E == $E; }"),
    ghost(
        "assert-by",
        "method M() { assert true by { assert $E == $E; } }",
    ),
    ghost("assert-label", "method M() { assert A: $E == $E; }"),
    compiled("if", "method M() { if $E == $E { print 1; } }"),
    ghost(
        "if-ghost",
        "method M(ghost g: int) { if g == g && $E == $E { } }",
    ),
    compiled(
        "if-else-if",
        "method M(b: bool) { if b { } else if $E == $E { print 1; } }",
    ),
    compiled("if-branch", "method M() { if true { var x := $E; } }"),
    compiled("if-star", "method M() { if * { var x := $E; } }"),
    compiled(
        "if-cases",
        "method M() { if { case $E == $E => print 1; case true => } }",
    ),
    compiled(
        "if-cases-body",
        "method M() { if { case true => var x := $E; } }",
    ),
    ghost("if-binding", "method M() { if x :| x == $E { } else { } }"),
    compiled(
        "while",
        "method M() { var i := 0; while i < 3 && $E == $E { i := i + 1; print 1; } }",
    ),
    compiled(
        "while-body",
        "method M() { var i := 0; while i < 3 { i := i + 1; var x := $E; } }",
    ),
    compiled(
        "while-cases",
        "method M() { var i := 0; while decreases 3 - i { case i < 3 && $E == $E => i := i + 1; print 1; } }",
    ),
    compiled(
        "while-after-break",
        "method M() { while true decreases 0 { var x := $E; break; } }",
    ),
    compiled(
        "for-from",
        "method M() { for i := if $E == $E then 0 else 1 to 3 { print 1; } }",
    ),
    compiled(
        "for-to",
        "method M() { for i := 0 to if $E == $E then 2 else 3 { print 1; } }",
    ),
    compiled(
        "for-downto",
        "method M() { for i := if $E == $E then 2 else 3 downto 0 { print 1; } }",
    ),
    compiled(
        "for-body",
        "method M() { for i := 0 to 3 { var x := $E; } }",
    ),
    compiled(
        "match",
        "method M() { match $E case 0 => print 1; case _ => }",
    ),
    compiled(
        "match-case",
        "method M(o: Opt) { match o case Some(v) => var x := $E; case None => }",
    ),
    compiled(
        "match-literal-case",
        "method M(o: int) { match o case 3 => var x := $E; case _ => }",
    ),
    compiled(
        "match-tuple-case",
        "method M(o: Opt) { match (o, 1) case (Some(v), 1) => var x := $E; case _ => }",
    ),
    ghost("calc-line", "method M() { calc { $E; $E; } }"),
    ghost(
        "calc-hint",
        "method M() { calc { 1; { assert $E == $E; } 1; } }",
    ),
    ghost("calc-single", "method M() { calc { $E; } }"),
    ghost(
        "calc-implies",
        "method M() { calc ==> { true; $E == $E; } }",
    ),
    ghost(
        "calc-explies",
        "method M() { calc <== { $E == $E; true; } }",
    ),
    ghost(
        "forall-range",
        "method M() { forall x | 0 <= x < 3 && $E == $E { } }",
    ),
    ghost(
        "forall-body",
        "method M() { forall x | 0 <= x < 3 { assert $E == $E; } }",
    ),
    compiled(
        "forall-assign-range",
        "method M(a: array<int>) modifies a { forall i | 0 <= i < a.Length && $E == $E { a[i] := 0; } }",
    ),
    compiled(
        "forall-assign",
        "method M(a: array<int>) modifies a { forall i | 0 <= i < a.Length { a[i] := $E; } }",
    ),
    ghost("such-that", "method M() { ghost var x :| x == $E; }"),
    ghost(
        "such-that-assume",
        "method M() { ghost var x :| assume {:axiom} x == $E; }",
    ),
    compiled(
        "call-argument",
        "method N(x: int) { } method M() { N($E); }",
    ),
    ghost("call-lemma", "lemma N(x: int) { } method M() { N($E); }"),
    ghost(
        "call-ghost-argument",
        "method N(ghost x: int) { } method M() { N($E); }",
    ),
    compiled(
        "call-named-argument",
        "method N(x: int, y: int := 0) { } method M() { N(y := $E, x := 1); }",
    ),
    compiled(
        "call-constructor",
        "class K { constructor (x: int) { } } method M() { var k := new K($E); }",
    ),
    compiled(
        "call-iterator",
        "iterator I(x: int) { } method M() { var k := new I($E); }",
    ),
    compiled(
        "array-size",
        "method M() returns (a: array<int>) { a := new int[if $E == $E then 1 else 2]; }",
    ),
    compiled(
        "array-size-second",
        "method M() returns (a: array2<int>) { a := new int[1, if $E == $E then 1 else 2]; }",
    ),
    compiled(
        "array-initializer",
        "method M() returns (a: array<int>) { a := new int[3](i => $E); }",
    ),
    compiled(
        "array-display",
        "method M() returns (a: array<int>) { a := new int[] [1, $E]; }",
    ),
    compiled(
        "array-index",
        "method M(a: array<int>) requires a.Length > 3 modifies a { a[if $E == $E then 0 else 1] := 0; }",
    ),
    compiled(
        "array-element",
        "method M(a: array<int>) requires a.Length > 3 modifies a { a[0] := $E; }",
    ),
    compiled(
        "matrix-element",
        "method M(a: array2<int>) requires a.Length0 > 0 && a.Length1 > 0 modifies a { a[0, 0] := $E; }",
    ),
    compiled(
        "field",
        "class K { var f: int method M() modifies this { f := $E; } }",
    ),
    compiled(
        "field-of-object",
        "class K { var f: int } method M(k: K) modifies k { k.f := $E; }",
    ),
    compiled(
        "constructor-field",
        "class K { var f: int constructor () { f := $E; } }",
    ),
    compiled(
        "constructor-const",
        "class K { const f: int constructor () { f := $E; } }",
    ),
    compiled(
        "constructor-second-phase",
        "class K { var f: int constructor () { f := 0; new; f := $E; } }",
    ),
    compiled("block", "method M() { { { var x := $E; } } }"),
    compiled("labelled-block", "method M() { label L: { var x := $E; } }"),
    compiled(
        "after-label-break",
        "method M(b: bool) { label L: { if b { break L; } var x := $E; } }",
    ),
    compiled("opaque-block", "method M() { opaque { var x := $E; } }"),
    compiled(
        "by-method",
        "function F(): int { 0 } by method { var x := $E; return 0; }",
    ),
    compiled(
        "failure-statement",
        "datatype R = Bad | Good(v: int) { predicate IsFailure() { Bad? } function PropagateFailure(): R { this } function Extract(): int requires Good? { v } } method M() returns (r: R) { var x :- R.Good($E); return R.Good(0); }",
    ),
    ghost("lemma-body", "lemma L() { assert $E == $E; }"),
    ghost("lemma-var", "lemma L() { var x := $E; }"),
    ghost(
        "lemma-recursive",
        "lemma L(n: nat) { if n > 0 { L(n - 1); var x := $E; } }",
    ),
    ghost("twostate-lemma-body", "twostate lemma L() { var x := $E; }"),
    ghost(
        "least-lemma-body",
        "least predicate P() { true } least lemma L() requires P() { var x := $E; }",
    ),
    ghost(
        "greatest-lemma-body",
        "greatest predicate P() { true } greatest lemma L() ensures P() { var x := $E; }",
    ),
    ghost("ghost-method", "ghost method M() { var x := $E; }"),
    ghost(
        "hide",
        "function G(): int { 0 } method M() { hide G; ghost var x := $E; }",
    ),
    ghost(
        "reveal",
        "opaque function G(): int { 0 } method M() { reveal G(); ghost var x := $E; }",
    ),
    compiled("trait-method", "trait T { method M() { var x := $E; } }"),
    compiled("class-method", "class K { method M() { var x := $E; } }"),
    compiled(
        "class-static-method",
        "class K { static method M() { var x := $E; } }",
    ),
    compiled(
        "datatype-method",
        "datatype D = D { method M() { var x := $E; } }",
    ),
    compiled(
        "newtype-method",
        "newtype N = int { method M() { var x := $E; } }",
    ),
    compiled("generic-method", "method M<T>(t: T) { var x := $E; }"),
    compiled(
        "override",
        "trait T { method M() } class K extends T { method M() { var x := $E; } }",
    ),
    compiled("main", "method Main() { var x := $E; }"),
    compiled("test-method", "method {:test} M() { var x := $E; }"),
];

/// Positions in expressions, and in bodies of functions.
pub(crate) const EXPRESSIONS: &[Position] = &[
    compiled("function", "function F(): int { $E }"),
    ghost("function-ghost", "ghost function F(): int { $E }"),
    compiled("function-opaque", "opaque function F(): int { $E }"),
    compiled("function-class", "class K { function F(): int { $E } }"),
    compiled(
        "function-class-static",
        "class K { static function F(): int { $E } }",
    ),
    compiled("function-trait", "trait K { function F(): int { $E } }"),
    compiled(
        "function-datatype",
        "datatype D = D { function F(): int { $E } }",
    ),
    compiled(
        "function-newtype",
        "newtype N = int { function F(): int { $E } }",
    ),
    compiled(
        "function-override",
        "trait T { function F(): int } class K extends T { function F(): int { $E } }",
    ),
    compiled("function-generic", "function F<T>(t: T): int { $E }"),
    compiled(
        "function-tail",
        "function {:tailrecursion} F(n: nat): int { if n == 0 then $E else F(n - 1) }",
    ),
    ghost("function-twostate", "twostate function F(): int { $E }"),
    ghost(
        "function-by-method",
        "function F(): int { if $E == $E then 0 else 0 } by method { return 0; }",
    ),
    ghost("predicate-least", "least predicate P(n: int) { n == $E }"),
    ghost(
        "predicate-greatest",
        "greatest predicate P(n: int) { n == $E || P(n + 1) }",
    ),
    compiled("predicate", "predicate P() { $E == $E }"),
    compiled(
        "corecursive",
        "codatatype S = S(head: int, tail: S) function F(): S { S($E, F()) }",
    ),
    compiled(
        "corecursive-tail",
        "codatatype S = S(head: int, tail: S) function F(n: int): S { S(n, F($E)) }",
    ),
    compiled("let-value", "function F(): int { var x := $E; x }"),
    compiled("let-unused", "function F(): int { var x := $E; 0 }"),
    compiled("let-body", "function F(): int { var x := 1; $E }"),
    ghost("let-ghost", "function F(): int { ghost var x := $E; 0 }"),
    compiled(
        "let-pattern",
        "function F(): int { var (x, y) := (0, $E); 0 }",
    ),
    ghost(
        "let-such-that",
        "ghost function F(): int { var x :| x == $E; 0 }",
    ),
    compiled(
        "if-condition",
        "function F(): int { if $E == $E then 0 else 1 }",
    ),
    compiled(
        "if-then",
        "function F(b: bool): int { if b then $E else 1 }",
    ),
    compiled(
        "if-else",
        "function F(b: bool): int { if b then 1 else $E }",
    ),
    ghost(
        "if-expression-binding",
        "ghost function F(): int { if x :| x == $E then 0 else 0 }",
    ),
    compiled(
        "match-scrutinee",
        "function F(): int { match $E case 0 => 0 case _ => 1 }",
    ),
    compiled(
        "match-branch",
        "function F(o: Opt): int { match o case Some(v) => $E case None => 1 }",
    ),
    compiled(
        "match-default",
        "function F(o: Opt): int { match o case Some(v) => 1 case _ => $E }",
    ),
    compiled(
        "match-nested",
        "function F(o: (Opt, Opt)): int { match o case (Some(v), None) => $E case _ => 1 }",
    ),
    compiled("and-left", "predicate P() { $E == $E && true }"),
    compiled("and-right", "predicate P() { true && $E == $E }"),
    compiled("or-left", "predicate P() { $E == $E || true }"),
    compiled("or-right", "predicate P() { false || $E == $E }"),
    compiled("implies-left", "predicate P() { $E == $E ==> true }"),
    compiled("implies-right", "predicate P() { true ==> $E == $E }"),
    compiled("explies-left", "predicate P() { $E == $E <== true }"),
    compiled("explies-right", "predicate P() { true <== $E == $E }"),
    compiled("iff", "predicate P() { false <==> $E == $E }"),
    compiled("not", "predicate P() { !($E == $E) }"),
    compiled("not-equal", "predicate P() { $E != $E }"),
    compiled("chain", "predicate P() { 0 < 1 <= 1 + ($E) }"),
    compiled("negative", "function F(): int { -($E) }"),
    compiled("add", "function F(): int { 1 + ($E) }"),
    compiled("multiply-zero", "function F(): int { 0 * ($E) }"),
    compiled("element-of-set", "predicate P() { ($E) in {1} }"),
    compiled("element-of-seq", "predicate P() { ($E) !in [1] }"),
    compiled(
        "element-of-multiset",
        "function F(): int { multiset{1}[$E] }",
    ),
    compiled("set-display", "function F(): set<int> { {1, $E} }"),
    ghost(
        "iset-display",
        "ghost function F(): iset<int> { iset{1, $E} }",
    ),
    compiled("seq-display", "function F(): seq<int> { [1, $E] }"),
    compiled(
        "multiset-display",
        "function F(): multiset<int> { multiset{1, $E} }",
    ),
    compiled("map-key", "function F(): map<int, int> { map[$E := 1] }"),
    compiled("map-value", "function F(): map<int, int> { map[1 := $E] }"),
    compiled("tuple", "function F(): (int, int) { (1, $E) }"),
    compiled("constructor-argument", "function F(): Opt { Some($E) }"),
    compiled(
        "datatype-update",
        "function F(o: Opt): Opt requires o.Some? { o.(v := $E) }",
    ),
    compiled(
        "seq-update",
        "function F(s: seq<int>): seq<int> requires |s| > 0 { s[0 := $E] }",
    ),
    compiled(
        "map-update-key",
        "function F(s: map<int, int>): map<int, int> { s[$E := 0] }",
    ),
    compiled(
        "map-update-value",
        "function F(s: map<int, int>): map<int, int> { s[0 := $E] }",
    ),
    compiled(
        "seq-slice",
        "function F(s: seq<int>): seq<int> { s[if $E == $E then 0 else 0..] }",
    ),
    compiled("cardinality", "function F(): int { |[$E]| }"),
    compiled(
        "call",
        "function G(x: int): int { 0 } function F(): int { G($E) }",
    ),
    compiled(
        "call-default",
        "function G(x: int, y: int := 0): int { 0 } function F(): int { G(0, y := $E) }",
    ),
    compiled("call-value", "function F(g: int -> int): int { g($E) }"),
    ghost(
        "call-twostate",
        "twostate function G(x: int): int { 0 } twostate function F(): int { G($E) }",
    ),
    compiled(
        "call-member",
        "datatype D = D { static function G(x: int): int { 0 } } function F(): int { D.G($E) }",
    ),
    compiled("conversion", "function F(): real { ($E) as real }"),
    compiled(
        "lambda-body",
        "method M() returns (f: int -> int) { f := (x: int) => $E; }",
    ),
    compiled("lambda-body-const", "const f := (x: int) => $E"),
    compiled("lambda-nested", "const f := (x: int) => (y: int) => $E"),
    compiled(
        "lambda-in-call",
        "function G(f: int -> int): int { 0 } function F(): int { G(x => $E) }",
    ),
    compiled(
        "lambda-in-collection",
        "function F(): seq<int -> int> { [x => $E] }",
    ),
    ghost(
        "quantifier-body",
        "ghost predicate P() { forall x: int :: $E == $E }",
    ),
    ghost(
        "quantifier-range",
        "ghost predicate P() { forall x: int | $E == $E :: true }",
    ),
    ghost(
        "exists-body",
        "ghost predicate P() { exists x: int :: $E == $E }",
    ),
    ghost(
        "exists-range",
        "ghost predicate P() { exists x: int | $E == $E :: true }",
    ),
    compiled(
        "quantifier-bounded",
        "predicate P() { forall x | 0 <= x < 3 :: $E == $E }",
    ),
    compiled(
        "quantifier-domain",
        "predicate P() { forall x <- {1, $E} :: true }",
    ),
    compiled(
        "set-comprehension-term",
        "function F(): set<int> { set x | 0 <= x < 3 :: $E }",
    ),
    compiled(
        "set-comprehension-range",
        "function F(): set<int> { set x | 0 <= x < 3 && $E == $E }",
    ),
    ghost(
        "iset-comprehension",
        "ghost function F(): iset<int> { iset x: int | $E == $E }",
    ),
    compiled(
        "map-comprehension",
        "function F(): map<int, int> { map x | 0 <= x < 3 :: $E }",
    ),
    compiled(
        "map-comprehension-range",
        "function F(): map<int, int> { map x | 0 <= x < 3 && $E == $E :: 0 }",
    ),
    ghost(
        "imap-comprehension",
        "ghost function F(): imap<int, int> { imap x: int :: $E }",
    ),
    compiled(
        "seq-comprehension",
        "function F(): seq<int> { seq(3, i => $E) }",
    ),
    compiled(
        "seq-comprehension-size",
        "function F(): seq<int> { seq(if $E == $E then 1 else 2, i => i) }",
    ),
    ghost(
        "statement-assert",
        "function F(): int { assert $E == $E; 0 }",
    ),
    ghost(
        "statement-assume",
        "function F(): int { assume {:axiom} $E == $E; 0 }",
    ),
    ghost("statement-calc", "function F(): int { calc { $E; } 0 }"),
    ghost(
        "statement-lemma",
        "lemma L(x: int) { } function F(): int { L($E); 0 }",
    ),
    ghost(
        "statement-in-requires",
        "lemma L(x: int) { } function F(): int requires (L($E); true) { 0 }",
    ),
    ghost(
        "statement-in-ensures",
        "function F(): int ensures (assert $E == $E; true) { 0 }",
    ),
    ghost(
        "statement-in-constraint",
        "type S = x: int | assert $E == $E; true",
    ),
    ghost("old", "twostate function F(): int { old($E) }"),
    ghost("old-assert", "method M() { assert old($E == $E); }"),
    ghost(
        "old-label",
        "method M() { label L: assert old@L($E == $E); }",
    ),
    ghost(
        "decreases-to",
        "method M() { assert ($E decreases to $E) || true; }",
    ),
    ghost(
        "decreases-to-first",
        "method M() { assert (1, $E decreases to 0, 0); }",
    ),
    ghost(
        "nonincreases-to",
        "method M() { assert (0 nonincreases to 0, $E) || true; }",
    ),
    ghost(
        "fresh",
        "method M(o: object) { assert !fresh(if $E == $E then {o} else {o}); }",
    ),
    ghost(
        "unchanged",
        "method M(o: object) { assert unchanged(if $E == $E then {o} else {o}); }",
    ),
    ghost(
        "allocated",
        "method M(o: object) { assert allocated(if $E == $E then o else o); }",
    ),
];

impl Position {
    /// Whether a ghost expression is refused. A local variable that is initialized with one becomes
    /// ghost, as do variables in patterns.
    pub(crate) fn refuses_ghost(&self) -> bool {
        const INITIALIZERS: [&str; 6] = [
            "var x := $E",
            "var r := $E",
            "var x: int := $E",
            "var x, y := 1, $E",
            "var (x, y) := (1, $E)",
            "var (x, y) := (0, $E)",
        ];
        self.is_compiled && !INITIALIZERS.iter().any(|i| self.text.contains(i))
    }
}

/// Returns all positions.
pub(crate) fn all() -> impl Iterator<Item = &'static Position> {
    DECLARATIONS
        .iter()
        .chain(CLAUSES)
        .chain(STATEMENTS)
        .chain(EXPRESSIONS)
}
