//! Tests of the goals of each criterion: branches, operands, boundaries, decisions, paths, contracts.

use super::tests::{open_goals, search_for, solver_only};
use super::{GoalStatus, Options};
use dtest_ir::{Criteria, Criterion};

/// The goals of the only unit of `source` under these criteria, with whether a test covers them.
fn goals_by(criteria: &[Criterion], source: &str) -> Vec<(String, bool)> {
    let criteria = Criteria::new(criteria.iter().copied()).expect("criteria");
    let (map, program, results) = search_for(source, criteria, &solver_only());
    let mut out = Vec::new();
    for r in &results {
        for (id, status) in &r.goals {
            let goal = program.goal(r.unit, *id).expect("a goal");
            assert!(
                status.is_covered() || matches!(status, GoalStatus::UnreachableProved { .. }),
                "{id:?}: {status:?}"
            );
            out.push((crate::describe::phrase(goal, &map), status.is_covered()));
        }
    }
    out
}

#[test]
fn arms_under_binders_and_operands_of_chains_are_entered() {
    let entered = |source: &str, expected: &[&str]| {
        let goals = goals_by(&[Criterion::Block], source);
        let words: Vec<&str> = goals
            .iter()
            .filter(|(_, covered)| *covered)
            .map(|(g, _)| g.as_str())
            .collect();
        assert_eq!(
            words,
            [&["the body is entered"], expected].concat(),
            "{source}"
        );
    };
    let arms = ["`x > 2` holds", "`x > 2` does not hold"];
    entered(
        "function F(s: set<int>): map<int, int> { map x | x in s :: if x > 2 then 1 else 0 }",
        &arms,
    );
    entered(
        "function F(s: seq<int>): bool { forall x | x in s :: if x > 2 then x < 9 else true }",
        &arms,
    );
    entered(
        "method M(a: array<int>) modifies a { forall x | 0 <= x < a.Length { a[x] := if x > 2 then 1 else 0; } }",
        &arms,
    );
    entered(
        "method M(n: nat) returns (a: array<int>) { a := new int[n](x => if x > 2 then 1 else 0); }",
        &arms,
    );
    entered(
        "function F(n: nat): seq<int> { seq(n, x => if x > 2 then 1 else 0) }",
        &arms,
    );
    entered(
        "datatype T = A | B(n: int) | C function F(s: seq<T>): bool { exists t | t in s :: match t case A => true case B(n) => n > 7 case C => false }",
        &["case `A`", "case `B(n)`", "case `C`"],
    );
    entered(
        "method M(x: int, y: int) returns (b: bool) { b := 0 < x < y <= 10; }",
        &[
            "`0 < x` holds, so the next operand is evaluated",
            "`x < y` holds, so the next operand is evaluated",
        ],
    );
    entered(
        "method M(a: set<int>, b: set<int>, c: set<int>) returns (r: bool) { r := a !! b !! c; }",
        &["`a !! b` holds, so the next operand is evaluated"],
    );
    let never = open_goals(
        "function F(s: seq<nat>): bool { forall x | x in s :: if x < 0 then false else x < 10 }",
        &solver_only(),
    );
    assert_eq!(never.len(), 1, "{never:?}");
}

#[test]
fn each_comparison_of_a_chain_decides() {
    let goals = goals_by(
        &[Criterion::Mcdc],
        "method M(x: int) { if 3 <= x < 5 { print 1; } }",
    );
    assert!(goals.iter().all(|(_, covered)| *covered), "{goals:?}");
    let goals_of = |condition: &str| {
        goals
            .iter()
            .filter(|(g, _)| g.starts_with(&format!("`{condition}`")))
            .count()
    };
    assert_eq!(
        (
            goals_of("3 <= x"),
            goals_of("x < 5"),
            goals_of("3 <= x < 5")
        ),
        (2, 2, 0),
        "{goals:?}"
    );
}

#[test]
fn comparisons_are_tried_at_their_boundary() {
    let goals = goals_by(
        &[Criterion::Boundary],
        "method M(x: int, c: char) { if x > 10 { print 1; } var b := c == 'k'; if 3 <= x < 5 { print b; } }",
    );
    let words: Vec<&str> = goals
        .iter()
        .filter(|(_, covered)| *covered)
        .map(|(g, _)| g.as_str())
        .collect();
    assert_eq!(
        words,
        [
            "`x` equals `10`",
            "`x` is one less than `10`",
            "`x` is one more than `10`",
            "`c` equals `'k'`",
            "`c` is one less than `'k'`",
            "`c` is one more than `'k'`",
            "`3` equals `x`",
            "`3` is one less than `x`",
            "`3` is one more than `x`",
            "`x` equals `5`",
            "`x` is one less than `5`",
            "`x` is one more than `5`",
        ]
    );
}

#[test]
fn boundaries_that_no_execution_reaches_are_proved() {
    let goals = goals_by(
        &[Criterion::Boundary],
        "method M(n: int) requires n > 0 { if n < 0 { print 1; } }",
    );
    assert_eq!(
        goals.iter().filter(|(_, covered)| !covered).count(),
        2,
        "{goals:?}"
    );
}

#[test]
fn what_no_values_can_be_is_no_boundary() {
    let goals_of = |condition: &str| {
        let source = format!("method M(s: seq<int>, n: nat) {{ if {condition} {{ print 1; }} }}");
        goals_by(&[Criterion::Boundary], &source)
            .into_iter()
            .map(|(g, _)| g)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        goals_of("|s| > 0"),
        ["`|s|` equals `0`", "`|s|` is one more than `0`"]
    );
    assert_eq!(
        goals_of("0 < n"),
        ["`0` equals `n`", "`0` is one less than `n`"]
    );
    assert_eq!(goals_of("s == []"), ["`s` equals `[]`"]);
}

#[test]
fn a_condition_decides_alone_where_evaluated_right_operands_leave_it_the_choice() {
    // `a` decides only if `b` is false. Then `a
    // b` is false if `a` is, whatever `c` is.
    let goals = goals_by(
        &[Criterion::Mcdc],
        "method M(a: bool, b: bool, c: bool) { if (a || b) && !c { print 1; } }",
    );
    assert_eq!(goals.len(), 6);
    assert!(goals.iter().all(|(_, covered)| *covered), "{goals:?}");
    let coupled = goals_by(
        &[Criterion::Mcdc],
        "method M(a: bool) { if a || !a { print 1; } }",
    );
    let open: Vec<&str> = coupled
        .iter()
        .filter(|(_, c)| !c)
        .map(|(g, _)| g.as_str())
        .collect();
    assert_eq!(
        open,
        [
            "`a` does not hold and alone decides `a || !a`",
            "`a` holds and alone decides `a || !a`"
        ]
    );
}

#[test]
fn both_outcomes_of_every_condition_are_branches() {
    let goals = goals_by(
        &[Criterion::Branch],
        "method M(a: bool, b: bool) { if a && b { print 1; } }",
    );
    let words: Vec<&str> = goals.iter().map(|(g, _)| g.as_str()).collect();
    assert_eq!(
        words,
        [
            "the body is entered",
            "`a` holds, so the next operand is evaluated",
            "`a && b` holds",
            "`a && b` does not hold",
            "`a` does not hold",
            "`b` holds",
            "`b` does not hold",
        ]
    );
}

/// The claim about the paths of the only unit of `source`, and its number of tests.
fn paths_of(source: &str, options: &Options) -> (String, usize) {
    let criteria = Criteria::new([Criterion::Path]).expect("a criterion");
    let (_, _, results) = search_for(source, criteria, options);
    let [r] = results.as_slice() else {
        panic!("one unit")
    };
    (
        r.claims
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; "),
        r.tests.len(),
    )
}

#[test]
fn every_feasible_path_has_a_test_and_no_other_is_claimed() {
    let two = "method M(a: bool, x: int) { if a { print 1; } if x > 0 { print 2; } if a && x > 5 { print 3; } }";
    for options in [solver_only(), Options::default()] {
        let (claim, tests) = paths_of(two, &options);
        assert_eq!(tests, 5, "{claim}");
        assert!(
            claim.starts_with("5 paths: no other is feasible within the bounds"),
            "{claim}"
        );
    }
    let looping = "method M(n: nat) { var i := 0; while i < n { i := i + 1; } print i; }";
    let (claim, tests) = paths_of(looping, &solver_only());
    assert_eq!(tests, 3, "{claim}");
}

#[test]
fn paths_beyond_the_limit_are_counted() {
    let diamonds = "method M(a: bool, b: bool, c: bool) { if a { print 1; } if b { print 2; } if c { print 3; } }";
    let (claim, tests) = paths_of(
        diamonds,
        &Options {
            max_paths: 5,
            ..solver_only()
        },
    );
    assert_eq!(tests, 5);
    assert!(
        claim.starts_with("5 paths; at most 3 more within the bounds"),
        "{claim}"
    );
}

#[test]
fn every_way_in_which_a_contract_holds_is_tried() {
    let source = "method M(s: seq<int>, k: int) returns (r: int)
        requires k == 0 || k > 5
        ensures forall x :: x in s ==> r >= x
        ensures |s| > 0 ==> r in s
        { r := 0; if s != [] { r := s[0]; var i := 1; while i < |s| { if s[i] > r { r := s[i]; } i := i + 1; } } }";
    let goals = goals_by(&[Criterion::Spec], source);
    let words: Vec<&str> = goals.iter().map(|(g, _)| g.as_str()).collect();
    assert_eq!(
        words,
        [
            "precondition: `k == 0` holds",
            "precondition: `k > 5` holds",
            "postcondition: `x in s` holds",
            "postcondition: `x in s` does not hold",
            "postcondition: `|s| > 0` does not hold",
            "postcondition: `r in s` holds",
        ]
    );
    assert!(goals.iter().all(|(_, covered)| *covered), "{goals:?}");
}
