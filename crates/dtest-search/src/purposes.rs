//! The purposes of tests: a goal, a mutant that no other test kills, or a combination of cases. A
//! test without a purpose of its own is removed.

use super::add_tests::ADDING_STEPS;
use super::strengthen::{Table, is_settled};
use super::validate::{Candidate, Validator};
use dtest_sorted::SortedSet;

impl Table {
    /// Names for each added test a mutant that no other test of the unit kills. A test without such
    /// a mutant is named after its goals, or removed if other tests cover these.
    pub(super) fn name_purposes(
        &mut self,
        validator: &Validator<'_>,
        candidates: &mut Vec<Candidate>,
    ) {
        self.allow(validator, ADDING_STEPS);
        let added: Vec<usize> = (0..candidates.len())
            .filter(|i| candidates.get(*i).is_some_and(|t| t.sole_kill.is_some()))
            .collect();
        let mut left_out = SortedSet::new();
        for i in added {
            let (Some(candidate), Some(killed)) = (candidates.get(i), self.killed_by_test.get(i))
            else {
                continue;
            };
            let is_named = |m: &usize| {
                let mutant = self.mutants.get(*m).map(|m| &m.mutant.mutation);
                mutant == candidate.sole_kill.as_ref()
            };
            // The mutant that the test was added for comes first, then those that no other test is
            // known to kill.
            let mut purposes: Vec<usize> = killed.iter().copied().filter(is_named).collect();
            purposes.extend(killed.iter().copied().filter(|m| {
                let others = self.killed_by_test.iter().enumerate();
                let mut others = others.filter(|(j, _)| *j != i && !left_out.contains(j));
                !is_named(m) && !others.any(|(_, killed)| killed.contains(m))
            }));
            let others = || {
                let others = candidates.iter().enumerate();
                others.filter(|(j, _)| *j != i && !left_out.contains(j))
            };
            let is_killed_by_others = |m: usize| others().any(|(_, t)| self.kills(validator, t, m));
            let only = purposes
                .into_iter()
                .find(|m| !is_killed_by_others(*m))
                .and_then(|m| self.mutants.get(m));
            // Without steps, the mutants that other tests kill are unknown.
            if validator.interp().steps() >= self.limit || validator.is_over() {
                break;
            }
            let only = only.map(|m| m.mutant.mutation.clone());
            let is_covered = candidate
                .covers
                .iter()
                .all(|g| others().any(|(_, t)| t.covers.contains(g)));
            if only.is_none() && is_covered {
                left_out.insert(i);
            }
            if let Some(candidate) = candidates.get_mut(i) {
                candidate.sole_kill = only;
            }
        }
        self.remove(&left_out, candidates);
    }

    /// Removes tests of goals that a larger input takes over: it reaches the same goals and kills
    /// the mutants that no other test kills. It is then named after these goals.
    pub(super) fn merge_into_larger(
        &mut self,
        validator: &Validator<'_>,
        candidates: &mut Vec<Candidate>,
    ) {
        self.allow(validator, ADDING_STEPS);
        let is_larger = |i: &usize| candidates.get(*i).is_some_and(|t| t.is_larger);
        let larger: Vec<usize> = (0..candidates.len()).filter(is_larger).collect();
        let mut left_out = SortedSet::new();
        for i in (0..candidates.len()).filter(|i| !larger.contains(i)) {
            if let Some(larger) = self.taken_over_by(validator, candidates, (i, &larger), &left_out)
            {
                left_out.insert(i);
                if let Some(larger) = candidates.get_mut(larger) {
                    larger.is_larger = false;
                }
            }
        }
        self.remove(&left_out, candidates);
    }

    /// The larger input that makes the test of some goals redundant.
    fn taken_over_by(
        &self,
        validator: &Validator<'_>,
        candidates: &[Candidate],
        (i, larger): (usize, &[usize]),
        left_out: &SortedSet<usize>,
    ) -> Option<usize> {
        let small = candidates.get(i)?;
        let is_of_goal = small.sole_kill.is_none() && is_settled(small);
        let others = || {
            let all = self.killed_by_test.iter().enumerate();
            all.filter(move |(j, _)| *j != i && !left_out.contains(j))
        };
        let reaches_all = |t: &Candidate| small.covers.iter().all(|g| t.covers.contains(g));
        let known = larger
            .iter()
            .filter_map(|j| Some((*j, candidates.get(*j)?)));
        let (larger, taken) = known.filter(|_| is_of_goal).find(|(_, t)| reaches_all(t))?;
        let is_killed = |m: &usize| {
            others().any(|(_, killed)| killed.contains(m)) || self.kills(validator, taken, *m)
        };
        let is_redundant = self.killed_by_test.get(i)?.iter().all(is_killed);
        // Without steps, nothing is known of the larger input.
        (is_redundant && validator.interp().steps() < self.limit).then_some(larger)
    }

    /// Removes the tests with these numbers.
    fn remove(&mut self, left_out: &SortedSet<usize>, candidates: &mut Vec<Candidate>) {
        // Both lists stay parallel.
        let mut numbers = 0..candidates.len();
        candidates.retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
        let mut numbers = 0..self.killed_by_test.len();
        self.killed_by_test
            .retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
    }

    /// Whether a test with the candidate's inputs fails on a mutant.
    pub(super) fn kills(
        &self,
        validator: &Validator<'_>,
        candidate: &Candidate,
        mutant: usize,
    ) -> bool {
        let (interp, unit) = (validator.interp(), validator.procedure().callable);
        !candidate.execution.linked
            && interp.steps() < self.limit
            && self.mutants.get(mutant).is_some_and(|m| {
                interp.is_noticed(unit, m, &candidate.inputs, &candidate.execution)
            })
    }
}
