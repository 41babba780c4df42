//! Tests that take over what two tests did.
//!
//! The search adds a test for one surviving mutant at a time, with inputs as small as that mutant
//! allows. Often one input does what two of them do: a sequence with the elements of both, or one
//! with other numbers. [`Table::merge_tests`] searches for such inputs by crossover: the inputs of one
//! test are changed with parts of the other.

use super::add_tests::ADDING_STEPS;
use super::mutate::Mutator;
use super::parts::extent;
use super::shrink::{is_as_good, shrink};
use super::strengthen::{Table, is_settled};
use super::validate::{Candidate, Validator};
use dtest_interp::Inputs;
use dtest_ir::GoalId;
use dtest_sorted::SortedSet;

/// Maximum number of inputs that are tried for a pair of tests.
const MAX_CROSSED: usize = 24;
/// Maximum number of mutants that only one test kills, of a test that is given up. More are seldom
/// killed by one other input.
const MAX_OWN: usize = 6;
/// Maximum number of parts of merged inputs. The tests of mutants stay readable.
const MAX_EXTENT: u64 = 40;

/// The goals and mutants that only one test covers and kills.
struct Own {
    goals: SortedSet<GoalId>,
    mutants: SortedSet<usize>,
}

impl Table {
    /// Replaces pairs of tests by one test that has the goals and kills that only these two have. One of
    /// the two was added for mutants.
    pub(super) fn merge_tests(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
    ) {
        self.allow(validator, ADDING_STEPS);
        let mut i = 0;
        while i < candidates.len() {
            let is_added = |t: &Candidate| t.sole_kill.is_some() && is_settled(t);
            let own = self.own(candidates, &[i]);
            let merged = candidates.get(i).is_some_and(is_added)
                && own.mutants.len() <= MAX_OWN
                && (0..candidates.len())
                    .any(|j| j != i && self.merge(validator, mutator, candidates, (i, j)));
            if validator.interp().steps() >= self.limit || validator.is_over() {
                return;
            }
            if !merged {
                i += 1;
            }
        }
    }

    /// Replaces two tests by one if inputs are found that have what only these two have. Returns
    /// whether it did; then the first test is removed.
    fn merge(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        (i, j): (usize, usize),
    ) -> bool {
        let (Some(first), Some(second)) = (candidates.get(i), candidates.get(j)) else {
            return false;
        };
        if second.is_larger || !is_settled(second) {
            return false;
        }
        let own = self.own(candidates, &[i, j]);
        let has_all = |validator: &mut Validator<'_>, t: &Candidate| {
            let is_good = is_settled(t)
                && is_as_good(t, second, &own.goals)
                && t.unknowns() <= first.unknowns().min(second.unknowns())
                && extent(&t.inputs) <= MAX_EXTENT;
            is_good && self.kills_all(validator, t, &own.mutants)
        };
        let mut found = None;
        for round in 0..MAX_CROSSED {
            if validator.interp().steps() >= self.limit || validator.is_over() {
                break;
            }
            let (basis, donor) = if round % 2 == 0 {
                (&second.inputs, &first.inputs)
            } else {
                (&first.inputs, &second.inputs)
            };
            let Some(inputs) = crossed(validator, mutator, basis, donor) else {
                continue;
            };
            found = validator.validate(inputs).filter(|t| has_all(validator, t));
            if found.is_some() {
                break;
            }
        }
        let Some(found) = found else {
            return false;
        };
        let small = shrink(validator, found.clone(), &own.goals);
        let mut merged = if has_all(validator, &small) {
            small
        } else {
            found
        };
        merged.sole_kill.clone_from(&second.sole_kill);
        validator.learn_calls(&merged.inputs);
        let known: SortedSet<usize> = self.killed_by_test.iter().flatten().copied().collect();
        let mut killed = self.killed_by(validator, &merged, known);
        // If the steps are used up, these are known nevertheless.
        killed.extend(own.mutants);
        if let Some(of_second) = self.killed_by_test.get_mut(j) {
            *of_second = killed;
        }
        if let Some(second) = candidates.get_mut(j) {
            *second = merged;
        }
        self.remove(&SortedSet::from_iter([i]), candidates);
        true
    }

    /// The goals and mutants that only these tests cover and kill.
    fn own(&self, candidates: &[Candidate], tests: &[usize]) -> Own {
        let others = || (0..candidates.len()).filter(|o| !tests.contains(o));
        let covered =
            |g: &GoalId| others().any(|o| candidates.get(o).is_some_and(|t| t.covers.contains(g)));
        let killed =
            |m: &usize| others().any(|o| self.killed_by_test.get(o).is_some_and(|t| t.contains(m)));
        let own = || tests.iter().copied();
        Own {
            goals: own()
                .filter_map(|t| candidates.get(t))
                .flat_map(|t| t.covers.iter().copied())
                .filter(|g| !covered(g))
                .collect(),
            mutants: own()
                .filter_map(|t| self.killed_by_test.get(t))
                .flatten()
                .copied()
                .filter(|m| !killed(m))
                .collect(),
        }
    }

    /// Whether a candidate kills all these mutants. Ends with the first that survives.
    fn kills_all(
        &self,
        validator: &Validator<'_>,
        candidate: &Candidate,
        mutants: &SortedSet<usize>,
    ) -> bool {
        mutants.iter().all(|m| self.kills(validator, candidate, *m))
    }
}

/// The inputs of one test with parts of the other's.
fn crossed(
    validator: &Validator<'_>,
    mutator: &mut Mutator<'_>,
    basis: &Inputs,
    donor: &Inputs,
) -> Option<Inputs> {
    let interp = validator.interp();
    // Arguments without objects are exchanged as a whole.
    let is_plain = basis.heap.objects.is_empty() && donor.heap.objects.is_empty();
    match mutator.random.below(4) {
        0 if is_plain && basis.args.len() > 1 => {
            let mut out = basis.clone();
            out.answers.clear();
            for (arg, other) in out.args.iter_mut().zip(&donor.args) {
                if mutator.random.flip() {
                    arg.clone_from(other);
                }
            }
            Some(out)
        }
        0 | 1 => Some(mutator.changed(interp, basis)),
        _ => {
            let scope = validator.scope(basis);
            mutator.restructured(interp, basis, Some(donor), scope)
        }
    }
}
