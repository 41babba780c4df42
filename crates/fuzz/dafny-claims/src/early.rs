//! Constants whose value depends on a field that the constructor has not assigned yet.
//!
//! The constructor assigns the field `c` by the constant `d`, whose value is `c + 1`: a verifier
//! that accepts this proves `false`.

use crate::table::{Basis, Options, Stage, Table};

/// Declarations of the field `c` and of the constant `d` with the value `$E`, the members `$M`, and
/// a constructor with the assignments `$U`.
const OWNERS: &[(&str, &str)] = &[
    (
        "class",
        "class K { const c: int const d: int := $E $M constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "class-inferred",
        "class K { const c: int const d := $E $M constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "class-generic",
        "class K<X> { const c: int const d: int := $E $M constructor (x: X) ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "class-ghost",
        "class K { ghost const c: int ghost const d: int := $E $M constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "class-subset",
        "class K { const c: nat const d: nat := $E $M constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "class-later",
        "class K { constructor () ensures false { $U new; assert d == c + 1; } const d: int := $E $M const c: int }",
    ),
    (
        "class-two-constants",
        "class K { const c: int const e: int := $E $M const d: int := e constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "field-of-trait",
        "trait T { const c: int } class K extends T { const d: int := $E $M constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "constant-of-trait",
        "trait T { const c: int const d: int := $E $M } class K extends T { constructor () ensures false { $U new; assert d == c + 1; } }",
    ),
    (
        "refined",
        "abstract module A { class K { const c: int const d: int := $E $M } } module B refines A { class K ... { constructor () ensures false { $U new; assert d == c + 1; } } }",
    ),
    (
        "without-proof",
        "class K { const c: int const d: int := $E $M constructor () { $U } }",
    ),
];

/// Values `c + 1`, and members that they need.
const VALUES: &[(&str, &str, &str)] = &[
    ("plus", "c + 1", ""),
    ("this", "this.c + 1", ""),
    ("let", "var x := c; x + 1", ""),
    ("pattern", "var (x, y) := (c, 1); x + y", ""),
    ("branch", "if 1 == 1 then c + 1 else c + 1", ""),
    ("sequence", "[c][0] + 1", ""),
    ("comprehension", "seq(1, i => c + 1)[0]", ""),
    ("lambda", "(() => c + 1)()", ""),
    ("assertion", "assert c == c; c + 1", ""),
    ("function", "G()", "function G(): int { c + 1 }"),
    (
        "function-of-object",
        "H(this)",
        "static function H(k: K): int { k.c + 1 }",
    ),
];

/// Assignments to `c` that read `d`.
const USES: &[(&str, &str)] = &[
    ("constant", "c := d;"),
    ("constant-of-this", "c := this.d;"),
    ("expression", "c := d + 0;"),
    ("local", "var x := d; c := x;"),
    ("branch", "if d == d { c := d; } else { c := 1; }"),
    ("pair", "var x: int; c, x := d, d;"),
    ("sequence", "c := [d][0];"),
    ("loop", "c := 0; for i := 0 to 1 { c := d; }"),
    ("let", "c := var x := d; x;"),
    ("lambda", "c := (() => d)();"),
    ("argument", "c := Same(d);"),
    ("assertion", "assert d == d; c := d;"),
];

/// Adds constants that are read before the field on which they depend is assigned.
pub(crate) fn constants(table: &mut Table) {
    for (owner, text) in OWNERS {
        for (value, expression, member) in VALUES {
            // The static function takes an object of a class without parameters.
            let is_other_type = ["class-generic", "constant-of-trait"].contains(owner);
            if *value == "function-of-object" && is_other_type {
                continue;
            }
            let member = match text.contains("ghost const") {
                true => member.replace("function", "ghost function"),
                false => (*member).to_owned(),
            };
            for (name, assignments) in USES {
                let with = |text: &str, assignments: &str| {
                    let program = text
                        .replace("$E", expression)
                        .replace("$M", &member)
                        .replace("$U", assignments);
                    format!("{program}\nfunction Same(n: int): int {{ n }}")
                };
                table.add(
                    "early",
                    &[owner, value, name],
                    Stage::Verify,
                    Basis::Rule(
                        "Class types: before `new;`, a constructor may read only the fields that it has assigned",
                    ),
                    Options::Default,
                    with(text, assignments),
                    with(&text.replace(" ensures false", ""), "c := 1;"),
                );
            }
        }
    }
}
