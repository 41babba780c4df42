//! Type arguments without a characteristic that the type parameter requires, in every position of
//! a type argument.

use crate::table::{Basis, Options, Stage, Table};

/// A characteristic of types, and types without it.
struct Characteristic {
    name: &'static str,
    /// The text at a type parameter.
    text: &'static str,
    /// Whether the characteristic matters only where code is generated.
    is_compiled: bool,
    /// A type with the characteristic.
    good: &'static str,
    bad: &'static [(&'static str, &'static str)],
}

const CHARACTERISTICS: &[Characteristic] = &[
    Characteristic {
        name: "equality",
        text: "(==)",
        is_compiled: true,
        good: GOOD,
        bad: &[
            ("function", "int -> int"),
            ("codatatype", "Lazy"),
            ("opaque", "Opaque"),
            ("seq-of-function", "seq<int -> int>"),
            ("tuple-of-function", "(int, int -> int)"),
            ("datatype-of-function", "Held"),
            ("ghost-field", "Half"),
        ],
    },
    Characteristic {
        name: "auto-init",
        text: "(0)",
        is_compiled: false,
        good: GOOD,
        bad: &[
            ("empty", "Empty"),
            ("ghost-witness", "Hidden"),
            ("object", "Cell"),
            ("opaque", "Opaque"),
            ("tuple", "(int, Empty)"),
            ("datatype", "Full<Empty>"),
            ("newtype", "EmptyNumber"),
        ],
    },
    Characteristic {
        name: "nonempty",
        text: "(00)",
        is_compiled: false,
        good: GOOD,
        bad: &[
            ("empty", "Empty"),
            ("object", "Cell"),
            ("opaque", "Opaque"),
            ("tuple", "(int, Empty)"),
            ("datatype", "Full<Empty>"),
            ("newtype", "EmptyNumber"),
        ],
    },
    Characteristic {
        name: "no-references",
        text: "(!new)",
        is_compiled: false,
        good: GOOD,
        bad: &[
            ("object", "object"),
            ("object-nullable", "object?"),
            ("class", "Cell"),
            ("array", "array<int>"),
            ("seq", "seq<Cell>"),
            ("datatype", "Full<Cell>"),
            ("tuple", "(int, object)"),
            ("subset", "NamedCell"),
            ("synonym", "CellSynonym"),
        ],
    },
    Characteristic {
        name: "bound",
        text: " extends Show",
        is_compiled: false,
        good: "Shown",
        bad: &[
            ("int", "int"),
            ("class", "Cell"),
            ("object", "object"),
            ("opaque", "Opaque"),
            ("datatype", "Full<Shown>"),
            ("seq", "seq<Shown>"),
        ],
    },
];

/// Positions of the type `$T` as the argument of a type parameter with the characteristic `$C`.
/// Names of types `G` are generic in all of them.
const POSITIONS: &[(&str, &str)] = &[
    ("parameter", "datatype G<X$C> = G method M(x: G<$T>) { }"),
    (
        "result",
        "datatype G<X$C> = G method M() returns (x: G<$T>) { x := G; }",
    ),
    (
        "function-parameter",
        "datatype G<X$C> = G function F(x: G<$T>): int { 0 }",
    ),
    (
        "function-result",
        "datatype G<X$C> = G function F(x: int): G<$T>",
    ),
    (
        "function-named-result",
        "datatype G<X$C> = G function F(x: int): (r: G<$T>)",
    ),
    ("local", "datatype G<X$C> = G method M() { var x: G<$T>; }"),
    (
        "local-inferred",
        "datatype G<X$C> = G(x: X) method M(t: $T) { var x := G(t); }",
    ),
    (
        "field",
        "datatype G<X$C> = G class K { var x: G<$T> constructor () }",
    ),
    (
        "field-const",
        "datatype G<X$C> = G class K { const x: G<$T> constructor () }",
    ),
    (
        "trait-field",
        "datatype G<X$C> = G trait K { var x: G<$T> }",
    ),
    ("const", "datatype G<X$C> = G const x: G<$T>"),
    (
        "static-const",
        "datatype G<X$C> = G class K { static const x: G<$T> := G }",
    ),
    (
        "datatype-field",
        "datatype G<X$C> = G datatype D = D(x: G<$T>)",
    ),
    (
        "datatype-second-field",
        "datatype G<X$C> = G datatype D = A | D(n: int, x: G<$T>)",
    ),
    (
        "datatype-const",
        "datatype G<X$C> = G datatype D = D { const x: G<$T> := G }",
    ),
    (
        "codatatype-field",
        "datatype G<X$C> = G codatatype D = D(x: G<$T>, d: D)",
    ),
    ("synonym", "datatype G<X$C> = G type S = G<$T>"),
    ("synonym-generic", "datatype G<X$C> = G type S<Y> = G<$T>"),
    (
        "subset-base",
        "datatype G<X$C> = G type S = x: G<$T> | true witness *",
    ),
    ("in-seq", "datatype G<X$C> = G method M(x: seq<G<$T>>) { }"),
    (
        "in-map",
        "datatype G<X$C> = G method M(x: map<int, G<$T>>) { }",
    ),
    (
        "in-array",
        "datatype G<X$C> = G method M(x: array<G<$T>>) { }",
    ),
    (
        "in-tuple",
        "datatype G<X$C> = G method M(x: (int, G<$T>)) { }",
    ),
    (
        "in-function-type",
        "datatype G<X$C> = G method M(x: int -> G<$T>) { }",
    ),
    (
        "in-function-type-argument",
        "datatype G<X$C> = G method M(x: G<$T> -> int) { }",
    ),
    (
        "in-partial-function-type",
        "datatype G<X$C> = G method M(x: G<$T> --> int) { }",
    ),
    (
        "in-general-function-type",
        "datatype G<X$C> = G method M(x: G<$T> ~> int) { }",
    ),
    (
        "in-generic",
        "datatype G<X$C> = G datatype H<Y> = H method M(x: H<G<$T>>) { }",
    ),
    (
        "in-itself",
        "datatype G<X$C> = G datatype H<Y> = H method M(x: H<H<G<$T>>>) { }",
    ),
    ("class", "class G<X$C> { } method M(x: G<$T>) { }"),
    ("class-nullable", "class G<X$C> { } method M(x: G?<$T>) { }"),
    (
        "class-new",
        "class G<X$C> { constructor () { } } method M() { var x := new G<$T>(); }",
    ),
    (
        "class-new-without-constructor",
        "class G<X$C> { } method M() { var x := new G<$T>; }",
    ),
    (
        "class-new-inferred",
        "class G<X$C> { constructor (x: X) { } } method M(t: $T) { var x := new G(t); }",
    ),
    (
        "class-new-array",
        "class G<X$C> { } method M() { var x := new G?<$T>[3]; }",
    ),
    (
        "class-static",
        "class G<X$C> { static method N() { } } method M() { G<$T>.N(); }",
    ),
    (
        "class-static-function",
        "class G<X$C> { static function F(): int { 0 } } method M() { var x := G<$T>.F(); }",
    ),
    (
        "class-static-const",
        "class G<X$C> { static const c: int := 0 } method M() { var x := G<$T>.c; }",
    ),
    ("trait", "trait G<X$C> { } method M(x: G<$T>) { }"),
    ("extends", "trait G<X$C> { } class K extends G<$T> { }"),
    (
        "extends-trait",
        "trait G<X$C> { } trait K extends G<$T> { }",
    ),
    (
        "extends-second",
        "trait E { } trait G<X$C> { } class K extends E, G<$T> { }",
    ),
    (
        "extends-nested",
        "trait E<Y> { } datatype G<X$C> = G class K extends E<G<$T>> { }",
    ),
    (
        "extends-generic",
        "trait G<X$C> { } class K<Y> extends G<$T> { }",
    ),
    ("iterator", "iterator G<X$C>() { } method M(x: G<$T>) { }"),
    (
        "iterator-new",
        "iterator G<X$C>() { } method M() { var x := new G<$T>(); }",
    ),
    (
        "iterator-parameter",
        "datatype G<X$C> = G iterator I(x: G<$T>) { }",
    ),
    (
        "iterator-yields",
        "datatype G<X$C> = G iterator I() yields (x: G<$T>)",
    ),
    ("opaque-type", "type G<X$C> method M(x: G<$T>) { }"),
    (
        "synonym-with-characteristic",
        "type G<X$C> = seq<int> method M(x: G<$T>) { }",
    ),
    (
        "subset-with-characteristic",
        "type G<X$C> = x: int | true witness 0 method M(x: G<$T>) { }",
    ),
    (
        "newtype-with-characteristic",
        "codatatype G<X$C> = A | G(x: G<X>) method M(x: G<$T>) { }",
    ),
    ("call", "method G<X$C>() { } method M() { G<$T>(); }"),
    (
        "call-inferred",
        "method G<X$C>(x: X) { } method M(t: $T) { G(t); }",
    ),
    (
        "call-inferred-seq",
        "method G<X$C>(x: seq<X>) { } method M(t: seq<$T>) { G(t); }",
    ),
    (
        "call-second",
        "method G<Y, X$C>(x: X, y: Y) { } method M(t: $T) { G(t, 1); }",
    ),
    (
        "call-member",
        "class K { method G<X$C>(x: X) { } } method M(k: K, t: $T) { k.G(t); }",
    ),
    (
        "call-member-explicit",
        "class K { method G<X$C>() { } } method M(k: K) { k.G<$T>(); }",
    ),
    (
        "call-of-class-parameter",
        "class K<X> { method G<Y$C>(y: Y) { } method N(k: K<X>, t: $T) { k.G(t); } }",
    ),
    (
        "call-trait-member",
        "trait K { method G<X$C>(x: X) } method M(k: K, t: $T) { k.G(t); }",
    ),
    (
        "call-constructor",
        "class K { constructor G<X$C>(x: X) { } } method M(t: $T) { var k := new K.G(t); }",
    ),
    (
        "call-result",
        "method G<X$C>() returns (x: seq<X>) { x := []; } method M() { var y: seq<$T> := G(); }",
    ),
    (
        "function-call",
        "function G<X$C>(): int { 0 } method M() { var x := G<$T>(); }",
    ),
    (
        "function-call-inferred",
        "function G<X$C>(x: X): int { 0 } method M(t: $T) { var x := G(t); }",
    ),
    (
        "function-call-in-function",
        "function G<X$C>(x: X): int { 0 } function F(t: $T): int { G(t) }",
    ),
    (
        "function-call-in-lambda",
        "function G<X$C>(x: X): int { 0 } const f := (t: $T) => G(t)",
    ),
    (
        "function-call-in-const",
        "function G<X$C>(): int { 0 } const c := G<$T>()",
    ),
    (
        "function-call-in-default",
        "function G<X$C>(): int { 0 } method M(x: int := G<$T>()) { }",
    ),
    (
        "function-call-in-witness",
        "function G<X$C>(): int { 0 } type S = x: int | true witness G<$T>()",
    ),
    (
        "function-call-in-match",
        "function G<X$C>(): int { 0 } function F(): int { match G<$T>() case _ => 0 }",
    ),
    (
        "function-call-in-print",
        "function G<X$C>(): int { 0 } method M() { print G<$T>(); }",
    ),
    (
        "function-call-in-guard",
        "function G<X$C>(): int { 0 } method M() { if G<$T>() == 0 { print 1; } }",
    ),
    (
        "function-call-in-comprehension",
        "function G<X$C>(): int { 0 } method M() { var s := set x | 0 <= x < 3 :: G<$T>(); }",
    ),
    (
        "function-call-member",
        "datatype K = K { function G<X$C>(x: X): int { 0 } } function F(k: K, t: $T): int { k.G(t) }",
    ),
    (
        "function-value",
        "function G<X$C>(): int { 0 } method M() { var x := G<$T>; }",
    ),
    (
        "function-value-passed",
        "function G<X$C>(x: X): int { 0 } method N(f: ($T) -> int) { } method M() { N(G); }",
    ),
    (
        "function-value-const",
        "function G<X$C>(x: X): int { 0 } const f: ($T) -> int := G",
    ),
    (
        "function-value-member",
        "datatype K = K { function G<X$C>(x: X): int { 0 } } function F(k: K): ($T) -> int { k.G }",
    ),
    (
        "constructor-call",
        "datatype G<X$C> = G(x: seq<X>) method M() { var x := G<$T>.G([]); }",
    ),
    (
        "constructor-call-inferred",
        "datatype G<X$C> = G(x: X) function F(t: $T): int { var g := G(t); 0 }",
    ),
    (
        "constructor-pattern",
        "datatype G<X$C> = A | G(x: X) method M(t: $T) { match G(t) case A => print 1; case G(u) => print 2; }",
    ),
    (
        "lambda-parameter",
        "datatype G<X$C> = G method M() { var f := (x: G<$T>) => 0; }",
    ),
    (
        "let",
        "datatype G<X$C> = A | G(x: X) function F(): int { var x: G<$T> := A; 0 }",
    ),
    (
        "set-comprehension",
        "datatype G<X$C> = A | G(x: X) method M() { var s := set x: G<$T> | x in {} :: 0; }",
    ),
    (
        "quantifier",
        "datatype G<X$C> = A | G(x: X) method M() { var s := forall x: G<$T> | x in [] :: true; }",
    ),
    (
        "such-that",
        "datatype G<X$C> = A | G(x: X) method M() { var s: G<$T> :| s in [A]; }",
    ),
    (
        "if-binding",
        "datatype G<X$C> = A | G(x: X) method M() { if s: G<$T> :| s in [A] { print s; } }",
    ),
    (
        "match-binding",
        "datatype G<X$C> = A | G(x: X) method M<Y>(o: (int, G<$T>)) { match o case (1, s: G<$T>) => print s; case _ => print 1; }",
    ),
    (
        "type-test",
        "trait T<Y> { } class G<X$C> extends T<X> { } method M(t: T<$T>) { print t is G<$T>; }",
    ),
    (
        "conversion",
        "trait T { } class G<X$C> extends T { } method M(t: T) requires t is G<$T> { var x: G<$T> := t as G<$T>; print x == x; }",
    ),
    (
        "new-array",
        "datatype G<X$C> = A method M() { var a := new G<$T>[0]; }",
    ),
    (
        "new-array-display",
        "datatype G<X$C> = A method M() { var a := new G<$T>[] []; }",
    ),
    (
        "default-argument",
        "datatype G<X$C> = A method M(x: G<$T> := A) { }",
    ),
    (
        "refined-type",
        "abstract module A { type G$C } module B refines A { type G = $T }",
    ),
    (
        "refined-type-subset",
        "abstract module A { type G$C } module B refines A { type G = x: $T | true witness * }",
    ),
    (
        "refined-type-parameter",
        "abstract module A { datatype G<X$C> = G } module B refines A { method M(x: G<$T>) { } }",
    ),
    (
        "imported-type",
        "module A { datatype G<X$C> = G } method M(x: A.G<$T>) { }",
    ),
    (
        "imported-function",
        "module A { function G<X$C>(): int { 0 } } method M() { var x := A.G<$T>(); }",
    ),
    (
        "exported-opaque",
        "module A { export provides G datatype G<X$C> = G } method M(x: A.G<$T>) { }",
    ),
    (
        "failure",
        "datatype G<X$C> = Bad | Good(x: X) { predicate IsFailure() { Bad? } function PropagateFailure(): G<X> { this } function Extract(): X requires Good? { x } } method N(t: $T) returns (r: G<$T>)",
    ),
    (
        "override-parameter",
        "datatype G<X$C> = G trait T { method M(x: G<$T>) }",
    ),
    (
        "override-generic",
        "trait T<X> { method M<Y$C>(y: Y) } class K extends T<$T> { method M<Y$C>(y: Y) { } } method N(k: K, t: $T) { k.M(t); }",
    ),
    (
        "by-method",
        "function G<X$C>(): int { 0 } function F(): int { 0 } by method { var x := G<$T>(); return 0; }",
    ),
    (
        "constructor-body",
        "function G<X$C>(): int { 0 } class K { var f: int constructor () { f := G<$T>(); } }",
    ),
    (
        "constructor-first-part",
        "method G<X$C>() { } class K { constructor () { G<$T>(); } }",
    ),
    (
        "iterator-body",
        "method G<X$C>() { } iterator I() { G<$T>(); }",
    ),
    (
        "loop-body",
        "method G<X$C>() { } method M() { for i := 0 to 3 { G<$T>(); } }",
    ),
    (
        "return",
        "function G<X$C>(): int { 0 } method M() returns (r: int) { return G<$T>(); }",
    ),
    (
        "array-initializer",
        "function G<X$C>(): int { 0 } method M() { var a := new int[3](i => G<$T>()); }",
    ),
    (
        "sequence",
        "function G<X$C>(): int { 0 } method M() { var a := seq(3, i => G<$T>()); }",
    ),
    (
        "expect",
        "function G<X$C>(): int { 0 } method M() { expect G<$T>() == 0; }",
    ),
    (
        "update",
        "function G<X$C>(): int { 0 } method M(o: Opt) requires o.Some? { var x := o.(v := G<$T>()); }",
    ),
];

/// Positions in ghost code, where equality is not required.
const GHOST_POSITIONS: &[(&str, &str)] = &[
    (
        "forall-statement",
        "datatype G<X$C> = A | G(x: X) method M() { forall s: G<$T> | s in [A] { } }",
    ),
    ("lemma-call", "lemma G<X$C>() { } method M() { G<$T>(); }"),
    (
        "lemma-call-in-lemma",
        "lemma G<X$C>(x: X) { } lemma M(t: $T) { G(t); }",
    ),
    (
        "lemma-call-in-forall",
        "lemma G<X$C>() { } lemma M() { forall i: int ensures i == i { G<$T>(); } }",
    ),
    (
        "lemma-call-in-calc",
        "lemma G<X$C>() { } lemma M() { calc { 1; { G<$T>(); } 1; } }",
    ),
    (
        "lemma-call-in-expression",
        "lemma G<X$C>() { } function F(): int { G<$T>(); 0 }",
    ),
    (
        "ghost-function-call",
        "ghost function G<X$C>(): int { 0 } ghost function F(): int { G<$T>() }",
    ),
    (
        "twostate-call",
        "twostate function G<X$C>(): int { 0 } twostate function F(): int { G<$T>() }",
    ),
    (
        "twostate-lemma-call",
        "twostate lemma G<X$C>() { } method M() { G<$T>(); }",
    ),
    (
        "least-predicate",
        "least predicate G<X$C>() { true } lemma M() ensures G<$T>() { }",
    ),
    (
        "least-predicate-prefix",
        "least predicate G<X$C>() { true } lemma M() ensures G#<$T>[1]() || true { }",
    ),
    (
        "greatest-predicate",
        "greatest predicate G<X$C>() { true } lemma M() { assert G<$T>() || true; }",
    ),
    (
        "least-lemma",
        "least predicate P() { true } least lemma G<X$C>() requires P() { } lemma M() requires P() { G<$T>(); }",
    ),
    (
        "requires",
        "function G<X$C>(): int { 0 } method M() requires G<$T>() == 0 { }",
    ),
    (
        "ensures",
        "function G<X$C>(): int { 0 } method M() ensures G<$T>() == 0 { }",
    ),
    (
        "invariant",
        "function G<X$C>(): int { 0 } method M() { for i := 0 to 3 invariant G<$T>() == 0 { } }",
    ),
    (
        "decreases",
        "function G<X$C>(): int { 0 } method M() decreases G<$T>() { }",
    ),
    (
        "reads",
        "function G<X$C>(): int { 0 } function F(o: object): int reads if G<$T>() == 0 then {o} else {} { 0 }",
    ),
    (
        "modifies",
        "function G<X$C>(): int { 0 } method M(o: object) modifies if G<$T>() == 0 then {o} else {} { }",
    ),
    (
        "assert",
        "function G<X$C>(): int { 0 } method M() { assert G<$T>() == 0; }",
    ),
    (
        "assert-by",
        "function G<X$C>(): int { 0 } method M() { assert true by { assert G<$T>() == 0; } }",
    ),
    (
        "constraint",
        "function G<X$C>(): int { 0 } type S = x: int | G<$T>() == 0",
    ),
    (
        "ghost-witness",
        "function G<X$C>(): int { 0 } type S = x: int | true ghost witness G<$T>()",
    ),
    (
        "quantifier-range",
        "function G<X$C>(): int { 0 } lemma M() ensures forall x: int | G<$T>() == 1 :: false { }",
    ),
    (
        "old",
        "function G<X$C>(): int { 0 } method M() ensures old(G<$T>()) == 0 { }",
    ),
    (
        "ghost-type-test",
        "trait T { } class G<X$C> extends T { } method M(t: T) { ghost var x := t is G<$T>; }",
    ),
    (
        "ghost-type-test-nullable",
        "class G<X$C> { } method M(t: object?) { ghost var x := t is G?<$T>; }",
    ),
    (
        "type-test-in-requires",
        "class G<X$C> { } method M(t: object?) requires t is G?<$T> { }",
    ),
    (
        "ghost-conversion",
        "class G<X$C> { } lemma M(t: object?) requires t is G?<$T> { var x := t as G?<$T>; }",
    ),
    (
        "ghost-quantifier",
        "datatype G<X$C> = A | G(x: X) lemma M() ensures forall x: G<$T> :: x == x { }",
    ),
    (
        "ghost-set-comprehension",
        "datatype G<X$C> = A | G(x: X) lemma M() { var s := iset x: G<$T> | x.A?; }",
    ),
    (
        "ghost-lambda",
        "datatype G<X$C> = A | G(x: X) lemma M() { var f := (x: G<$T>) => 0; }",
    ),
    (
        "ghost-let",
        "datatype G<X$C> = A | G(x: X) lemma M() { var y := var x: G<$T> := A; 0; }",
    ),
    (
        "ghost-var",
        "datatype G<X$C> = A | G(x: X) method M() { ghost var x: G<$T>; }",
    ),
    (
        "ghost-field",
        "datatype G<X$C> = A class K { ghost var x: G<$T> }",
    ),
    (
        "ghost-parameter",
        "datatype G<X$C> = A method M(ghost x: G<$T>) { }",
    ),
    (
        "ghost-datatype-field",
        "datatype G<X$C> = A datatype D = D(ghost x: G<$T>)",
    ),
    (
        "trigger",
        "function G<X$C>(x: int): int { 0 } lemma M() ensures forall x: int {:trigger G<$T>(x)} :: true { }",
    ),
    (
        "decreases-to",
        "function G<X$C>(): int { 0 } lemma M() { assert 1 decreases to G<$T>(); }",
    ),
    (
        "statement-expression",
        "function G<X$C>(): int { 0 } function F(): int { assert G<$T>() == 0; 0 }",
    ),
    (
        "opaque-block",
        "function G<X$C>(): int { 0 } method M() { opaque ensures G<$T>() == 0 { } }",
    ),
    (
        "unchanged",
        "function G<X$C>(): int { 0 } twostate predicate P(o: object) { unchanged(if G<$T>() == 0 then {o} else {}) }",
    ),
];

/// Types without a characteristic that positions refer to.
pub(crate) const TYPES: &[(&str, &str)] = &[
    ("Opaque", "type Opaque"),
    ("Empty", "type Empty = x: int | false witness *"),
    ("Hidden", "type Hidden = x: int | x > 5 ghost witness 6"),
    (
        "EmptyNumber",
        "newtype EmptyNumber = x: int | false witness *",
    ),
    ("Show", "trait Show { }"),
    ("Shown", "class Shown extends Show { }"),
    ("Full", "datatype Full<+T> = Full(t: T)"),
    ("NamedCell", "type NamedCell = c: Cell | c.c == 1 witness *"),
    ("CellSynonym", "type CellSynonym = Cell"),
];

/// A type with all characteristics but bounds.
const GOOD: &str = "int";

/// Adds unfit type arguments in every position.
pub(crate) fn arguments(table: &mut Table) {
    for characteristic in CHARACTERISTICS {
        let ghost: &[_] = if characteristic.is_compiled {
            &[]
        } else {
            GHOST_POSITIONS
        };
        let ghost = ghost.iter().map(|position| (position, true));
        let compiled = POSITIONS.iter().map(|position| (position, false));
        for ((position, text), is_ghost) in compiled.chain(ghost) {
            // The trait of a bound is declared outside of these modules.
            if characteristic.text.contains("Show") && text.contains("module ") {
                continue;
            }
            // Its witness is not known to the front end, whatever the type is.
            let needs_witness = ["auto-init", "nonempty"].contains(&characteristic.name);
            if needs_witness && *position == "refined-type-subset" {
                continue;
            }
            for (name, bad) in characteristic.bad {
                // In ghost code, a type with `(0)` only has to have a value.
                if is_ghost && *name == "ghost-witness" {
                    continue;
                }
                let with = |t: &str| text.replace("$C", characteristic.text).replace("$T", t);
                table.add(
                    "type-argument",
                    &[position, name, characteristic.name],
                    Stage::Resolve,
                    Basis::Rule(
                        "Type parameters: a type argument must have the declared characteristics",
                    ),
                    Options::Default,
                    with(bad),
                    with(characteristic.good),
                );
            }
        }
    }
}
