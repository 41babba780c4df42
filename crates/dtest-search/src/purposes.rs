//! The purposes of tests: a goal, a mutant that no other test kills, or a combination of cases. A
//! test without a purpose of its own is removed.

use super::add_tests::ADDING_STEPS;
use super::strengthen::Table;
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
