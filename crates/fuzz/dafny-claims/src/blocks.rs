//! Locations that a block of statements assigns: after the block, their old values are not known.

use crate::table::{Basis, Options, Stage, Table};

/// Programs in which a location has the value 0 before the block `$B`, and is claimed to have it
/// afterwards; and statements of the block that assign another value.
const LOCATIONS: &[(&str, &str, &str)] = &[
    (
        "local",
        "method M() { var c := 0; $B assert c == 0; }",
        "c := 1;",
    ),
    (
        "local-ghost",
        "method M() { ghost var c := 0; $B assert c == 0; }",
        "c := 1;",
    ),
    (
        "local-in-proof",
        "lemma M() { var c := 0; $B assert c == 0; }",
        "c := 1;",
    ),
    (
        "locals",
        "method M() { var c, d := 0, 0; $B assert d == 0; }",
        "c, d := 1, 2;",
    ),
    (
        "local-of-subset",
        "type S = x: int | x >= 0 method M() { var c: S := 0; $B assert c == 0; }",
        "c := 2;",
    ),
    (
        "local-by-pattern",
        "method M() { var c := 0; $B assert c == 0; }",
        "var (x, y) := (1, 2); c := x;",
    ),
    (
        "local-such-that",
        "method M() { var c := 0; $B assert c == 0; }",
        "c :| c == 1;",
    ),
    (
        "local-havoc",
        "method M() { var c := 0; $B assert c == 0; }",
        "c := *;",
    ),
    (
        "local-by-call",
        "method One() returns (r: int) { r := 1; } method M() { var c := 0; $B assert c == 0; }",
        "c := One();",
    ),
    (
        "local-in-block",
        "method M() { var c := 0; $B assert c == 0; }",
        "{ { c := 1; } }",
    ),
    (
        "local-in-branch",
        "method M(b: bool) { var c := 0; $B assert c == 0; }",
        "if b { c := 1; }",
    ),
    (
        "local-in-loop",
        "method M() { var c := 0; $B assert c == 0; }",
        "for i := 0 to 3 { c := i; }",
    ),
    (
        "local-in-match",
        "method M(n: int) { var c := 0; $B assert c == 0; }",
        "match n { case 1 => c := 1; case _ => }",
    ),
    (
        "local-in-opaque-block",
        "method M() { var c := 0; $B assert c == 0; }",
        "opaque { c := 1; }",
    ),
    (
        "result",
        "method M() returns (c: int) ensures c == 0 { c := 0; $B }",
        "c := 1;",
    ),
    (
        "result-ghost",
        "method M() returns (ghost c: int) ensures c == 0 { c := 0; $B }",
        "c := 1;",
    ),
    (
        "result-of-lemma",
        "lemma M() returns (c: int) ensures c == 0 { c := 0; $B }",
        "c := 1;",
    ),
    (
        "result-by-method",
        "function F(): int { 0 } by method { var c := 0; $B return c; }",
        "c := 1;",
    ),
    (
        "early-field",
        "class K { var c: int constructor () ensures c == 0 { c := 0; $B new; } }",
        "c := 1;",
    ),
    (
        "early-field-of-this",
        "class K { var c: int constructor () ensures c == 0 { this.c := 0; $B new; } }",
        "this.c := 1;",
    ),
    (
        "early-constant",
        "class K { const c: int constructor () ensures c == 0 { c := 0; $B new; } }",
        "c := 1;",
    ),
    (
        "early-ghost-field",
        "class K { ghost var c: int constructor () ensures c == 0 { c := 0; $B new; } }",
        "c := 1;",
    ),
    (
        "early-field-of-trait",
        "trait T { var c: int } class K extends T { constructor () ensures c == 0 { c := 0; $B new; } }",
        "c := 1;",
    ),
    (
        "early-field-generic",
        "class K<X> { var c: int constructor (x: X) ensures c == 0 { c := 0; $B new; } }",
        "c := 1;",
    ),
    (
        "early-field-in-branch",
        "class K { var c: int constructor (b: bool) ensures c == 0 { c := 0; $B new; } }",
        "if b { c := 1; }",
    ),
    (
        "early-field-in-loop",
        "class K { var c: int constructor () ensures c == 0 { c := 0; $B new; } }",
        "for i := 0 to 3 { c := i; }",
    ),
    (
        "early-field-in-opaque-block",
        "class K { var c: int constructor () ensures c == 0 { c := 0; $B new; } }",
        "opaque { c := 1; }",
    ),
    (
        "field",
        "class K { var c: int method M() modifies this ensures c == 0 { c := 0; $B } }",
        "c := 1;",
    ),
    (
        "late-field",
        "class K { var c: int constructor () ensures c == 0 { c := 0; new; $B } }",
        "c := 1;",
    ),
    (
        "field-of-object",
        "class K { var c: int } method M(k: K) modifies k { k.c := 0; $B assert k.c == 0; }",
        "k.c := 1;",
    ),
    (
        "field-by-modify",
        "class K { var c: int } method M(k: K) modifies k { k.c := 0; $B assert k.c == 0; }",
        "modify k;",
    ),
    (
        "field-of-new-object",
        "class K { var c: int constructor () { c := 0; } } method M() { var k := new K(); k.c := 0; $B assert k.c == 0; }",
        "k.c := 1;",
    ),
    (
        "object",
        "class K { var c: int constructor (n: int) ensures c == n { c := n; } } method M() { var k := new K(0); $B assert k.c == 0; }",
        "k := new K(1);",
    ),
    (
        "element",
        "method M(a: array<int>) requires a.Length == 1 modifies a { a[0] := 0; $B assert a[0] == 0; }",
        "a[0] := 1;",
    ),
    (
        "element-by-forall",
        "method M(a: array<int>) requires a.Length == 1 modifies a { a[0] := 0; $B assert a[0] == 0; }",
        "forall i | 0 <= i < 1 { a[i] := 1; }",
    ),
    (
        "element-of-new-array",
        "method M() { var a := new int[1](_ => 0); $B assert a[0] == 0; }",
        "a[0] := 1;",
    ),
    (
        "yielded",
        "iterator I() yields (c: int) { c := 0; $B assert c == 0; }",
        "c := 1;",
    ),
    (
        "yielded-sequence",
        "iterator I() yields (c: int) { $B assert cs == []; }",
        "yield 1;",
    ),
    (
        "allocated",
        "class K { } method M() { ghost var all := set o: object | allocated(o); $B assert all == set o: object | allocated(o); }",
        "var k := new K;",
    ),
];

/// Blocks around the statements `$W`.
const BLOCKS: &[(&str, &str)] = &[
    ("opaque", "opaque { $W }"),
    ("opaque-ensures", "opaque ensures true { $W }"),
    ("opaque-nested", "opaque { opaque { $W } }"),
    ("opaque-twice", "opaque { } opaque { $W }"),
    ("opaque-in-branch", "if 1 == 1 { opaque { $W } }"),
    ("opaque-in-loop", "for j := 0 to 2 { opaque { $W } }"),
    ("block", "{ $W }"),
    ("branch", "if 1 == 1 { $W }"),
    ("branch-any", "if * { $W }"),
    ("branch-cases", "if { case true => { $W } }"),
    ("branch-binding", "if x: int :| x == 3 { $W }"),
    ("match", "match 3 { case 3 => $W case _ => }"),
    ("for", "for j := 0 to 2 { $W }"),
    ("for-down", "for j := 2 downto 0 { $W }"),
    ("for-invariant", "for j := 0 to 2 invariant j >= 0 { $W }"),
    ("while-break", "while true decreases 0 { $W break; }"),
    (
        "while-cases",
        "var z := 0; while { case z < 1 => z := z + 1; { $W } }",
    ),
    ("label-break", "label L: { if * { break L; } $W }"),
    ("hide", "{ hide *; $W }"),
];

/// Adds claims that a location has the value that it had before a block that assigns it.
pub(crate) fn blocks(table: &mut Table) {
    for (location, program, write) in LOCATIONS {
        for (block, text) in BLOCKS {
            let with = |block: &str| program.replace("$B", block);
            table.add(
                "block",
                &[block, location],
                Stage::Verify,
                Basis::Rule(
                    "Opaque block: after a block, only its postconditions are known of what it assigns",
                ),
                Options::Default,
                with(&text.replace("$W", write)),
                with(""),
            );
        }
    }
}
