//! Locations: two assignments to one location at once, states in which an object does not exist,
//! and variables that are read before they are assigned.

use crate::table::{Basis, Options, Stage, Table};

/// A class with fields, and an array: parameters of methods that assign locations.
const CELL: &str = "class Node { var f: int var g: int var next: Node? const k: int := 1 constructor () { } }\nmethod Two() returns (x: int, y: int) { x, y := 1, 2; }\nmethod Given() returns (x: int) { x := 1; }";

/// Callables in which `$W` may assign the fields of `c` and `d` and the elements of `a` and `m`.
const WRITERS: &[(&str, &str)] = &[
    (
        "method",
        "method M(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m { $W }",
    ),
    (
        "constructor",
        "class K { constructor (c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m { new; $W } }",
    ),
    (
        "iterator",
        "iterator I(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 reads c, d, a, m modifies c, d, a, m { $W }",
    ),
    (
        "loop",
        "method M(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m { for z := 0 to 3 { $W } }",
    ),
    (
        "opaque-block",
        "method M(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m { opaque modifies c, d, a, m { $W } }",
    ),
    (
        "override",
        "trait T { method M(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m } class K extends T { method M(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m { $W } }",
    ),
    (
        "branch",
        "method M(c: Node, d: Node, a: array<int>, m: array2<int>, i: int, j: int) requires a.Length > 3 && m.Length0 > 3 && m.Length1 > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a, m { if j == 1 { } else { $W } }",
    ),
    (
        "refined",
        "abstract module A { class N { var f: int } method M(c: N, d: N, a: array<int>, i: int, j: int) requires a.Length > 3 && 0 <= i < 3 && 0 <= j < 3 modifies c, d, a } module B refines A { method M(c: N, d: N, a: array<int>, i: int, j: int) { $W } }",
    ),
];

/// Assignments of different values to what may be one location.
const CONFLICTS: &[(&str, &str)] = &[
    ("elements", "a[i], a[j] := 1, 2;"),
    ("fields", "c.f, d.f := 1, 2;"),
    ("elements-of-matrix", "m[i, 0], m[j, 0] := 1, 2;"),
    ("elements-of-result", "a[i], a[j] := Two();"),
    ("fields-of-result", "c.f, d.f := Two();"),
    ("element-of-alias", "var b := a; a[i], b[j] := 1, 2;"),
    ("field-of-alias", "var e := c; c.f, e.f := 1, 2;"),
    ("field-of-next", "c.next := d; c.f, d.f, c.g := 1, 2, 3;"),
    ("such-that", "a[i], a[j] :| a[i] == 1 && a[j] == 2;"),
    ("forall-one", "forall z | 0 <= z < 3 { a[0] := z; }"),
    ("forall-half", "forall z | 0 <= z < 3 { a[z / 2] := z; }"),
    (
        "forall-square",
        "forall z | -2 <= z < 3 { a[(z * z) % 4] := z; }",
    ),
    (
        "forall-two",
        "forall y, z | 0 <= y < 3 && 0 <= z < 3 { a[y] := z; }",
    ),
    (
        "forall-matrix",
        "forall y, z | 0 <= y < 3 && 0 <= z < 3 { m[y, 0] := z; }",
    ),
    (
        "forall-diagonal",
        "forall y, z | 0 <= y < 3 && 0 <= z < 3 { m[(y + z) % 3, 0] := y; }",
    ),
    ("forall-field", "forall z | 0 <= z < 3 { c.f := z; }"),
    (
        "forall-objects",
        "forall e, z | e in {c, d} && 0 <= z < 3 { e.f := z; }",
    ),
    (
        "forall-constant-index",
        "forall z | z in {1, 2} { a[1] := z; }",
    ),
    ("forall-sequence", "forall z | z in [1, 2] { a[2] := z; }"),
];

/// Frames and bounds of assignments in `forall` statements.
const OUTSIDE: &[(&str, &str)] = &[
    ("index-high", "forall z | 0 <= z <= a.Length { a[z] := z; }"),
    ("index-low", "forall z | -1 <= z < a.Length { a[z] := z; }"),
    (
        "index-shifted",
        "forall z | 0 <= z < a.Length { a[z + 1] := z; }",
    ),
    (
        "index-matrix",
        "forall z | 0 <= z < m.Length0 { m[z, z] := z; }",
    ),
    (
        "index-matrix-second",
        "forall y, z | 0 <= y < m.Length0 && 0 <= z <= m.Length1 { m[y, z] := z; }",
    ),
    ("value", "forall z | 0 <= z < 3 { a[z] := 1 / z; }"),
    (
        "value-index",
        "forall z | 0 <= z < a.Length { a[z] := a[z + 1]; }",
    ),
    (
        "null",
        "forall z | z == 0 && c.next != c { c.next.f := z; }",
    ),
    ("range", "forall z | 0 <= z < 3 && 1 / z > 0 { a[z] := z; }"),
    ("element-after", "a[a.Length] := 1;"),
    ("element-before", "a[i - 1] := 1;"),
    ("element-matrix", "m[0, m.Length1] := 1;"),
    ("element-matrix-first", "m[m.Length0, 0] := 1;"),
];

/// Expressions about the object `n`, which does not exist in an earlier state, with the type of the
/// result; `$L` is the label of that state, or empty.
const EARLIER: &[(&str, &str)] = &[
    ("field", "old$L(n.f) == 0"),
    (
        "field-of-next",
        "old$L(if n.next == null then 0 else n.next.f) == 0",
    ),
    ("function", "old$L(Get(n)) == 0"),
    ("member", "old$L(n.Got()) == 0"),
    ("unchanged", "unchanged$L(n)"),
    ("unchanged-field", "unchanged$L(n`f)"),
    ("unchanged-set", "unchanged$L({n})"),
    ("twostate", "Kept$L(n)"),
    ("twostate-member", "n.Same$L()"),
    ("element", "old$L(|[n.f]|) == 1"),
    ("slice", "old$L(|b[..]|) == 3"),
    ("array-element", "old$L(b[0]) == 0"),
    ("multiset", "old$L(|multiset(b[..])|) == 3"),
    ("lambda", "old$L((() reads n => n.f)()) == 0"),
    ("let", "old$L(var q := n; q.f) == 0"),
    ("quantifier", "old$L(forall q | q == n :: q.f == 0)"),
    ("match", "old$L(match n.f case 0 => true case _ => true)"),
    ("fresh-old", "!fresh$L(n)"),
    ("allocated", "old$L(allocated(n))"),
    ("not-fresh-array", "!fresh$L(b)"),
];

/// Methods that create `n` and `b`, and then use `$O`.
const CREATORS: &[(&str, &str, &str)] = &[
    (
        "assert",
        "method M() { var n := new Made(); var b := new int[3]; assert $O; }",
        "",
    ),
    (
        "ensures",
        "method M() returns (n: Made, b: array<int>) ensures b.Length == 3 && fresh(n) && fresh(b) ensures $O { n := new Made(); b := new int[3]; }",
        "",
    ),
    (
        "label",
        "method M() { label L: var n := new Made(); var b := new int[3]; assert $O; }",
        "@L",
    ),
    (
        "label-late",
        "method M() { var d := new Made(); label L: d.f := 1; var n := new Made(); var b := new int[3]; assert $O; }",
        "@L",
    ),
    (
        "loop",
        "method M() { for z := 0 to 3 { var n := new Made(); var b := new int[3]; assert $O; } }",
        "",
    ),
    (
        "loop-label",
        "method M() { for z := 0 to 3 { label L: var n := new Made(); var b := new int[3]; assert $O; } }",
        "@L",
    ),
    (
        "calc",
        "method M() { var n := new Made(); var b := new int[3]; calc { true; { assert $O; } true; } }",
        "",
    ),
    (
        "result",
        "method Make() returns (n: Made, b: array<int>) ensures fresh(n) && fresh(b) && b.Length == 3 { n := new Made(); b := new int[3]; } method M() { var n, b := Make(); assert $O; }",
        "",
    ),
    (
        "constructor",
        "class K { constructor () { new; var n := new Made(); var b := new int[3]; assert $O; } }",
        "",
    ),
    (
        "iterator",
        "iterator I() { var n := new Made(); var b := new int[3]; assert $O; }",
        "",
    ),
    (
        "opaque-block",
        "method M() { opaque { var n := new Made(); var b := new int[3]; assert $O; } }",
        "",
    ),
    (
        "by-method",
        "function F(): int { 0 } by method { var n := new Made(); var b := new int[3]; assert $O; return 0; }",
        "",
    ),
    (
        "expression",
        "method M() { var n := new Made(); var b := new int[3]; var z := (assert $O; 1); }",
        "",
    ),
    (
        "invariant",
        "method M() { var n := new Made(); var b := new int[3]; for z := 0 to 3 invariant $O { } }",
        "",
    ),
    (
        "forall",
        "method M() { var n := new Made(); var b := new int[3]; forall z | 0 <= z < 3 ensures $O { } }",
        "",
    ),
];

/// A class whose objects are created, with functions of one and two states.
const MADE: &str = "class Made { var f: int var next: Made? function Got(): int reads this { f } twostate predicate Same() reads this { f == old(f) } constructor () { } }\nfunction Get(n: Made): int reads n { n.f }\ntwostate predicate Kept(n: Made) reads n { n.f == old(n.f) }";

/// Bodies that use a variable `x` of a type without default value before it is assigned, after
/// which `b` is a condition and `t` a value.
const UNASSIGNED: &[(&str, &str)] = &[
    ("never", "$U"),
    ("if", "if b { x := t; } $U"),
    ("else", "if b { } else { x := t; } $U"),
    ("both-but-one", "if b { x := t; } else if c { x := t; } $U"),
    ("if-star", "if * { x := t; } $U"),
    ("if-cases", "if { case b => x := t; case !b => } $U"),
    ("match", "match b { case true => x := t; case false => } $U"),
    ("while", "while b decreases 0 { x := t; break; } $U"),
    (
        "while-zero",
        "var z := 0; while z < n { x := t; z := z + 1; } $U",
    ),
    ("for", "for z := 0 to n { x := t; } $U"),
    ("for-down", "for z := n downto 0 { x := t; } $U"),
    ("break", "label L: { if b { break L; } x := t; } $U"),
    (
        "break-loop",
        "while true decreases 0 { if b { break; } x := t; break; } $U",
    ),
    (
        "continue",
        "for z := 0 to 3 { if b { continue; } x := t; } $U",
    ),
    ("before", "if b { $U } x := t;"),
    ("in-loop", "for z := 0 to 2 { if z == 1 { $U } } x := t;"),
    ("condition", "if b { x := t; } if c { $U }"),
    ("reversed-condition", "if b { x := t; } if !b { $U }"),
    ("opaque", "opaque { if b { x := t; } } $U"),
    ("binding", "if z: bool :| z == b && z { x := t; } $U"),
    ("binding-false", "if z: bool :| z && !z { x := t; } $U"),
    (
        "nested-labels",
        "label L: { label K: { if b { break K; } x := t; break L; } } $U",
    ),
    (
        "break-outer",
        "label L: while true decreases 0 { while true decreases 0 { if b { break L; } x := t; break L; } } $U",
    ),
];

/// Variables `x` of a type `$T` without default value; `$S` are the statements.
const VARIABLES: &[(&str, &str)] = &[
    (
        "local",
        "method M(b: bool, c: bool, n: nat, t: $T) { var x: $T; $S }",
    ),
    (
        "ghost-local",
        "method M(b: bool, c: bool, n: nat, t: $T) { ghost var x: $T; $S }",
    ),
    (
        "result",
        "method M(b: bool, c: bool, n: nat, t: $T) returns (x: $T) { $S x := t; }",
    ),
    (
        "local-in-iterator",
        "iterator I(b: bool, c: bool, n: nat, t: $T) { var x: $T; $S }",
    ),
    (
        "local-in-constructor",
        "class K { constructor (b: bool, c: bool, n: nat, t: $T) { var x: $T; $S } }",
    ),
    (
        "local-in-by-method",
        "function F(b: bool, c: bool, n: nat, t: $T): int { 0 } by method { var x: $T; $S return 0; }",
    ),
    (
        "local-in-lemma",
        "lemma M(b: bool, c: bool, n: nat, t: $T) { var x: $T; $S }",
    ),
    (
        "local-in-proof",
        "method M(b: bool, c: bool, n: nat, t: $T) { assert true by { var x: $T; $S } }",
    ),
    (
        "local-in-trait",
        "trait K { method M(b: bool, c: bool, n: nat, t: $T) { var x: $T; $S } }",
    ),
    (
        "local-in-loop",
        "method M(b: bool, c: bool, n: nat, t: $T) { for y := 0 to 3 { var x: $T; $S } }",
    ),
    (
        "local-of-pair",
        "method M(b: bool, c: bool, n: nat, t: $T) { var w: int, x: $T; $S }",
    ),
];

/// Types without a default value, and an assertion that holds for every value of them.
const NO_DEFAULT: &[(&str, &str)] = &[
    ("class", "Cell"),
    ("opaque", "Opaque"),
    ("object", "object"),
    ("array", "array<int>"),
    ("pair", "(int, Cell)"),
    ("datatype", "Full<Cell>"),
];

/// Adds assignments to one location, accesses outside of arrays, objects in earlier states, and
/// variables that are not assigned.
pub(crate) fn places(table: &mut Table) {
    for (writer, text) in WRITERS {
        let with = |statement: &str| format!("{}\n{CELL}", text.replace("$W", statement));
        let groups = [
            (
                CONFLICTS,
                "conflict",
                "Assignment and forall statements: two values for one location",
            ),
            (
                OUTSIDE,
                "outside",
                "Expressions: every expression must be well-formed where it is evaluated",
            ),
        ];
        for (statements, family, rule) in groups {
            for (name, statement) in statements {
                let has_hole = *writer != "refined"
                    || !["m[", "next", "Two", "c.g"]
                        .iter()
                        .any(|s| statement.contains(s));
                if !has_hole {
                    continue;
                }
                table.add(
                    family,
                    &[name, writer],
                    Stage::Verify,
                    Basis::Rule(rule),
                    Options::Default,
                    with(statement),
                    with("a[i] := 1;"),
                );
            }
        }
    }
    for (creator, text, label) in CREATORS {
        for (name, claim) in EARLIER {
            let with = |claim: &str| format!("{}\n{MADE}", text.replace("$O", claim));
            table.add(
                "earlier",
                &[name, creator],
                Stage::Verify,
                Basis::Rule("Old and old@ expressions: an object must exist in the earlier state"),
                Options::Default,
                with(&claim.replace("$L", label)),
                with("n != null"),
            );
        }
    }
    for (variable, text) in VARIABLES {
        for (flow, body) in UNASSIGNED {
            for (name, t) in NO_DEFAULT {
                let with = |body: &str| {
                    text.replace("$S", &body.replace("$U", "var u := x;"))
                        .replace("$T", t)
                };
                table.add(
                    "assignment",
                    &[flow, variable, name],
                    Stage::Verify,
                    Basis::Rule(
                        "Definite assignment: a variable must be assigned before it is read",
                    ),
                    Options::Default,
                    with(body),
                    with("x := t; $U"),
                );
            }
        }
    }
}
