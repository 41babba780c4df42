//! Faulty statements in statements in callables: every kind of callable with every nesting of two
//! statements.
//!
//! A tool may forget a check for one kind of callable (the `by method` body of a function), or for
//! one statement inside of another. A fault is therefore combined with a context, which is a
//! callable with the hole `$S`, and with wrappers, which are statements with that hole.

use crate::table::{Basis, Options, Stage, Table, with_declarations};

/// The kind of code around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Code is generated for the statement.
    Compiled,
    /// Ghost code.
    Ghost,
    /// Code of a proof or an expression, which has no effect outside and cannot be left by a jump.
    Proof,
}

/// Callables. All have a parameter `b: bool` and may not modify anything.
const CONTEXTS: &[(&str, &str, Code)] = &[
    ("method", "method M(b: bool) { $S }", Code::Compiled),
    (
        "generic",
        "method M<Y>(b: bool, y: Y) { $S }",
        Code::Compiled,
    ),
    (
        "class",
        "class K { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "static",
        "class K { static method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "trait",
        "trait K { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "datatype",
        "datatype K = K { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "codatatype",
        "codatatype K = K(k: K) { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "newtype",
        "newtype K = int { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "abstract-type",
        "type K { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "override",
        "trait T { method M(b: bool) } class K extends T { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "generic-override",
        "trait T<Y> { method M(b: bool, y: Y) } class K extends T<int> { method M(b: bool, y: int) { $S } }",
        Code::Compiled,
    ),
    (
        "constructor",
        "class K { constructor (b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "constructor-late",
        "class K { var f: int constructor (b: bool) { f := 1; new; $S } }",
        Code::Compiled,
    ),
    (
        "constructor-named",
        "class K<Y> { constructor Make(b: bool, y: Y) { $S } }",
        Code::Compiled,
    ),
    ("iterator", "iterator I(b: bool) { $S }", Code::Compiled),
    (
        "iterator-after-yield",
        "iterator I(b: bool) yields (y: int) { yield 1; $S }",
        Code::Compiled,
    ),
    (
        "iterator-generic",
        "iterator I<Y>(b: bool) yields (y: int) { $S yield 1; }",
        Code::Compiled,
    ),
    (
        "by-method",
        "function F(b: bool): int { 0 } by method { $S return 0; }",
        Code::Compiled,
    ),
    (
        "by-method-member",
        "class K { function F(b: bool): int { 0 } by method { $S return 0; } }",
        Code::Compiled,
    ),
    (
        "by-method-datatype",
        "datatype K = K { function F(b: bool): int { 0 } by method { $S return 0; } }",
        Code::Compiled,
    ),
    (
        "by-method-static",
        "trait K { static function F(b: bool): int { 0 } by method { $S return 0; } }",
        Code::Compiled,
    ),
    (
        "by-method-opaque",
        "opaque function F(b: bool): int { 0 } by method { reveal F(); $S return 0; }",
        Code::Compiled,
    ),
    (
        "by-method-predicate",
        "predicate F(b: bool) { true } by method { $S return true; }",
        Code::Compiled,
    ),
    (
        "refined",
        "abstract module A { method M(b: bool) } module B refines A { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "refined-by-method",
        "abstract module A { function F(b: bool): int } module B refines A { function F(b: bool): int { 0 } by method { $S return 0; } }",
        Code::Compiled,
    ),
    (
        "refined-class",
        "abstract module A { class K { method M(b: bool) } } module B refines A { class K ... { method M(b: bool) { $S } } }",
        Code::Compiled,
    ),
    (
        "nonterminating",
        "method M(b: bool) decreases * { $S }",
        Code::Compiled,
    ),
    (
        "test",
        "method {:test} M() { var b := true; $S }",
        Code::Compiled,
    ),
    (
        "ghost-method",
        "ghost method M(b: bool) { $S }",
        Code::Ghost,
    ),
    (
        "ghost-constructor",
        "class K { ghost constructor (b: bool) { $S } }",
        Code::Ghost,
    ),
    ("lemma", "lemma M(b: bool) { $S }", Code::Ghost),
    (
        "lemma-member",
        "datatype K = K { lemma M(b: bool) { $S } }",
        Code::Ghost,
    ),
    (
        "lemma-override",
        "trait T { lemma M(b: bool) } class K extends T { lemma M(b: bool) { $S } }",
        Code::Ghost,
    ),
    (
        "lemma-refined",
        "abstract module A { lemma M(b: bool) } module B refines A { lemma M(b: bool) { $S } }",
        Code::Ghost,
    ),
    (
        "lemma-twostate",
        "twostate lemma M(b: bool) { $S }",
        Code::Ghost,
    ),
    (
        "lemma-least",
        "least predicate Q(n: int) { n == 0 } least lemma M(b: bool, n: int) requires Q(n) { $S }",
        Code::Ghost,
    ),
    (
        "lemma-greatest",
        "greatest predicate Q(n: int) { Q(n) } greatest lemma M(b: bool, n: int) ensures Q(n) { $S }",
        Code::Ghost,
    ),
    (
        "ghost-if",
        "method M(b: bool, ghost g: bool) { if g { $S } }",
        Code::Ghost,
    ),
    (
        "function",
        "function F(b: bool): int { assert true by { $S } 0 }",
        Code::Proof,
    ),
    (
        "function-opaque",
        "opaque function F(b: bool): int { assert true by { $S } 0 }",
        Code::Proof,
    ),
    (
        "function-trait",
        "trait K { function F(b: bool): int { assert true by { $S } 0 } }",
        Code::Proof,
    ),
    (
        "function-twostate",
        "twostate function F(b: bool): int { assert true by { $S } 0 }",
        Code::Proof,
    ),
    (
        "least-predicate",
        "least predicate F(b: bool) { assert true by { $S } true }",
        Code::Proof,
    ),
    (
        "constant",
        "const c: int := (assert true by { var b := true; $S } 0)",
        Code::Proof,
    ),
    (
        "constraint",
        "type S = b: bool | (assert true by { $S } true)",
        Code::Proof,
    ),
    (
        "newtype-constraint",
        "newtype S = i: int | (assert true by { var b := i == 0; $S } true)",
        Code::Proof,
    ),
    (
        "precondition",
        "method M(b: bool) requires (assert true by { $S } true) { }",
        Code::Proof,
    ),
    (
        "postcondition",
        "method M(b: bool) ensures (assert true by { $S } true) { }",
        Code::Proof,
    ),
    (
        "postcondition-of-function",
        "function F(b: bool): int ensures (assert true by { $S } true) { 0 }",
        Code::Proof,
    ),
    (
        "postcondition-of-iterator",
        "iterator I(b: bool) yields (y: int) yield ensures (assert true by { $S } true) { yield 1; }",
        Code::Proof,
    ),
    (
        "invariant",
        "method M(b: bool) { for i := 0 to 3 invariant (assert true by { $S } true) { } }",
        Code::Proof,
    ),
    (
        "lambda",
        "method M() { var f := (b: bool) => (assert true by { $S } 0); }",
        Code::Proof,
    ),
    (
        "quantifier",
        "lemma M() { assert forall b: bool :: (assert true by { $S } true); }",
        Code::Proof,
    ),
    (
        "match-case",
        "function F(b: bool): int { match b case true => (assert true by { $S } 0) case false => 1 }",
        Code::Proof,
    ),
    (
        "default-argument",
        "datatype K = K(i: int := (assert true by { var b := true; $S } 0))",
        Code::Proof,
    ),
];

/// Statements around `$S`, and the kind of code inside. Names end with `$N`, which differs between
/// two nested wrappers.
const WRAPPERS: &[(&str, &str, Code)] = &[
    ("none", "$S", Code::Compiled),
    ("block", "{ $S }", Code::Compiled),
    ("if", "if b { $S }", Code::Compiled),
    ("else", "if !b { } else { $S }", Code::Compiled),
    ("if-star", "if * { $S }", Code::Compiled),
    (
        "if-cases",
        "if { case true => $S case b => }",
        Code::Compiled,
    ),
    (
        "if-binding",
        "if w$N: bool :| w$N == b { $S }",
        Code::Compiled,
    ),
    (
        "match",
        "match b { case true => $S case false => }",
        Code::Compiled,
    ),
    ("match-default", "match b { case _ => $S }", Code::Compiled),
    ("label", "label L$N: { $S }", Code::Compiled),
    ("for", "for k$N := 0 to 3 { $S }", Code::Compiled),
    ("for-down", "for k$N := 3 downto 0 { $S }", Code::Compiled),
    (
        "while",
        "var j$N := 0; while j$N < 3 { j$N := j$N + 1; $S }",
        Code::Compiled,
    ),
    (
        "while-break",
        "while true decreases 0 { $S break; }",
        Code::Compiled,
    ),
    (
        "while-cases",
        "var j$N := 0; while decreases 3 - j$N { case j$N < 3 => j$N := j$N + 1; $S }",
        Code::Compiled,
    ),
    ("opaque", "opaque { $S }", Code::Compiled),
    (
        "opaque-ensures",
        "opaque ensures b == b { $S }",
        Code::Compiled,
    ),
    ("after-opaque", "opaque { } $S", Code::Compiled),
    ("hide", "{ hide *; $S }", Code::Compiled),
    ("after-loop", "for k$N := 0 to 3 { } $S", Code::Compiled),
    ("after-havoc", "var h$N := 0; h$N := *; $S", Code::Compiled),
    (
        "forall",
        "forall w$N: int ensures w$N == w$N { $S }",
        Code::Proof,
    ),
    (
        "forall-range",
        "forall w$N | 0 <= w$N < 3 { $S }",
        Code::Proof,
    ),
    ("assert-by", "assert b == b by { $S }", Code::Proof),
    ("calc", "calc { 1; { $S } 1; }", Code::Proof),
    (
        "calc-implies",
        "calc ==> { true; { $S } true; }",
        Code::Proof,
    ),
];

/// A statement that must be refused wherever it stands.
struct Fault {
    name: &'static str,
    bad: &'static str,
    good: &'static str,
    stage: Stage,
    /// The kinds of code that refuse the statement.
    refused_in: &'static [Code],
    rule: &'static str,
    declarations: &'static str,
}

/// A fault that the verifier refuses everywhere.
const fn refuted(
    name: &'static str,
    bad: &'static str,
    good: &'static str,
    rule: &'static str,
    declarations: &'static str,
) -> Fault {
    Fault {
        name,
        bad,
        good,
        stage: Stage::Verify,
        refused_in: ALL,
        rule,
        declarations,
    }
}

/// A fault that the front end refuses in some kinds of code.
const fn refused(
    name: &'static str,
    refused_in: &'static [Code],
    bad: &'static str,
    good: &'static str,
    rule: &'static str,
    declarations: &'static str,
) -> Fault {
    Fault {
        name,
        bad,
        good,
        stage: Stage::Resolve,
        refused_in,
        rule,
        declarations,
    }
}

const WELL_FORMED: &str = "Expressions: every expression must be well-formed where it is evaluated";
const HOLDS: &str = "Assert statement: the condition must hold";
const CHARACTERISTICS: &str =
    "Type parameters: a type argument must have the declared characteristics";
const GHOST: &str = "Ghost: compiled code must not depend on ghost values";
const EFFECTS: &str = "Ghost: ghost code has no effect on compiled code";

const ALL: &[Code] = &[Code::Compiled, Code::Ghost, Code::Proof];
const COMPILED: &[Code] = &[Code::Compiled];
const GHOST_CODE: &[Code] = &[Code::Ghost, Code::Proof];

const FAULTS: &[Fault] = &[
    refuted(
        "assert",
        "assert Zero() == 1;",
        "assert Zero() == 0 by { reveal *; }",
        HOLDS,
        "",
    ),
    refuted("assert-false", "assert false;", "assert true;", HOLDS, ""),
    refuted(
        "division",
        "var q := 1 / (if b then 0 else 0);",
        "var q := 1 / (if b then 1 else 1);",
        WELL_FORMED,
        "",
    ),
    refuted(
        "subset",
        "var q: nat := if b then -1 else -2;",
        "var q: nat := if b then 1 else 2;",
        "Subset types: a value must satisfy the constraint of the type that it is given",
        "",
    ),
    refuted(
        "constraint",
        "var q: Pos := if b then 0 else 0;",
        "var q: Pos := if b then 1 else 2;",
        "Subset types: a value must satisfy the constraint of the type that it is given",
        "",
    ),
    refuted(
        "index",
        "var q := [1, 2][if b then 2 else 3];",
        "var q := [1, 2][if b then 0 else 1];",
        WELL_FORMED,
        "",
    ),
    refuted(
        "destructor",
        "var q := Opt.None.v;",
        "var q := Opt.Some(1).v;",
        WELL_FORMED,
        "",
    ),
    refuted(
        "precondition",
        "var q := Part(if b then 0 else -1);",
        "var q := Part(if b then 1 else 2);",
        "Requires clause: a precondition must hold where a callable is called",
        "",
    ),
    refuted(
        "lemma-precondition",
        "Needs(if b then 0 else -1);",
        "Needs(if b then 1 else 2);",
        "Requires clause: a precondition must hold where a callable is called",
        "",
    ),
    refuted(
        "match",
        "var q := match (if b then 1 else 1) { case 2 => 1 };",
        "var q := match (if b then 1 else 1) { case 1 => 1 };",
        "Match expression: the cases must be exhaustive",
        "",
    ),
    refuted(
        "match-statement",
        "match (if b then 1 else 1) { case 2 => }",
        "match (if b then 1 else 1) { case 1 => }",
        "Match statement: the cases must be exhaustive",
        "",
    ),
    refuted(
        "such-that",
        "var q: int :| q < 0 && q > 0;",
        "var q: int :| q == 0 && q < 1;",
        "Assignment: a value for `:|` must exist",
        "",
    ),
    refuted(
        "let-such-that",
        "ghost var q := var z: int :| z < 0 && z > 0; z;",
        "ghost var q := var z: int :| z == 0 && z < 1; z;",
        "Let expression: a value for `:|` must exist",
        "",
    ),
    refuted(
        "calculation",
        "calc { Zero(); 1; }",
        "calc { 1; 1; }",
        HOLDS,
        "",
    ),
    refuted(
        "forall",
        "forall z: int ensures z == 3 { }",
        "forall z: int ensures z == z { }",
        "Forall statement: the postcondition must hold for all values",
        "",
    ),
    refuted(
        "invariant",
        "for z := 0 to 3 invariant z == 0 { }",
        "for z := 0 to 3 invariant z >= 0 { }",
        "Loop statements: an invariant must be maintained by the body",
        "",
    ),
    refuted(
        "loop-end",
        "var z := 0; while z != -1 { z := z + 1; }",
        "var z := 0; while z != 3 invariant z <= 3 decreases 3 - z { z := z + 1; }",
        "Termination: every iteration must decrease the measure",
        "",
    ),
    refuted(
        "for-bounds",
        "for z := 3 to 0 { }",
        "for z := 0 to 3 { }",
        "For loops: the lower bound must not be above the upper one",
        "",
    ),
    refuted(
        "conversion",
        "var q := (if b then 300 else 301) as Byte;",
        "var q := (if b then 30 else 31) as Byte;",
        "Conversions: the value must be of the target type",
        "",
    ),
    refuted(
        "char",
        "var q := (if b then -1 else -2) as char;",
        "var q := (if b then 65 else 66) as char;",
        "Conversions: the value must be of the target type",
        "",
    ),
    refuted(
        "null",
        "var o: Cell? := null; var q := o.c;",
        "var o: Cell? := null; var q := o == null;",
        WELL_FORMED,
        "",
    ),
    refuted(
        "nested-assert",
        "assert true by { assert Zero() == 1; }",
        "assert true by { assert 1 == 1; }",
        HOLDS,
        "",
    ),
    refuted(
        "statement-expression",
        "var q := (assert Zero() == 1; 1);",
        "var q := (assert 1 == 1; 1);",
        HOLDS,
        "",
    ),
    refuted(
        "lambda",
        "var q := (z: int) => 1 / z;",
        "var q := (z: int) => 1 * z;",
        WELL_FORMED,
        "",
    ),
    refuted(
        "map-keys",
        "var q := map z | 0 <= z < 3 :: z / 3 := z;",
        "var q := map z | 0 <= z < 3 :: z := z;",
        "Map comprehension expression: equal keys must have equal values",
        "",
    ),
    refuted(
        "opaque-block",
        "opaque ensures Zero() == 1 { }",
        "opaque ensures b == b { }",
        "Opaque blocks: the postcondition must hold at the end",
        "",
    ),
    refused(
        "nonempty",
        ALL,
        "NeedsNonempty<Empty>();",
        "NeedsNonempty<int>();",
        CHARACTERISTICS,
        "lemma NeedsNonempty<X(00)>() { }",
    ),
    refused(
        "nonempty-function",
        ALL,
        "var q := Nonempty<Empty>();",
        "var q := Nonempty<int>();",
        CHARACTERISTICS,
        "function Nonempty<X(00)>(): int { 0 }",
    ),
    refused(
        "nonempty-inferred",
        ALL,
        "var q := Nonempty<seq<int>, Empty>([]);",
        "var q := Nonempty<seq<int>, int>([]);",
        CHARACTERISTICS,
        "function Nonempty<Z, X(00)>(z: Z): int { 0 }",
    ),
    refused(
        "no-references",
        ALL,
        "NeedsNoReferences<Cell>();",
        "NeedsNoReferences<int>();",
        CHARACTERISTICS,
        "lemma NeedsNoReferences<X(!new)>() { }",
    ),
    refused(
        "no-references-type",
        ALL,
        "var q: Bare<Cell> := Bare;",
        "var q: Bare<int> := Bare;",
        CHARACTERISTICS,
        "datatype Bare<X(!new)> = Bare",
    ),
    refused(
        "auto-init",
        COMPILED,
        "var q := AutoInit<Hidden>();",
        "var q := AutoInit<int>();",
        CHARACTERISTICS,
        "function AutoInit<X(0)>(): int { 0 }",
    ),
    refused(
        "auto-init-type",
        COMPILED,
        "var q: Auto<Hidden> := Auto; print q;",
        "var q: Auto<int> := Auto; print q;",
        CHARACTERISTICS,
        "datatype Auto<X(0)> = Auto",
    ),
    refused(
        "equality",
        COMPILED,
        "var q := Same<int -> int>(z => z, z => z); print q;",
        "var q := Same<int>(1, 2); print q;",
        CHARACTERISTICS,
        "function Same<X(==)>(x: X, y: X): bool { x == y }",
    ),
    refused(
        "equality-operator",
        COMPILED,
        "print Held(z => z) == Held(z => z);",
        "print 1 == 1;",
        "Types: equality must be supported by the type in compiled code",
        "",
    ),
    refused(
        "equality-member",
        COMPILED,
        "print Lazy.More(1, Lazy.End) in [Lazy.End];",
        "print 1 in [2];",
        "Types: equality must be supported by the type in compiled code",
        "",
    ),
    refused(
        "equality-set",
        COMPILED,
        "var q: set<int -> int> := {}; print q;",
        "var q: set<int> := {}; print q;",
        "Types: the elements of a set must support equality",
        "",
    ),
    refused(
        "print-ghost",
        COMPILED,
        "print Spec();",
        "print 1;",
        GHOST,
        "",
    ),
    refused(
        "expect-ghost",
        COMPILED,
        "expect Spec() == 0;",
        "expect 0 == 0;",
        GHOST,
        "",
    ),
    refused(
        "ghost-guard",
        COMPILED,
        "if Spec() == 0 { print 1; }",
        "if b { print 1; }",
        EFFECTS,
        "",
    ),
    refused(
        "ghost-match",
        COMPILED,
        "match Spec() { case 0 => print 1; case _ => }",
        "match b { case true => print 1; case _ => }",
        EFFECTS,
        "",
    ),
    refused(
        "ghost-loop",
        COMPILED,
        "ghost var z := 0; while z < 3 { z := z + 1; print 1; }",
        "var z := 0; while z < 3 { z := z + 1; print 1; }",
        EFFECTS,
        "",
    ),
    refused(
        "ghost-loop-assign",
        COMPILED,
        "var q := 0; ghost var z := 0; while z < 3 { z := z + 1; q := q + 1; } print q;",
        "var q := 0; var z := 0; while z < 3 { z := z + 1; q := q + 1; } print q;",
        EFFECTS,
        "",
    ),
    refused(
        "ghost-argument",
        COMPILED,
        "var q := Plain(Spec()); print q;",
        "var q := Plain(1); print q;",
        GHOST,
        "function Plain(x: int): int { x }",
    ),
    refused(
        "ghost-index",
        COMPILED,
        "print [1, 2][Spec()];",
        "print [1, 2][0];",
        GHOST,
        "",
    ),
    refused(
        "ghost-lambda",
        COMPILED,
        "var f := (z: int) => Spec(); print f(1);",
        "var f := (z: int) => z; print f(1);",
        GHOST,
        "",
    ),
    refused(
        "ghost-constructor",
        COMPILED,
        "var h := Half(1, Spec()); print h.c;",
        "var h := Half(Spec(), 1); print h.c;",
        GHOST,
        "",
    ),
    refused(
        "ghost-destructor",
        COMPILED,
        "var h := Half(1, 2); print h.g;",
        "var h := Half(1, 2); print h.c;",
        GHOST,
        "",
    ),
    refused(
        "ghost-binding",
        COMPILED,
        "if z :| z == Spec() { print 1; }",
        "if z :| z == 0 { print 1; }",
        GHOST,
        "",
    ),
    refused(
        "unbounded-quantifier",
        COMPILED,
        "print exists z: int :: z * z == 4;",
        "print exists z: int :: 0 <= z < 4 && z * z == 4;",
        "Quantifier expression: the domain must be finite in compiled code",
        "",
    ),
    refused(
        "unbounded-set",
        ALL,
        "var q := set z: int | z * z >= 4;",
        "var q := set z: int | 0 <= z < 4;",
        "Set comprehension expressions: a finite set needs a finite domain",
        "",
    ),
    refused("print-in-ghost", GHOST_CODE, "print 1;", "", EFFECTS, ""),
    refused(
        "expect-in-ghost",
        GHOST_CODE,
        "expect b == b;",
        "",
        EFFECTS,
        "",
    ),
    refused(
        "method-in-ghost",
        GHOST_CODE,
        "Run();",
        "",
        EFFECTS,
        "method Run() { }",
    ),
    refused(
        "object-in-proof",
        &[Code::Proof],
        "var q := new int[3];",
        "",
        EFFECTS,
        "",
    ),
    refused(
        "jump-out",
        COMPILED,
        "assert true by { return; }",
        "assert true by { }",
        "Assert statement: a proof must not be left by a jump",
        "",
    ),
    refused(
        "break-out",
        ALL,
        "label O: for z := 0 to 3 { assert true by { break O; } }",
        "label O: for z := 0 to 3 { assert true by { } break O; }",
        "Assert statement: a proof must not be left by a jump",
        "",
    ),
    refused(
        "break-out-of-forall",
        ALL,
        "label O: for z := 0 to 3 { forall y | 0 <= y < 3 { break O; } }",
        "label O: for z := 0 to 3 { forall y | 0 <= y < 3 { } break O; }",
        "Forall statement: the body must not be left by a jump",
        "",
    ),
    refused(
        "assign-in-forall",
        ALL,
        "var q := 0; forall y | 0 <= y < 3 { q := y; }",
        "var q := 0; forall y | 0 <= y < 3 { }",
        "Forall statement: the body must not assign local variables",
        "",
    ),
    refused(
        "assign-in-proof",
        ALL,
        "var q := 0; assert true by { q := 1; }",
        "var q := 0; assert true by { var p := 1; }",
        "Assert statement: a proof must not assign variables declared outside",
        "",
    ),
    refused(
        "assign-in-calc",
        ALL,
        "var q := 0; calc { 1; { q := 1; } 1; }",
        "var q := 0; calc { 1; { var p := 1; } 1; }",
        "Calc statement: a hint must not assign variables declared outside",
        "",
    ),
    refused(
        "assign-loop-index",
        ALL,
        "for z := 0 to 3 { z := 0; }",
        "for z := 0 to 3 { var y := z; }",
        "For loops: the index must not be assigned",
        "",
    ),
    refused(
        "allocation-in-lambda",
        ALL,
        "ghost var q := () => forall o: object :: o == o;",
        "ghost var q := () => forall o: int :: o == o;",
        "Quantifier expression: a function must not depend on the set of allocated objects",
        "",
    ),
    refused(
        "allocation-in-comprehension",
        ALL,
        "ghost var q := () => iset o: object | true;",
        "ghost var q := () => iset o: int | true;",
        "Set comprehension expressions: a function must not depend on the set of allocated objects",
        "",
    ),
];

/// A statement around a fault.
struct Wrapping {
    name: String,
    text: String,
    is_proof: bool,
}

/// Returns the wrappings of a fault: none, each wrapper, and each wrapper with another one inside,
/// which `nth` selects so that all pairs appear.
fn wrappings(nth: usize) -> Vec<Wrapping> {
    let is_proof = |code: Code| code == Code::Proof;
    let mut all: Vec<Wrapping> = WRAPPERS
        .iter()
        .map(|(name, text, code)| Wrapping {
            name: (*name).to_owned(),
            text: text.replace("$N", "0"),
            is_proof: is_proof(*code),
        })
        .collect();
    let wrappers = WRAPPERS.get(1..).unwrap_or_default();
    for (i, (outer, around, outer_code)) in wrappers.iter().enumerate() {
        let Some((inner, within, inner_code)) = wrappers.get((i + nth) % wrappers.len()) else {
            continue;
        };
        all.push(Wrapping {
            name: format!("{outer}+{inner}"),
            text: around
                .replace("$N", "0")
                .replace("$S", &within.replace("$N", "1")),
            is_proof: is_proof(*outer_code) || is_proof(*inner_code),
        });
    }
    all
}

/// Adds faulty statements in all callables.
pub(crate) fn faults(table: &mut Table) {
    for (c, (context, text, code)) in CONTEXTS.iter().enumerate() {
        for (f, fault) in FAULTS.iter().enumerate() {
            for (w, wrapping) in wrappings(c + f).iter().enumerate() {
                // Without a wrapper, all faults; with one or two, a sixth of them by turns.
                if w > 0 && (w + f + c) % 6 != 0 {
                    continue;
                }
                let around = if wrapping.is_proof {
                    Code::Proof
                } else {
                    *code
                };
                if !fault.refused_in.contains(&around) {
                    continue;
                }
                let with = |statement: &str| {
                    if statement.is_empty() {
                        return String::new();
                    }
                    let statements = wrapping.text.replace("$S", statement);
                    with_declarations(&text.replace("$S", &statements), fault.declarations)
                };
                table.add(
                    "statement",
                    &[context, fault.name, &wrapping.name],
                    fault.stage,
                    Basis::Rule(fault.rule),
                    Options::Default,
                    with(fault.bad),
                    with(fault.good),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_inside_of_itself_declares_different_names() {
        let nested = wrappings(0);
        let text = |name: &str| nested.iter().find(|w| w.name == name).map(|w| &*w.text);
        assert_eq!(
            text("for+for"),
            Some("for k0 := 0 to 3 { for k1 := 0 to 3 { $S } }")
        );
    }

    #[test]
    fn all_pairs_of_wrappers_appear() {
        let count = WRAPPERS.len() - 1;
        let names = (0..count).flat_map(wrappings).map(|w| w.name);
        let pairs: std::collections::BTreeSet<String> = names.filter(|n| n.contains('+')).collect();
        assert_eq!(pairs.len(), count * count);
    }
}
