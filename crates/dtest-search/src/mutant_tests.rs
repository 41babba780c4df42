//! Tests of mutation testing: the mutants that an execution kills, inputs that are replaced to kill
//! more, tests that are added, and mutants that are equivalent.

use super::{Equivalence, Minimize, Options, Strength, TestCase, UnitResult, search_unit};
use dafny_source::SourceMap;
use dtest_interp::{Inputs, Interp, Limits, Runnable};
use dtest_ir::{Criteria, Criterion, Program};
use dtest_lower::testing::lowered;
use dtest_lower::{entries, units};
use dtest_value::Value;

fn lowered_for(source: &str, criteria: &[Criterion], entry: Option<&str>) -> (SourceMap, Program) {
    let criteria = Criteria::new(criteria.iter().copied()).expect("criteria");
    let (map, mut program) = lowered(source, criteria);
    if let Some(entry) = entry {
        assert!(entries::enter(&mut program, &[entry.to_owned()], |_| true).is_empty());
    }
    (map, program)
}

/// The result of the unit with this name.
fn searched(program: &Program, name: &str, options: &Options) -> UnitResult {
    let entry = program.entries.as_ref().and_then(|e| e.first().copied());
    let unit = entry.or_else(|| {
        units::units(&program.typed, |_| true)
            .iter()
            .map(|u| u.callable)
            .find(|c| program.typed.callable_path(*c) == name)
    });
    search_unit(program, unit.expect("a unit"), options)
}

/// The source texts of the mutants of a unit that survive all of its tests.
fn surviving(map: &SourceMap, program: &Program, result: &UnitResult) -> Vec<String> {
    let interp = Interp::new(program, Limits::default());
    let kills = |m: &Runnable, t: &TestCase| interp.kills(result.unit, m, &t.inputs, &t.execution);
    let open = interp
        .mutants(result.unit)
        .into_iter()
        .filter_map(|m| interp.runnable(m))
        .filter(|m| !result.tests.iter().any(|t| kills(m, t)));
    open.map(|m| map.text(m.mutant.mutation.span).to_owned())
        .collect()
}

/// The source texts of the mutants that an execution on these arguments kills.
fn killed(source: &str, args: &[Value]) -> Vec<String> {
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let interp = Interp::new(&program, Limits::default());
    let inputs = Inputs {
        args: args.to_vec(),
        ..Inputs::default()
    };
    let execution = interp.run(unit, &inputs);
    let mutants = interp
        .mutants(unit)
        .into_iter()
        .filter_map(|m| interp.runnable(m))
        .filter(|m| interp.kills(unit, m, &inputs, &execution));
    let mut killed: Vec<String> = mutants
        .map(|m| map.text(m.mutant.mutation.span).to_owned())
        .collect();
    killed.dedup();
    killed
}

#[test]
fn a_mutant_is_changed_in_every_activation() {
    // The outermost activation does not add. Only an inner one executes the changed place.
    let source = "function Sum(n: nat, first: bool): int { if first then Sum(n, false) else if n == 0 then 0 else n + Sum(n - 1, false) }";
    let killed = killed(source, &[Value::int(3), Value::Bool(true)]);
    assert!(
        killed.iter().any(|t| t == "n + Sum(n - 1, false)"),
        "{killed:?}"
    );
}

#[test]
fn a_mutant_changes_the_constants_that_depend_on_it() {
    let source = "const Limit: int := Twice + 1 const Twice: int := 2 * Half(8) const Other := 1 + 2 function Half(n: int): int { n / 2 }
        method M(x: int) returns (r: bool) { r := x < Limit + Other; }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let callable_named = |name: &str| {
        units::units(&program.typed, |_| true)
            .iter()
            .map(|u| u.callable)
            .find(|c| program.typed.callable_path(*c) == name)
    };
    let (unit, half) = (
        callable_named("M").expect("M"),
        callable_named("Half").expect("Half"),
    );
    assert_eq!(program.runs(unit), [half]);
    let interp = Interp::new(&program, Limits::default());
    let inputs = Inputs {
        args: vec![Value::int(11)],
        ..Inputs::default()
    };
    let execution = interp.run(unit, &inputs);
    let mutants: Vec<Runnable> = interp
        .mutants_of(half)
        .into_iter()
        .filter_map(|m| interp.runnable(m))
        .collect();
    let killed = |m: &&Runnable| interp.kills(unit, m, &inputs, &execution);
    // These mutants make `Half` larger, so that the limit stays above the argument.
    let same: Vec<String> = mutants
        .iter()
        .filter(|m| !killed(m))
        .map(|m| crate::describe::mutation(&m.mutant.mutation, &map))
        .collect();
    assert_eq!(
        same,
        [
            "`n * 2` instead of `n / 2`",
            "`n` instead of `n / 2`",
            "`1` instead of `2`"
        ]
    );
    // The changed constants must not leak into executions of the unit.
    assert_eq!(interp.run(unit, &inputs).outcome, execution.outcome);
    assert!(
        mutants
            .iter()
            .filter(|m| !killed(m))
            .all(|m| interp.does_the_same(unit, m, &inputs, &execution))
    );
}

#[test]
fn a_mutant_continues_after_it_violates_an_invariant() {
    let source = "method M(n: nat) returns (r: nat) ensures r == n { r := 0; var i := 0; while i < n invariant r == i <= n { assert r <= n; r := r + 1; i := i + 1; } }";
    let killed = killed(source, &[Value::int(2)]);
    assert!(killed.iter().any(|t| t == "r + 1"), "{killed:?}");
}

#[test]
fn a_mutant_leaves_its_type_as_compiled_code_does() {
    // 256 is no byte, so that compiled code fails. 14 fits into a digit's native type, although it
    // violates the constraint. A negative `nat` is not checked at all.
    let byte = "newtype byte = x: int | 0 <= x < 256 method M(x: byte) returns (r: bool) requires x == 255 { r := x - 1 > 3; }";
    assert!(
        killed(byte, &[Value::int(255)])
            .iter()
            .any(|t| t == "x - 1")
    );
    let digit = "newtype digit = x: int | 0 <= x < 10 method M(x: digit) returns (r: bool) requires x == 5 { r := x + 4 < 15; }";
    assert!(!killed(digit, &[Value::int(5)]).iter().any(|t| t == "4"));
    let nat = "method M(x: int) returns (r: int) requires x == -3 { var y: nat := 0 - x; r := y; }";
    assert!(killed(nat, &[Value::int(-3)]).iter().any(|t| t == "0 - x"));
}

#[test]
fn all_mutants_are_decided_if_all_inputs_are_executed() {
    let source =
        "datatype Light = Red | Green | Off method M(l: Light, b: bool) returns (r: seq<int>) {
        var xs := [3, 1, 2]; var i := 0; var m := 0;
        while i < |xs| invariant 0 <= i <= 3 { if xs[i] > m { m := xs[i]; } i := i + 1; }
        r := if l == Red && b then [m] else []; }";
    let (proved, open) = equivalent_and_open(source, "M");
    // The first element is the largest, so that comparisons with another element do not matter.
    assert!(
        proved
            .iter()
            .any(|m| m == "`xs[i] >= m` instead of `xs[i] > m`")
            && proved.iter().any(|m| m == "`i` instead of `m`"),
        "{proved:?}"
    );
    assert_eq!(open, [""; 0]);
}

#[test]
fn objects_are_the_same_by_what_they_point_to_and_not_by_their_numbers() {
    let node = "class N { var next: N? var v: int constructor (v: int) ensures this.v == v && next == null { this.v := v; next := null; } } ";
    let made =
        "method M(b: bool) returns (n: N) { if b { var other := new N(1); } n := new N(2); }";
    let killed_mutants = killed(&format!("{made} {node}"), &[Value::Bool(true)]);
    assert!(
        !killed_mutants.iter().any(|t| t == "b"),
        "{killed_mutants:?}"
    );
    let linked = "method M(b: bool) returns (n: N) { n := new N(2); var m := new N(1); if b { n.next := m; } else { n.next := n; } }";
    let killed_mutants = killed(&format!("{linked} {node}"), &[Value::Bool(true)]);
    assert!(
        killed_mutants.iter().any(|t| t == "b"),
        "{killed_mutants:?}"
    );
}

#[test]
fn more_work_for_the_same_result_kills_no_mutant() {
    // Without the statement, the loop needs one iteration per number.
    let source = "method M(n: nat) returns (r: nat) ensures r == n { r := 0; while r < n invariant r <= n { var left := n - r; var step := 1; step := left; r := r + step; } }";
    let killed = killed(source, &[Value::int(300)]);
    assert!(!killed.iter().any(|t| t == "step := left;"), "{killed:?}");
}

#[test]
fn a_default_result_kills_no_mutant_that_returns_a_default_value() {
    let source = "function F(x: int): int { x + 1 }";
    let killed_by = |x: i64| killed(source, &[Value::int(x)]).len();
    assert_eq!(killed_by(-1), killed_by(4) - 1);
}

#[test]
fn lambdas_and_connectives_have_mutants() {
    let source = "function F(s: seq<int>): seq<bool> { seq(|s|, i requires 0 <= i < |s| => s[i] > 3 && s[i] != 5) }";
    let killed = killed(source, &[Value::seq([4, 1, 5].map(Value::int))]);
    assert!(killed.iter().any(|t| t == "s[i] > 3"), "{killed:?}");
    assert!(
        killed.iter().any(|t| t == "s[i] > 3 && s[i] != 5"),
        "{killed:?}"
    );
}

#[test]
fn inputs_of_an_entry_are_replaced_to_kill_mutants_in_callees() {
    let source = "method E(x: int, y: int) returns (r: int) { var a := A(x); r := a + y; } method A(x: int) returns (r: int) { r := x * x - x / 3; }";
    let (map, program) = lowered_for(source, &[Criterion::Block], Some("E"));
    let result = searched(&program, "E", &Options::default());
    assert_eq!(result.tests.len(), 1);
    assert_eq!(surviving(&map, &program, &result), [""; 0]);
}

#[test]
fn results_of_stubs_are_chosen_to_kill_mutants() {
    let source = "module {:extern} Clock { function {:extern} Offset(city: string): (hours: int) ensures -12 <= hours <= 14 }
        method M(from: string, to: string) returns (d: int) { d := Clock.Offset(from) - Clock.Offset(to); }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(&program, "M", &Options::default());
    assert_eq!(result.tests.len(), 1);
    assert_eq!(surviving(&map, &program, &result), [""; 0]);
}

#[test]
fn results_of_stubs_are_changed_to_kill_mutants() {
    let source = "module {:extern} Clock { method {:extern} Now() returns (seconds: int) ensures seconds >= 0 }
        method M(open: int) returns (late: bool) { var now := Clock.Now(); late := now / 60 >= open; }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(
        &program,
        "M",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    assert_eq!(surviving(&map, &program, &result), [""; 0]);
}

#[test]
fn squares_of_other_sizes_are_tried() {
    let source = "method Peak(m: array2<int>) returns (peak: bool) requires m.Length0 > 0 {
        if m.Length0 != m.Length1 || m.Length0 % 2 == 0 { return false; }
        return m[m.Length0 / 2, m.Length1 / 2] > 7; }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(
        &program,
        "Peak",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    let open = surviving(&map, &program, &result);
    assert!(!open.iter().any(|o| o == "m.Length0 % 2"), "{open:?}");
}

#[test]
fn a_mutant_that_calls_stubs_with_other_arguments_is_killed() {
    let source = "module {:extern} Clock { method {:extern} Wait(span: nat) returns (late: nat) ensures late <= span }
        method M(from: nat, to: nat) requires from <= to { var late := Clock.Wait(to - from); }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(&program, "M", &Options::default());
    assert_eq!(result.tests.len(), 1);
    assert_eq!(surviving(&map, &program, &result), [""; 0]);
}

#[test]
fn tests_are_added_for_surviving_mutants_if_that_is_configured() {
    let source = "method Triple(a: array<int>) returns (i: int) requires a.Length >= 3 { i := 0; while i + 2 < a.Length { if a[i] == a[i + 1] && a[i + 1] == a[i + 2] { return; } i := i + 1; } return -1; }";
    let added = |result: &UnitResult| {
        result
            .tests
            .iter()
            .filter(|t| t.sole_kill.is_some())
            .count()
    };
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let coverage = |minimize| Options {
        strength: Strength::Coverage,
        minimize,
        ..Options::default()
    };
    for minimize in [Minimize::Greedy, Minimize::Optimal] {
        assert_eq!(added(&searched(&program, "Triple", &coverage(minimize))), 0);
    }
    let result = searched(
        &program,
        "Triple",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    let covering = searched(&program, "Triple", &coverage(Minimize::Greedy));
    let more = result.tests.len() - covering.tests.len();
    assert!((1..=4).contains(&more), "{more}");
    assert!(
        result
            .tests
            .iter()
            .skip_while(|t| t.sole_kill.is_none())
            .all(|t| t.sole_kill.is_some()),
        "they come last"
    );
    // Both sides of these mutants are the same function: if the first two arguments are equal,
    // either may be compared with the third.
    assert_eq!(surviving(&map, &program, &result), ["1", "i + 1", "1"]);
    let minimum = searched(
        &program,
        "Triple",
        &Options {
            strength: Strength::Mutants,
            minimize: Minimize::Optimal,
            ..Options::default()
        },
    );
    assert_eq!(
        surviving(&map, &program, &minimum),
        ["1", "i + 1", "1"],
        "a minimum suite keeps the kills"
    );
    assert_eq!(minimum.least, Some(2), "{:?}", minimum.claims);
    assert!(minimum.tests.len() > 2, "tests are kept for their kills");
    assert!(
        minimum.claims.iter().any(|c| c.contains("more test")),
        "{:?}",
        minimum.claims
    );
}

#[test]
fn every_added_test_is_needed_for_a_mutant_or_a_block() {
    let case = |c: usize| format!("if a == {} && b == {} then {c} else ", c * 7, c * 11 % 50);
    let source = format!(
        "function Chosen(a: int, b: int): int {{ {}0 }}",
        (1..7).map(case).collect::<String>()
    );
    let (map, program) = lowered_for(&source, &[Criterion::Block], None);
    let result = searched(
        &program,
        "Chosen",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    assert_eq!(surviving(&map, &program, &result), [""; 0]);
    let interp = Interp::new(&program, Limits::default());
    let mutants: Vec<Runnable> = interp
        .mutants(result.unit)
        .into_iter()
        .filter_map(|m| interp.runnable(m))
        .collect();
    // Each added test is the only one that kills some mutant or covers some block.
    for (i, test) in result
        .tests
        .iter()
        .enumerate()
        .filter(|(_, t)| t.sole_kill.is_some())
    {
        let others = || {
            result
                .tests
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, t)| t)
        };
        let kills =
            |m: &Runnable, t: &TestCase| interp.kills(result.unit, m, &t.inputs, &t.execution);
        assert!(
            mutants
                .iter()
                .any(|m| kills(m, test) && !others().any(|t| kills(m, t))),
            "{:?}",
            test.inputs.args
        );
    }
}

/// The descriptions of the mutants of a unit that are proved equivalent, and of those that survive
/// and are not proved equivalent.
fn equivalent_and_open(source: &str, name: &str) -> (Vec<String>, Vec<String>) {
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(
        &program,
        name,
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    let proved = result
        .equivalent
        .iter()
        .filter(|(_, how)| *how == Equivalence::Proved)
        .map(|(m, _)| m);
    let proved: Vec<String> = proved.map(|m| crate::describe::mutation(m, &map)).collect();
    let interp = Interp::new(&program, Limits::default());
    let kills = |m: &Runnable, t: &TestCase| interp.kills(result.unit, m, &t.inputs, &t.execution);
    let open = interp
        .mutants(result.unit)
        .into_iter()
        .filter_map(|m| interp.runnable(m));
    let open = open
        .filter(|m| !result.tests.iter().any(|t| kills(m, t)))
        .map(|m| crate::describe::mutation(&m.mutant.mutation, &map));
    let open = open.filter(|m| !proved.contains(m)).collect();
    (proved, open)
}

#[test]
fn mutants_that_never_differ_are_proved_to_be_equivalent() {
    // The changed expression always has the same value.
    let (proved, open) = equivalent_and_open(
        "function Half(n: nat): nat { if n > 7 then n / 1 else n + 3 }",
        "Half",
    );
    assert_eq!(
        proved,
        ["`n * 1` instead of `n / 1`", "`n` instead of `n / 1`"]
    );
    assert_eq!(open, [""; 0]);
    // Its value may differ, but the difference does not propagate.
    let (proved, open) = equivalent_and_open(
        "function Max(a: int, b: int): int { if a > b then a else b }",
        "Max",
    );
    assert_eq!(proved, ["`a >= b` instead of `a > b`"]);
    assert_eq!(open, [""; 0]);
    // A mutant that may fail is not equivalent: `s[i]` may be out of range.
    let source =
        "function At(s: seq<int>, i: nat): int { if i < |s| && s[i] == s[i] then 1 else 0 }";
    let (proved, _) = equivalent_and_open(source, "At");
    assert!(
        proved
            .iter()
            .all(|p| !p.contains("i <= |s|") && !p.contains("||")),
        "{proved:?}"
    );
}

#[test]
fn the_solver_is_asked_for_another_outcome() {
    // The changed step matters only for three elements with the largest among the skipped ones.
    let source = "method Best(a: seq<int>) returns (best: int) requires |a| > 0 { best := a[0]; var i := 1; while i < |a| { if a[i] > best { best := a[i]; } i := i + 1; } }";
    let (_, open) = equivalent_and_open(source, "Best");
    assert_eq!(open, [""; 0]);
    let source = "method Shift(a: array<int>, step: int) requires a.Length > 1 modifies a { var i := 0; while i < a.Length { if a[i] > step && i % 2 == 1 { a[i] := a[i] - step; } i := i + 1; } }";
    let (proved, open) = equivalent_and_open(source, "Shift");
    // Nothing happens at index 0, which is even.
    assert_eq!(
        proved,
        ["`1` instead of `0`", "`i % 2 >= 1` instead of `i % 2 == 1`"]
    );
    assert_eq!(open, [""; 0]);
}

#[test]
fn functions_among_inputs_depend_on_all_of_their_arguments() {
    let source = "datatype T = Leaf | Node(l: T, v: int, r: T) function Fold(f: (int, int) -> int, start: int, t: T): int { match t case Leaf => start case Node(l, v, r) => Fold(f, f(Fold(f, start, l), v), r) }";
    let (_, open) = equivalent_and_open(source, "Fold");
    assert_eq!(open, [""; 0]);
    let source = "method Count(s: seq<int>, p: int -> bool) returns (n: nat) { n := 0; for i := 0 to |s| { if p(s[i]) { n := n + 1; } } }";
    let (_, open) = equivalent_and_open(source, "Count");
    assert_eq!(open, [""; 0]);
}

#[test]
fn decisions_whose_arms_leave_the_same_are_equivalent_however_often_they_are_made() {
    let source = "method Best(s: seq<int>) returns (r: int) requires |s| > 0 ensures forall x :: x in s ==> x <= r { r := s[0]; var i := 1; while i < |s| invariant 0 < i <= |s| invariant forall j :: 0 <= j < i ==> s[j] <= r { if s[i] > r { r := s[i]; } i := i + 1; } }";
    let (proved, _) = equivalent_and_open(source, "Best");
    assert_eq!(
        proved,
        ["`0` instead of `1`", "`s[i] >= r` instead of `s[i] > r`"]
    );
    // The position reveals which of several equal elements was taken.
    let source = "method Where(s: seq<int>) returns (at: nat) requires |s| > 0 ensures at < |s| { at := 0; var i := 1; while i < |s| invariant 0 < i <= |s| && at < |s| { if s[i] > s[at] { at := i; } i := i + 1; } }";
    let (proved, _) = equivalent_and_open(source, "Where");
    assert_eq!(proved, ["`0` instead of `1`"]);
    // Compiled code does not check assertions.
    let source = "method Min(x: int, y: int) returns (m: int) ensures m <= x && m <= y { if x >= y { m := y; } else { m := x; } assert m <= x && m <= y; }";
    let (proved, _) = equivalent_and_open(source, "Min");
    assert_eq!(proved, ["`x > y` instead of `x >= y`"]);
}

#[test]
fn executions_that_come_together_again_are_equivalent_however_they_go_on() {
    let proved = |source: &str| equivalent_and_open(source, "M").0;
    // The first element is compared with itself, which requires that it exists.
    let best = "method M(a: array<int>) returns (best: int) requires a.Length > 0 { best := a[0]; var i := 1; while i < a.Length { if a[i] > best { best := a[i]; } i := i + 1; } }";
    assert!(proved(best).contains(&"`0` instead of `1`".to_owned()));
    let sum = "method M(a: array<int>) returns (sum: int) requires a.Length > 0 { sum := a[0]; var i := 1; while i < a.Length { sum := sum + a[i]; i := i + 1; } }";
    assert!(!proved(sum).contains(&"`0` instead of `1`".to_owned()));
    let unsure = "method M(a: array<int>, first: int) returns (best: int) { best := first; var i := 0; while i < a.Length { if a[i] > best { best := a[i]; } i := i + 1; } }";
    assert!(!proved(unsure).contains(&"`-1` instead of `0`".to_owned()));
    // The precondition of the unit says that both lengths are equal. Without it, the mutant may
    // fail.
    let copy = |requires: &str| {
        format!(
            "method M(a: array<int>, b: array<int>) {requires} modifies b {{ var i := 0; while i < a.Length {{ if i < b.Length {{ b[i] := a[i]; }} i := i + 1; }} }}"
        )
    };
    assert!(
        proved(&copy("requires a.Length == b.Length")).contains(&"`b` instead of `a`".to_owned())
    );
    assert!(!proved(&copy("")).contains(&"`b` instead of `a`".to_owned()));
    // Exchanging equal elements changes nothing.
    let order = "method M(a: array<int>, i: nat, j: nat) requires i < a.Length && j < a.Length modifies a { if a[i] > a[j] { a[i], a[j] := a[j], a[i]; } }";
    assert!(proved(order).contains(&"`a[i] >= a[j]` instead of `a[i] > a[j]`".to_owned()));
    let mark = "method M(a: array<int>, i: nat, j: nat) requires i < a.Length && j < a.Length modifies a { if a[i] > a[j] { a[i] := a[j] - 1; } }";
    assert!(!proved(mark).contains(&"`a[i] >= a[j]` instead of `a[i] > a[j]`".to_owned()));
    // The changed case takes an input that another case would have treated in the same way.
    let clamp = "method M(s: seq<int>) returns (low: int, high: int) requires |s| > 0 { low, high := s[0], s[0]; for i := 0 to |s| { if s[i] < low { low := s[i]; } else if s[i] > high { high := s[i]; } } }";
    assert!(proved(clamp).contains(&"`s[i] >= high` instead of `s[i] > high`".to_owned()));
    // The assigned value is always overwritten before it is read. If the loop may be skipped, it is
    // read.
    let last = |requires: &str| {
        format!(
            "method M(n: int) returns (r: int) {requires} {{ r := 7; if n > 3 {{ r := n; }} else {{ r := -n; }} }}"
        )
    };
    assert!(
        proved(&last("")).is_empty(),
        "such an assignment has no mutants"
    );
}

#[test]
fn quantifiers_over_one_more_element_that_certainly_holds_are_equivalent() {
    let sorted = |range: &str| {
        format!("predicate Sorted(s: seq<int>) {{ forall i, j :: {range} ==> s[i] <= s[j] }}")
    };
    let (proved, _) = equivalent_and_open(&sorted("0 <= i < j < |s|"), "Sorted");
    assert!(
        proved.contains(&"`i <= j` instead of `i < j`".to_owned()),
        "{proved:?}"
    );
    let (proved, _) = equivalent_and_open(&sorted("0 <= i <= j < |s|"), "Sorted");
    assert!(
        proved.contains(&"`i < j` instead of `i <= j`".to_owned()),
        "{proved:?}"
    );
    let distinct =
        "predicate Distinct(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] != s[j] }";
    assert_eq!(equivalent_and_open(distinct, "Distinct").0, [""; 0]);
}

#[test]
fn the_numbers_that_a_precondition_leaves_are_all_tried() {
    let source = "method M(n: int) returns (r: bool) requires 100 <= n < 1000 { var a := n / 100; var b := (n / 10) % 10; var c := n % 10; r := n == a * a * a + b * b * b + c * c * c; }";
    let (_, open) = equivalent_and_open(source, "M");
    assert!(open.len() < 5, "{open:?}");
}

#[test]
fn objects_that_a_goal_needs_are_made_by_calls_with_its_values() {
    let source = "class Gate {
           var known: set<int>  var inside: set<int>
           ghost predicate Valid() reads this { inside <= known }
           constructor() ensures Valid() { known := {}; inside := {}; }
           method Register(n: int) requires Valid() modifies this ensures Valid() { known := known + {n}; }
           method Enter(n: int) requires Valid() && n in known modifies this ensures Valid() { inside := inside + {n}; }
           method Leave(n: int) returns (left: bool) requires Valid() modifies this ensures Valid()
           { if n == 8128 && n in inside { inside := inside - {n}; return true; } return false; }
         }";
    let (_, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(&program, "Gate.Leave", &Options::default());
    let mut constructor = super::construct::Constructor::knowing(&program, &result.made);
    let calls: Vec<Vec<String>> = result
        .tests
        .iter()
        .map(|test| {
            let made = constructor.constructions(&test.inputs);
            let of_this = made.get(&dtest_value::ObjectId(0)).expect("made by calls");
            of_this
                .then
                .iter()
                .map(|call| program.typed.callable_path(call.callee))
                .collect()
        })
        .collect();
    assert!(
        calls
            .iter()
            .any(|all| all.contains(&"Gate.Enter".to_owned())),
        "{calls:?}"
    );
}

#[test]
fn the_rest_of_a_loop_may_run_without_effect() {
    let left_out = |body: &str| {
        let source = format!(
            "method M(s: seq<int>, k: int) returns (r: bool, n: int) {{ r, n := false, 0; {body} }}"
        );
        let (proved, _) = equivalent_and_open(&source, "M");
        proved.iter().any(|p| p == "`break;` is removed")
    };
    assert!(left_out(
        "for i := 0 to |s| { if s[i] == k { r := true; break; } }"
    ));
    assert!(left_out(
        "for i := 0 to |s| { if s[i] % 2 == 1 { r := true; break; } } n := if r then k else 3;"
    ));
    assert!(left_out(
        "var i := 0; while i < |s| { if s[i] == k { r := true; break; } i := i + 1; }"
    ));
    assert!(left_out(
        "for i := 0 to |s| - 1 { if s[i] > s[i + 1] { r := true; break; } }"
    ));
    assert!(left_out(
        "for i := 0 to |s| { var x := s[|s| - 1 - i]; if s[i] == x { r := true; break; } }"
    ));
    // These loops return another position, count further, assign something else first, or may fail
    // after the `break`.
    assert!(!left_out(
        "for i := 0 to |s| { if s[i] == k { r := true; n := i; break; } }"
    ));
    assert!(!left_out(
        "for i := 0 to |s| { n := n + 1; if s[i] == k { r := true; break; } }"
    ));
    assert!(!left_out(
        "for i := 0 to |s| { r := false; if s[i] == k { r := true; break; } }"
    ));
    assert!(!left_out(
        "var i := 0; while i <= |s| { if i == |s| || s[i] == k { r := true; break; } i := i + 1; }"
    ));
    assert!(!left_out(
        "for i := 0 to |s| { if s[i] == k { r := true; break; } n := s[|s| - 1 - i] / (k + 1); }"
    ));
    assert!(!left_out(
        "var i := 0; while i < |s| { if s[i] == k { r := true; break; } i := i + 1; } n := i;"
    ));
    assert!(!left_out(
        "for i := 0 to |s| { if s[i] == k || i + 1 == |s| { r := true; break; } var x := s[i + 1]; }"
    ));
    assert!(!left_out(
        "for i := 0 to |s| { if i == k { r := true; break; } var x := s[s[i]]; }"
    ));
    // An iteration may not advance the loop.
    assert!(!left_out(
        "var i := 0; while i < |s| { if s[i] == k { r := true; break; } if s[i] != 5 { i := i + 1; } }"
    ));
    assert!(!left_out(
        "var i := 0; var end := |s|; while i < end { if s[i] == k { r := true; break; } i := i + 1; end := end + 1; }"
    ));
}

#[test]
fn small_functions_are_known_by_their_bodies() {
    let proved = |functions: &str, body: &str| {
        let source = format!("function M(a: int, b: int): int {{ {body} }} {functions}");
        equivalent_and_open(&source, "M").0
    };
    let swapped = "`Of(b, a)` instead of `Of(a, b)`".to_owned();
    assert!(
        proved(
            "function Of(x: int, y: int): int { if x < y then y else x }",
            "1 + Of(a, b)"
        )
        .contains(&swapped)
    );
    assert!(
        !proved(
            "function Of(x: int, y: int): int { if x < y then y - 1 else x }",
            "1 + Of(a, b)"
        )
        .contains(&swapped)
    );
    // The function may have a precondition that only one order satisfies, or it may fail.
    assert!(
        !proved(
            "function Of(x: int, y: int): int requires x < y { 3 }",
            "if a < b then Of(a, b) else 7"
        )
        .contains(&swapped)
    );
    assert!(
        !proved(
            "function Of(x: int, y: int): int { if x == 0 then 0 else 7 / x * 0 }",
            "if a == 1 then Of(a, b) else 7"
        )
        .contains(&swapped)
    );
}

#[test]
fn preconditions_are_known_where_what_they_speak_of_is_read() {
    let proved = |source: &str| equivalent_and_open(source, "M").0;
    let copy = |requires: &str| {
        format!(
            "method M(a: array<int>, b: array<int>) returns (c: array<int>) {requires} {{ c := new int[a.Length]; }}"
        )
    };
    let other = "`b` instead of `a`".to_owned();
    assert!(proved(&copy("requires a.Length == b.Length")).contains(&other));
    assert!(!proved(&copy("requires a.Length <= b.Length")).contains(&other));
}

#[test]
fn a_choice_is_immaterial_if_all_of_its_candidates_give_the_same_result() {
    let tests = |body: &str| {
        let source = format!(
            "method M(s: set<int>) returns (r: int) {{ r := 0; var left := s; while left != {{}} decreases |left| {{ var x :| x in left; left := left - {{x}}; {body} }} }}"
        );
        let (map, program) = lowered_for(&source, &[Criterion::Block], None);
        let result = searched(
            &program,
            "M",
            &Options {
                strength: Strength::Mutants,
                ..Options::default()
            },
        );
        let elements = |t: &TestCase| {
            if let Some(Value::Set(xs)) = t.inputs.args.first() {
                xs.len()
            } else {
                0
            }
        };
        let known: Vec<(usize, bool)> = result
            .tests
            .iter()
            .map(|t| (elements(t), t.execution.determined))
            .collect();
        (known, surviving(&map, &program, &result))
    };
    let (known, open) = tests("r := r + x;");
    assert!(
        known.iter().any(|(n, _)| *n > 1) && known.iter().all(|(_, known)| *known),
        "{known:?}"
    );
    assert_eq!(open, [""; 0]);
    // The result is the last element that was taken, or a number that depends on the order.
    for body in ["r := x;", "r := 10 * r + x;"] {
        let (known, _) = tests(body);
        assert!(
            known.iter().all(|(n, known)| *n < 2 || !known)
                && known.iter().any(|(_, known)| *known),
            "{body} {known:?}"
        );
    }
    // There are infinitely many candidates.
    let source = "method M(n: int) returns (r: int) { var x: int :| x > n; r := n; }";
    let (_, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(
        &program,
        "M",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    assert!(result.tests.iter().all(|t| !t.execution.determined));
}

#[test]
fn sums_exceed_the_constants_that_they_are_compared_with() {
    let source = "datatype Line = Line(price: nat, amount: nat)
        method M(lines: seq<Line>) returns (total: nat) { total := 0; for i := 0 to |lines| { total := total + lines[i].price * lines[i].amount; } if total >= 5000 && total % 2 == 0 { total := total - total / 8; } }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(
        &program,
        "M",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    let open = surviving(&map, &program, &result);
    assert!(!open.iter().any(|o| o == "total - total / 8"), "{open:?}");
}

#[test]
fn mutants_of_parts_deep_in_inputs_are_killed() {
    let source = "
        datatype Option<T> = None | Some(value: T)
        datatype Task = Task(title: string, notes: string, done: bool, starred: bool, due: Option<int>, tags: set<int>, deleted: bool, who: Option<int>)
        datatype Model = Model(owner: string, tasks: map<int, Task>, next: int, last: int)
        datatype Action = Star(id: int) | Done(id: int) | Drop(id: int) | Nothing
        function Step(m: Model, a: Action): Option<Model>
        {
          match a
          case Nothing => Some(m)
          case Star(id) =>
            if id !in m.tasks || m.tasks[id].deleted then None
            else
              var t := m.tasks[id];
              Some(Model(m.owner, m.tasks[id := Task(t.title, t.notes, t.done, true, t.due, t.tags, t.deleted, t.who)], m.next, m.last))
          case Done(id) =>
            if id !in m.tasks || m.tasks[id].deleted then None
            else
              var t := m.tasks[id];
              Some(Model(m.owner, m.tasks[id := Task(t.title, t.notes, true, t.starred, t.due, t.tags, t.deleted, t.who)], m.next, m.last))
          case Drop(id) =>
            if id !in m.tasks then None
            else
              var t := m.tasks[id];
              Some(Model(m.owner, m.tasks[id := Task(t.title, t.notes, t.done, t.starred, t.due, t.tags, true, t.who)], m.next, m.last))
        }";
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let result = searched(
        &program,
        "Step",
        &Options {
            strength: Strength::Mutants,
            ..Options::default()
        },
    );
    let interp = Interp::new(&program, Limits::default());
    let is_equivalent = |m: &Runnable| {
        result
            .equivalent
            .iter()
            .any(|(e, _)| *e == m.mutant.mutation)
    };
    let kills = |m: &Runnable, t: &TestCase| interp.kills(result.unit, m, &t.inputs, &t.execution);
    let all = interp
        .mutants(result.unit)
        .into_iter()
        .filter_map(|m| interp.runnable(m));
    let open: Vec<String> = all
        .filter(|m| !is_equivalent(m) && !result.tests.iter().any(|t| kills(m, t)))
        .map(|m| crate::describe::mutation(&m.mutant.mutation, &map))
        .collect();
    assert_eq!(open, Vec::<String>::new());
}

/// The descriptions of all mutants of the only unit, and of those that survive an execution on
/// these arguments.
fn mutants_and_alive(source: &str, args: &[Value]) -> (Vec<String>, Vec<String>) {
    let (map, program) = lowered_for(source, &[Criterion::Block], None);
    let unit = units::units(&program.typed, |_| true)
        .first()
        .map(|u| u.callable)
        .expect("a unit");
    let interp = Interp::new(&program, Limits::default());
    let inputs = Inputs {
        args: args.to_vec(),
        ..Inputs::default()
    };
    let execution = interp.run(unit, &inputs);
    let text = |m: &Runnable| crate::describe::mutation(&m.mutant.mutation, &map);
    let mutants: Vec<Runnable> = interp
        .mutants(unit)
        .into_iter()
        .filter_map(|m| interp.runnable(m))
        .collect();
    let alive = mutants
        .iter()
        .filter(|m| !interp.kills(unit, m, &inputs, &execution));
    (
        mutants.iter().map(text).collect(),
        alive.map(text).collect(),
    )
}

#[test]
fn loops_of_a_quantifier_are_those_of_its_changed_conditions() {
    // The unit's own loop, derived from the negated body, would have no candidates for `x`.
    let (all, alive) = mutants_and_alive(
        "method M() returns (r: bool) { r := forall x: int :: 0 <= x < 10 ==> x < 20; }",
        &[],
    );
    let wanted = ["`x == 20` instead of `x < 20`", "`0` instead of `20`"];
    assert!(wanted.iter().all(|w| all.iter().any(|m| m == w)), "{all:?}");
    assert!(
        !wanted.iter().any(|w| alive.iter().any(|m| m == w)),
        "{alive:?}"
    );
    // Zero is outside the unit's own range.
    let (all, alive) = mutants_and_alive(
        "method M() returns (r: bool) { r := exists x: int :: 5 <= x < 10 && x == 2; }",
        &[],
    );
    let wanted = "`0` instead of `5`";
    assert!(all.iter().any(|m| m == wanted), "{all:?}");
    assert!(!alive.iter().any(|m| m == wanted), "{alive:?}");
    // The range of one variable depends on the other one.
    let (all, alive) = mutants_and_alive(
        "method M(n: int) returns (s: set<int>) { s := set i: int, j: int | 0 <= i < n && i < j < n && i * j == 6 :: i; }",
        &[Value::int(5)],
    );
    let wanted = "`7` instead of `6`";
    assert!(all.iter().any(|m| m == wanted), "{all:?}");
    assert!(!alive.iter().any(|m| m == wanted), "{alive:?}");
}

#[test]
fn a_mutant_that_leaves_a_variable_without_a_domain_is_no_program() {
    let (all, _) = mutants_and_alive(
        "method M(n: int) returns (r: bool) { r := exists x: int :: x == n && x > 3; }",
        &[Value::int(5)],
    );
    assert!(!all.iter().any(|m| m.starts_with("`x != n`")), "{all:?}");
}

#[test]
fn clones_of_an_operand_change_together() {
    let (all, alive) = mutants_and_alive(
        "method M(x: int, y: int) returns (r: bool) { r := 0 <= x < 10; }",
        &[Value::int(5), Value::int(50)],
    );
    let wanted = "`y` instead of `x`";
    assert_eq!(all.iter().filter(|m| *m == wanted).count(), 1, "{all:?}");
    // If only one clone changed, `0 <= y && x < 10` would have the same value.
    assert!(!alive.iter().any(|m| m == wanted), "{alive:?}");
}

#[test]
fn a_lambda_is_changed_in_inner_activations_too() {
    let (all, alive) = mutants_and_alive(
        "function F(n: nat, f: bool): int { if f then F(n, false) else if n == 0 then 0 else (x => x + n)(F(n - 1, false)) }",
        &[Value::int(3), Value::Bool(true)],
    );
    let wanted = "`x - n` instead of `x + n`";
    assert!(all.iter().any(|m| m == wanted), "{all:?}");
    assert!(!alive.iter().any(|m| m == wanted), "{alive:?}");
}

#[test]
fn a_mutant_that_fails_where_the_unit_does_not_is_not_equivalent() {
    // No test kills a mutant first, because the output depends on a nondeterministic choice.
    let source = "method M(n: nat) { if n == 0 { print 1; } else { var g: int := *; print g; print 7 / 2; print 8 % 2; } }";
    let (proved, _) = equivalent_and_open(source, "M");
    assert!(!proved.iter().any(|m| m == "2"), "{proved:?}");
    let source = "method M(n: nat, s: seq<int>) requires |s| == 1 && s[0] == 0 { var g: int := *; print g; print s[0] * n; }";
    let (proved, _) = equivalent_and_open(source, "M");
    assert!(!proved.iter().any(|m| m == "0"), "{proved:?}");
}

#[test]
fn results_that_are_not_compared_make_no_mutant_equivalent() {
    let source = "class C { var f: int } method M(a: C, b: C, k: bool) returns (r: C, x: int) { var g: int := *; r := if k then a else b; x := 1; if g == 0 { x := 2; } }";
    let (proved, _) = equivalent_and_open(source, "M");
    assert!(
        !proved
            .iter()
            .any(|m| m.contains('k') || m == "a" || m == "b"),
        "{proved:?}"
    );
}

#[test]
fn the_variables_of_a_forall_statement_are_not_those_of_the_code_around_it() {
    let source = "method M(a: array<int>) modifies a { var g: int := *; print g; forall i | 0 <= i < a.Length { a[i] := i * 2; } }";
    let (proved, _) = equivalent_and_open(source, "M");
    assert_eq!(proved, [""; 0]);
}
