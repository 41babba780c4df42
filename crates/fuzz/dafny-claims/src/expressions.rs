//! Ill-defined expressions, in every position of an expression, and ghost expressions in every
//! position for which code is generated.

use crate::positions;
use crate::table::{Basis, Options, Stage, Table};

/// An expression of type `int` that is not well-defined, although it looks harmless.
struct Partial {
    name: &'static str,
    text: &'static str,
    /// Whether the expression may stand where code is generated.
    is_compiled: bool,
}

const fn partial(name: &'static str, text: &'static str) -> Partial {
    Partial {
        name,
        text,
        is_compiled: true,
    }
}

const fn ghost(name: &'static str, text: &'static str) -> Partial {
    Partial {
        name,
        text,
        is_compiled: false,
    }
}

const PARTIAL: &[Partial] = &[
    partial("division", "1 / Zero()"),
    partial("modulo", "1 % Zero()"),
    partial("real-division", "(1.0 / (Zero() as real)).Floor"),
    partial("bitvector-division", "(1 as bv8 / (Zero() as bv8)) as int"),
    partial("index", "[1, 2][2 + Zero()]"),
    partial("slice", "|[1, 2][3 + Zero()..]|"),
    partial("slice-reversed", "|[1, 2][1..Zero()]|"),
    partial("seq-update", "|[1][1 + Zero() := 2]|"),
    partial("map-key", "map[1 := 2][Zero()]"),
    partial("multiset-update", "|multiset{1}[1 := Zero() - 1]|"),
    partial("precondition", "Part(Zero())"),
    partial("precondition-argument", "Part(Part(1) - 1)"),
    partial(
        "precondition-of-lambda",
        "((x: int) requires x > 0 => x)(Zero())",
    ),
    partial("precondition-of-member", "Opt.None.Get()"),
    partial("precondition-of-value", "(Part as int --> int)(Zero())"),
    partial("destructor", "Opt.None.v"),
    partial("destructor-of-update", "Opt.None.(v := 1).v"),
    partial("parameter-of-subset-type", "OfPos(Zero())"),
    partial("constructor-of-subset-type", "Box.Box(Zero()).n"),
    partial("update-of-subset-type", "Box.Box(1).(n := Zero()).n"),
    partial("conversion-to-nat", "((Zero() - 1) as nat) as int"),
    partial("conversion-to-subset", "(Zero() as Pos) as int"),
    partial("conversion-to-newtype", "((Zero() + 300) as Byte) as int"),
    partial("conversion-to-bitvector", "((Zero() + 300) as bv8) as int"),
    partial("conversion-to-char", "((Zero() - 1) as char) as int"),
    partial("conversion-of-real", "(0.5 + (Zero() as real)) as int"),
    partial("newtype-arithmetic", "(200 as Byte + 100 as Byte) as int"),
    partial("char-arithmetic", "('a' - 'b') as int"),
    partial("shift", "(1 as bv8 << (9 + Zero())) as int"),
    partial("shift-negative", "(1 as bv8 >> (Zero() - 1)) as int"),
    partial("rotate", "(1 as bv8).RotateLeft(9 + Zero()) as int"),
    partial("let-subset", "var p: Pos := Zero(); p"),
    partial("let-pattern-subset", "var (p: Pos, q) := (Zero(), 1); p"),
    ghost("let-such-that", "var p: int :| p < Zero() && p > 0; p"),
    partial("match-incomplete", "match Opt.None case Some(v) => v"),
    partial(
        "match-incomplete-tuple",
        "match (Zero(), true) case (_, false) => 1 case (1, _) => 2",
    ),
    partial("seq-of-subset", "(var s: seq<Pos> := [Zero()]; |s|)"),
    partial("set-of-subset", "(var s: set<Pos> := {Zero()}; |s|)"),
    partial(
        "map-of-subset",
        "(var s: map<int, Pos> := map[1 := Zero()]; |s|)",
    ),
    partial(
        "option-of-subset",
        "(var o: Gen<Pos> := Gen.Just(Zero()); 1)",
    ),
    partial(
        "function-of-subset",
        "(var f: int -> Pos := (x: int) => x; 1)",
    ),
    partial("function-requires", "(var f: int -> int := Part; 1)"),
    partial("seq-comprehension-size", "|seq(Zero() - 1, i => i)|"),
    partial("seq-comprehension-body", "|seq(3, i => 1 / i)|"),
    partial(
        "seq-comprehension-partial",
        "|seq(3, i requires i > 0 => i)|",
    ),
    partial("set-comprehension", "|set x | 0 <= x < 3 :: 1 / x|"),
    partial("map-comprehension", "|map x | 0 <= x < 3 :: 1 / x|"),
    partial("map-comprehension-keys", "|map x | 0 <= x < 3 :: 0 := x|"),
    partial(
        "quantifier",
        "if forall x | 0 <= x < 3 :: 1 / x >= 0 then 1 else 2",
    ),
    partial(
        "quantifier-exists",
        "if exists x | 0 <= x < 3 :: Part(x) > 1 then 1 else 2",
    ),
    partial("null-dereference", "(var k: Cell? := null; k.c)"),
    partial("assertion", "assert Zero() == 1; 1"),
    partial("assertion-by", "assert Zero() == 1 by { } 1"),
    partial("calculation", "calc { Zero(); 1; } 1"),
    partial("lemma-precondition", "Needs(Zero()); 1"),
    partial("branch", "if Zero() == 0 then 1 / Zero() else 1"),
    partial(
        "short-circuit",
        "if Zero() == 0 && 1 / Zero() == 1 then 1 else 2",
    ),
    partial(
        "short-circuit-or",
        "if Zero() == 1 || 1 / Zero() == 1 then 1 else 2",
    ),
    partial(
        "short-circuit-explies",
        "if 1 / Zero() == 1 <== Zero() == 0 then 1 else 2",
    ),
    partial("array-null", "(var a: array?<int> := null; a.Length)"),
    partial("type-test-cast", "(var k: Cell? := null; k as Cell).c"),
    ghost("ordinal-minus", "(0 as ORDINAL - 1 as ORDINAL).Offset"),
    ghost(
        "ordinal-conversion",
        "(var o: ORDINAL :| o.IsLimit && o != 0 as ORDINAL; o as int)",
    ),
    ghost("ordinal-of-negative", "((Zero() - 1) as ORDINAL).Offset"),
    ghost("infinite-map", "(imap x: int | x > 0 :: x)[Zero()]"),
    ghost(
        "exists-unbounded",
        "if exists x: int :: 1 / x == 7 then 1 else 2",
    ),
    partial("codatatype-destructor", "Lazy.End.head"),
    partial("tuple-of-subset", "(var t: (Pos, int) := (Zero(), 1); t.1)"),
    partial("conversion-to-newtype-low", "(Zero() as Small) as int"),
];

/// A ghost expression of type `int`, which no code may depend on.
const GHOST: &[(&str, &str)] = &[
    ("ghost-function", "Spec()"),
    ("ghost-const", "SpecConst"),
    ("ghost-argument", "GhostResult(Spec(), 1)"),
    ("ghost-member", "Opt.None.SpecMember()"),
    ("ghost-destructor", "Half.Half(1, 2).g"),
    ("ghost-update", "Half.Half(1, 2).(c := Spec()).c"),
    (
        "unbounded-quantifier",
        "if forall x: int :: x * x >= 0 then 1 else 2",
    ),
    (
        "unbounded-exists",
        "if exists x: int :: x > 3 then 1 else 2",
    ),
    ("ghost-in-lambda", "(var f := (x: int) => Spec(); f(1))"),
    ("ghost-in-comprehension", "|set x | 0 <= x < 3 :: Spec()|"),
    ("ghost-in-range", "|set x | 0 <= x < Spec()|"),
    ("ghost-in-map", "|map x | 0 <= x < 3 :: Spec()|"),
    ("ghost-in-sequence", "|seq(3, i => Spec())|"),
    ("ghost-condition", "if Spec() == 1 then 1 else 2"),
    ("ghost-scrutinee", "match Spec() case 0 => 1 case _ => 2"),
    (
        "infinite-set",
        "if 1 in iset{1} + (iset x: int | x > 0) then 1 else 2",
    ),
    ("infinite-map", "(imap x: int | x > 0 :: x)[1]"),
    ("such-that-ghost", "var p :| p == Spec(); p"),
    ("type-test-ghost", "if (-1 is Odd) then 1 else 2"),
    ("ghost-tuple", "(ghost 1, 2).0"),
    ("least-predicate", "if Least(1) then 1 else 2"),
    ("in-set-of-type", "|set x: int | x > 0 && Spec() > x :: 1|"),
];

/// Declarations that expressions refer to; each is added if it is mentioned.
pub(crate) const PRELUDE: &[(&str, &str)] = &[
    ("Zero", "function Zero(): int { 0 }"),
    ("Part", "function Part(n: int): int requires n > 0 { n }"),
    ("Pos", "type Pos = x: int | x > 0 witness 1"),
    ("OfPos", "function OfPos(p: Pos): int { p }"),
    ("Byte", "newtype Byte = x: int | 0 <= x < 256"),
    ("Small", "newtype Small = x: int | 0 < x < 10 witness 1"),
    (
        "Opt",
        "datatype Opt = None | Some(v: int) { function Get(): int requires Some? { v } ghost function SpecMember(): int { 0 } }",
    ),
    ("Gen", "datatype Gen<+T> = No | Just(w: T)"),
    ("Box", "datatype Box = Box(n: Pos)"),
    ("Half", "datatype Half = Half(ghost g: int, c: int)"),
    (
        "Lazy",
        "codatatype Lazy = End | More(head: int, tail: Lazy)",
    ),
    ("Cell", "class Cell { const c: int := 1 }"),
    ("Needs", "lemma Needs(n: int) requires n > 0 { }"),
    ("Spec", "ghost function Spec(): int { 0 }"),
    ("SpecConst", "ghost const SpecConst: int := 0"),
    (
        "GhostResult",
        "function GhostResult(g: int, ghost h: int): int { g }",
    ),
    ("Odd", "type Odd = x: int | x % 2 == Spec() + 1 witness 1"),
    (
        "Apply",
        "function Apply(f: int -> int, n: int): int { f(n) }",
    ),
    ("Held", "datatype Held = Held(f: int -> int)"),
    (
        "Some",
        "datatype Opt = None | Some(v: int) { function Get(): int requires Some? { v } ghost function SpecMember(): int { 0 } }",
    ),
    ("Truth", "predicate Truth(b: bool) { b }"),
    ("Veiled", "opaque function Veiled(): int { 0 }"),
    ("Nop", "ghost method Nop() { }"),
    ("NopOf", "ghost method NopOf(n: int) { }"),
    (
        "Least",
        "least predicate Least(n: int) { n == 0 || Least(n - 1) }",
    ),
];

/// A well-defined expression for controls.
const GOOD: &str = "1";

/// Adds ill-defined expressions in every position.
pub(crate) fn ill_defined(table: &mut Table) {
    for position in positions::all() {
        for part in PARTIAL {
            if position.is_compiled && !part.is_compiled {
                continue;
            }
            table.add(
                "ill-defined",
                &[position.name, part.name],
                Stage::Verify,
                Basis::Rule(
                    "Expressions: every expression must be well-formed where it is evaluated",
                ),
                Options::Default,
                filled(position.text, part.text),
                filled(position.text, GOOD),
            );
        }
    }
}

/// Adds ghost expressions in every position for which code is generated.
pub(crate) fn ghost_in_code(table: &mut Table) {
    for position in positions::all().filter(|p| p.refuses_ghost()) {
        for (name, text) in GHOST {
            table.add(
                "ghost-in-code",
                &[position.name, name],
                Stage::Resolve,
                Basis::Rule("Ghost: compiled code must not depend on ghost values"),
                Options::Default,
                filled(position.text, text),
                filled(position.text, GOOD),
            );
        }
    }
}

/// Fills the hole of a position.
fn filled(position: &str, expression: &str) -> String {
    position.replace("$E", &format!("({expression})"))
}
