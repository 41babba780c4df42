//! The choice of the fewest tests that cover the same goals and kill the same mutants.
//!
//! Tests are added one by one, each for a reason that no test before it had. Later tests, and larger
//! inputs above all, often do what several earlier ones did. [`Table::remove_redundant`] treats the
//! whole suite as an instance of set cover: the elements are the goals and the killed mutants, the
//! sets are the tests (test suite minimization: Harrold, Gupta and Soffa, *A Methodology for
//! Controlling the Size of a Test Suite*, 1993). Two heuristics are applied, and the smaller result
//! is taken.

use std::cmp::Reverse;

use super::add_tests::ADDING_STEPS;
use super::parts::extent;
use super::strengthen::{Table, is_settled};
use super::validate::{Candidate, Validator};
use dtest_ir::GoalId;
use dtest_sorted::{SortedMap, SortedSet};

/// A reason for a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Goal(GoalId),
    Kill(usize),
}

impl Table {
    /// Removes tests that the others make redundant. Every goal stays covered, and every mutant that
    /// was killed stays killed by a test that is known to kill it. Larger inputs stay.
    pub(super) fn remove_redundant(
        &mut self,
        validator: &Validator<'_>,
        candidates: &mut Vec<Candidate>,
    ) {
        self.allow(validator, ADDING_STEPS);
        self.learn_kills_of_larger(validator, candidates);
        let reasons: Vec<SortedSet<Reason>> = candidates
            .iter()
            .zip(&self.killed_by_test)
            .map(|(t, killed)| {
                // What is no mutant is a reason only for the test that was added for it. Most other
                // tests differ on hints, too, but by chance.
                let is_reason = |m: &usize| {
                    self.mutants.get(*m).is_some_and(|m| {
                        let mutation = &m.mutant.mutation;
                        !mutation.is_hint || t.sole_kill.as_ref() == Some(mutation)
                    })
                };
                let killed = killed.iter().copied().filter(is_reason);
                let goals = t.covers.iter().copied().map(Reason::Goal);
                goals.chain(killed.map(Reason::Kill)).collect()
            })
            .collect();
        // A test without an expected value may kill by its contract, which is not recorded.
        let fixed: Vec<usize> = (0..candidates.len())
            .filter(|i| {
                candidates
                    .get(*i)
                    .is_some_and(|t| t.is_larger || !is_settled(t))
            })
            .collect();
        let extents: Vec<u64> = candidates.iter().map(|t| extent(&t.inputs)).collect();
        let kept = fewest(&reasons, &fixed, &extents);
        let left_out = (0..candidates.len())
            .filter(|i| !kept.contains(i))
            .collect();
        self.remove(&left_out, candidates);
        name_after_goals(candidates);
    }

    /// Runs the mutants on larger inputs that have been run on a sample only.
    fn learn_kills_of_larger(&mut self, validator: &Validator<'_>, candidates: &[Candidate]) {
        for (i, candidate) in candidates.iter().enumerate().filter(|(_, t)| t.is_larger) {
            let Some(known) = self.killed_by_test.get(i) else {
                continue;
            };
            // Only mutants that some test kills can make a test redundant.
            let killed: SortedSet<usize> = self.killed_by_test.iter().flatten().copied().collect();
            let unknown: Vec<usize> = killed.difference(known).copied().collect();
            let more = self.killed_by(validator, candidate, unknown);
            if let Some(known) = self.killed_by_test.get_mut(i) {
                known.extend(more);
            }
        }
    }

    /// Removes the tests with these numbers.
    pub(super) fn remove(&mut self, left_out: &SortedSet<usize>, candidates: &mut Vec<Candidate>) {
        // Both lists stay parallel.
        let mut numbers = 0..candidates.len();
        candidates.retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
        let mut numbers = 0..self.killed_by_test.len();
        self.killed_by_test
            .retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
    }
}

/// Names tests after goals that no test is named after, as few as possible: of those that reach such
/// a goal, the one that reaches the most, smaller inputs first.
pub(super) fn name_after_goals(candidates: &mut [Candidate]) {
    let is_of_goal = |t: &Candidate| t.sole_kill.is_none() && !t.is_larger;
    let mut open: SortedSet<GoalId> = candidates
        .iter()
        .flat_map(|t| t.covers.iter().copied())
        .collect();
    for candidate in candidates.iter().filter(|t| is_of_goal(t)) {
        open.retain(|g| !candidate.covers.contains(g));
    }
    while !open.is_empty() {
        let reached = |t: &Candidate| t.covers.iter().filter(|g| open.contains(*g)).count();
        let others = candidates.iter_mut().enumerate();
        let others = others.filter(|(_, t)| !is_of_goal(t));
        let best = others.max_by_key(|(i, t)| (reached(t), Reverse((t.is_larger, *i))));
        let Some((_, best)) = best else {
            return;
        };
        (best.sole_kill, best.is_larger) = (None, false);
        let before = open.len();
        open.retain(|g| !best.covers.contains(g));
        if open.len() == before {
            return;
        }
    }
}

/// The numbers of tests that have all reasons, with those in `fixed` among them: the better of a
/// greedy choice and of the removal of what is redundant, both reduced until every test that is not
/// fixed has a reason of its own.
fn fewest(reasons: &[SortedSet<Reason>], fixed: &[usize], extents: &[u64]) -> SortedSet<usize> {
    let all: SortedSet<usize> = (0..reasons.len()).collect();
    let removed = without_redundant(reasons, fixed, all);
    let chosen = without_redundant(reasons, fixed, greedy(reasons, fixed, extents));
    if chosen.len() < removed.len() {
        chosen
    } else {
        removed
    }
}

/// The fixed tests, and others until there is no further reason: always the test that has the most
/// reasons that the chosen ones lack, smaller inputs first.
fn greedy(reasons: &[SortedSet<Reason>], fixed: &[usize], extents: &[u64]) -> SortedSet<usize> {
    let mut chosen: SortedSet<usize> = fixed.iter().copied().collect();
    let mut open: SortedSet<Reason> = reasons.iter().flatten().copied().collect();
    let has = |i: usize, r: &Reason| reasons.get(i).is_some_and(|own| own.contains(r));
    open.retain(|r| !fixed.iter().any(|i| has(*i, r)));
    while !open.is_empty() {
        let new = |i: usize| open.iter().filter(|r| has(i, r)).count();
        let best = (0..reasons.len())
            .max_by_key(|i| (new(*i), Reverse(extents.get(*i).copied()), Reverse(*i)));
        let Some(best) = best.filter(|i| new(*i) > 0) else {
            break;
        };
        open.retain(|r| !has(best, r));
        chosen.insert(best);
    }
    chosen
}

/// The tests without those whose reasons others have, beginning with those that have the fewest
/// reasons, so that the tests that remain have many.
fn without_redundant(
    reasons: &[SortedSet<Reason>],
    fixed: &[usize],
    mut tests: SortedSet<usize>,
) -> SortedSet<usize> {
    let mut counts: SortedMap<Reason, usize> = SortedMap::new();
    for reason in tests.iter().filter_map(|i| reasons.get(*i)).flatten() {
        *counts.entry(*reason).or_default() += 1;
    }
    let mut order: Vec<usize> = tests
        .iter()
        .copied()
        .filter(|i| !fixed.contains(i))
        .collect();
    order.sort_by_key(|i| reasons.get(*i).map(SortedSet::len));
    for i in order {
        let Some(own) = reasons.get(i) else { continue };
        if own.iter().all(|r| counts.get(r).is_some_and(|n| *n > 1)) {
            own.iter().for_each(|r| {
                if let Some(n) = counts.get_mut(r) {
                    *n -= 1;
                }
            });
            tests.remove(&i);
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::{Reason, fewest};
    use dtest_sorted::SortedSet;

    fn check(tests: &[&[usize]], fixed: &[usize], expected: &[usize]) {
        let reasons: Vec<SortedSet<Reason>> = tests
            .iter()
            .map(|t| t.iter().copied().map(Reason::Kill).collect())
            .collect();
        let extents: Vec<u64> = tests.iter().map(|t| t.len() as u64).collect();
        let kept = fewest(&reasons, fixed, &extents);
        assert_eq!(kept.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_test_stays_only_with_a_reason_of_its_own() {
        check(&[&[1], &[2], &[1, 2]], &[], &[2]);
        check(&[&[1, 3], &[2], &[1, 2]], &[], &[0, 2]);
        check(&[&[1], &[2]], &[], &[0, 1]);
        check(&[], &[], &[]);
    }

    #[test]
    fn fixed_tests_stay_and_make_others_redundant() {
        check(&[&[1], &[2], &[3], &[1, 2]], &[3], &[2, 3]);
        // Nothing depends on the fixed one.
        check(&[&[1], &[]], &[1], &[0, 1]);
    }

    #[test]
    fn the_better_heuristic_counts() {
        // Greedily, the large first test is chosen, although the two others suffice.
        check(&[&[2, 3, 4, 5], &[1, 2, 3], &[4, 5, 6]], &[], &[1, 2]);
        // If what is redundant is removed in order of size, the two large tests stay.
        check(
            &[&[1, 2], &[3, 4], &[5, 6], &[1, 3, 5], &[2, 4, 6]],
            &[],
            &[3, 4],
        );
    }
}
