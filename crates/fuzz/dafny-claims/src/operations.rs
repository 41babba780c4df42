//! Operations of newtypes, over every base type, with a result outside the newtype.

use crate::table::{Basis, Options, Stage, Table};

/// An operation on the values `a` and `b` of a type.
struct Operation {
    name: &'static str,
    base: &'static str,
    a: &'static str,
    b: &'static str,
    /// The operation.
    text: &'static str,
    /// Its result.
    result: &'static str,
}

const fn on(
    base: &'static str,
    name: &'static str,
    [a, b]: [&'static str; 2],
    text: &'static str,
    result: &'static str,
) -> Operation {
    Operation {
        name,
        base,
        a,
        b,
        text,
        result,
    }
}

const OPERATIONS: &[Operation] = &[
    on("int", "int-add", ["2", "3"], "a + b", "5"),
    on("int", "int-subtract", ["2", "3"], "a - b", "-1"),
    on("int", "int-multiply", ["2", "3"], "a * b", "6"),
    on("int", "int-divide", ["2", "3"], "a / b", "0"),
    on("int", "int-modulo", ["5", "3"], "a % b", "2"),
    on("int", "int-negate", ["2", "3"], "-a", "-2"),
    on(
        "int",
        "int-literal",
        ["2", "3"],
        "if a == b then a else 7",
        "7",
    ),
    on("real", "real-add", ["2.0", "3.0"], "a + b", "5.0"),
    on("real", "real-subtract", ["2.0", "3.0"], "a - b", "-1.0"),
    on("real", "real-multiply", ["2.0", "3.0"], "a * b", "6.0"),
    on("real", "real-divide", ["3.0", "2.0"], "a / b", "1.5"),
    on("real", "real-negate", ["2.0", "3.0"], "-a", "-2.0"),
    on("bv8", "bv-add", ["2", "3"], "a + b", "5"),
    on("bv8", "bv-subtract", ["2", "3"], "a - b", "255"),
    on("bv8", "bv-multiply", ["2", "3"], "a * b", "6"),
    on("bv8", "bv-divide", ["2", "3"], "a / b", "0"),
    on("bv8", "bv-modulo", ["5", "3"], "a % b", "2"),
    on("bv8", "bv-and", ["6", "3"], "a & b", "2"),
    on("bv8", "bv-or", ["6", "3"], "a | b", "7"),
    on("bv8", "bv-xor", ["6", "3"], "a ^ b", "5"),
    on("bv8", "bv-not", ["6", "3"], "!a", "249"),
    on("bv8", "bv-negate", ["6", "3"], "-a", "250"),
    on("bv8", "bv-shift-left", ["6", "3"], "a << 1", "12"),
    on("bv8", "bv-shift-right", ["6", "2"], "a >> 1", "3"),
    on("char", "char-add", ["'a'", "'\\U{01}'"], "a + b", "'b'"),
    on(
        "char",
        "char-subtract",
        ["'b'", "'\\U{01}'"],
        "a - b",
        "'a'",
    ),
    on(
        "bool",
        "bool-and",
        ["true", "true"],
        "a && (a != b)",
        "false",
    ),
    on("bool", "bool-not", ["true", "true"], "!a", "false"),
    on(
        "bool",
        "bool-implies",
        ["true", "true"],
        "a ==> !b",
        "false",
    ),
    on("bool", "bool-iff", ["true", "true"], "a <==> !b", "false"),
    on("seq<int>", "seq-concat", ["[1]", "[2]"], "a + b", "[1, 2]"),
    on("seq<int>", "seq-slice", ["[1, 2]", "[2]"], "a[..1]", "[1]"),
    on(
        "seq<int>",
        "seq-slice-from",
        ["[1, 2]", "[1]"],
        "a[1..]",
        "[2]",
    ),
    on(
        "seq<int>",
        "seq-slice-both",
        ["[1, 2, 3]", "[1]"],
        "a[1..2]",
        "[2]",
    ),
    on("seq<int>", "seq-update", ["[1]", "[2]"], "a[0 := 3]", "[3]"),
    on(
        "seq<int>",
        "seq-display",
        ["[1]", "[2]"],
        "if a == b then a else [3]",
        "[3]",
    ),
    on(
        "seq<int>",
        "seq-comprehension",
        ["[1]", "[2]"],
        "if a == b then a else seq(1, i => 3)",
        "[3]",
    ),
    on("set<int>", "set-union", ["{1}", "{2}"], "a + b", "{1, 2}"),
    on(
        "set<int>",
        "set-difference",
        ["{1, 2}", "{2}"],
        "a - b",
        "{1}",
    ),
    on(
        "set<int>",
        "set-intersection",
        ["{1, 2}", "{2, 3}"],
        "a * b",
        "{2}",
    ),
    on(
        "set<int>",
        "set-display",
        ["{1}", "{2}"],
        "if a == b then a else {3}",
        "{3}",
    ),
    on(
        "set<int>",
        "set-comprehension",
        ["{1}", "{2}"],
        "set i | 0 <= i < 2",
        "{0, 1}",
    ),
    on(
        "iset<int>",
        "iset-union",
        ["iset{1}", "iset{2}"],
        "a + b",
        "iset{1, 2}",
    ),
    on(
        "iset<int>",
        "iset-difference",
        ["iset{1, 2}", "iset{2}"],
        "a - b",
        "iset{1}",
    ),
    on(
        "iset<int>",
        "iset-intersection",
        ["iset{1, 2}", "iset{2, 3}"],
        "a * b",
        "iset{2}",
    ),
    on(
        "multiset<int>",
        "multiset-union",
        ["multiset{1}", "multiset{2}"],
        "a + b",
        "multiset{1, 2}",
    ),
    on(
        "multiset<int>",
        "multiset-difference",
        ["multiset{1, 2}", "multiset{2}"],
        "a - b",
        "multiset{1}",
    ),
    on(
        "multiset<int>",
        "multiset-intersection",
        ["multiset{1, 2}", "multiset{2, 3}"],
        "a * b",
        "multiset{2}",
    ),
    on(
        "multiset<int>",
        "multiset-update",
        ["multiset{1}", "multiset{2}"],
        "a[1 := 2]",
        "multiset{1, 1}",
    ),
    on(
        "multiset<int>",
        "multiset-of-seq",
        ["multiset{1}", "multiset{2}"],
        "if a == b then a else multiset([3])",
        "multiset{3}",
    ),
    on(
        "map<int, int>",
        "map-merge",
        ["map[1 := 1]", "map[2 := 2]"],
        "a + b",
        "map[1 := 1, 2 := 2]",
    ),
    on(
        "map<int, int>",
        "map-minus",
        ["map[1 := 1, 2 := 2]", "map[2 := 2]"],
        "a - {2}",
        "map[1 := 1]",
    ),
    on(
        "map<int, int>",
        "map-update",
        ["map[1 := 1]", "map[2 := 2]"],
        "a[1 := 2]",
        "map[1 := 2]",
    ),
    on(
        "map<int, int>",
        "map-comprehension",
        ["map[1 := 1]", "map[2 := 2]"],
        "map i | 0 <= i < 1 :: i",
        "map[0 := 0]",
    ),
    on(
        "map<int, int>",
        "map-display",
        ["map[1 := 1]", "map[2 := 2]"],
        "if a == b then a else map[3 := 3]",
        "map[3 := 3]",
    ),
    on(
        "imap<int, int>",
        "imap-merge",
        ["imap[1 := 1]", "imap[2 := 2]"],
        "a + b",
        "imap[1 := 1, 2 := 2]",
    ),
    on(
        "imap<int, int>",
        "imap-minus",
        ["imap[1 := 1, 2 := 2]", "imap[2 := 2]"],
        "a - {2}",
        "imap[1 := 1]",
    ),
    on(
        "imap<int, int>",
        "imap-update",
        ["imap[1 := 1]", "imap[2 := 2]"],
        "a[1 := 2]",
        "imap[1 := 2]",
    ),
];

/// Uses of the operation `$O` on values `a` and `b` of the newtype `N`.
const USES: &[(&str, &str)] = &[
    (
        "assign",
        "method M(a: N, b: N) returns (r: N) requires a == $A && b == $C { r := $O; }",
    ),
    (
        "assign-pair",
        "method M(a: N, b: N) returns (r: N, s: N) requires a == $A && b == $C { s, r := a, $O; }",
    ),
    (
        "return",
        "method M(a: N, b: N) returns (r: N) requires a == $A && b == $C { return $O; }",
    ),
    (
        "var",
        "method M(a: N, b: N) requires a == $A && b == $C { var r: N := $O; }",
    ),
    (
        "element",
        "method M(a: N, b: N, z: array<N>) requires a == $A && b == $C && z.Length > 0 modifies z { z[0] := $O; }",
    ),
    (
        "function",
        "function F(a: N, b: N): N requires a == $A && b == $C { $O }",
    ),
    (
        "let",
        "function F(a: N, b: N): N requires a == $A && b == $C { var r: N := $O; a }",
    ),
    (
        "argument",
        "function G(n: N): int { 0 } function F(a: N, b: N): int requires a == $A && b == $C { G($O) }",
    ),
    (
        "sequence",
        "function F(a: N, b: N): seq<N> requires a == $A && b == $C { [$O] }",
    ),
    (
        "lambda",
        "method M(a: N, b: N) requires a == $A && b == $C { var f: () -> N := () => $O; }",
    ),
    (
        "const",
        "const a: N := $A\nconst b: N := $C\nconst r: N := $O",
    ),
    (
        "local",
        "method M() { var a: N := $A; var b: N := $C; var r: N := $O; }",
    ),
    (
        "operand",
        "predicate P(a: N, b: N) requires a == $A && b == $C { ($O) == a }",
    ),
];

/// Adds operations with a result outside their newtype.
pub(crate) fn operations(table: &mut Table) {
    for o in OPERATIONS {
        let needs = match o.base {
            "int" | "real" => Options::Default,
            _ => Options::General,
        };
        for (position, text) in USES {
            let with = |constraint: &str| {
                let text = text
                    .replace("$O", o.text)
                    .replace("$A", o.a)
                    .replace("$C", o.b);
                format!(
                    "newtype N = x: {} | {constraint} witness {}\n{text}",
                    o.base, o.a
                )
            };
            table.add(
                "operation",
                &[position, o.name],
                Stage::Verify,
                Basis::Rule("Newtypes: the result of an operation must satisfy the constraint"),
                needs,
                with(&format!("x != {}", o.result)),
                with(&format!("x == x || x != {}", o.result)),
            );
        }
    }
}
