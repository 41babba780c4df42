//! New tests for the mutants that survive those of the goals, and the removal of tests that new ones
//! make redundant.
//!
//! [`Table::add_tests`] asks the sources of inputs in the order of their cost. Each test is added
//! because it kills a mutant that survived all tests before ([`Adding::open`]), and is made as
//! small as that allows. [`Table::leave_out`] then removes tests whose goals and mutants others
//! cover.

use std::cmp::Reverse;

use super::api::Equivalence;
use super::diversify::{attempt, rewrite_inputs, vary};
use super::exhaust;
use super::infect::Interest;
use super::mutate::Mutator;
use super::shrink::shrink;
use super::states;
use super::strengthen::{MAX_PARTS, Solver, Table, is_settled, pulled_apart};
use super::validate::{Candidate, Validator};
use dtest_interp::{Execution, Inputs, Runnable};
use dtest_ir::{BlockId, GoalId};
use dtest_mutants::{Mutant, Mutation};
use dtest_sorted::SortedSet;
use dtest_value::Value;

/// Interpreter steps for adding tests, per share.
pub(super) const ADDING_STEPS: u64 = 1_000_000;
/// Interpreter steps for tests with inputs from the pool, per share.
const POOLED_STEPS: u64 = 2_000_000;
/// Maximum number of tests that are added per part of a unit, before redundant tests are removed.
const MAX_ADDED: usize = 32;
/// Maximum number of inputs that are kept as a basis for changed inputs.
const MAX_POOL: usize = 48;
/// The search for surviving mutants before the solver is asked about them has one of so many parts of
/// the steps of the search after that.
const FIRST_PART: usize = 4;
/// The same for the search for inputs of hints.
const HINTS_PART: usize = 2;
/// Factors by which all numbers are multiplied together: sums and products of a few numbers then
/// exceed the constants that a program compares with.
const SCALES: [u32; 2] = [10, 300];

/// The state of adding tests.
pub(super) struct Adding {
    /// Mutants that survive all tests.
    pub(super) open: SortedSet<usize>,
    /// Maximum number of tests.
    most: usize,
    /// Maximum number of conditions with unknown truth in a test.
    unknowns: usize,
    /// Inputs from which changed inputs are made.
    pub(super) pool: Vec<Inputs>,
    /// Traces of the executions so far. Inputs with a new trace join the pool even if they kill
    /// nothing.
    met: SortedSet<Vec<(BlockId, BlockId)>>,
}

impl Adding {
    /// Whether a candidate may become a test: its results are known, and it has no more unknown
    /// conditions than the tests of the goals.
    pub(super) fn admits(&self, candidate: &Candidate) -> bool {
        is_settled(candidate) && candidate.unknowns() <= self.unknowns
    }

    /// Adds the inputs of a candidate that kills nothing to the pool, if its trace is new.
    pub(super) fn remember(&mut self, candidate: Candidate) {
        if !self.met.insert(candidate.execution.trace.clone()) {
            return;
        }
        if self.pool.len() < MAX_POOL {
            self.pool.push(candidate.inputs);
        } else if let Some(older) = self.pool.get_mut(self.met.len() % MAX_POOL) {
            // What reached something new is a better basis than what was there before.
            *older = candidate.inputs;
        }
    }
}

impl Table {
    /// Adds tests for surviving mutants, in the order of cost: from all inputs if they can be
    /// listed, from states of objects, from models of the solver, from changes of parts, from
    /// scaled numbers, and from random changes of the pool. Returns equivalent mutants. The solver
    /// proves equivalence before inputs are searched for in vain.
    pub(super) fn add_tests(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        solver: &Solver<'_>,
    ) -> (Vec<(Mutation, Equivalence)>, bool) {
        // Adding tests has a budget of its own, so that it does not depend on the moves before.
        self.allow(validator, ADDING_STEPS);
        let mut adding = Adding {
            open: self.open(),
            most: candidates.len() + MAX_ADDED * self.parts(),
            unknowns: candidates
                .iter()
                .map(Candidate::unknowns)
                .max()
                .unwrap_or(0),
            pool: candidates.iter().map(|t| t.inputs.clone()).collect(),
            met: candidates
                .iter()
                .map(|t| t.execution.trace.clone())
                .collect(),
        };
        let mut interest = Interest::All;
        // Cheap sources first: all inputs, if there are few.
        let mut equivalent = self.add_all(validator, candidates, &mut adding);
        self.set_aside(&mut adding, &equivalent);
        if self.goes_on(validator, &adding, candidates) {
            let proposed = self.in_states(validator, candidates);
            self.add_best(validator, candidates, &mut adding, proposed);
        }
        self.add_pooled(validator, candidates, &mut adding);
        self.add_coherent(validator, mutator, candidates, &mut adding);
        // Executions cost little compared with queries, and most mutants that some input kills are
        // killed by these. The proposals of the solver keep their steps.
        let left = self.limit.saturating_sub(validator.interp().steps());
        self.add_part_by_part(validator, mutator, candidates, &mut adding);
        self.add_scaled(validator, candidates, &mut adding);
        let hints = self.without_hints(&mut adding);
        self.hunt(validator, mutator, candidates, &mut adding, FIRST_PART);
        self.limit = validator.interp().steps() + left;
        // Local proofs concern conditions only and are cheap. A proved mutant needs no further
        // search.
        if self.goes_on(validator, &adding, candidates) {
            let same = (solver.local)(&self.mutants_of(&adding.open));
            self.set_aside(&mut adding, &same);
            equivalent.extend(same);
        }
        // Asking for a different outcome yields inputs that kill directly, but not every unit can
        // be compared.
        if self.goes_on(validator, &adding, candidates)
            && let Some(proposed) = (solver.outcome)(&self.mutants_of(&adding.open))
        {
            self.add_best(validator, candidates, &mut adding, proposed.inputs);
            self.set_aside(&mut adding, &proposed.equivalent);
            equivalent.extend(proposed.equivalent);
            interest = Interest::Equivalence;
        }
        // Infection is necessary for a kill and can be asked for every mutant. If the outcome was
        // compared before, only proofs are still of interest.
        if self.goes_on(validator, &adding, candidates) {
            let infected = (solver.infect)(&self.mutants_of(&adding.open), interest);
            self.add_best(validator, candidates, &mut adding, infected.inputs);
            self.set_aside(&mut adding, &infected.equivalent);
            equivalent.extend(infected.equivalent);
        }
        let is_cut = self.hunt(validator, mutator, candidates, &mut adding, 1);
        self.hunt_hints(validator, mutator, candidates, &mut adding, hints);
        // A mutant that a test kills is not equivalent, whatever was reported within bounds.
        let is_killed = |m: &Mutation| {
            self.killed_by_test.iter().flatten().any(|i| {
                self.mutants
                    .get(*i)
                    .is_some_and(|r| r.mutant.mutation == *m)
            })
        };
        equivalent.retain(|(m, _)| !is_killed(m) && !m.is_hint);
        (equivalent, is_cut)
    }

    /// Takes the hints out of the surviving mutants. There are many of them, and most have no inputs, so
    /// that they would take turns of the search from the mutants.
    fn without_hints(&self, adding: &mut Adding) -> SortedSet<usize> {
        let is_hint = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| m.mutant.mutation.is_hint)
        };
        let hints: SortedSet<usize> = adding.open.iter().copied().filter(is_hint).collect();
        adding.open.retain(|m| !hints.contains(m));
        hints
    }

    /// Searches for inputs of the hints that no test kills.
    fn hunt_hints(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
        mut hints: SortedSet<usize>,
    ) {
        self.allow(validator, ADDING_STEPS);
        for candidate in candidates.iter().filter(|t| t.sole_kill.is_some()) {
            let killed = self.killed_by(validator, candidate, hints.iter().copied());
            hints.retain(|m| !killed.contains(m));
        }
        let mutants = std::mem::replace(&mut adding.open, hints);
        self.hunt(validator, mutator, candidates, adding, HINTS_PART);
        adding.open.extend(mutants);
    }

    /// Adds tests with inputs from the pool, within a step limit of their own.
    pub(super) fn add_pooled(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        let left = self.limit.saturating_sub(validator.interp().steps());
        self.allow(validator, POOLED_STEPS);
        if self.goes_on(validator, adding, candidates) {
            let pooled = validator.pooled().to_vec();
            self.add_best(validator, candidates, adding, pooled);
        }
        self.limit = validator.interp().steps() + left;
    }

    /// Adds tests that differ from others in one part of their inputs, if these reach the place of
    /// a surviving mutant. Uses at most half of the remaining steps.
    pub(super) fn add_part_by_part(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        // Half of the remaining steps, so that the later sources get their share.
        let (whole, now) = (self.limit, validator.interp().steps());
        self.limit = now + whole.saturating_sub(now) / 2;
        self.add_parts(validator, mutator, candidates, adding);
        self.limit = whole;
    }

    pub(super) fn add_parts(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        for i in 0..candidates.len() {
            for at in 0..MAX_PARTS {
                let Some(candidate) = candidates
                    .get(i)
                    .filter(|t| is_settled(t) && self.reaches_some(validator, t, &adding.open))
                else {
                    break;
                };
                if !self.goes_on(validator, adding, candidates) {
                    return;
                }
                let Some(inputs) = mutator.with_part(validator.interp(), &candidate.inputs, at)
                else {
                    break;
                };
                if inputs != candidate.inputs
                    && let Some((candidate, new)) = self.tried(validator, adding, inputs)
                {
                    self.add(validator, candidates, adding, candidate, new);
                }
            }
        }
    }

    /// Adds tests with scaled numbers. Stops at the first execution that does not end.
    pub(super) fn add_scaled(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        // Larger numbers may make loops endless, which costs a full execution each.
        let endless = validator.endless;
        for by in SCALES {
            let larger: Vec<Inputs> = adding
                .pool
                .iter()
                .filter_map(|inputs| scaled(inputs, by))
                .collect();
            for inputs in larger {
                if validator.endless > endless || !self.goes_on(validator, adding, candidates) {
                    return;
                }
                self.add_best(validator, candidates, adding, vec![inputs]);
            }
        }
    }

    /// The inputs of the first test with an expected value, with objects in other states that calls
    /// lead to.
    pub(super) fn in_states(
        &self,
        validator: &Validator<'_>,
        candidates: &[Candidate],
    ) -> Vec<Inputs> {
        let Some(first) = candidates.iter().find(|t| is_settled(t)) else {
            return Vec::new();
        };
        // All inputs of a unit have the same type arguments.
        let type_args = &first.inputs.type_args;
        let given = validator.given(type_args);
        states::inputs(
            validator.interp().program(),
            validator.interp(),
            validator.procedure(),
            type_args,
            &|ty| given.of(ty),
        )
    }

    /// Adds tests from all inputs of the unit, if they can be listed. Returns the mutants that
    /// behave like the unit on each input: these are equivalent.
    pub(super) fn add_all(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) -> Vec<(Mutation, Equivalence)> {
        if adding.open.is_empty() {
            return Vec::new();
        }
        let Some(all) = exhaust::all_inputs(validator.interp(), validator.procedure()) else {
            return Vec::new();
        };
        self.add_best(validator, candidates, adding, all.clone());
        let (interp, unit) = (validator.interp(), validator.procedure().callable);
        // The unit's executions are computed once and compared with every mutant.
        let executions: Vec<(Inputs, Execution)> = all
            .into_iter()
            .map(|i| (i.clone(), interp.run(unit, &i)))
            .collect();
        let is_same = |m: &Runnable| {
            let goes_on = || interp.steps() < self.limit && !validator.is_over();
            executions.iter().all(|(inputs, execution)| {
                goes_on() && interp.does_the_same(unit, m, inputs, execution)
            })
        };
        let same = adding
            .open
            .iter()
            .filter_map(|m| self.mutants.get(*m))
            .filter(|m| is_same(m));
        same.map(|m| (m.mutant.mutation.clone(), Equivalence::Proved))
            .collect()
    }

    /// Removes the mutants that are proved equivalent from the surviving ones. Equivalence within
    /// bounds is not enough.
    pub(super) fn set_aside(&self, adding: &mut Adding, equivalent: &[(Mutation, Equivalence)]) {
        let proved: Vec<&Mutation> = equivalent
            .iter()
            .filter(|(_, how)| *how == Equivalence::Proved)
            .map(|(m, _)| m)
            .collect();
        let is_proved = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| proved.contains(&&m.mutant.mutation))
        };
        adding.open.retain(|m| !is_proved(m));
    }

    /// The mutants with these numbers, for the solver. Hints are not worth its time: many of them
    /// are equivalent.
    pub(super) fn mutants_of(&self, numbers: &SortedSet<usize>) -> Vec<&Mutant> {
        numbers
            .iter()
            .filter_map(|m| self.mutants.get(*m))
            .map(|m| &m.mutant)
            .filter(|m| !m.mutation.is_hint)
            .collect()
    }

    /// Whether further candidates are worth validating.
    pub(super) fn goes_on(
        &self,
        validator: &Validator<'_>,
        adding: &Adding,
        candidates: &[Candidate],
    ) -> bool {
        !adding.open.is_empty()
            && candidates.len() < adding.most
            && validator.interp().steps() < self.limit
            && !validator.is_over()
    }

    /// Adds tests with those of the proposed inputs that kill surviving mutants, greedily the one
    /// that kills the most.
    pub(super) fn add_best(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
        proposed: Vec<Inputs>,
    ) {
        let mut found: Vec<(Candidate, SortedSet<usize>)> = Vec::new();
        // All proposals are validated before the choice, because the best one is not known earlier.
        for inputs in proposed {
            if self.goes_on(validator, adding, candidates) {
                found.extend(self.tried(validator, adding, inputs));
            }
        }
        // Found tests are added even if finding them exhausted the steps.
        while !adding.open.is_empty() && candidates.len() < adding.most && !validator.is_over() {
            // A mutant that an added test kills is no reason for another test.
            for (_, killed) in &mut found {
                killed.retain(|m| adding.open.contains(m));
            }
            let best = (0..found.len())
                .max_by_key(|i| (found.get(*i).map(|(_, killed)| killed.len()), Reverse(*i)));
            let Some((candidate, killed)) = best
                .map(|i| found.swap_remove(i))
                .filter(|(_, killed)| !killed.is_empty())
            else {
                break;
            };
            self.add(validator, candidates, adding, candidate, killed);
        }
    }

    /// Validates inputs. Returns the candidate with the surviving mutants that it kills, or `None`
    /// if it kills none. Then its inputs join the pool if their trace is new.
    pub(super) fn tried(
        &mut self,
        validator: &mut Validator<'_>,
        adding: &mut Adding,
        inputs: Inputs,
    ) -> Option<(Candidate, SortedSet<usize>)> {
        // A test must not have more unknown conditions than those of the goals.
        let candidate = validator.validate(inputs).filter(|t| adding.admits(t))?;
        let killed = self.killed_by(validator, &candidate, adding.open.iter().copied());
        if killed.is_empty() {
            // A new trace is a basis for further changes.
            adding.remember(candidate);
            return None;
        }
        Some((candidate, killed))
    }

    /// Adds a test that kills the mutants `killed`. Its inputs are simplified and diversified as
    /// long as it kills all of them.
    pub(super) fn add(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
        mut candidate: Candidate,
        killed: SortedSet<usize>,
    ) {
        let Some(first) = killed.first().and_then(|m| self.mutants.get(*m)) else {
            return;
        };
        let mutation = first.mutant.mutation.clone();
        // The goals of the candidate must stay covered while it is simplified.
        let keep = candidate.covers.iter().copied().collect();
        let small = |validator: &mut Validator<'_>, candidate: &Candidate| {
            Some(shrink(validator, candidate.clone(), &keep))
        };
        // Simplify first, then make numbers different: simplified values are equal too often.
        let changes: [&Change<'_>; 3] = [&small, &apart, &varied];
        for change in changes {
            let better = change(validator, &candidate).filter(is_settled);
            if let Some(better) = better.filter(|b| {
                self.killed_by(validator, b, killed.iter().copied()).len() == killed.len()
            }) {
                candidate = better;
            }
        }
        candidate.sole_kill = Some(mutation);
        validator.learn_calls(&candidate.inputs);
        adding.pool.push(candidate.inputs.clone());
        candidates.push(candidate);
        adding.open.retain(|m| !killed.contains(m));
        self.killed_by_test.push(killed);
    }

    /// Removes tests whose goals and mutants other tests cover, those that kill the fewest first.
    /// If the steps do not suffice to know everything that the added tests kill, less is removed:
    /// every mutant that was killed stays killed by a test that is known to kill it.
    pub(super) fn leave_out(&mut self, validator: &Validator<'_>, candidates: &mut Vec<Candidate>) {
        self.allow(validator, ADDING_STEPS);
        let added: Vec<usize> = (0..candidates.len())
            .filter(|i| candidates.get(*i).is_some_and(|t| t.sole_kill.is_some()))
            .collect();
        if added.is_empty() || validator.is_over() {
            return;
        }
        // So far, an added test was only run on the mutants that survived when it was added.
        let mut partly_known = SortedSet::new();
        for i in added {
            if let Some(candidate) = candidates.get(i) {
                let killed = self.killed_by(validator, candidate, self.all());
                self.killed_by_test
                    .get_mut(i)
                    .into_iter()
                    .for_each(|t| t.extend(&killed));
            }
            if validator.interp().steps() >= self.limit {
                partly_known.insert(i);
            }
        }
        if !partly_known.is_empty() {
            self.allow(validator, ADDING_STEPS);
        }
        // Tests that kill little are removed first, so that those that remain kill much.
        let mut order: Vec<usize> = (0..candidates.len())
            .filter(|i| candidates.get(*i).is_some_and(is_settled))
            .collect();
        order.sort_by_key(|i| self.killed_by_test.get(*i).map(SortedSet::len));
        let mut left_out = SortedSet::new();
        for i in order {
            let Some(candidate) = candidates.get(i) else {
                continue;
            };
            // Redundant with respect to the tests that have not been removed.
            let others: Vec<usize> = (0..candidates.len())
                .filter(|o| *o != i && !left_out.contains(o))
                .collect();
            let covered = |g: &GoalId| {
                others
                    .iter()
                    .any(|o| candidates.get(*o).is_some_and(|t| t.covers.contains(g)))
            };
            if candidate.covers.iter().all(covered)
                && self.others_kill(validator, candidates, i, &others, &partly_known)
            {
                left_out.insert(i);
            }
        }
        // Both lists must stay parallel.
        let is_kept: Vec<bool> = (0..candidates.len())
            .map(|i| !left_out.contains(&i))
            .collect();
        let (mut of_trials, mut of_killed) = (is_kept.iter(), is_kept.iter());
        candidates.retain(|_| of_trials.next() == Some(&true));
        self.killed_by_test
            .retain(|_| of_killed.next() == Some(&true));
        // An added test may now be the only one that reaches a goal. Then the goal is its purpose.
        let goals: SortedSet<GoalId> = candidates
            .iter()
            .filter(|t| t.sole_kill.is_none())
            .flat_map(|t| t.covers.iter().copied())
            .collect();
        for candidate in candidates
            .iter_mut()
            .filter(|t| t.covers.iter().any(|g| !goals.contains(g)))
        {
            candidate.sole_kill = None;
        }
    }

    /// Whether the tests `others` kill all mutants that test `i` kills. What is not known of the tests
    /// in `partly_known` is tried, as long as there are steps.
    fn others_kill(
        &mut self,
        validator: &Validator<'_>,
        candidates: &[Candidate],
        i: usize,
        others: &[usize],
        partly_known: &SortedSet<usize>,
    ) -> bool {
        let killed = self.killed_by_test.get(i).cloned().unwrap_or_default();
        let is_known = |table: &Self, m: usize| {
            others
                .iter()
                .any(|o| table.killed_by_test.get(*o).is_some_and(|t| t.contains(&m)))
        };
        let open: Vec<usize> = killed.into_iter().filter(|m| !is_known(self, *m)).collect();
        open.into_iter().all(|m| {
            let killer = others
                .iter()
                .filter(|o| partly_known.contains(o))
                .find(|o| {
                    candidates
                        .get(**o)
                        .is_some_and(|t| !self.killed_by(validator, t, [m]).is_empty())
                });
            if let Some(killed) = killer.and_then(|o| self.killed_by_test.get_mut(*o)) {
                killed.insert(m);
            }
            killer.is_some()
        })
    }
}

/// A change that yields a better test with the same goals, or `None`.
type Change<'c> = dyn Fn(&mut Validator<'_>, &Candidate) -> Option<Candidate> + 'c;

fn apart(validator: &mut Validator<'_>, candidate: &Candidate) -> Option<Candidate> {
    attempt(validator, candidate, pulled_apart(&candidate.inputs))
}

fn varied(validator: &mut Validator<'_>, candidate: &Candidate) -> Option<Candidate> {
    Some(vary(validator, candidate.clone()))
}

/// The inputs with all numbers multiplied by `by`, or `None` if that changes nothing.
fn scaled(inputs: &Inputs, by: u32) -> Option<Inputs> {
    let scaled = rewrite_inputs(inputs, &mut |v| {
        if let Value::Int(n) = v {
            Some(Value::Int(n * by))
        } else {
            None
        }
    });
    (scaled != *inputs).then_some(scaled)
}

#[cfg(test)]
mod tests {
    use super::scaled;
    use dtest_interp::Inputs;
    use dtest_value::Value;

    #[test]
    fn all_numbers_are_scaled_together_at_any_depth() {
        let with = |args: Vec<Value>| Inputs {
            args,
            ..Inputs::default()
        };
        let inputs = with(vec![
            Value::int(2),
            Value::seq([Value::int(3), Value::int(-1)]),
        ]);
        let expected = with(vec![
            Value::int(20),
            Value::seq([Value::int(30), Value::int(-10)]),
        ]);
        assert_eq!(scaled(&inputs, 10), Some(expected));
        // Zero stays, so that there is nothing to try.
        assert_eq!(
            scaled(&with(vec![Value::int(0), Value::Bool(true)]), 10),
            None
        );
    }
}
