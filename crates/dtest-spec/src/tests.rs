//! Tests of answers on small contracts.

mod cases;
mod frames;
mod strength;
mod versions;

use dafny_resolve::typed::{Arena, CallableId, Program};
use dtest_search::Options;

use crate::{
    Certainty, Completeness, Contribution, Equivalence, Example, Implementable, Named, Satisfiable,
    Specification, examine,
};

/// Resolves a program.
pub(crate) fn resolved(text: &str) -> Program {
    let (file, errors) = dafny_syntax::parse(0, text);
    assert!(errors.is_empty(), "{errors:?}");
    let (program, errors) = dafny_resolve::resolve(vec![file], Default::default());
    assert!(errors.iter().all(|d| !d.is_error()), "{errors:?}");
    program
}

/// Examines the last callable with a contract.
fn examined(text: &str) -> Specification {
    let program = resolved(text);
    let ids: Vec<CallableId> = program.ids();
    let has_contract = |id: &CallableId| {
        let spec = &program[*id].spec;
        !spec.requires.is_empty() || !spec.ensures.is_empty()
    };
    let unit = ids.into_iter().rfind(has_contract).unwrap();
    examine(&program, unit, &Options::default())
}

pub(crate) fn listed(all: &[Named]) -> String {
    let parts: Vec<String> = all
        .iter()
        .map(|n| format!("{} = {}", n.name, n.value))
        .collect();
    parts.join(", ")
}

fn shown(example: &Example) -> String {
    let results: Vec<String> = example.results.iter().map(|r| listed(r)).collect();
    format!("{} -> {}", listed(&example.inputs), results.join(" | "))
}

fn certainty(certainty: &Certainty) -> String {
    match certainty {
        Certainty::Proved => "proved".to_owned(),
        Certainty::Within(bounds) => format!("within {bounds}"),
    }
}

fn satisfiable(spec: &Specification) -> String {
    match &spec.satisfiable {
        Satisfiable::Yes(example) => format!("satisfiable: {}", listed(&example.inputs)),
        Satisfiable::No {
            certainty: c,
            clauses,
        } => format!("contradictory {clauses:?}, {}", certainty(c)),
        Satisfiable::Undecided(reason) => format!("satisfiable? {reason}"),
    }
}

fn implementable(spec: &Specification) -> String {
    match &spec.implementable {
        Implementable::Yes(c) => format!("implementable, {}", certainty(c)),
        Implementable::No {
            example,
            certainty: c,
            clauses,
        } => format!(
            "no result for {} by {clauses:?}, {}",
            listed(&example.inputs),
            certainty(c)
        ),
        Implementable::Undecided(reason) => format!("implementable? {reason}"),
    }
}

fn completeness(spec: &Specification) -> String {
    match &spec.completeness {
        Completeness::Determined(c) => format!("determined, {}", certainty(c)),
        Completeness::UpTo(Equivalence::Order(example), c) => format!(
            "determined up to order, {}: {}",
            certainty(c),
            shown(example)
        ),
        Completeness::UpTo(Equivalence::Identity, c) => {
            format!("determined up to identity, {}", certainty(c))
        }
        Completeness::Open(example) => format!("open: {}", shown(example)),
        Completeness::Undecided(reason) => format!("determined? {reason}"),
    }
}

fn clauses(spec: &Specification) -> Vec<String> {
    let clause = |(i, contribution): (usize, &Contribution)| match contribution {
        Contribution::Decisive(example) => format!("{i} rejects {}", shown(example)),
        Contribution::Guard => format!("{i} is a guard"),
        Contribution::Claim => format!("{i} is a claim"),
        Contribution::Redundant => format!("{i} is redundant"),
        Contribution::Idle(bounds) => format!("{i} is idle within {bounds}"),
        Contribution::Undecided(reason) => format!("{i}? {reason}"),
    };
    let contributions = spec.clauses.iter().map(|c| &c.contribution);
    contributions.enumerate().map(clause).collect()
}

#[test]
fn clauses_that_define_each_result_determine_it() {
    let product = "ghost function Product(s: set<int>): int { if s == {} then 1 else var x :| x in s; x * Product(s - {x}) }
method M(a: array<int>) returns (p: int, q: int)
  ensures p == Product(set i | 0 <= i < a.Length :: a[i])
";
    let both = examined(&format!("{product}  ensures q > 0 && q == a.Length + 1\n"));
    assert_eq!(completeness(&both), "determined, proved");
    let one = examined(&format!("{product}  ensures q > a.Length\n"));
    assert!(
        completeness(&one).starts_with("open: "),
        "{}",
        completeness(&one)
    );
}

const SORTED: &str =
    "predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }\n";

#[test]
fn a_precondition_that_no_input_satisfies_is_contradictory() {
    let spec = examined(
        "method M(x: int) returns (r: int) requires x > 0 requires x < 10 requires x > 20 ensures r == x",
    );
    assert_eq!(satisfiable(&spec), "contradictory [1, 2], proved");
    assert_eq!(
        implementable(&spec),
        "implementable? no input satisfies the precondition"
    );
    assert_eq!(
        completeness(&spec),
        "determined? no input satisfies the precondition"
    );
    assert_eq!(
        clauses(&spec),
        [
            "0 is redundant",
            "1 rejects x = 21 -> ",
            "2 rejects x = 1 -> ",
            "3? no input satisfies the precondition",
        ]
    );
    assert_eq!(spec.score(), None);
}

#[test]
fn an_input_without_a_result_is_found_with_the_clauses_that_exclude_each_other() {
    for (contract, expected) in [
        (
            "method M(x: int) returns (r: int) ensures r > x ensures r < x + 1 ensures r != 100",
            "no result for x = 0 by [0, 1], proved",
        ),
        // Only some inputs have no result.
        (
            "method M(x: int) returns (r: int) ensures r * 2 == x",
            "no result for x = 1 by [0], proved",
        ),
        (
            "function F(n: int): int requires n >= 0 ensures F(n) * F(n) == n",
            "no result for n = 2 by [0], proved",
        ),
        (
            "lemma L(x: int, y: int) ensures x - y == y - x",
            "no result for x = 1, y = 0 by [0], proved",
        ),
    ] {
        assert_eq!(implementable(&examined(contract)), expected, "{contract}");
    }
}

#[test]
fn a_contract_with_a_witness_is_implementable() {
    for (contract, expected) in [
        (
            "method M(x: int) returns (r: int, s: int) ensures r == x + 1 && s > 0 ensures s == x * x + 1",
            "implementable, proved",
        ),
        (
            "function F(n: int): int ensures F(n) == 2 * n",
            "implementable, proved",
        ),
        (
            "lemma L(x: int, y: int) ensures x + y == y + x",
            "implementable, proved",
        ),
        // The body is the witness.
        (
            "method M(x: int) returns (r: int) ensures r >= 0 && (r == x || r == -x) { if x < 0 { r := -x; } else { r := x; } }",
            "implementable, proved",
        ),
        // Without one, only the tried inputs are known.
        (
            "method M(x: int) returns (r: int) ensures r >= 0 && (r == x || r == -x)",
            "implementable, within 5 small inputs",
        ),
    ] {
        assert_eq!(implementable(&examined(contract)), expected, "{contract}");
    }
}

#[test]
fn two_results_for_one_input_are_shown() {
    for (contract, expected) in [
        (
            "method M(s: seq<int>) returns (r: seq<int>) ensures |r| == |s| ensures Sorted(r)",
            "open: s = [0] -> r = [0] | r = [1]",
        ),
        (
            "method M(s: seq<int>, k: int) returns (r: int) requires k in s ensures 0 <= r < |s| && s[r] == k",
            "open: s = [0, 0], k = 0 -> r = 0 | r = 1",
        ),
        (
            "function F(n: int): int requires n >= 0 ensures F(n) * 2 <= n && F(n) >= 0",
            "open: n = 2 -> result = 0 | result = 1",
        ),
        (
            "method M(x: int) returns (r: int) ensures r >= 0 ensures r == x || r == -x",
            "determined, proved",
        ),
        (
            "method M(s: seq<int>) returns (r: seq<int>) ensures |s| < 3 ==> multiset(r) == multiset(s) ensures |s| >= 3 ==> r == s",
            "determined up to order, within collections 4: s = [1, 0] -> r = [0, 1] | r = [1, 0]",
        ),
        // Callers know the body.
        (
            "function F(x: int): int ensures F(x) >= x { x + 1 }",
            "determined, proved",
        ),
    ] {
        let text = format!("{SORTED}{contract}");
        assert_eq!(completeness(&examined(&text)), expected, "{contract}");
    }
}

#[test]
fn each_clause_rejects_something_or_is_implied() {
    let spec = examined(
        "method M(x: int) returns (r: int) requires x > 0 requires x > 5 ensures r > x ensures r > 3 ensures r != 10",
    );
    assert_eq!(
        clauses(&spec),
        [
            "0 is redundant",
            "1 rejects x = 1 -> ",
            "2 rejects x = 6 -> r = 4",
            "3 is redundant",
            "4 rejects x = 6 -> r = 10",
        ]
    );
}

#[test]
fn a_clause_that_others_need_to_be_defined_is_not_redundant() {
    let spec = examined(
        "method M(s: seq<int>) returns (r: int) requires |s| > 0 requires s[0] > 1 ensures r == s[0]",
    );
    assert_eq!(clauses(&spec)[0], "0 is a guard");
}

#[test]
fn what_only_one_clause_rejects_satisfies_all_others() {
    let spec = examined(
        "method M(a: seq<int>) returns (r: seq<int>) ensures |r| == 2 ensures r[0] == r[1]",
    );
    let said = clauses(&spec);
    assert_eq!(said[0], "0 rejects a = [] -> r = [0, 0, 0]");
    // A slice of everything is always defined.
    let spec = examined(
        "method M(a: seq<int>, n: nat) returns (r: seq<int>, s: seq<int>) requires n <= |a| ensures |r| == n ensures |s| == |a| - n ensures r + s == a[..]",
    );
    let said = clauses(&spec);
    assert!(
        said[1].contains("redundant") || said[1].contains("idle"),
        "{said:?}"
    );
}

#[test]
fn final_states_are_results() {
    for (contract, expected) in [
        (
            "method M(a: array<int>, i: int) requires 0 <= i < a.Length modifies a ensures a[i] == old(a[i]) + 1",
            "open: a[..] = [0, 2], i = 1 -> a[..] = [0, 3] | a[..] = [1, 3]",
        ),
        (
            "class C { var n: int method Up(k: int) modifies this ensures n == old(n) + k }",
            "determined, proved",
        ),
        (
            "class C { var n: int var m: int method Up(k: int) modifies this`n ensures n == old(n) + k }",
            "determined, proved",
        ),
        (
            "class C { var n: int method Up(k: int) modifies this ensures n > old(n) }",
            "open: this.n = 0, k = 0 -> this.n = 1 | this.n = 2",
        ),
        (
            "class C { var n: int constructor(k: int) ensures n >= k }",
            "open: k = 0 -> this.n = 0 | this.n = 1",
        ),
    ] {
        assert_eq!(completeness(&examined(contract)), expected, "{contract}");
    }
}

#[test]
fn the_body_of_a_function_is_what_callers_know() {
    let spec = examined(
        "function F(n: int): int requires n >= 0 ensures F(n) >= n { if n == 0 then 1 else n + n }",
    );
    assert_eq!(implementable(&spec), "implementable, proved");
    assert_eq!(completeness(&spec), "determined, proved");
    assert_eq!(
        shown(spec.accepted.as_ref().unwrap()),
        "n = 0 -> result = 1"
    );
    assert_eq!(clauses(&spec)[1], "1 is a claim");
    assert_eq!(spec.score(), None);
    let spec = examined("function F(n: int): int ensures F(n) > n { if n == 7 then 7 else n + 1 }");
    assert_eq!(implementable(&spec), "no result for n = 7 by [0], proved");
}

#[test]
fn inputs_on_the_heap_may_have_no_final_state() {
    for (contract, expected) in [
        (
            "method M(a: array<int>) requires a.Length == 1 modifies a ensures a[0] > old(a[0]) && a[0] < old(a[0]) + 1",
            "no result for a[..] = [0] by [0], ",
        ),
        (
            "class C { var n: int method Halve() modifies this ensures n * 2 == old(n) ensures n > -5 }",
            "no result for this.n = 1 by [0], ",
        ),
        (
            "class C { var n: int constructor(k: int) ensures n > k && n < k + 1 }",
            "no result for k = 0 by [0], ",
        ),
        (
            "class C { var n: int method Up() modifies this ensures n > old(n) }",
            "implementable, within ",
        ),
    ] {
        let answer = implementable(&examined(contract));
        assert!(answer.starts_with(expected), "{contract}: {answer}");
    }
}

#[test]
fn a_body_that_rests_on_assumptions_shows_no_result() {
    for body in [
        "r := x; assume r > x;",
        "r := G(x); ",
        "r := H(x); ",
        "r := *; assume r > x;",
    ] {
        let text = format!(
            "method G(x: int) returns (r: int) ensures x * x != 25 ==> r > x ensures x * x == 25 ==> r > x && r < x
             method K(x: int) returns (r: int) ensures x * x != 25 ==> r > x ensures x * x == 25 ==> r > x && r < x {{ r := x + 1; }}
             method H(x: int) returns (r: int) {{ r := K(x); }}
             method M(x: int) returns (r: int) ensures x * x != 25 ==> r > x ensures x * x == 25 ==> r > x && r < x {{ {body} }}"
        );
        let answer = implementable(&examined(&text));
        assert_ne!(answer, "implementable, proved", "{body}");
    }
}

#[test]
fn aliases_have_one_final_state() {
    // Both arrays have the same elements at the end if they are the same array.
    let spec = examined(
        "method M(a: array<int>, b: array<int>) requires a == b && a.Length == 1 modifies a, b ensures a[0] == 1",
    );
    let answer = completeness(&spec);
    assert!(answer.starts_with("determined, "), "{answer}");
}

#[test]
fn a_contract_without_postconditions_is_implementable() {
    for contract in [
        "method M(x: int) requires x > 0",
        "lemma L(x: int) requires x > 0",
        "class C { var n: int method M(x: int) requires x > 0 modifies this }",
    ] {
        let answer = implementable(&examined(contract));
        assert!(
            answer.starts_with("implementable, "),
            "{contract}: {answer}"
        );
    }
}

#[test]
fn what_cannot_be_asked_is_undecided_with_the_reason() {
    for (contract, expected) in [
        (
            "class C { ghost var r: set<object> method M() modifies r ensures r == old(r) }",
            "determined? the `modifies` clause does not name each object by an expression",
        ),
        (
            "class C { } method M() returns (c: C) ensures c == c",
            "determined? a result contains objects",
        ),
        (
            "method M() returns (f: int -> int) ensures f(0) == 1",
            "determined? a result contains functions",
        ),
        (
            "function F(n: int): int ensures n > 0 ==> F(n) > F(n - 1)",
            "determined? a clause calls the function, which has no body, with other arguments",
        ),
    ] {
        assert_eq!(completeness(&examined(contract)), expected, "{contract}");
    }
}

#[test]
fn a_fresh_array_is_compared_by_its_elements() {
    let spec = examined(
        "method M(a: array<int>) returns (r: array<int>) requires a.Length > 0 ensures fresh(r) ensures r.Length == a.Length ensures r[0] == a[0]",
    );
    let answer = completeness(&spec);
    assert!(answer.starts_with("open: "), "{answer}");
    assert_eq!(
        clauses(&spec)[1],
        "1? a postcondition speaks of newly allocated objects"
    );
}

#[test]
fn results_of_other_callables_without_a_body_are_not_guessed() {
    let spec =
        examined("function G(x: int): int method M(x: int) returns (r: int) ensures r > G(x)");
    assert_eq!(
        completeness(&spec),
        "determined? it depends on the results of `G`, which has no body"
    );
}

#[test]
fn the_score_is_the_share_of_inputs_with_one_result() {
    let spec =
        examined("method M(x: int) returns (r: int) requires 0 <= x < 2 ensures 0 <= r <= x");
    assert_eq!(spec.tried, Some((2, 1)));
    assert_eq!(spec.score(), Some(50.0));
}
