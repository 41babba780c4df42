//! False claims about code without any other obligation: postconditions of every kind of callable
//! with every kind of body, and assertions at every place of a body, under every attribute.

use crate::table::{Basis, Options, Stage, Table};

/// Callables with a body `$S` of statements and a postcondition `$P`.
const CALLABLES: &[(&str, &str, Code)] = &[
    (
        "method",
        "method M(b: bool) ensures $P { $S }",
        Code::Compiled,
    ),
    (
        "method-result",
        "method M(b: bool) returns (r: int) ensures $P { r := 0; $S }",
        Code::Compiled,
    ),
    (
        "method-static",
        "class K { static method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-class",
        "class K { method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-modifies",
        "class K { var f: int method M(b: bool) modifies this ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-trait",
        "trait K { method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-datatype",
        "datatype D = D { method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-newtype",
        "newtype N = int { method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-generic",
        "method M<T>(b: bool, t: T) ensures $P { $S }",
        Code::Compiled,
    ),
    (
        "method-nonterminating",
        "method M(b: bool) ensures $P decreases * { $S }",
        Code::Compiled,
    ),
    (
        "method-override",
        "trait T { method M(b: bool) ensures $P } class K extends T { method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-override-inherits",
        "trait T { method M(b: bool) ensures $P } class K extends T { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "method-override-generic",
        "trait T<X> { method M(b: bool, x: X) ensures $P } class K extends T<int> { method M(b: bool, x: int) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "method-refined",
        "abstract module A { method M(b: bool) ensures $P } module B refines A { method M(b: bool) { $S } }",
        Code::Compiled,
    ),
    (
        "method-refined-stronger",
        "abstract module A { method M(b: bool) } module B refines A { method M(b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "ghost-method",
        "ghost method M(b: bool) ensures $P { $S }",
        Code::Ghost,
    ),
    (
        "constructor",
        "class K { constructor (b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "constructor-named",
        "class K { var f: int constructor Make(b: bool) ensures $P { f := 1; $S } }",
        Code::Compiled,
    ),
    (
        "constructor-late",
        "class K { var f: int constructor (b: bool) ensures $P { new; $S } }",
        Code::Compiled,
    ),
    (
        "constructor-of-extending",
        "trait T { var g: int } class K extends T { constructor (b: bool) ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "iterator",
        "iterator I(b: bool) ensures $P { $S }",
        Code::Iterator,
    ),
    (
        "iterator-yields",
        "iterator I(b: bool) yields (y: int) ensures $P { $S }",
        Code::Iterator,
    ),
    (
        "iterator-after-yield",
        "iterator I(b: bool) yields (y: int) ensures $P { yield 1; $S }",
        Code::Iterator,
    ),
    (
        "iterator-yield",
        "iterator I(b: bool) yields (y: int) yield ensures $P { $S yield 1; }",
        Code::Iterator,
    ),
    (
        "iterator-yield-in-loop",
        "iterator I(b: bool) yields (y: int) yield ensures $P { for i := 0 to 3 { $S yield 1; } }",
        Code::Iterator,
    ),
    (
        "iterator-modifies",
        "class C { var f: int } iterator I(b: bool, c: C) modifies c ensures $P { $S }",
        Code::Iterator,
    ),
    ("lemma", "lemma M(b: bool) ensures $P { $S }", Code::Proof),
    (
        "lemma-no-induction",
        "lemma {:induction false} M(b: bool, n: nat) ensures $P { $S }",
        Code::Proof,
    ),
    (
        "lemma-induction",
        "lemma {:induction n} M(b: bool, n: nat) ensures $P { $S }",
        Code::Proof,
    ),
    (
        "lemma-induction-tree",
        "datatype D = L | N(l: D, r: D) lemma M(b: bool, d: D) ensures $P { $S }",
        Code::Proof,
    ),
    (
        "lemma-member",
        "datatype D = L | N(l: D, r: D) { lemma M(b: bool) ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "lemma-twostate",
        "twostate lemma M(b: bool) ensures $P { $S }",
        Code::Proof,
    ),
    (
        "lemma-twostate-member",
        "class K { var f: int twostate lemma M(b: bool) ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "lemma-least",
        "least predicate Q(n: int) { n == 0 || Q(n - 1) } least lemma M(b: bool, n: int) requires Q(n) ensures $P { $S }",
        Code::Proof,
    ),
    (
        "lemma-least-nat",
        "least predicate Q[nat](n: int) { n == 0 || Q(n - 1) } least lemma M[nat](b: bool, n: int) requires Q(n) ensures $P { $S }",
        Code::Proof,
    ),
    (
        "lemma-override",
        "trait T { lemma M(b: bool) ensures $P } class K extends T { lemma M(b: bool) ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "lemma-refined",
        "abstract module A { lemma M(b: bool) ensures $P } module B refines A { lemma M(b: bool) { $S } }",
        Code::Proof,
    ),
    (
        "lemma-nested-refined",
        "abstract module A { module C { method X() { } } lemma M(b: bool) ensures $P } module B refines A { lemma M(b: bool) ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "test",
        "method {:test} M() ensures $P { var b := true; $S }",
        Code::Compiled,
    ),
    (
        "by-method",
        "function F(b: bool): (r: int) ensures $P { 0 } by method { $S return 0; }",
        Code::Compiled,
    ),
    (
        "opaque-block",
        "method M(b: bool) { opaque ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "opaque-block-nested",
        "method M(b: bool) { if b { opaque ensures $P { $S } } }",
        Code::Compiled,
    ),
    (
        "opaque-block-iterator",
        "iterator I(b: bool) { opaque ensures $P { $S } }",
        Code::Compiled,
    ),
    (
        "forall-statement",
        "lemma M(b: bool) { forall i: int ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "forall-statement-range",
        "method M(b: bool) { forall i | 0 <= i < 3 ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "forall-statement-iterator",
        "iterator I(b: bool) { forall i | 0 <= i < 3 ensures $P { $S } }",
        Code::Proof,
    ),
    (
        "assert-by",
        "method M(b: bool) { assert $P by { $S } }",
        Code::Proof,
    ),
    (
        "assert-by-iterator",
        "iterator I(b: bool) { assert $P by { $S } }",
        Code::Proof,
    ),
    (
        "assert-by-label",
        "method M(b: bool) { assert Z: $P by { $S } }",
        Code::Proof,
    ),
    (
        "calc-hint",
        "method M(b: bool) { calc ==> { true; { $S } $P; } }",
        Code::Proof,
    ),
    (
        "calc-hint-iterator",
        "iterator I(b: bool) { calc ==> { true; { $S } $P; } }",
        Code::Proof,
    ),
    (
        "calc-in-function",
        "function F(b: bool): int { calc ==> { true; { $S } $P; } 0 }",
        Code::Proof,
    ),
    (
        "assert-by-in-function",
        "function F(b: bool): int { assert $P by { $S } 0 }",
        Code::Proof,
    ),
    (
        "assert-by-in-constraint",
        "type S = x: int | assert $P by { var b := true; $S } true",
        Code::Proof,
    ),
    (
        "assert-by-in-ensures",
        "method M(b: bool) ensures (assert $P by { $S } true) { }",
        Code::Proof,
    ),
    (
        "assert-by-in-requires",
        "method M(b: bool) requires (assert $P by { $S } true) { }",
        Code::Proof,
    ),
    (
        "assert-by-in-invariant",
        "method M(b: bool) { for i := 0 to 3 invariant (assert $P by { $S } true) { } }",
        Code::Proof,
    ),
    (
        "assert-by-in-reads",
        "function F(b: bool, o: object): int reads (assert $P by { $S } {o}) { 0 }",
        Code::Proof,
    ),
    (
        "assert-by-in-default",
        "method M(b: bool := (assert $P by { var b := true; $S } true)) { }",
        Code::Proof,
    ),
    (
        "assert-by-in-const",
        "const c: int := (assert $P by { var b := true; $S } 1)",
        Code::Proof,
    ),
    (
        "assert-by-in-witness",
        "type S = x: int | true witness (assert $P by { var b := true; $S } 1)",
        Code::Proof,
    ),
    (
        "assert-by-in-lambda",
        "const f := (b: bool) => (assert $P by { $S } 1)",
        Code::Proof,
    ),
    (
        "invariant-end",
        "method M(b: bool) { var i := 0; while i < 3 invariant i == 0 || $P { i := i + 1; $S } }",
        Code::Looped,
    ),
    (
        "invariant-for",
        "method M(b: bool) { for i := 0 to 3 invariant i == 0 || $P { $S } }",
        Code::Looped,
    ),
    (
        "invariant-iterator",
        "iterator I(b: bool) { for i := 0 to 3 invariant i == 0 || $P { $S } }",
        Code::Looped,
    ),
    (
        "invariant-nonterminating",
        "method M(b: bool) decreases * { var i := 0; while true invariant i == 0 || $P decreases * { i := i + 1; $S } }",
        Code::Looped,
    ),
];

/// The kind of code that a body has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Compiled,
    Ghost,
    /// Ghost, and only to prove something: calls of lemmas, no changes of the heap.
    Proof,
    /// Compiled, in an iterator.
    Iterator,
    /// Compiled, in a loop, so that it must not assign variables declared before.
    Looped,
}

/// False conditions of which no variables are needed.
const FALSE: &[(&str, &str)] = &[
    ("false", "false"),
    ("function", "Zero() == 1"),
    ("forall", "forall x: int :: x != 3"),
    ("exists", "exists x: int :: x != x"),
    ("comparison", "1 + 1 == 3"),
];

/// Bodies without an obligation: their text, and whether they are allowed in ghost code.
const BODIES: &[(&str, &str, bool)] = &[
    ("empty", "", true),
    ("block", "{ { } }", true),
    ("var", "var y := 0;", true),
    ("var-any", "var y: int := *;", true),
    ("var-unassigned", "var y: int;", true),
    ("ghost-var", "ghost var y := 0;", true),
    ("assign", "var y := 0; y := 1;", true),
    ("assert-true", "assert true;", true),
    ("assert-labelled", "assert A: true; reveal A;", true),
    ("assume-true", "assume {:axiom} true;", true),
    ("expect-true", "expect true;", false),
    ("print", "print 1;", false),
    ("if", "if b { }", true),
    ("if-else", "if b { var y := 0; } else { var y := 1; }", true),
    ("if-star", "if * { }", true),
    ("if-cases", "if { case true => }", true),
    ("if-binding", "if y: int :| y == 3 { }", true),
    ("match", "match b case true => case false =>", true),
    ("match-default", "match 0 case _ =>", true),
    ("label", "label L: { }", true),
    ("label-break", "label L: { break L; }", true),
    ("label-break-if", "label L: { if b { break L; } }", true),
    ("label-if", "label L: if b { }", true),
    ("return", "return;", true),
    ("return-if", "if b { return; }", true),
    ("return-star", "if * { return; }", true),
    ("for", "for j := 0 to 3 { }", true),
    ("for-break", "for j := 0 to 3 { break; }", true),
    (
        "for-continue",
        "for j := 0 to 3 { if b { continue; } }",
        true,
    ),
    ("while", "var j := 0; while j < 3 { j := j + 1; }", true),
    ("while-false", "while false { }", true),
    ("while-break", "while true decreases 0 { break; }", true),
    (
        "while-bodyless-modifies",
        "var j := 0; while j < 3 modifies {} { j := j + 1; }",
        true,
    ),
    (
        "while-cases",
        "var j := 0; while decreases 3 - j { case j < 3 => j := j + 1; }",
        true,
    ),
    ("forall", "forall j | 0 <= j < 3 { }", true),
    ("forall-ensures", "forall j: int ensures j == j { }", true),
    ("calc", "calc { 1; 1; }", true),
    ("calc-hint", "calc { 1; { } 1; }", true),
    ("opaque-block", "opaque { }", true),
    ("opaque-ensures", "opaque ensures true { }", true),
    (
        "opaque-assign",
        "var y := 0; opaque ensures y == 1 { y := 1; }",
        true,
    ),
    ("hide", "hide *;", true),
    ("hide-function", "hide Zero;", true),
    ("reveal", "reveal Veiled();", true),
    ("hide-block", "{ hide *; }", true),
    ("modify-nothing", "modify {};", true),
    ("call", "Nop();", true),
    ("call-ghost-argument", "NopOf(1);", true),
    ("such-that", "ghost var y: int :| y == 3;", true),
    (
        "such-that-assume",
        "ghost var y: int :| assume {:axiom} y == 3;",
        true,
    ),
    ("statement-expression", "var y := (assert true; 1);", true),
    ("let", "var y := var z := 1; z;", true),
    ("lambda", "var y := (z: int) => z;", true),
    ("tuple", "var (y, z) := (1, 2);", true),
    ("array", "var y := new int[3];", false),
    ("object", "var y := new object;", false),
    ("block-by-contradiction", "if false { return; }", true),
    ("assert-by", "assert true by { }", true),
    ("assert-by-calc", "assert true by { calc { 1; } }", true),
    (
        "jump-nested",
        "label L: for j := 0 to 3 { for k := 0 to 3 { if b { break L; } } }",
        true,
    ),
    (
        "continue-nested",
        "label L: for j := 0 to 3 { for k := 0 to 3 { if b { continue L; } } }",
        true,
    ),
];

/// Attributes of callables that change how proofs are divided or found, but not what is proved.
const ATTRIBUTES: &[&str] = &[
    "{:isolate_assertions}",
    "{:vcs_split_on_every_assert}",
    "{:vcs_max_splits 3}",
    "{:vcs_max_cost 1}",
    "{:vcs_max_keep_going_splits 3}",
    "{:rlimit 1000}",
    "{:timeLimit 30}",
    "{:timeLimitMultiplier 3}",
    "{:resource_limit \"100e6\"}",
    "{:induction}",
    "{:priority 2}",
    "{:smt_option \"smt.arith.solver\", \"2\"}",
    "{:transparent}",
    "{:fuel Zero, 0, 1}",
    "{:vcs_max_cost 0} {:isolate_assertions}",
    "{:isolate_assertions} {:rlimit 500}",
    "{:random_seed 3}",
];

/// Adds false postconditions of every kind of callable, with every kind of body.
pub(crate) fn postconditions(table: &mut Table) {
    for (callable, text, code) in CALLABLES {
        for (n, (body, statements, is_ghost)) in BODIES.iter().enumerate() {
            let returns = statements.contains("return");
            let fits = match code {
                Code::Ghost => *is_ghost,
                Code::Proof => {
                    let is_left = returns && is_proof(text);
                    *is_ghost && !is_left && !has_effect(body)
                }
                Code::Compiled => !(returns && cannot_return(text)),
                // Iterators end by `yield break`.
                Code::Iterator => !returns,
                Code::Looped => !(returns && text.contains("iterator")),
            };
            if !fits {
                continue;
            }
            // Every body has one false condition of its own, by turns, and `false`.
            let other = FALSE.get(1 + n % (FALSE.len() - 1)).copied();
            for (name, condition) in FALSE.first().copied().into_iter().chain(other) {
                let with = |p: &str| text.replace("$P", p).replace("$S", statements);
                table.add(
                    "postcondition",
                    &[callable, body, name],
                    Stage::Verify,
                    Basis::Rule(
                        "Ensures clause: a postcondition must hold when the body completes",
                    ),
                    Options::Default,
                    with(condition),
                    with("1 == 1"),
                );
            }
        }
    }
}

/// Whether the body of a callable is a proof in a statement or an expression.
fn is_proof(text: &str) -> bool {
    ["assert ", "calc ", "forall "]
        .iter()
        .any(|word| text.contains(word))
}

/// Whether `return;` is not allowed in the compiled body of a callable, or gives no result.
fn cannot_return(text: &str) -> bool {
    let is_early = text.contains("constructor") && !text.contains("new;");
    is_early || text.contains("opaque") || text.contains("by method")
}

/// Whether a body, of which nothing is compiled, has a statement that a proof must not have: it
/// changes the heap or calls what is no lemma, even if it does nothing.
fn has_effect(body: &str) -> bool {
    [
        "call",
        "call-ghost-argument",
        "modify-nothing",
        "while-bodyless-modifies",
    ]
    .contains(&body)
}

/// Adds false postconditions and assertions under attributes.
pub(crate) fn attributes(table: &mut Table) {
    let callables: &[(&str, &str)] = &[
        ("method", "method $A M(b: bool) ensures $P { $S }"),
        ("lemma", "lemma $A M(b: bool) ensures $P { $S }"),
        (
            "constructor",
            "class K { constructor $A (b: bool) ensures $P { $S } }",
        ),
        ("iterator", "iterator $A I(b: bool) ensures $P { $S }"),
        (
            "twostate-lemma",
            "twostate lemma $A M(b: bool) ensures $P { $S }",
        ),
        ("function", "function $A F(b: bool): int ensures $P { 0 }"),
        (
            "by-method",
            "function $A F(b: bool): int { 0 } by method { $S assert $P; return 0; }",
        ),
        ("assert", "method $A M(b: bool) { $S assert $P; }"),
        ("assert-first", "method $A M(b: bool) { assert $P; $S }"),
        (
            "assert-twice",
            "method $A M(b: bool) { assert b == b; assert $P; assert b == b; $S }",
        ),
        (
            "assert-in-branch",
            "method $A M(b: bool) { if b { $S assert $P; } else { assert true; } }",
        ),
        (
            "invariant",
            "method $A M(b: bool) { for i := 0 to 3 invariant i == 0 || $P { $S } }",
        ),
        (
            "function-body",
            "function $A F(b: bool): int { assert $P; 0 }",
        ),
        ("constraint", "type $A S = x: int | assert $P; true"),
        (
            "class",
            "class $A K { method M(b: bool) ensures $P { $S } }",
        ),
        (
            "opaque-block",
            "method $A M(b: bool) { opaque ensures $P { $S } }",
        ),
    ];
    let bodies = [
        "",
        "var y := 0;",
        "if b { var y := 1; }",
        "assert b == b;",
        "for j := 0 to 3 { }",
    ];
    for (callable, text) in callables {
        for attribute in ATTRIBUTES {
            for (n, body) in bodies.iter().enumerate() {
                let with = |p: &str| {
                    text.replace("$A", attribute)
                        .replace("$P", p)
                        .replace("$S", body)
                };
                table.add(
                    "attribute",
                    &[callable, attribute, &n.to_string()],
                    Stage::Verify,
                    Basis::Rule(
                        "Attributes: splitting and resources do not change what must be proved",
                    ),
                    Options::Default,
                    with("Zero() == 1"),
                    with("Zero() == 0"),
                );
            }
        }
    }
}

/// Places of a statement in code: texts with the hole `$S`.
const PLACES: &[(&str, &str)] = &[
    ("method", "method M(b: bool) { $S }"),
    ("after-if", "method M(b: bool) { if b { } $S }"),
    ("in-if", "method M(b: bool) { if b { $S } }"),
    ("in-else", "method M(b: bool) { if b { } else { $S } }"),
    ("in-if-star", "method M(b: bool) { if * { $S } }"),
    (
        "in-if-cases",
        "method M(b: bool) { if { case true => $S } }",
    ),
    (
        "in-if-binding",
        "method M(b: bool) { if x: int :| x == 3 { $S } }",
    ),
    (
        "in-if-binding-else",
        "method M(b: bool) { if x: int :| x == 3 && b { } else { $S } }",
    ),
    (
        "after-return-if",
        "method M(b: bool) { if b { return; } $S }",
    ),
    (
        "in-match",
        "method M(o: Opt) { match o case Some(v) => $S case None => }",
    ),
    (
        "in-match-default",
        "method M(o: Opt) { match o case Some(3) => case _ => $S }",
    ),
    (
        "in-match-nested",
        "method M(o: Opt, p: Opt) { match (o, p) case (Some(3), None) => case (Some(v), Some(w)) => $S case _ => }",
    ),
    (
        "in-match-literal",
        "method M(s: string) { match s case \"a\" => case _ => $S }",
    ),
    (
        "in-match-const",
        "const k := 3 method M(n: int) { match n case k => $S }",
    ),
    (
        "in-while",
        "method M() { var i := 0; while i < 3 { i := i + 1; $S } }",
    ),
    (
        "after-while",
        "method M() { var i := 0; while i < 3 { i := i + 1; } $S }",
    ),
    (
        "after-while-break",
        "method M() { while true decreases 0 { break; } $S }",
    ),
    (
        "after-while-bounded",
        "method M() { var i := 0; while i < 3 invariant i <= 3 { i := i + 1; } $S }",
    ),
    ("in-for", "method M() { for i := 0 to 3 { $S } }"),
    ("in-for-down", "method M() { for i := 3 downto 0 { $S } }"),
    ("after-for", "method M() { for i := 0 to 3 { } $S }"),
    (
        "after-for-star",
        "method M() decreases * { for i := 0 to * decreases * { break; } $S }",
    ),
    (
        "after-for-break",
        "method M(b: bool) { for i := 0 to 3 { if b { break; } } $S }",
    ),
    (
        "after-for-continue",
        "method M(b: bool) { for i := 0 to 3 { if b { continue; } $S } }",
    ),
    (
        "after-break-label",
        "method M(b: bool) { label L: { if b { break L; } } $S }",
    ),
    (
        "after-break-outer",
        "method M(b: bool) { label L: for i := 0 to 3 { for j := 0 to 3 { break L; } } $S }",
    ),
    (
        "after-continue-outer",
        "method M(b: bool) { label L: for i := 0 to 3 { for j := 0 to 3 { continue L; } } $S }",
    ),
    (
        "after-break-break",
        "method M(b: bool) { for i := 0 to 3 { for j := 0 to 3 { break break; } } $S }",
    ),
    (
        "after-break-continue",
        "method M(b: bool) { for i := 0 to 3 { for j := 0 to 3 { break continue; } } $S }",
    ),
    (
        "in-while-nonterminating",
        "method M() decreases * { while true decreases * { $S } }",
    ),
    (
        "in-forall",
        "lemma M() { forall i: int ensures i == i { $S } }",
    ),
    (
        "in-forall-range",
        "method M() { forall i | 0 <= i < 3 { $S } }",
    ),
    (
        "after-forall",
        "method M() { forall i: int ensures i == i { } $S }",
    ),
    ("in-calc", "method M() { calc { 1; { $S } 1; } }"),
    ("after-calc", "method M() { calc { 1; 1; } $S }"),
    ("in-assert-by", "method M() { assert true by { $S } }"),
    ("after-assert-by", "method M() { assert true by { } $S }"),
    ("in-opaque-block", "method M() { opaque { $S } }"),
    ("after-opaque-block", "method M() { opaque { } $S }"),
    (
        "after-opaque-ensures",
        "method M() { var y := 0; opaque ensures y == 1 { y := 1; } $S }",
    ),
    ("in-lemma", "lemma M() { $S }"),
    ("in-twostate-lemma", "twostate lemma M() { $S }"),
    (
        "in-constructor",
        "class K { var f: int constructor () { $S f := 1; } }",
    ),
    (
        "in-constructor-late",
        "class K { var f: int constructor () { f := 1; new; $S } }",
    ),
    (
        "in-constructor-new",
        "class K { var f: int constructor () { new; $S } }",
    ),
    ("in-iterator", "iterator I() { $S }"),
    ("in-iterator-after-yield", "iterator I() { yield; $S }"),
    (
        "in-iterator-loop",
        "iterator I() { for i := 0 to 3 { yield; $S } }",
    ),
    (
        "in-by-method",
        "function F(): int { 0 } by method { $S return 0; }",
    ),
    ("in-ghost-if", "method M(ghost b: bool) { if b { $S } }"),
    (
        "in-ghost-loop",
        "method M(ghost n: nat) { ghost var i := 0; while i < n { i := i + 1; $S } }",
    ),
    ("in-hide", "method M() { hide *; $S }"),
    ("after-hide-block", "method M() { { hide *; } $S }"),
    ("after-reveal", "method M() { reveal Veiled(); $S }"),
    ("after-call", "method M() { Nop(); $S }"),
    (
        "after-call-result",
        "method G() returns (r: int) { r := 0; } method M() { var x := G(); $S }",
    ),
    ("after-new", "method M() { var a := new int[3]; $S }"),
    (
        "after-such-that",
        "method M() { ghost var x: int :| x == 3; $S }",
    ),
    (
        "after-assign-such-that-set",
        "method M(s: set<int>) requires s != {} { ghost var x :| x in s; $S }",
    ),
    (
        "after-modify",
        "method M(o: object) modifies o { modify o; $S }",
    ),
    ("after-labelled-assert", "method M() { assert A: true; $S }"),
    ("after-label", "method M() { label L: $S }"),
    ("after-havoc", "method M() { var x := 0; x := *; $S }"),
    ("after-print", "method M() { print 1; $S }"),
    (
        "after-yield-of-iterator",
        "iterator I() { } method M() { var i := new I(); $S }",
    ),
    (
        "after-move-next",
        "iterator I() { } method M() { var i := new I(); var more := i.MoveNext(); $S }",
    ),
    ("in-trait", "trait T { method M() { $S } }"),
    ("in-static", "class K { static method M() { $S } }"),
    ("in-generic", "method M<T>(t: T) { $S }"),
    (
        "in-refining",
        "abstract module A { method M() } module B refines A { method M() { $S } }",
    ),
    (
        "in-override",
        "trait T { method M() } class K extends T { method M() { $S } }",
    ),
    ("in-function", "function F(): int { $S 0 }"),
    (
        "in-function-branch",
        "function F(b: bool): int { if b then ($S 0) else 1 }",
    ),
    (
        "in-function-match",
        "function F(o: Opt): int { match o case None => ($S 0) case Some(v) => v }",
    ),
    (
        "in-function-let",
        "function F(): int { var x := ($S 1); x }",
    ),
    (
        "in-predicate-least",
        "least predicate P(n: int) { $S n == 0 }",
    ),
    (
        "in-twostate-function",
        "twostate function F(): int { $S 0 }",
    ),
    ("in-opaque-function", "opaque function F(): int { $S 0 }"),
    ("in-requires", "method M() requires ($S true) { }"),
    ("in-ensures", "method M() ensures ($S true) { }"),
    (
        "in-invariant",
        "method M() { for i := 0 to 3 invariant ($S true) { } }",
    ),
    ("in-decreases", "method M() decreases ($S 1) { }"),
    (
        "in-reads",
        "function F(o: object): int reads ($S {o}) { 0 }",
    ),
    ("in-modifies", "method M(o: object) modifies ($S {o}) { }"),
    ("in-constraint", "type S = x: int | ($S true)"),
    ("in-witness", "type S = x: int | true witness ($S 1)"),
    ("in-const", "const c: int := ($S 1)"),
    ("in-default", "method M(x: int := ($S 1)) { }"),
    ("in-lambda", "const f := (x: int) => ($S x)"),
    (
        "in-lambda-requires",
        "const f := (x: int) requires ($S true) => x",
    ),
    (
        "in-comprehension",
        "function F(): set<int> { set x | 0 <= x < 3 :: ($S x) }",
    ),
    (
        "in-comprehension-range",
        "function F(): set<int> { set x | 0 <= x < 3 && ($S true) }",
    ),
    (
        "in-quantifier",
        "ghost predicate P() { forall x: int :: ($S true) }",
    ),
    (
        "in-exists",
        "ghost predicate P() { exists x: int :: ($S true) }",
    ),
    (
        "in-sequence",
        "function F(): seq<int> { seq(3, i => ($S i)) }",
    ),
    ("in-old", "twostate function F(): int { old(($S 1)) }"),
];

/// False statements that need no variables, each with its true counterpart.
const CLAIMS: &[(&str, &str, &str)] = &[
    ("assert", "assert false;", "assert true;"),
    (
        "assert-split",
        "assert {:split_here} false;",
        "assert {:split_here} true;",
    ),
    (
        "assert-focus",
        "assert {:focus} Zero() == 1;",
        "assert {:focus} Zero() == 0;",
    ),
    (
        "assert-isolate",
        "assert {:isolate} false;",
        "assert {:isolate} true;",
    ),
    (
        "assert-isolate-paths",
        "assert {:isolate \"paths\"} false;",
        "assert {:isolate \"paths\"} true;",
    ),
    (
        "assert-subsumption",
        "assert {:subsumption 0} false;",
        "assert {:subsumption 0} true;",
    ),
    (
        "assert-error",
        "assert {:error \"e\", \"s\"} false;",
        "assert {:error \"e\", \"s\"} true;",
    ),
    (
        "assert-by",
        "assert Zero() == 1 by { }",
        "assert Zero() == 0 by { }",
    ),
    (
        "assert-by-assert",
        "assert true by { assert false; }",
        "assert true by { assert true; }",
    ),
    (
        "assert-contradiction",
        "assert {:contradiction} false;",
        "assert {:contradiction} true;",
    ),
    (
        "assert-type",
        "assert 3 is int && Zero() == 1;",
        "assert 3 is int && Zero() == 0;",
    ),
    ("calc", "calc { Zero(); 1; }", "calc { Zero(); 0; }"),
    (
        "calc-implies",
        "calc ==> { true; Zero() == 1; }",
        "calc ==> { true; Zero() == 0; }",
    ),
    (
        "calc-mixed",
        "calc { 2; > Zero(); == 1; }",
        "calc { 2; > Zero(); == 0; }",
    ),
    ("call-lemma", "Needs(0);", "Needs(1);"),
    (
        "exists",
        "assert exists x: int :: x != x;",
        "assert exists x: int :: x == 3;",
    ),
];

/// Adds false statements at every place of a body.
pub(crate) fn assertions(table: &mut Table) {
    for (place, text) in PLACES {
        for (name, claim, control) in CLAIMS {
            table.add(
                "assertion",
                &[place, name],
                Stage::Verify,
                Basis::Rule("Assert statement: the condition must be provable where it stands"),
                Options::Default,
                text.replace("$S", claim),
                text.replace("$S", control),
            );
        }
    }
}
