//! Selection of tests: [`reduce`] removes redundant candidates, [`tests`] turns the others into
//! test cases with the goal and the path that each is named after.

use std::cmp::Reverse;

use super::api::{PathStep, TestCase};
use super::validate::Candidate;
use dafny_resolve::typed::CallableId;
use dtest_ir::{BlockId, GoalId, GoalReason, Procedure, Program, Terminator};
use dtest_sorted::{SortedMap, SortedSet};

/// Maximum number of decisions in a path through callees.
const MAX_STEPS: usize = 50;

/// Reduces the candidates to a small suite with the same goals. Greedily chooses the candidate that
/// reaches the most uncovered goals, then removes those whose goals the others cover. Ties are
/// decided in favour of tests that check more: known preconditions, a determined result.
pub(super) fn reduce(candidates: &mut Vec<Candidate>) {
    let mut left: SortedSet<GoalId> = candidates
        .iter()
        .flat_map(|t| t.covers.iter().copied())
        .collect();
    let mut chosen: SortedSet<usize> = SortedSet::new();
    while !left.is_empty() {
        let worth = |(i, t): (usize, &Candidate)| {
            let new = t.covers.iter().filter(|b| left.contains(b)).count();
            (
                new,
                Reverse(t.unknowns()),
                t.execution.determined,
                Reverse(i),
            )
        };
        let Some(best) = candidates.iter().enumerate().map(worth).max() else {
            break;
        };
        let Reverse(i) = best.3;
        if best.0 == 0 || !chosen.insert(i) {
            break;
        }
        if let Some(t) = candidates.get(i) {
            left.retain(|b| !t.covers.contains(b));
        }
    }
    // A greedy choice can become redundant by later ones. It is removed if every goal of it is
    // covered at least twice; those that check the least go first.
    let mut count: SortedMap<GoalId, usize> = SortedMap::new();
    for t in chosen.iter().filter_map(|i| candidates.get(*i)) {
        for b in &t.covers {
            *count.entry(*b).or_default() += 1;
        }
    }
    let mut order: Vec<usize> = chosen.iter().copied().collect();
    order.sort_by_key(|i| {
        candidates.get(*i).map(|t| {
            (
                Reverse(t.unknowns()),
                t.execution.determined,
                t.covers.len(),
            )
        })
    });
    for i in order {
        let Some(t) = candidates.get(i) else { continue };
        if t.covers
            .iter()
            .all(|b| count.get(b).is_some_and(|n| *n > 1))
        {
            for b in &t.covers {
                if let Some(n) = count.get_mut(b) {
                    *n -= 1;
                }
            }
            chosen.remove(&i);
        }
    }
    let mut i = 0;
    candidates.retain(|_| {
        i += 1;
        chosen.contains(&(i - 1))
    });
}

/// Turns candidates into test cases, in the order of the goals that they are named after.
pub(super) fn tests(
    program: &Program,
    procedure: &Procedure,
    candidates: Vec<Candidate>,
) -> Vec<TestCase> {
    let mut count: SortedMap<GoalId, usize> = SortedMap::new();
    for t in candidates
        .iter()
        .filter(|t| t.sole_kill.is_none() && !t.is_larger)
    {
        for b in &t.covers {
            *count.entry(*b).or_default() += 1;
        }
    }
    let mut tests: Vec<TestCase> = candidates
        .into_iter()
        .filter_map(|t| {
            // A test is named after the last goal on its way that no other test reaches.
            let unique = |b: &&GoalId| count.get(*b) == Some(&1);
            let backwards = || t.order.iter().rev();
            let goal = backwards()
                .filter(|_| t.sole_kill.is_none() && !t.is_larger)
                .find(unique)
                .or_else(|| backwards().next())
                .copied()?;
            let path = path(program, procedure, &t, goal);
            Some(TestCase {
                unit: procedure.callable,
                type_args: t.inputs.type_args.clone(),
                deterministic: t.execution.determined,
                inputs: t.inputs,
                goal,
                covers: t.covers,
                execution: t.execution,
                requires: t.requires,
                ensures: t.ensures,
                frame: t.frame,
                path,
                sole_kill: t.sole_kill,
                is_larger: t.is_larger,
            })
        })
        .collect();
    tests.sort_by_key(|t| (t.sole_kill.is_some(), t.is_larger, t.goal));
    tests
}

/// The decisions up to the goal. Normally these are the unit's own, each condition once with its
/// last value. For a path through callees, they are all decisions in order.
fn path(
    program: &Program,
    procedure: &Procedure,
    candidate: &Candidate,
    goal: GoalId,
) -> Vec<PathStep> {
    let inlined = &candidate.execution.path;
    if matches!(goal, GoalId::Path(_))
        && inlined
            .iter()
            .any(|(callable, ..)| *callable != procedure.callable)
    {
        let step = |(callable, from, to): &(CallableId, BlockId, BlockId)| {
            step(program.procedures.get(callable)?, *from, *to)
        };
        return shortened(inlined.iter().filter_map(step).collect());
    }
    let mut steps: Vec<PathStep> = Vec::new();
    // For a goal in a callee, the path ends at the block of the unit that calls it.
    let inner = candidate
        .execution
        .inner
        .iter()
        .find(|(_, g)| *g == goal && g.callee().is_some());
    let goal = inner
        .and_then(|(after, _)| {
            candidate
                .execution
                .visited
                .get((*after as usize).checked_sub(1)?)
        })
        .map_or(goal, |b| GoalId::Block(*b));
    if goal == GoalId::Block(BlockId(0)) {
        return steps;
    }
    for (from, to) in &candidate.execution.trace {
        if let Some(step) = step(procedure, *from, *to) {
            steps.retain(|s| s.cond != step.cond);
            steps.push(step);
        }
        if GoalId::Block(*to) == goal {
            break;
        }
    }
    steps
}

/// The first decisions of a long path, and its last one.
fn shortened(mut steps: Vec<PathStep>) -> Vec<PathStep> {
    if steps.len() > MAX_STEPS {
        let last = steps.pop();
        steps.truncate(MAX_STEPS - 1);
        steps.extend(last);
    }
    steps
}

/// The decision that an edge represents, or `None` if the edge has no condition in the source.
fn step(procedure: &Procedure, from: BlockId, to: BlockId) -> Option<PathStep> {
    let named = procedure
        .block(to)
        .and_then(|b| b.goal.as_ref())
        .and_then(|g| match &g.reason {
            GoalReason::Branch { cond, value, .. } => Some(PathStep {
                cond: *cond,
                value: *value,
            }),
            GoalReason::Failure { value, failed } => Some(PathStep {
                cond: *value,
                value: *failed,
            }),
            GoalReason::Entry
            | GoalReason::Case { .. }
            | GoalReason::Alternative { .. }
            | GoalReason::Boundary { .. }
            | GoalReason::Decides { .. }
            | GoalReason::Clause { .. }
            | GoalReason::Path
            | GoalReason::Broken { .. }
            | GoalReason::Differs
            | GoalReason::After { .. } => None,
        });
    let step = named.or_else(|| match procedure.block(from).map(|b| &b.terminator) {
        Some(Terminator::Branch { cond, then, .. }) => Some(PathStep {
            cond: cond.span,
            value: *then == to,
        }),
        Some(
            Terminator::Goto(_) | Terminator::Choose { .. } | Terminator::Return | Terminator::Stop,
        )
        | None => None,
    });
    step.filter(|s| s.cond.start < s.cond.end)
}
