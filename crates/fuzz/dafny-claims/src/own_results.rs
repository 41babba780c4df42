//! Postconditions that call the function to which they belong.
//!
//! Such a call stands for the result of the function. The body violates the postcondition, whatever
//! encloses the call.

use crate::table::{Basis, Options, Stage, Table};

/// Functions with the postcondition `$P` and the result 1, and a call of the function.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    (
        "function",
        "function F(n: int): int ensures $P { 1 }",
        "F(n)",
    ),
    (
        "named-result",
        "function F(n: int): (r: int) ensures $P { 1 }",
        "F(n)",
    ),
    (
        "ghost",
        "ghost function F(n: int): int ensures $P { 1 }",
        "F(n)",
    ),
    (
        "without-parameters",
        "function F(): int ensures var n := 0; $P { 1 }",
        "F()",
    ),
    (
        "predicate",
        "predicate F(n: int) ensures $P { true }",
        "(if F(n) then 1 else 0)",
    ),
    (
        "opaque",
        "opaque function F(n: int): int ensures $P { 1 }",
        "F(n)",
    ),
    (
        "generic",
        "function F<Y>(n: int, of: Y): int ensures $P { 1 }",
        "F(n, of)",
    ),
    (
        "second-postcondition",
        "function F(n: int): (r: int) ensures r == 1 ensures $P { 1 }",
        "F(n)",
    ),
    (
        "with-precondition",
        "function F(n: int): int requires n > 3 ensures $P { 1 }",
        "F(n)",
    ),
    (
        "with-measure",
        "function F(n: nat): int ensures $P decreases n { if n > 0 then F(n - 1) else 1 }",
        "F(n)",
    ),
    (
        "by-method",
        "function F(n: int): int ensures $P { 1 } by method { return 1; }",
        "F(n)",
    ),
    (
        "class-member",
        "class K { var f: int function F(n: int): int reads this ensures $P { 1 } }",
        "F(n)",
    ),
    (
        "static",
        "class K { static function F(n: int): int ensures $P { 1 } }",
        "F(n)",
    ),
    (
        "datatype-member",
        "datatype K = K { function F(n: int): int ensures $P { 1 } }",
        "this.F(n)",
    ),
    (
        "newtype-member",
        "newtype K = int { function F(n: int): int ensures $P { 1 } }",
        "this.F(n)",
    ),
    (
        "trait-member",
        "trait K { function F(n: int): int ensures $P { 1 } }",
        "F(n)",
    ),
    (
        "two-state",
        "class K { var f: int twostate function F(n: int): int reads this ensures $P { 1 } }",
        "F(n)",
    ),
    (
        "refined",
        "abstract module A { function F(n: int): int ensures $P } module B refines A { function F(n: int): int { 1 } }",
        "F(n)",
    ),
];

/// Postconditions that are false if the call `$C` has the value 1 and `$V` is 0.
const POSTCONDITIONS: &[(&str, &str)] = &[
    ("equality", "$C == $V"),
    ("let", "var x := 1; $C == $V"),
    ("let-of-call", "var x := $C; x == $V"),
    ("let-twice", "var x := 1; var y := x; $C == $V"),
    ("let-after", "$C == (var x := $V; x)"),
    ("ghost-let", "ghost var x := 1; $C == $V"),
    ("let-such-that", "var x :| x == 1; $C == $V"),
    ("pattern", "var (x, y) := (1, 2); $C == $V"),
    ("match", "match 1 case x => $C == $V"),
    ("match-literal", "match 1 case 1 => $C == $V case _ => true"),
    ("branch", "if 1 == 1 then $C == $V else true"),
    ("implication", "1 == 1 ==> $C == $V"),
    ("conjunction", "(1 == 1 && $C == $V)"),
    ("negation", "!($C != $V)"),
    ("forall", "forall x :: x == 1 ==> $C == $V"),
    ("forall-range", "forall x: bool | x :: $C == $V"),
    ("map", "(map x: bool | x :: $C) == map[true := $V]"),
    ("sequence", "seq(1, i => $C) == [$V]"),
    ("display", "[$C] == [$V]"),
    ("tuple", "($C, 1) == ($V, 1)"),
    ("assertion", "assert 1 == 1; $C == $V"),
    ("chain", "$C == $V == $V"),
];

/// Adds false postconditions about the result of a call of the function itself.
pub(crate) fn postconditions(table: &mut Table) {
    for (function, text, call) in FUNCTIONS {
        for (name, postcondition) in POSTCONDITIONS {
            let with = |value: &str| {
                let claim = postcondition.replace("$C", call).replace("$V", value);
                text.replace("$P", &claim)
            };
            table.add(
                "own-result",
                &[name, function],
                Stage::Verify,
                Basis::Execution,
                Options::Default,
                with("0"),
                with("1"),
            );
        }
    }
}
