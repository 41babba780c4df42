//! System tests: what entries cover of the program that they call.

use dtest_engine::ir::Criterion;
use dtest_sorted::SortedMap;

use super::{GoalOutcome, GoalReport, Report, UnitReport};

/// Every goal once, whichever entries reach it: with the outcome that settles it, if there is one. A goal is given by the
/// places of its unit and of itself among the unit's goals.
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

/// What tells a goal of a unit, given by its place, from others for the same code.
type Apart<'r> = (usize, Way<'r>);

/// By which way control is to come.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Way<'r> {
    /// By these calls.
    Calls(&'r [String]),
    /// By a path of its own, given by the goal's place.
    Path(usize),
}

/// What a goal asks for, whatever unit it belongs to and by whatever calls control comes there: the callable, the place and the words.
pub(super) type CodeGoal<'r> = (&'r str, &'r str, &'r str);

/// The goal of the code that a goal of a unit is one of.
pub(super) fn code_goal<'r>(unit: &'r UnitReport, goal: &'r GoalReport) -> CodeGoal<'r> {
    (
        goal.callable.as_deref().unwrap_or(&unit.unit),
        &goal.place,
        &goal.goal,
    )
}

/// Covered by one entry is covered; unreachable from one says nothing of the others, so what is open comes before that.
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

/// Tests of one callable that are named in the terminal, at most.
const NAMED: usize = 3;

/// The tests through which goals are covered, each goal by its first one: as few names as tell where to look.
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

/// A paragraph for every entry: how much of each callable its tests cover, and which do.
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
        let own = (unit.place.as_str(), unit.unit.as_str(), None);
        let others = unit.callees.iter().map(|c| {
            (
                c.place.as_str(),
                c.callable.as_str(),
                Some(c.callable.as_str()),
            )
        });
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
