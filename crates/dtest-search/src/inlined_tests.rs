//! Tests of goals in inlined callees: blocks and paths by call site, which of them are reached, and
//! which are proved unreachable.

use super::{GoalStatus, Options, UnitResult, search_unit};
use crate::describe;
use dafny_source::SourceMap;
use dtest_ir::{Criteria, Criterion, MAX_INLINED, Program};
use dtest_lower::testing::lowered;
use dtest_lower::{entries, inline, units};

fn told_apart(source: &str, criterion: Criterion, bound: Option<u32>) -> (SourceMap, Program) {
    let (map, mut program) = lowered(source, Criteria::new([criterion]).expect("a criterion"));
    assert!(entries::enter(&mut program, &[], |_| true).is_empty());
    inline::inline(&mut program, bound, |_| true);
    (map, program)
}

/// The result of the unit with this name.
fn searched(
    source: &str,
    criterion: Criterion,
    bound: Option<u32>,
    unit: &str,
    options: &Options,
) -> (SourceMap, Program, UnitResult) {
    let (map, program) = told_apart(source, criterion, bound);
    let found = units::units(&program.typed, |_| true)
        .into_iter()
        .find(|u| u.path == unit)
        .expect("the unit");
    let result = search_unit(&program, found.callable, options);
    (map, program, result)
}

/// Every goal in an inlined callee: the texts of the calls and of the goal, with its status.
fn by_calls(
    source: &str,
    unit: &str,
    bound: Option<u32>,
    options: &Options,
) -> Vec<(String, GoalStatus)> {
    let (map, program, result) = searched(source, Criterion::InlinedBlock, bound, unit, options);
    let line = |(id, status): &(dtest_ir::GoalId, GoalStatus)| {
        let dtest_ir::GoalId::BlockBy(call, ..) = id else {
            return None;
        };
        let chain = program.inlined.get(&result.unit)?.chain(*call);
        let calls: Vec<String> = chain
            .iter()
            .map(|c| describe::one_line(map.text(c.site)))
            .collect();
        let goal = describe::phrase(program.goal(result.unit, *id)?, &map);
        Some((format!("{}: {goal}", calls.join(" > ")), status.clone()))
    };
    result.goals.iter().filter_map(line).collect()
}

fn solver_only() -> Options {
    Options {
        seeds: 0,
        enumerate: 0,
        ..Options::default()
    }
}

const TWO_CALLERS: &str = "predicate Pick(first: bool, a: bool, b: bool) { if first then a else b }
    method Both(n: int) returns (p: bool, q: bool) { p := Pick(n % 4 == 1, true, false); q := Pick(n > 9, false, true); }";

#[test]
fn a_block_is_a_goal_for_each_call() {
    for options in [Options::default(), solver_only()] {
        let goals = by_calls(TWO_CALLERS, "Both", None, &options);
        assert_eq!(goals.len(), 6, "{goals:?}");
        assert!(goals.iter().all(|(_, s)| s.is_covered()), "{goals:?}");
    }
}

#[test]
fn a_goal_that_one_call_excludes_is_proved_unreachable_for_that_call_only() {
    let source = "function Sign(n: int): int { if n < 0 then -1 else if n == 0 then 0 else 1 }
        method Use(n: nat, k: int) returns (a: int, b: int) { a := Sign(n + 1); b := Sign(k); }";
    for options in [Options::default(), solver_only()] {
        let goals = by_calls(source, "Use", None, &options);
        let (open, reached): (Vec<_>, Vec<_>) =
            goals.into_iter().partition(|(_, s)| !s.is_covered());
        let texts: Vec<&str> = open.iter().map(|(t, _)| t.as_str()).collect();
        assert_eq!(
            texts,
            ["Sign(n + 1): `n < 0` holds", "Sign(n + 1): `n == 0` holds"],
            "{open:?}"
        );
        assert!(
            open.iter()
                .all(|(_, s)| matches!(s, GoalStatus::UnreachableProved { .. })),
            "{open:?}"
        );
        assert_eq!(reached.len(), 8, "{reached:?}");
    }
}

#[test]
fn calls_of_every_kind_are_distinguished_along_their_chains() {
    let sources = [
        (
            "M",
            "method M(k: int) returns (r: int) { r := Outer(k); var s := Outer(k + 5); r := r + s; } method Outer(k: int) returns (r: int) { r := Inner(k * 2); if k == 8 { r := Inner(k); } } method Inner(k: int) returns (r: int) { if k == 16 { return 1; } r := 2; }",
        ),
        (
            "M",
            "class C { var n: int method Add(k: int) modifies this { if n + k == 99 { n := 0; } else { n := n + k; } } } method M(k: int) { var c := new C; c.n := 5; c.Add(k); c.Add(k); }",
        ),
        (
            "M",
            "trait T { method Of(k: int) returns (r: int) } class A extends T { method Of(k: int) returns (r: int) { if k == 77 { r := 1; } else { r := 2; } } } class B extends T { method Of(k: int) returns (r: int) { r := 3; } } method M(b: bool, k: int) returns (r: int) { var t: T; if b { t := new A; } else { t := new B; } r := t.Of(k); }",
        ),
        (
            "M",
            "method M(a: int, b: int) returns (r: bool) { r := P(a) && P(b); } predicate P(n: int) { n > 5 && n % 7 == 3 }",
        ),
        (
            "M",
            "method M(n: nat) returns (r: int) { r := 0; for i := 0 to n { var d := Step(i); r := r + d; } } function Step(i: nat): int { if i == 1 then 5 else 6 }",
        ),
        (
            "M",
            "method M(x: int) { if x == 1 { Stop(x); } else { Stop(x + 1); } print 1; } method Stop(x: int) { expect x != 7, \"seven\"; print 2; }",
        ),
    ];
    for (unit, source) in sources {
        let goals = by_calls(source, unit, None, &solver_only());
        let open: Vec<_> = goals
            .iter()
            .filter(|(_, s)| !s.is_covered() && !matches!(s, GoalStatus::UnreachableProved { .. }))
            .collect();
        assert!(!goals.is_empty() && open.is_empty(), "{source}: {open:?}");
    }
}

#[test]
fn recursion_is_distinguished_up_to_the_configured_depth() {
    let source =
        "method Down(n: nat) returns (r: nat) { if n == 0 { return 7; } r := Down(n - 1); }";
    let count = |bound| by_calls(source, "Down", bound, &solver_only());
    assert_eq!(count(None).len(), 0);
    for depth in [2, 3, 6] {
        let goals = count(Some(depth));
        assert_eq!(goals.len(), 3 * (depth as usize - 1), "{goals:?}");
        assert!(goals.iter().all(|(_, s)| s.is_covered()), "{goals:?}");
    }
}

#[test]
fn recursion_beyond_the_configured_depth_decides_nothing_about_earlier_calls() {
    let source = "method M(x: nat) returns (r: int) { r := R(20, x); }
        method R(n: nat, x: nat) returns (r: int) decreases n { if n == 0 { r := A(x); } else { r := R(n - 1, x); } }
        method A(x: nat) returns (r: int) { if x == 7 { r := 1; } else { r := 2; } }";
    let goals = by_calls(source, "M", None, &Options::default());
    let open: Vec<_> = goals.iter().filter(|(_, s)| !s.is_covered()).collect();
    // The first activation of `R` never has the argument 0, so that it does not call `A`. Deeper
    // activations do, but they have no goals.
    assert_eq!(open.len(), 4, "{goals:?}");
    assert!(
        open.iter()
            .all(|(_, s)| matches!(s, GoalStatus::UnreachableProved { .. })),
        "{open:?}"
    );
}

#[test]
fn calls_in_lambdas_and_of_function_values_are_not_distinguished() {
    let source = "function Inc(n: int): int { if n == 3 then 0 else n + 1 }
        method M(n: int) returns (r: int) { var f := x => Inc(x); var g := Inc; r := f(n) + g(n); }";
    assert!(by_calls(source, "M", None, &Options::default()).is_empty());
}

#[test]
fn goals_by_calls_are_limited_and_what_is_left_out_is_counted() {
    let levels: Vec<String> = (0..9)
        .map(|i| format!("function F{i}(n: int): int {{ if n == {i} then F{j}(n + 1) else F{j}(n - 1) + F{j}(n * 2) }}", j = i + 1))
        .collect();
    let source = format!(
        "{} function F9(n: int): int {{ n }} method M(n: int) returns (r: int) {{ r := F0(n); }}",
        levels.join(" ")
    );
    let (_, program) = told_apart(&source, Criterion::InlinedBlock, None);
    let unit = units::units(&program.typed, |_| true)
        .into_iter()
        .find(|u| u.path == "M")
        .expect("the unit")
        .callable;
    let goals = program.goals(unit);
    assert!(goals.len() <= MAX_INLINED + 1, "{}", goals.len());
    assert!(program.inlined[&unit].left_out > 0);
    assert!(describe::calls_left_out(&program, unit).is_some());
}

/// The number of paths that are claimed to be all feasible ones. Each of them has a test.
fn paths(source: &str, unit: &str) -> usize {
    let (_, _, result) = searched(source, Criterion::Path, None, unit, &solver_only());
    let claim = result.claims.first().expect("a claim");
    assert!(claim.contains("no other is"), "{claim}");
    assert!(
        result.goals.iter().all(|(_, s)| s.is_covered()),
        "{:?}",
        result.goals
    );
    assert_eq!(result.tests.len(), result.goals.len());
    result.goals.len()
}

#[test]
fn paths_go_through_what_the_unit_calls() {
    assert_eq!(paths(TWO_CALLERS, "Both"), 4);
    // Equal calls take the same path. A call in one branch adds its paths to that branch only.
    let equal = "predicate Odd(n: int) { if n % 2 == 1 then true else false } method M(n: int) returns (p: bool, q: bool) { p := Odd(n); q := Odd(n); }";
    assert_eq!(paths(equal, "M"), 2);
    let arm = "predicate Odd(n: int) { if n % 2 == 1 then true else false } method M(n: int) returns (p: bool) { if n > 10 { p := Odd(n); } else { p := true; } }";
    assert_eq!(paths(arm, "M"), 3);
    let methods = "method Clamp(n: int) returns (r: int) { if n < 0 { return 0; } if n > 9 { return 9; } return n; }
        method M(n: int, k: int) returns (r: int) { r := Clamp(n); var s := Clamp(k); r := r + s; }";
    assert_eq!(paths(methods, "M"), 9);
}

#[test]
fn paths_of_an_entry_go_through_what_is_marked() {
    let source = "method {:testEntry} M(a: int) returns (r: int) { var x := F(a); var y := G(a); r := x + y; }
        function {:testInline} F(r: int): int { if r > 11 then 1 else 2 } function G(r: int): int { if r > 5 then 1 else 2 }";
    assert_eq!(paths(source, "M"), 2);
}
