//! False claims about the heap: accesses outside a frame, and comparisons of two states after a
//! change.

use crate::table::{Basis, Options, Stage, Table};

/// A class with everything that positions refer to.
const CELL: &str = "class Node { var f: int ghost var g: int var next: Node? const k: int := 1 function Get(): int reads this { f } twostate predicate Kept() reads this { f == old(f) } method Set() modifies this ensures f == 7 { f := 7; } method Read() returns (r: int) { r := f; } constructor () { } }\nmethod Writes(c: Node) returns (w: int) modifies c { c.f := 2; w := 1; }";

/// Callables that have no frame for `c: Node` or `a: array<int>`, with the hole `$R` for an
/// expression of type `int` that reads.
const READERS: &[(&str, &str)] = &[
    ("function", "function F(c: Node, a: array<int>): int { $R }"),
    (
        "ghost-function",
        "ghost function F(c: Node, a: array<int>): int { $R }",
    ),
    (
        "opaque-function",
        "opaque function F(c: Node, a: array<int>): int { $R }",
    ),
    (
        "member",
        "class K { function F(c: Node, a: array<int>): int { $R } }",
    ),
    (
        "member-with-frame",
        "class K { function F(c: Node, a: array<int>): int reads this { $R } }",
    ),
    (
        "other-frame",
        "function F(c: Node, a: array<int>, d: Node): int requires c != d reads d { $R }",
    ),
    (
        "field-frame",
        "function F(c: Node, a: array<int>): int reads c`next { $R }",
    ),
    (
        "datatype-member",
        "datatype K = K { function F(c: Node, a: array<int>): int { $R } }",
    ),
    (
        "trait-member",
        "trait K { function F(c: Node, a: array<int>): int { $R } }",
    ),
    (
        "override",
        "trait T { function F(c: Node, a: array<int>): int } class K extends T { function F(c: Node, a: array<int>): int { $R } }",
    ),
    (
        "override-with-frame",
        "trait T { function F(c: Node, a: array<int>): int } class K extends T { function F(c: Node, a: array<int>): int reads c, a { $R } }",
    ),
    (
        "refined",
        "abstract module A { class N { var f: int } function F(n: N): int } module B refines A { function F(n: N): int { n.f } }",
    ),
    (
        "by-method",
        "function F(c: Node, a: array<int>): int { $R } by method { assume {:axiom} false; return 0; }",
    ),
    (
        "requires",
        "function F(c: Node, a: array<int>): int requires a.Length > 0 && ($R == 0 || $R != 0) { 0 }",
    ),
    (
        "lambda",
        "const f: (Node, array<int>) -> int := (c: Node, a: array<int>) => $R",
    ),
    (
        "lambda-partial",
        "const f: (Node, array<int>) --> int := (c: Node, a: array<int>) requires a.Length > 0 => $R",
    ),
    (
        "lambda-in-method",
        "method M(c: Node, a: array<int>) requires a.Length > 0 { var f: () -> int := () => $R; }",
    ),
    (
        "lambda-reads-other",
        "method M(c: Node, a: array<int>, d: Node) requires a.Length > 0 && c != d { var f := () reads d => $R; }",
    ),
    (
        "lambda-in-function",
        "function F(c: Node, a: array<int>): () -> int requires a.Length > 0 { () => $R }",
    ),
    (
        "sequence",
        "function F(c: Node, a: array<int>): seq<int> requires a.Length > 0 { seq(1, i => $R) }",
    ),
    (
        "set-comprehension",
        "function F(c: Node, a: array<int>): set<int> requires a.Length > 0 { set i | 0 <= i < 1 :: $R }",
    ),
    (
        "map-comprehension",
        "function F(c: Node, a: array<int>): map<int, int> requires a.Length > 0 { map i | 0 <= i < 1 :: $R }",
    ),
    (
        "let",
        "function F(c: Node, a: array<int>): int requires a.Length > 0 { var x := $R; 0 }",
    ),
    (
        "quantifier",
        "predicate F(c: Node, a: array<int>) requires a.Length > 0 { forall i | 0 <= i < 1 :: $R == 0 }",
    ),
    (
        "quantifier-unbounded",
        "ghost predicate F(c: Node, a: array<int>) requires a.Length > 0 { forall i: int :: $R == 0 }",
    ),
    (
        "match",
        "function F(c: Node, a: array<int>): int requires a.Length > 0 { match $R case 0 => 1 case _ => 2 }",
    ),
    (
        "twostate",
        "twostate function F(c: Node, a: array<int>): int requires a.Length > 0 { $R }",
    ),
    (
        "least-predicate",
        "least predicate F(c: Node, a: array<int>) requires a.Length > 0 { $R == 0 }",
    ),
    (
        "greatest-predicate",
        "greatest predicate F(c: Node, a: array<int>) requires a.Length > 0 { $R == 0 }",
    ),
    (
        "assert-in-function",
        "function F(c: Node, a: array<int>): int requires a.Length > 0 { assert $R == $R; 0 }",
    ),
];

/// Expressions that read the heap.
const READS: &[(&str, &str)] = &[
    ("field", "c.f"),
    ("element", "(if a.Length > 0 then a[0] else 0)"),
    ("slice", "|a[..]|"),
    ("call", "c.Get()"),
    ("in-let", "(var d := c; d.f)"),
    ("in-branch", "(if c.k == 1 then c.f else 0)"),
    ("in-set", "|{c.f}|"),
    ("in-lambda-call", "((x: int) reads c => c.f)(0)"),
    ("multiset", "|multiset(a[..])|"),
    ("unread", "(var d := c.f; 0)"),
];

/// Callables without a frame for `c: Node` or `a: array<int>`, with the hole `$W` for a statement
/// that writes.
const WRITERS: &[(&str, &str)] = &[
    (
        "method",
        "method M(c: Node, a: array<int>) requires a.Length > 0 { $W }",
    ),
    (
        "member",
        "class K { method M(c: Node, a: array<int>) requires a.Length > 0 modifies this { $W } }",
    ),
    (
        "other-frame",
        "method M(c: Node, a: array<int>, d: Node) requires a.Length > 0 modifies {d} - {c} { $W }",
    ),
    (
        "field-frame",
        "method M(c: Node, a: array<int>) requires a.Length > 0 modifies c`next { $W }",
    ),
    (
        "override",
        "trait T { method M(c: Node, a: array<int>) requires a.Length > 0 } class K extends T { method M(c: Node, a: array<int>) requires a.Length > 0 { $W } }",
    ),
    (
        "override-with-frame",
        "trait T { method M(c: Node, a: array<int>) requires a.Length > 0 } class K extends T { method M(c: Node, a: array<int>) requires a.Length > 0 modifies c, a { $W } }",
    ),
    (
        "constructor",
        "class K { constructor (c: Node, a: array<int>) requires a.Length > 0 { new; $W } }",
    ),
    (
        "constructor-first-part",
        "class K { constructor (c: Node, a: array<int>) requires a.Length > 0 { $W } }",
    ),
    (
        "iterator",
        "iterator I(c: Node, a: array<int>) requires a.Length > 0 { $W }",
    ),
    (
        "iterator-after-yield",
        "iterator I(c: Node, a: array<int>) requires a.Length > 0 modifies a, c { yield; var d: Node := *; d.f := 1; }",
    ),
    (
        "by-method",
        "function F(c: Node, a: array<int>): int requires a.Length > 0 { 0 } by method { $W return 0; }",
    ),
    (
        "loop",
        "method M(c: Node, a: array<int>) requires a.Length > 0 modifies c, a { for i := 0 to 3 modifies {} { $W } }",
    ),
    (
        "loop-without-frame",
        "method M(c: Node, a: array<int>) requires a.Length > 0 { for i := 0 to 3 { $W } }",
    ),
    (
        "branch",
        "method M(c: Node, a: array<int>, b: bool) requires a.Length > 0 { if b { $W } }",
    ),
    (
        "match",
        "method M(c: Node, a: array<int>, n: int) requires a.Length > 0 { match n case 3 => $W case _ => }",
    ),
    (
        "opaque-block",
        "method M(c: Node, a: array<int>) requires a.Length > 0 modifies c, a { opaque modifies {} { $W } }",
    ),
    (
        "opaque-block-without-frame",
        "method M(c: Node, a: array<int>) requires a.Length > 0 { opaque { $W } }",
    ),
    (
        "labelled",
        "method M(c: Node, a: array<int>) requires a.Length > 0 { label L: { $W } }",
    ),
    (
        "generic",
        "method M<T>(c: Node, a: array<int>, t: T) requires a.Length > 0 { $W }",
    ),
    (
        "datatype",
        "datatype K = K { method M(c: Node, a: array<int>) requires a.Length > 0 { $W } }",
    ),
    (
        "refined",
        "abstract module A { class N { var f: int } method M(n: N) } module B refines A { method M(n: N) { n.f := 1; } }",
    ),
];

/// Statements that write to the heap.
const WRITES: &[(&str, &str)] = &[
    ("field", "c.f := 1;"),
    ("ghost-field", "c.g := 1;"),
    ("havoc", "c.f := *;"),
    ("element", "a[0] := 1;"),
    ("pair", "c.f, a[0] := 1, 2;"),
    ("forall", "forall i | 0 <= i < a.Length { a[i] := 1; }"),
    ("forall-field", "forall d | d in {c} { d.f := 1; }"),
    ("call", "c.Set();"),
    ("call-result", "var w := Writes(c);"),
    ("modify", "modify c;"),
    ("modify-field", "modify c`f;"),
    ("alias", "var d := c; d.f := 1;"),
    ("unchanged-value", "c.f := c.f;"),
    ("array-alias", "var b := a; b[0] := 1;"),
    ("call-value", "c.f := Zero();"),
];

/// Methods in which the state changes at `$W`, and a claim about both states follows at `$O`.
const TWO_STATES: &[(&str, &str)] = &[
    (
        "assert",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { $W assert $O; }",
    ),
    (
        "ensures",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a ensures $O { $W }",
    ),
    (
        "invariant",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { for i := 0 to 2 invariant $O { $W } }",
    ),
    (
        "opaque-block",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { opaque modifies c, a ensures $O { $W } }",
    ),
    (
        "after-opaque-block",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { opaque modifies c, a { $W } assert $O; }",
    ),
    (
        "iterator",
        "iterator I(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 reads c, a modifies c, a { $W assert $O; }",
    ),
    (
        "constructor",
        "class K { constructor (c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a ensures $O { new; $W } }",
    ),
    (
        "override",
        "trait T { method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a ensures $O } class K extends T { method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { $W } }",
    ),
    (
        "after-loop",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { for i := 0 to 2 { $W } assert $O; }",
    ),
    (
        "calc",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { $W calc ==> { true; $O; } }",
    ),
    (
        "captured",
        "method M(c: Node, a: array<int>) requires a.Length > 0 requires c.f == 0 && a[0] == 0 modifies c, a { var h := c.f; $W assert $O && h == 0; }",
    ),
];

/// Changes of `c.f` and `a[0]` from 0 to 7.
const CHANGES: &[(&str, &str)] = &[
    ("assign", "c.f := 7; a[0] := 7;"),
    ("pair", "c.f, a[0] := 7, 7;"),
    ("call", "c.Set(); a[0] := 7;"),
    (
        "forall",
        "forall d | d in {c} { d.f := 7; } forall i | 0 <= i < a.Length { a[i] := 7; }",
    ),
    ("block", "{ c.f := 7; } { a[0] := 7; }"),
    ("branch", "if c.k == 1 { c.f := 7; a[0] := 7; }"),
    (
        "modify",
        "modify c, a; assume {:axiom} c.f == 7 && a[0] == 7;",
    ),
];

/// Claims that both states agree.
const AGREEMENTS: &[(&str, &str)] = &[
    ("old", "c.f == old(c.f)"),
    ("old-element", "a[0] == old(a[0])"),
    ("old-slice", "a[..] == old(a[..])"),
    ("old-multiset", "multiset(a[..]) == old(multiset(a[..]))"),
    ("old-array-of-new-index", "old(a)[0] == 0"),
    ("unchanged", "unchanged(c)"),
    ("unchanged-field", "unchanged(c`f)"),
    ("unchanged-array", "unchanged(a)"),
    ("unchanged-set", "unchanged({c})"),
    ("twostate", "c.Kept()"),
    ("function", "c.Get() == old(c.Get())"),
    (
        "function-in-quantifier",
        "forall i | i == 0 :: c.Get() + i == old(c.Get())",
    ),
    ("fresh", "fresh(c)"),
    ("fresh-set", "fresh({c, a})"),
    ("not-allocated", "!old(allocated(c))"),
    ("value", "c.f == 0"),
    ("lambda", "(() reads c => c.f)() == old(c.f)"),
    ("let", "(var o := old(c.f); c.f == o)"),
];

/// Adds accesses outside a frame.
pub(crate) fn frames(table: &mut Table) {
    let with_cell = |text: &str| format!("{text}\n{CELL}");
    for (reader, text) in READERS {
        for (name, read) in READS {
            table.add(
                "reads",
                &[reader, name],
                Stage::Verify,
                Basis::Rule("Reads clause: a function may read only what its frame allows"),
                Options::Default,
                with_cell(&text.replace("$R", read)),
                if text.contains("$R") {
                    with_cell(&text.replace("$R", "0"))
                } else {
                    String::new()
                },
            );
            if !text.contains("$R") {
                break;
            }
        }
    }
    for (writer, text) in WRITERS {
        for (name, write) in WRITES {
            table.add(
                "modifies",
                &[writer, name],
                Stage::Verify,
                Basis::Rule("Modifies clause: a method may change only what its frame allows"),
                Options::Default,
                with_cell(&text.replace("$W", write)),
                if text.contains("$W") && !writer.starts_with("override-with") {
                    with_cell(&text.replace("$W", "var x := 1;"))
                } else {
                    String::new()
                },
            );
            if !text.contains("$W") {
                break;
            }
        }
    }
}

/// Adds claims that the state before a change is the state after it.
pub(crate) fn states(table: &mut Table) {
    for (place, text) in TWO_STATES {
        for (change, write) in CHANGES {
            for (name, claim) in AGREEMENTS {
                let with = |claim: &str| {
                    format!("{}\n{CELL}", text.replace("$W", write).replace("$O", claim))
                };
                table.add(
                    "states",
                    &[place, name, change],
                    Stage::Verify,
                    Basis::Rule(
                        "Old and old@ expressions: the old state is the one before the body",
                    ),
                    Options::Default,
                    with(claim),
                    with("c.f >= c.f"),
                );
            }
        }
    }
}
