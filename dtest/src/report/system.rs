//! System tests: the coverage of a program by the tests of its entries.

use super::place::Place;
use dtest_ir::Criterion;
use dtest_sorted::SortedMap;

use super::{GoalOutcome, GoalReport, Report, UnitReport};

/// Returns every goal once, although several entries may reach it, with the outcome that settles
/// it, if there is one. A goal is given by the index of its unit and its index in the unit.
pub(super) fn goals(units: &[&UnitReport]) -> Vec<(usize, usize)> {
    let all = units.iter().enumerate().flat_map(|(u, unit)| {
        (0..)
            .zip(&unit.goals)
            .map(move |(i, goal)| ((u, i), *unit, goal))
    });
    if units.iter().all(|u| u.callees.is_empty()) {
        return all.map(|(at, _, _)| at).collect();
    }
    let mut best: SortedMap<(CodeGoal<'_>, Option<Apart<'_>>), usize> = SortedMap::new();
    let mut kept: Vec<((usize, usize), u8)> = Vec::new();
    for (at, unit, goal) in all {
        let apart = match (goal.criterion, goal.calls.is_empty()) {
            (Criterion::Path, _) => Some((at.0, Way::Path(at.1))),
            (_, false) => Some((at.0, Way::Calls(&goal.calls))),
            (_, true) => None,
        };
        let place = *best
            .entry((code_goal(unit, goal), apart))
            .or_insert(kept.len());
        let rank = rank(&goal.outcome);
        match kept.get_mut(place) {
            None => kept.push((at, rank)),
            Some(known) if rank < known.1 => *known = (at, rank),
            Some(_) => {}
        }
    }
    kept.into_iter().map(|(at, _)| at).collect()
}

/// The property that distinguishes a goal of a unit from other goals for the same code.
type Apart<'r> = (usize, Way<'r>);

/// The way in which control must reach the goal.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Way<'r> {
    /// Through these calls.
    Calls(&'r [String]),
    /// On a particular path, which the index of the goal identifies.
    Path(usize),
}

/// The code that a goal is about, regardless of the unit and the calls: callable, location and
/// description.
pub(super) type CodeGoal<'r> = (&'r str, &'r Place, &'r str);

/// Returns the code that a goal of a unit is about.
pub(super) fn code_goal<'r>(unit: &'r UnitReport, goal: &'r GoalReport) -> CodeGoal<'r> {
    (
        goal.callable.as_deref().unwrap_or(&unit.unit),
        &goal.place,
        &goal.goal,
    )
}

/// Ranks outcomes for goals that several entries share; the lowest rank wins. A goal that one entry
/// covers is covered. A goal that is unreachable from one entry may be reachable from another, so
/// open outcomes rank before unreachable ones.
pub(super) fn rank(outcome: &GoalOutcome) -> u8 {
    match outcome {
        GoalOutcome::Covered { .. } => 0,
        GoalOutcome::Finding | GoalOutcome::Choice => 1,
        GoalOutcome::Given { .. }
        | GoalOutcome::OutOfBudget { .. }
        | GoalOutcome::Unsupported { .. } => 2,
        GoalOutcome::UnreachableWithinBounds { .. } => 3,
        GoalOutcome::UnreachableAtCaps { .. } => 4,
        GoalOutcome::Unreachable { .. } => 5,
    }
}

/// Maximum number of tests of one callable that are named in the terminal.
const NAMED: usize = 3;

/// Lists the tests that cover goals, for each goal the first one, so that few names suffice.
fn through<'r>(goals: impl Iterator<Item = &'r GoalReport>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for goal in goals {
        if let GoalOutcome::Covered { test } = &goal.outcome
            && !goal
                .tests
                .iter()
                .chain([test])
                .any(|t| names.contains(&t.as_str()))
        {
            names.push(test);
        }
    }
    let names: Vec<&str> = names
        .into_iter()
        .map(|path| path.rsplit("::").next().unwrap_or(path))
        .collect();
    let more = names.len().saturating_sub(NAMED);
    let named = names.get(..NAMED).unwrap_or(&names).join(", ");
    match (names.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(", by {named}"),
        (false, _) => format!(", by {named} and {more} more"),
    }
}

/// Formats a paragraph for every entry: the coverage of each callable by its tests, and the names
/// of these tests.
pub(super) fn paragraphs(report: &Report) -> String {
    let mut out = String::new();
    for unit in report.units.iter().filter(|u| !u.callees.is_empty()) {
        let counts = |callable: Option<&str>| {
            let goals = unit
                .goals
                .iter()
                .filter(|g| g.callable.as_deref() == callable);
            goals.fold((0, 0), |(covered, all), g| {
                (
                    covered + usize::from(matches!(g.outcome, GoalOutcome::Covered { .. })),
                    all + 1,
                )
            })
        };
        let all = unit.goals.len();
        let covered = unit
            .goals
            .iter()
            .filter(|g| matches!(g.outcome, GoalOutcome::Covered { .. }))
            .count();
        out += &format!(
            "{}: entry {}: {covered} of {all} goals in {} callables, {} {}\n",
            unit.place,
            unit.unit,
            unit.callees.len() + 1,
            unit.tests.len(),
            if unit.tests.len() == 1 {
                "test"
            } else {
                "tests"
            }
        );
        // The entry itself is the first row, with the goals that belong to no callee.
        let own = (&unit.place, unit.unit.as_str(), None);
        let others = unit
            .callees
            .iter()
            .map(|c| (&c.place, c.callable.as_str(), Some(c.callable.as_str())));
        for (place, name, callable) in std::iter::once(own).chain(others) {
            let (covered, all) = counts(callable);
            let tests = through(
                unit.goals
                    .iter()
                    .filter(|g| g.callable.as_deref() == callable),
            );
            out += &format!("  {place}: {name}: {covered} of {all}{tests}\n");
        }
    }
    out
}
