//! Values that violate the constraint of a type, in every position where a value gets that type.

use crate::table::{Basis, Options, Stage, Table, with_declarations};

/// A type with a constraint, and values of the type that it constrains.
struct Constrained {
    name: &'static str,
    declarations: &'static str,
    /// The type.
    text: &'static str,
    /// The type that it constrains.
    base: &'static str,
    bad: &'static str,
    good: &'static str,
    equality: Equality,
}

/// The code in which values of a type are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Equality {
    None,
    Ghost,
    Compiled,
}

const fn constrained(
    name: &'static str,
    declarations: &'static str,
    text: &'static str,
    base: &'static str,
    bad: &'static str,
    good: &'static str,
) -> Constrained {
    Constrained {
        name,
        declarations,
        text,
        base,
        bad,
        good,
        equality: Equality::Compiled,
    }
}

const fn function(
    name: &'static str,
    text: &'static str,
    base: &'static str,
    bad: &'static str,
    good: &'static str,
) -> Constrained {
    Constrained {
        equality: Equality::None,
        ..constrained(name, "", text, base, bad, good)
    }
}

const TYPES: &[Constrained] = &[
    constrained("nat", "", "nat", "int", "-1", "1"),
    constrained(
        "int",
        "type P = x: int | x > 0 witness 1",
        "P",
        "int",
        "0",
        "1",
    ),
    constrained(
        "nested",
        "type Q = x: int | x > 0 witness 1\ntype P = x: Q | x < 9 witness 1",
        "P",
        "Q",
        "9",
        "1",
    ),
    constrained(
        "real",
        "type P = x: real | x > 0.5 witness 1.0",
        "P",
        "real",
        "0.5",
        "1.0",
    ),
    constrained(
        "bool",
        "type P = x: bool | x witness true",
        "P",
        "bool",
        "false",
        "true",
    ),
    constrained(
        "char",
        "type P = x: char | 'a' <= x <= 'z' witness 'a'",
        "P",
        "char",
        "'A'",
        "'b'",
    ),
    constrained("bitvector", "type P = x: bv8 | x < 8", "P", "bv8", "8", "7"),
    constrained(
        "newtype",
        "newtype N = int\ntype P = x: N | x > 0 witness 1",
        "P",
        "N",
        "0",
        "1",
    ),
    constrained(
        "string",
        "type P = x: string | |x| > 0 witness \"a\"",
        "P",
        "string",
        "\"\"",
        "\"b\"",
    ),
    constrained(
        "seq",
        "type P = x: seq<int> | |x| < 2",
        "P",
        "seq<int>",
        "[1, 2]",
        "[1]",
    ),
    constrained(
        "set",
        "type P = x: set<int> | 1 !in x",
        "P",
        "set<int>",
        "{1}",
        "{2}",
    ),
    constrained(
        "iset",
        "type P = x: iset<int> | 1 !in x",
        "P",
        "iset<int>",
        "iset{1}",
        "iset{2}",
    ),
    constrained(
        "multiset",
        "type P = x: multiset<int> | |x| < 2",
        "P",
        "multiset<int>",
        "multiset{1, 1}",
        "multiset{1}",
    ),
    constrained(
        "map",
        "type P = x: map<int, int> | |x| < 2",
        "P",
        "map<int, int>",
        "map[1 := 1, 2 := 2]",
        "map[1 := 1]",
    ),
    constrained(
        "imap",
        "type P = x: imap<int, int> | 1 !in x",
        "P",
        "imap<int, int>",
        "imap[1 := 1]",
        "imap[2 := 2]",
    ),
    constrained(
        "generic",
        "type P<T> = x: seq<T> | |x| > 0 witness *",
        "P<int>",
        "seq<int>",
        "[]",
        "[1]",
    ),
    constrained(
        "datatype",
        "datatype D = A | B(n: int)\ntype P = x: D | x.B? witness B(1)",
        "P",
        "D",
        "A",
        "B(2)",
    ),
    constrained(
        "tuple",
        "type P = x: (int, int) | x.0 == x.1 witness (1, 1)",
        "P",
        "(int, int)",
        "(1, 2)",
        "(1, 1)",
    ),
    constrained("of-seq", "", "seq<nat>", "seq<int>", "[-1]", "[1]"),
    constrained(
        "of-seq-of-seq",
        "",
        "seq<seq<nat>>",
        "seq<seq<int>>",
        "[[], [1, -1]]",
        "[[], [1]]",
    ),
    constrained("of-set", "", "set<nat>", "set<int>", "{-1}", "{1}"),
    constrained(
        "of-iset",
        "",
        "iset<nat>",
        "iset<int>",
        "iset{-1}",
        "iset{1}",
    ),
    constrained(
        "of-multiset",
        "",
        "multiset<nat>",
        "multiset<int>",
        "multiset{-1}",
        "multiset{1}",
    ),
    constrained(
        "of-map-keys",
        "",
        "map<nat, int>",
        "map<int, int>",
        "map[-1 := 1]",
        "map[1 := 1]",
    ),
    constrained(
        "of-map-values",
        "",
        "map<int, nat>",
        "map<int, int>",
        "map[1 := -1]",
        "map[1 := 1]",
    ),
    constrained(
        "of-imap-values",
        "",
        "imap<int, nat>",
        "imap<int, int>",
        "imap[1 := -1]",
        "imap[1 := 1]",
    ),
    constrained(
        "of-tuple",
        "",
        "(int, nat)",
        "(int, int)",
        "(1, -1)",
        "(1, 1)",
    ),
    constrained(
        "of-datatype",
        "datatype G<+T> = G0 | G1(t: T)",
        "G<nat>",
        "G<int>",
        "G1(-1)",
        "G1(1)",
    ),
    constrained(
        "of-datatype-list",
        "datatype L<+T> = Nil | Cons(h: T, t: L<T>)",
        "L<nat>",
        "L<int>",
        "Cons(1, Cons(-1, Nil))",
        "Cons(1, Nil)",
    ),
    Constrained {
        equality: Equality::Ghost,
        ..constrained(
            "of-codatatype",
            "codatatype L<+T> = Nil | Cons(h: T, t: L<T>)",
            "L<nat>",
            "L<int>",
            "Cons(1, Cons(-1, Nil))",
            "Cons(1, Nil)",
        )
    },
    function(
        "of-function",
        "int -> nat",
        "int -> int",
        "(x: int) => -1",
        "(x: int) => 1",
    ),
    function(
        "of-function-result",
        "() -> seq<nat>",
        "() -> seq<int>",
        "() => [-1]",
        "() => [1]",
    ),
    function(
        "total-function",
        "int -> int",
        "int --> int",
        "(x: int) requires x > 0 => x",
        "(x: int) => x",
    ),
    function(
        "total-function-of-nat",
        "nat -> int",
        "nat --> int",
        "(x: nat) requires x > 3 => x",
        "(x: nat) => x",
    ),
];

/// Positions in which the value `$V`, whose type is `$B`, gets the type `$T`.
const FLOWS: &[(&str, &str)] = &[
    ("var", "method M() { var x: $T := $V; }"),
    ("var-ghost", "method M() { ghost var x: $T := $V; }"),
    (
        "var-second",
        "method M(t: $T) { var y: $T, x: $T := t, $V; }",
    ),
    ("var-in-lemma", "lemma Proof() { var x: $T := $V; }"),
    ("var-in-iterator", "iterator I() { var x: $T := $V; }"),
    (
        "var-in-loop",
        "method M() { for i := 0 to 3 { var x: $T := $V; } }",
    ),
    ("assign", "method M(t: $T) { var x: $T := t; x := $V; }"),
    (
        "assign-in-loop",
        "method M(t: $T) { var x: $T := t; for i := 0 to 3 { x := $V; } }",
    ),
    (
        "assign-pair",
        "method M(t: $T) { var x: $T, y: $T := t, t; x, y := y, $V; }",
    ),
    ("result", "method M() returns (r: $T) { r := $V; }"),
    ("return", "method M() returns (r: $T) { return $V; }"),
    (
        "return-pair",
        "method M(t: $T) returns (r: $T, s: $T) { return t, $V; }",
    ),
    (
        "return-early",
        "method M(t: $T) returns (r: $T) { if * { return $V; } r := t; }",
    ),
    (
        "return-ghost",
        "method M() returns (ghost r: $T) { r := $V; }",
    ),
    ("yield", "iterator I() yields (r: $T) { yield $V; }"),
    ("yield-assign", "iterator I() yields (r: $T) { r := $V; }"),
    ("const", "const c: $T := $V"),
    (
        "const-class",
        "class K { const c: $T := $V constructor () { } }",
    ),
    ("const-class-static", "class K { static const c: $T := $V }"),
    ("const-datatype", "datatype Z = Z { const c: $T := $V }"),
    ("const-trait", "trait K { const c: $T := $V }"),
    ("const-ghost", "ghost const c: $T := $V"),
    ("function", "function F(): $T { $V }"),
    (
        "function-branch",
        "function F(b: bool, t: $T): $T { if b then t else $V }",
    ),
    ("function-let", "function F(): $T { var x := $V; x }"),
    (
        "function-match",
        "function F(o: (bool, $T)): $T { match o case (true, t) => t case _ => $V }",
    ),
    ("function-ghost", "ghost function F(): $T { $V }"),
    ("function-opaque", "opaque function F(): $T { $V }"),
    ("function-twostate", "twostate function F(): $T { $V }"),
    ("function-named-result", "function F(): (r: $T) { $V }"),
    (
        "function-member",
        "datatype Z = Z { function F(): $T { $V } }",
    ),
    ("function-statement", "function F(): $T { assert true; $V }"),
    (
        "by-method",
        "function F(t: $T): $T { t } by method { return (var v: $T := $V; t); }",
    ),
    ("lambda", "method M() { var f: () -> $T := () => $V; }"),
    ("lambda-const", "const f: () -> $T := () => $V"),
    (
        "lambda-partial",
        "method M() { var f: int --> $T := (x: int) requires x > 0 => $V; }",
    ),
    ("lambda-nested", "const f: int -> int -> $T := x => y => $V"),
    (
        "call",
        "method Callee(x: $T) { } method M() { Callee($V); }",
    ),
    (
        "call-named",
        "method Callee(y: int, x: $T) { } method M() { Callee(x := $V, y := 0); }",
    ),
    (
        "call-function",
        "function Callee(x: $T): int { 0 } function F(): int { Callee($V) }",
    ),
    (
        "call-lemma",
        "lemma Callee(x: $T) { } method M() { Callee($V); }",
    ),
    (
        "call-ghost",
        "method Callee(ghost x: $T) { } method M() { Callee($V); }",
    ),
    (
        "call-constructor",
        "class K { constructor (x: $T) { } } method M() { var k := new K($V); }",
    ),
    (
        "call-iterator",
        "iterator I(x: $T) { } method M() { var i := new I($V); }",
    ),
    ("call-value", "method M(f: ($T) -> int) { var x := f($V); }"),
    (
        "call-twostate",
        "twostate lemma Callee(x: $T) { } method M() { Callee($V); }",
    ),
    (
        "call-trait",
        "trait K { method Callee(x: $T) } method M(k: K) { k.Callee($V); }",
    ),
    (
        "call-in-requires",
        "function Callee(x: $T): bool { true } method M() requires Callee($V) { }",
    ),
    (
        "call-in-ensures",
        "function Callee(x: $T): bool { true } method M() ensures Callee($V) { }",
    ),
    (
        "call-in-invariant",
        "function Callee(x: $T): bool { true } method M() { for i := 0 to 3 invariant Callee($V) { } }",
    ),
    (
        "call-in-constraint",
        "function Callee(x: $T): bool { true } type S = x: int | Callee($V)",
    ),
    (
        "call-in-range",
        "function Callee(x: $T): bool { true } method M() { forall i | 0 <= i < 3 && Callee($V) { } }",
    ),
    (
        "call-in-decreases",
        "function Callee(x: $T): int { 0 } method M() decreases Callee($V) { }",
    ),
    (
        "call-generic",
        "function Id<X>(x: X): X { x } function F(): int { var x := Id<$T>($V); 0 }",
    ),
    (
        "call-generic-method",
        "method Id<X>(x: X) { } method M() { Id<$T>($V); }",
    ),
    (
        "call-result",
        "method Callee() returns (r: $B) { r := $V; } method M() { var x: $T := Callee(); }",
    ),
    (
        "call-result-assign",
        "method Callee() returns (r: $B) { r := $V; } method M(t: $T) { var x: $T := t; x := Callee(); }",
    ),
    (
        "call-result-second",
        "method Callee() returns (i: int, r: $B) { i, r := 0, $V; } method M(t: $T) { var i: int, x: $T := 0, t; i, x := Callee(); }",
    ),
    (
        "call-result-field",
        "class K { var f: $T constructor (t: $T) { f := t; } method Callee() returns (r: $B) ensures r == $V { r := $V; } method M() modifies this { f := Callee(); } }",
    ),
    (
        "call-result-element",
        "method Callee() returns (r: $B) ensures r == $V { r := $V; } method M(a: array<$T>) requires a.Length > 0 modifies a { a[0] := Callee(); }",
    ),
    ("default", "method M(x: $T := $V) { }"),
    ("default-function", "function F(x: $T := $V): int { 0 }"),
    ("default-datatype", "datatype Z = Z(x: $T := $V)"),
    (
        "default-constructor",
        "class K { constructor (x: $T := $V) { } }",
    ),
    (
        "constructor-argument",
        "datatype Z = Z(x: $T) function F(): Z { Z($V) }",
    ),
    (
        "constructor-argument-generic",
        "datatype Z<X> = Z(x: X) function F(): Z<$T> { Z($V) }",
    ),
    (
        "constructor-argument-ghost",
        "datatype Z = Z(ghost x: $T, n: int) function F(): Z { Z($V, 0) }",
    ),
    (
        "constructor-argument-corecursive",
        "codatatype Z = Z(x: $T, z: Z) function F(): Z { Z($V, F()) }",
    ),
    (
        "datatype-update",
        "datatype Z = Z(x: $T, n: int) function F(z: Z): Z { z.(x := $V) }",
    ),
    ("tuple", "function F(): (int, $T) { (1, $V) }"),
    ("seq-display", "function F(): seq<$T> { [$V] }"),
    ("seq-concat", "function F(s: seq<$T>): seq<$T> { s + [$V] }"),
    (
        "seq-update",
        "function F(s: seq<$T>): seq<$T> requires |s| > 0 { s[0 := $V] }",
    ),
    (
        "seq-comprehension",
        "function F(): seq<$T> { seq(2, i => $V) }",
    ),
    ("map-display", "function F(): map<int, $T> { map[1 := $V] }"),
    (
        "map-update",
        "function F(m: map<int, $T>): map<int, $T> { m[1 := $V] }",
    ),
    (
        "map-merge",
        "function F(m: map<int, $T>): map<int, $T> { m + map[1 := $V] }",
    ),
    (
        "map-comprehension",
        "function F(): map<int, $T> { map i | 0 <= i < 2 :: $V }",
    ),
    (
        "imap-comprehension",
        "ghost function F(): imap<int, $T> { imap i: int :: $V }",
    ),
    ("let", "function F(): int { var x: $T := $V; 0 }"),
    (
        "let-pattern",
        "function F(): int { var (x: $T, y) := ($V, 1); 0 }",
    ),
    (
        "let-in-requires",
        "method M() requires var x: $T := $V; true { }",
    ),
    (
        "let-in-quantifier",
        "ghost predicate Always() { forall i: int :: var x: $T := $V; true }",
    ),
    (
        "array-element",
        "method M(a: array<$T>) requires a.Length > 0 modifies a { a[0] := $V; }",
    ),
    (
        "array-second-of-pair",
        "method M(a: array<$T>, t: $T) requires a.Length > 1 modifies a { a[0], a[1] := t, $V; }",
    ),
    (
        "matrix-element",
        "method M(a: array2<$T>) requires a.Length0 > 0 && a.Length1 > 0 modifies a { a[0, 0] := $V; }",
    ),
    (
        "array-initializer",
        "method M() { var a := new $T[3](i => $V); }",
    ),
    (
        "array-initializer-matrix",
        "method M() { var a := new $T[3, 2]((i, j) => $V); }",
    ),
    ("array-display", "method M() { var a := new $T[] [$V]; }"),
    (
        "array-display-sized",
        "method M(t: $T) { var a := new $T[2] [t, $V]; }",
    ),
    (
        "forall-assign",
        "method M(a: array<$T>) modifies a { forall i | 0 <= i < a.Length { a[i] := $V; } }",
    ),
    (
        "forall-assign-field",
        "class K { var f: $T constructor (t: $T) { f := t; } } method M(s: set<K>) modifies s { forall k | k in s { k.f := $V; } }",
    ),
    (
        "field",
        "class K { var f: $T constructor (t: $T) { f := t; } method M() modifies this { f := $V; } }",
    ),
    (
        "field-of-object",
        "class K { var f: $T constructor (t: $T) { f := t; } } method M(k: K) modifies k { k.f := $V; }",
    ),
    (
        "field-ghost",
        "class K { ghost var f: $T constructor (t: $T) { f := t; } } method M(k: K) modifies k { k.f := $V; }",
    ),
    (
        "field-of-trait",
        "trait K { var f: $T } method M(k: K) modifies k { k.f := $V; }",
    ),
    (
        "field-generic",
        "class K<X> { var f: X constructor (x: X) { f := x; } } method M(k: K<$T>) modifies k { k.f := $V; }",
    ),
    (
        "constructor-generic",
        "class K<X> { constructor (x: X) { } } method M() { var k := new K<$T>($V); }",
    ),
    (
        "constructor-field",
        "class K { var f: $T constructor () { f := $V; } }",
    ),
    (
        "constructor-field-late",
        "class K { var f: $T constructor (t: $T) { f := t; new; f := $V; } }",
    ),
    (
        "constructor-const",
        "class K { const f: $T constructor () { f := $V; } }",
    ),
    (
        "failure",
        "datatype R<+X> = R(x: X) { predicate IsFailure() { false } function PropagateFailure(): R<int> { R(1) } function Extract(): X { x } } method M() returns (r: R<int>) { var x: $T :- R($V); return R(1); }",
    ),
    (
        "failure-expression",
        "datatype R<+X> = R(x: X) { predicate IsFailure() { false } function PropagateFailure(): R<int> { R(1) } function Extract(): X { x } } function F(): R<int> { var x: $T :- R($V); R(1) }",
    ),
    (
        "refined-const",
        "abstract module A { const c: $T } module B refines A { const c := $V }",
    ),
    (
        "refined-const-typed",
        "abstract module A { const c: $T } module B refines A { const c: $T := $V }",
    ),
    (
        "refined-function",
        "abstract module A { function F(): $T } module B refines A { function F(): $T { $V } }",
    ),
    (
        "refined-method",
        "abstract module A { method M() returns (r: $T) } module B refines A { method M() returns (r: $T) { r := $V; } }",
    ),
    (
        "overridden-function",
        "trait K { function F(): $T } class C extends K { function F(): $T { $V } }",
    ),
    (
        "overridden-method",
        "trait K { method M() returns (r: $T) } class C extends K { method M() returns (r: $T) { r := $V; } }",
    ),
    (
        "overridden-in-datatype-const",
        "datatype Z = Z(n: int) { const c: $T := $V }",
    ),
    ("synonym", "type S = $T method M() { var x: S := $V; }"),
    (
        "synonym-generic",
        "type S<X> = $T method M() { var x: S<bool> := $V; }",
    ),
    ("subset-witness", "type S = x: $T | true witness $V"),
    (
        "subset-ghost-witness",
        "type S = x: $T | true ghost witness $V",
    ),
    (
        "opaque-block",
        "method M(t: $T) { var x: $T := t; opaque { x := $V; } }",
    ),
    (
        "statement-in-expression",
        "lemma Callee(x: $T) { } function F(): int { Callee($V); 0 }",
    ),
];

/// Positions that need equality of the type.
const FLOWS_WITH_EQUALITY: &[(&str, &str)] = &[
    ("such-that", "method M() { ghost var x: $T :| x == $V; }"),
    (
        "such-that-second",
        "method M() { ghost var y: int, x: $T :| x == $V && y == 0; }",
    ),
    (
        "let-such-that",
        "ghost function F(): int { var x: $T :| x == $V; 0 }",
    ),
    ("set-display", "function F(): set<$T> { {$V} }"),
    ("set-union", "function F(s: set<$T>): set<$T> { s + {$V} }"),
    (
        "set-comprehension",
        "function F(): set<$T> { set i | 0 <= i < 2 :: $V }",
    ),
    (
        "iset-comprehension",
        "ghost function F(): iset<$T> { iset i: int | 0 <= i < 2 :: $V }",
    ),
    (
        "multiset-display",
        "function F(): multiset<$T> { multiset{$V} }",
    ),
    (
        "multiset-update",
        "function F(m: multiset<$T>): multiset<$T> { m[$V := 1] }",
    ),
    (
        "multiset-union",
        "function F(m: multiset<$T>): multiset<$T> { m + multiset{$V} }",
    ),
    ("map-key", "function F(): map<$T, int> { map[$V := 1] }"),
    (
        "map-update-key",
        "function F(m: map<$T, int>): map<$T, int> { m[$V := 1] }",
    ),
    (
        "map-comprehension-key",
        "function F(): map<$T, int> { map i | 0 <= i < 1 :: $V := i }",
    ),
    (
        "exists",
        "lemma Proof() ensures exists x: $T :: x == $V { }",
    ),
];

/// Adds violations of a constraint in every flow of values.
pub(crate) fn constraints(table: &mut Table) {
    for (position, text) in FLOWS.iter().chain(FLOWS_WITH_EQUALITY) {
        let needs_equality = FLOWS_WITH_EQUALITY.iter().any(|(p, _)| p == position);
        let equality = needed_equality(text, needs_equality);
        for t in TYPES {
            // A yield-parameter has a value from the start.
            let has_default = !t.declarations.contains("witness *");
            if t.equality < equality || (text.contains("yields") && !has_default) {
                continue;
            }
            // The value is the result of a function, so that no literal has the type at once.
            let with = |value: &str| {
                let text = text
                    .replace("$T", t.text)
                    .replace("$B", t.base)
                    .replace("$V", "Value()");
                let value = format!("function Value(): {} {{ {value} }}", t.base);
                with_declarations(&with_declarations(&text, &value), t.declarations)
            };
            table.add(
                "constraint",
                &[position, t.name],
                Stage::Verify,
                Basis::Rule("Subset types: a value must satisfy the constraint of the type that it is given"),
                Options::Default,
                with(t.bad),
                with(t.good),
            );
        }
    }
}

/// Returns the equality that a position needs: it compares its value, or it is one of those that
/// need equality.
fn needed_equality(text: &str, needs_equality: bool) -> Equality {
    let is_ghost = text.contains("ghost ") || text.starts_with("lemma");
    match (needs_equality, text.contains("== $V")) {
        (true, _) if !is_ghost => Equality::Compiled,
        // Comparisons of the other positions stand in clauses.
        (true, _) | (false, true) => Equality::Ghost,
        (false, false) => Equality::None,
    }
}
