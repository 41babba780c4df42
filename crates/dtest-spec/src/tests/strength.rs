//! Tests of mutants of contracts, and of postconditions that contracts lack.

use dafny_resolve::typed::{Arena as _, CallableId};
use dtest_search::Options;

use super::{certainty, resolved, shown};
use crate::{Change, Effect, candidates, mutants};

/// The mutants of the last callable: the changed text, the change, and the effect.
fn mutated(text: &str) -> Vec<String> {
    let program = resolved(text);
    let ids: Vec<CallableId> = program.ids();
    let unit = *ids.last().unwrap();
    let mutants = mutants(&program, unit, &Options::default());
    let described = mutants.iter().map(|m| {
        let part = &text[m.span.start as usize..m.span.end as usize];
        let change = match m.change {
            Change::Dropped => "dropped".to_owned(),
            Change::Operator(_, to) => to.as_str().to_owned(),
            Change::Old => "no old".to_owned(),
        };
        let effect = match &m.effect {
            Effect::Differs(example) => shown(example),
            Effect::Same(c) => format!("same, {}", certainty(c)),
            Effect::Implemented(example, c) => {
                format!("implemented, {}: {}", certainty(c), shown(example))
            }
            Effect::Undecided(reason) => format!("? {reason}"),
        };
        format!("{part} | {change} | {:?} | {effect}", m.strength)
    });
    described.collect()
}

/// The candidates for the last callable.
fn suggested(text: &str) -> Vec<String> {
    let program = resolved(text);
    let ids: Vec<CallableId> = program.ids();
    let found = candidates(&program, *ids.last().unwrap(), &Options::default());
    found.into_iter().map(|c| c.text).collect()
}

#[test]
fn each_clause_is_changed_in_one_place() {
    assert_eq!(
        mutated(
            "method M(x: int) returns (r: int)\n requires x > 0 && x > 5\n ensures r >= x\n{ r := x + 1; }\n"
        ),
        [
            "x > 0 | dropped | Weaker | same, proved",
            "x > 5 | dropped | Weaker | x = 1 -> ",
            "x > 0 | >= | Weaker | same, proved",
            "x > 5 | >= | Weaker | x = 5 -> ",
            "r >= x | > | Stronger | implemented, proved: x = 10 -> r = 10",
        ]
    );
}

#[test]
fn a_negated_part_has_the_opposite_effect() {
    assert_eq!(
        mutated("method M(x: int) returns (r: int)\n ensures x < 0 ==> r <= 0\n"),
        [
            "x < 0 ==> r <= 0 | <==> | Stronger | x = 0 -> r = 0",
            "x < 0 | <= | Stronger | x = 0 -> r = 1",
            "r <= 0 | < | Stronger | x = -1 -> r = 0",
        ]
    );
}

#[test]
fn ranges_of_quantifiers_become_narrower_only() {
    let found = mutated(
        "method M(s: seq<int>) returns (r: seq<int>)\n ensures |r| == |s| && forall i :: 0 <= i < |s| ==> r[i] == s[i]\n",
    );
    assert!(
        found.contains(&"0 <= i < |s| | < | Weaker | s = [0] -> r = [1]".to_owned()),
        "{found:?}"
    );
    // A larger range would leave the bounds of the variable.
    assert!(!found.iter().any(|m| m.contains("| <= |")), "{found:?}");
}

#[test]
fn an_idle_old_is_found() {
    let class = "class C {\n var n: int\n const k: int\n method M()\n modifies this\n";
    let found = mutated(&format!("{class} ensures n == old(k)\n}}\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("old(k) | no old | Weaker | same"),
        "{found:?}"
    );
    let found = mutated(&format!("{class} ensures n > old(n)\n}}\n"));
    assert!(
        found
            .iter()
            .any(|m| m.starts_with("old(n) | no old | Weaker | same")),
        "nothing satisfies `n > n`: {found:?}"
    );
}

#[test]
fn postconditions_that_the_body_satisfies_are_suggested() {
    let found = suggested(
        "method Reverse(s: seq<int>) returns (r: seq<int>)\n ensures |r| == |s|\n{\n r := [];\n var i := 0;\n while i < |s|\n  invariant 0 <= i <= |s| && |r| == i\n {\n  r := [s[i]] + r;\n  i := i + 1;\n }\n}\n",
    );
    assert_eq!(found, ["multiset(r) == multiset(s)"]);
    let found = suggested(
        "function Twice(x: int): int { 2 * x }\nmethod M(x: int) returns (r: int)\n requires x > 0\n ensures r > 0\n{ r := x + x; }\n",
    );
    assert_eq!(found, ["r == Twice(x)", "r >= x"]);
    // Nothing is missing.
    let found = suggested("method M(x: int) returns (r: int)\n ensures r == x\n{ r := x; }\n");
    assert_eq!(found, [""; 0]);
}

#[test]
fn final_states_have_candidates() {
    let found = suggested(
        "class C {\n var n: int\n var m: int\n method M()\n modifies this\n ensures n == old(n) + 1\n { n := n + 1; }\n}\n",
    );
    assert_eq!(found, ["this.m == old(this.m)"]);
}
