//! Contracts that an override, a refinement or a function value must not change, and bodies that
//! contradict an inherited contract.

use crate::table::{Basis, Options, Stage, Table};

/// Pairs of an inherited declaration `$A` and its counterpart `$B`, in classes and in modules.
const PAIRS: &[(&str, &str)] = &[
    (
        "class",
        "trait T { var w: int $A } class K extends T { $B }",
    ),
    (
        "trait",
        "trait T { var w: int $A } trait U extends T { $B }",
    ),
    (
        "generic-class",
        "trait T<X> { var w: int $A } class K extends T<int> { $B }",
    ),
    (
        "generic-to-generic",
        "trait T<X> { var w: int $A } class K<Y> extends T<Y> { $B }",
    ),
    (
        "grandchild",
        "trait S { var w: int $A } trait T extends S { } class K extends T { $B }",
    ),
    (
        "second-trait",
        "trait S { } trait T { var w: int $A } class K extends S, T { $B }",
    ),
    (
        "two-contracts",
        "trait T { var w: int $A } trait U { } class K extends U, T { $B }",
    ),
    (
        "other-module",
        "module A { trait {:termination false} T { var w: int $A } } module B { import A class K extends A.T { $B } }",
    ),
    (
        "opened-module",
        "module A { trait {:termination false} T { var w: int $A } } module B { import opened A class K extends T { $B } }",
    ),
    (
        "refined-class",
        "abstract module A { class K { var w: int $A } } module B refines A { class K ... { $B } }",
    ),
    (
        "refined-trait",
        "abstract module A { trait K { var w: int $A } } module B refines A { trait K ... { $B } }",
    ),
    (
        "twice-refined",
        "abstract module A { class K { var w: int $A } } abstract module C refines A { } module B refines C { class K ... { $B } }",
    ),
];

/// An inherited declaration and one that contradicts it: both with and without the fault.
const CONTRACTS: &[(&str, &str, &str, &str)] = &[
    (
        "ensures-not-met",
        "method M() returns (r: int) ensures r > 0",
        "method M() returns (r: int) ensures r > 0 { r := 0; }",
        "method M() returns (r: int) ensures r > 0 { r := 1; }",
    ),
    (
        "ensures-false",
        "method M(n: int) ensures n > 0",
        "method M(n: int) ensures n > 0 { }",
        "",
    ),
    (
        "ensures-function",
        "function F(n: int): (r: int) ensures r > 0",
        "function F(n: int): (r: int) ensures r > 0 { n }",
        "function F(n: int): (r: int) ensures r > 0 { 1 }",
    ),
    (
        "ensures-function-self",
        "function F(n: int): int ensures F(n) > 0",
        "function F(n: int): int ensures F(n) > 0 { n }",
        "function F(n: int): int ensures F(n) > 0 { 1 }",
    ),
    (
        "ensures-lemma",
        "lemma L(n: int) ensures n > 0",
        "lemma L(n: int) ensures n > 0 { }",
        "",
    ),
    (
        "ensures-lemma-inherited",
        "lemma L(n: int) ensures n > 0",
        "lemma L(n: int) { }",
        "",
    ),
    (
        "ensures-twostate",
        "twostate lemma L(n: int) ensures n > 0",
        "twostate lemma L(n: int) ensures n > 0 { }",
        "",
    ),
    (
        "ensures-predicate",
        "ghost predicate P(n: int) ensures P(n) ==> n > 0",
        "ghost predicate P(n: int) ensures P(n) ==> n > 0 { true }",
        "ghost predicate P(n: int) ensures P(n) ==> n > 0 { n > 1 }",
    ),
    (
        "requires-subset",
        "method M(n: int)",
        "method M(n: int) { var p: nat := n; }",
        "method M(n: int) { var p: nat := 1; }",
    ),
    (
        "result-subset",
        "function F(n: int): nat",
        "function F(n: int): nat { n }",
        "function F(n: int): nat { 1 }",
    ),
    (
        "modifies-more",
        "method M()",
        "method M() { w := 1; }",
        "method M() { }",
    ),
    (
        "reads-more",
        "function F(): int",
        "function F(): int { w }",
        "function F(): int { 1 }",
    ),
    (
        "decreases-more",
        "function F(n: nat): int decreases n",
        "function F(n: nat): int decreases n { F(n + 1) }",
        "function F(n: nat): int decreases n { if n == 0 then 0 else F(n - 1) }",
    ),
    (
        "decreases-method",
        "method M(n: nat) decreases n",
        "method M(n: nat) decreases n { M(n); }",
        "method M(n: nat) decreases n { if n > 0 { M(n - 1); } }",
    ),
];

/// Overrides only: a class may repeat the contract of its trait in other words, but not a weaker
/// one.
const OVERRIDES: &[(&str, &str, &str)] = &[
    (
        "requires-more",
        "method M(n: int)",
        "method M(n: int) requires n > 0 { }",
    ),
    (
        "requires-other",
        "method M(n: int) requires n > 0",
        "method M(n: int) requires n > 1 { }",
    ),
    (
        "requires-more-function",
        "function F(n: int): int",
        "function F(n: int): int requires n > 0 { n }",
    ),
    (
        "requires-more-lemma",
        "lemma L(n: int)",
        "lemma L(n: int) requires n > 0 { }",
    ),
    (
        "requires-more-twostate",
        "twostate lemma L(n: int)",
        "twostate lemma L(n: int) requires n > 0 { }",
    ),
    (
        "requires-false",
        "method M(n: int)",
        "method M(n: int) requires false { assert false; }",
    ),
    (
        "ensures-less",
        "method M() returns (r: int) ensures r > 0",
        "method M() returns (r: int) ensures r >= 0 { r := 0; }",
    ),
    (
        "ensures-less-function",
        "function F(n: int): (r: int) ensures r > 0",
        "function F(n: int): (r: int) ensures r >= 0 { 0 }",
    ),
    (
        "ensures-less-lemma",
        "lemma L(n: int) ensures n > 0",
        "lemma L(n: int) ensures n >= n { }",
    ),
    (
        "ensures-none",
        "method M() returns (r: int) ensures r > 0",
        "method M() returns (r: int) { r := 0; }",
    ),
    (
        "ensures-none-function",
        "function F(n: int): (r: int) ensures r > 0",
        "function F(n: int): (r: int) { 0 }",
    ),
    (
        "ensures-bodyless",
        "method M() returns (r: int) ensures r > 0",
        "method M() returns (r: int) ensures r >= 0",
    ),
    (
        "modifies-this",
        "method M()",
        "method M() modifies this { w := 1; }",
    ),
    (
        "modifies-object",
        "method M(o: object)",
        "method M(o: object) modifies o { }",
    ),
    (
        "modifies-field",
        "method M() modifies this`w",
        "method M() modifies this { }",
    ),
    (
        "reads-this",
        "function F(): int",
        "function F(): int reads this { w }",
    ),
    (
        "reads-all",
        "function F(): int reads this",
        "function F(): int reads * { w }",
    ),
    (
        "reads-object",
        "function F(o: object): int",
        "function F(o: object): int reads o { 0 }",
    ),
    (
        "decreases-grows",
        "method M(n: nat) decreases n",
        "method M(n: nat) decreases n + 1 { }",
    ),
    (
        "decreases-star",
        "method M(n: nat) decreases n",
        "method M(n: nat) decreases * { while true decreases * { } }",
    ),
    (
        "decreases-other",
        "method M(n: nat, m: nat) decreases n",
        "method M(n: nat, m: nat) decreases m { }",
    ),
    (
        "decreases-function",
        "function F(n: nat): int decreases n",
        "function F(n: nat): int decreases n + 1 { 0 }",
    ),
    ("parameter-type", "method M(n: int)", "method M(n: nat) { }"),
    (
        "parameter-type-function",
        "function F(n: int): int",
        "function F(n: nat): int { 0 }",
    ),
    (
        "result-type",
        "method M() returns (r: nat)",
        "method M() returns (r: int) { r := -1; }",
    ),
    (
        "result-type-function",
        "function F(): nat",
        "function F(): int { -1 }",
    ),
    (
        "ghost-to-compiled",
        "ghost function F(): int",
        "function F(): int { 0 }",
    ),
    (
        "compiled-to-ghost",
        "function F(): int",
        "ghost function F(): int { 0 }",
    ),
    (
        "parameter-ghost",
        "method M(n: int)",
        "method M(ghost n: int) { }",
    ),
    ("static", "method M(n: int)", "static method M(n: int) { }"),
    (
        "type-parameter-characteristic",
        "method M<X>(x: X)",
        "method M<X(==)>(x: X) { }",
    ),
    (
        "type-parameter-new",
        "method M<X>(x: X)",
        "method M<X(!new)>(x: X) { }",
    ),
    (
        "type-parameter-auto",
        "method M<X>(x: X)",
        "method M<X(0)>(x: X) { }",
    ),
    (
        "type-parameter-nonempty",
        "function F<X>(x: X): X",
        "function F<X(00)>(x: X): X { x }",
    ),
    ("method-to-lemma", "method M(n: int)", "lemma M(n: int) { }"),
    (
        "older",
        "predicate P(older o: object) ensures P(o) ==> allocated(o)",
        "predicate P(o: object) ensures P(o) ==> allocated(o) { true }",
    ),
];

/// Adds bodies that contradict an inherited contract, and weaker contracts of overrides.
pub(crate) fn contracts(table: &mut Table) {
    let filled =
        |pair: &str, inherited: &str, own: &str| pair.replace("$A", inherited).replace("$B", own);
    for (pair, text) in PAIRS {
        // What refines a declaration inherits its measure, and must not repeat it.
        let own = |body: &str| match text.contains("refines") {
            true => body.replace(" decreases n {", " {"),
            false => body.to_owned(),
        };
        for (name, inherited, bad, good) in CONTRACTS {
            table.add(
                "inherited",
                &[name, pair],
                Stage::Verify,
                Basis::Rule(
                    "Specification clauses: a body must satisfy the contract that it inherits",
                ),
                Options::Default,
                filled(text, inherited, &own(bad)),
                if good.is_empty() {
                    String::new()
                } else {
                    filled(text, inherited, &own(good))
                },
            );
        }
        if text.contains("refines") {
            continue;
        }
        for (name, inherited, bad) in OVERRIDES {
            table.add(
                "override",
                &[name, pair],
                Stage::Verify,
                Basis::Rule(
                    "Traits: an override must provide a contract that implies the one of its trait",
                ),
                Options::Default,
                filled(text, inherited, bad),
                String::new(),
            );
        }
    }
}
