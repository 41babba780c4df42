//! Definitions that depend on themselves through two declarations.
//!
//! Each declaration defines a value in terms of another one plus one: the value `$U` of a
//! declaration is `$E`, which is the value of the other declaration, plus one. A cycle of two has no
//! solution, so that a tool that accepts it can prove `false`.

use crate::table::{Basis, Options, Stage, Table};

/// A declaration whose names end with `$N`.
struct Node {
    name: &'static str,
    /// Declarations in which `$E` stands for the value of the other declaration.
    text: &'static str,
    /// The value, an expression of type `int`.
    value: &'static str,
    /// Whether the value is defined by `$E` alone. If both are, a cycle is a contradiction.
    is_definition: bool,
}

const fn node(name: &'static str, text: &'static str, value: &'static str) -> Node {
    Node {
        name,
        text,
        value,
        is_definition: true,
    }
}

const fn constraint(name: &'static str, text: &'static str, value: &'static str) -> Node {
    Node {
        name,
        text,
        value,
        is_definition: false,
    }
}

const NODES: &[Node] = &[
    node("const", "const c$N: int := $E + 1", "c$N"),
    node("const-inferred", "const c$N := $E + 1", "c$N"),
    node("const-ghost", "ghost const c$N: int := $E + 1", "c$N"),
    node(
        "const-static",
        "class K$N { static const c: int := $E + 1 }",
        "K$N.c",
    ),
    node(
        "const-trait",
        "trait K$N { static const c: int := $E + 1 }",
        "K$N.c",
    ),
    node(
        "const-datatype",
        "datatype K$N = Mk$N { const c: int := $E + 1 }",
        "Mk$N.c",
    ),
    node(
        "const-datatype-static",
        "datatype K$N = K$N { static const c: int := $E + 1 }",
        "K$N.c",
    ),
    node(
        "const-newtype",
        "newtype K$N = int { const c: int := $E + 1 }",
        "(0 as K$N).c",
    ),
    node(
        "const-newtype-static",
        "newtype K$N = int { static const c: int := $E + 1 }",
        "K$N.c",
    ),
    node(
        "const-generic",
        "class K$N<X> { static const c: int := $E + 1 }",
        "K$N<int>.c",
    ),
    node(
        "const-pair",
        "const c$N: (int, int) := ($E + 1, 0)",
        "c$N.0",
    ),
    node(
        "const-sequence",
        "const c$N: seq<int> := [$E + 1]",
        "(if |c$N| > 0 then c$N[0] else 0)",
    ),
    node(
        "const-lambda",
        "const c$N: int -> int := (x: int) => $E + 1",
        "c$N(0)",
    ),
    node("const-let", "const c$N: int := var x := $E; x + 1", "c$N"),
    node("function", "function F$N(): int { $E + 1 }", "F$N()"),
    node(
        "function-ghost",
        "ghost function F$N(): int { $E + 1 }",
        "F$N()",
    ),
    node(
        "function-opaque",
        "opaque function F$N(): int { $E + 1 }",
        "F$N()",
    ),
    node(
        "function-generic",
        "function F$N<X>(x: X): int { $E + 1 }",
        "F$N(1)",
    ),
    node(
        "function-datatype",
        "datatype D$N = Mk$N { function F(): int { $E + 1 } }",
        "Mk$N.F()",
    ),
    node(
        "function-static",
        "class D$N { static function F(): int { $E + 1 } }",
        "D$N.F()",
    ),
    node(
        "function-newtype",
        "newtype D$N = int { function F(): int { $E + 1 } }",
        "(0 as D$N).F()",
    ),
    node(
        "function-postcondition",
        "function F$N(): (r: int) ensures r == $E + 1 { $E + 1 }",
        "F$N()",
    ),
    node(
        "function-value",
        "function F$N(): int { (() => $E)() + 1 }",
        "F$N()",
    ),
    node(
        "function-let",
        "function F$N(): int { var x := $E; x + 1 }",
        "F$N()",
    ),
    node(
        "function-comprehension",
        "function F$N(): int { seq(1, i => $E + 1)[0] }",
        "F$N()",
    ),
    node(
        "function-match",
        "function F$N(): int { match (1, 2) case (x, y) => $E + 1 }",
        "F$N()",
    ),
    node(
        "function-default",
        "function F$N(x: int := $E): int { x + 1 }",
        "F$N()",
    ),
    node(
        "datatype-default",
        "datatype D$N = Mk$N(x: int := $E)",
        "(Mk$N().x + 1)",
    ),
    node(
        "by-method",
        "function F$N(): int { $E + 1 } by method { assume {:axiom} false; return 0; }",
        "F$N()",
    ),
    constraint(
        "subset-type",
        "type S$N = x: int | x == $E + 1 witness *",
        "(if exists x: S$N :: x == 0 then 1 else 0)",
    ),
    constraint(
        "newtype",
        "newtype S$N = x: int | x == $E + 1 witness *",
        "(if exists x: S$N :: x as int == 0 then 1 else 0)",
    ),
    constraint(
        "witness",
        "type S$N = x: int | true witness $E",
        "(var s: S$N := 0; s)",
    ),
    constraint(
        "ghost-witness",
        "type S$N = x: int | true ghost witness $E",
        "(var s: S$N := 0; s)",
    ),
];

impl Node {
    /// Whether the value is ghost.
    fn is_ghost(&self) -> bool {
        self.text.starts_with("ghost ") || !self.is_definition && self.value.starts_with("(if ")
    }

    /// Whether the value is the result of a function, or depends on one by its defaults.
    fn is_called(&self) -> bool {
        self.text.contains("function F") || self.name == "datatype-default"
    }

    /// Returns the declarations as ghost declarations, if they can be ghost.
    fn ghost(&self) -> Option<String> {
        if self.is_ghost() {
            return Some(self.text.to_owned());
        }
        let is_compiled = ["by method", ":= $E)", "witness $E"];
        if is_compiled.iter().any(|part| self.text.contains(part)) && self.name != "ghost-witness" {
            return None;
        }
        Some(
            self.text
                .replace("function F", "ghost function F")
                .replace("const c", "ghost const c"),
        )
    }
}

/// Adds cycles of two declarations.
pub(crate) fn cycles(table: &mut Table) {
    for first in NODES {
        for second in NODES {
            // Compiled declarations must not depend on ghost values for another reason.
            let is_ghost = first.is_ghost() || second.is_ghost();
            let texts = if is_ghost {
                first.ghost().zip(second.ghost())
            } else {
                Some((first.text.to_owned(), second.text.to_owned()))
            };
            let Some((one, other)) = texts else {
                continue;
            };
            let with = |value: &str| {
                let one = one
                    .replace("$E", &second.value.replace("$N", "2"))
                    .replace("$N", "1");
                let other = other.replace("$E", value).replace("$N", "2");
                format!("{one}\n{other}")
            };
            table.add(
                "dependency",
                &[first.name, second.name],
                // Of functions, the front end does not know whether they end.
                if first.is_called() && second.is_called() {
                    Stage::Verify
                } else {
                    Stage::Resolve
                },
                Basis::Rule("Termination: a declaration must not depend on its own value"),
                Options::Default,
                with(&first.value.replace("$N", "1")),
                with("0"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(name: &str) -> Option<String> {
        let mut table = Table::default();
        cycles(&mut table);
        let mut claims = table.into_claims().into_iter();
        claims.find(|c| c.name == name).map(|c| c.text)
    }

    #[test]
    fn each_declaration_has_the_value_of_the_other_one() {
        assert_eq!(
            text_of("const/function").unwrap(),
            "const c1: int := F2() + 1\nfunction F2(): int { c1 + 1 }"
        );
    }

    #[test]
    fn ghost_values_stand_in_ghost_declarations() {
        assert_eq!(
            text_of("const/function-ghost").unwrap(),
            "ghost const c1: int := F2() + 1\nghost function F2(): int { c1 + 1 }"
        );
        assert_eq!(text_of("by-method/const-ghost"), None);
    }
}
