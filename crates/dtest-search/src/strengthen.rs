//! Mutation testing of a suite: tests are moved to inputs on which they kill more mutants of the
//! unit ([`Interp::mutants`]), and optionally tests are added for the mutants that survive (after
//! Fraser and Zeller, *Mutation-Driven Generation of Unit Tests and Oracles*, 2012).
//!
//! [`strengthen`] is the entry point. Its `Table` records which test kills which mutant. Every step
//! keeps two invariants: the suite covers the same goals as before, and every killed mutant stays
//! killed. The hard part is the cost, because each question runs a mutant: all loops are limited by
//! interpreter steps, which are the same on every machine.
//!
//! [`Interp::mutants`]: dtest_interp::Interp::mutants

use std::cmp::Reverse;
use std::sync::Arc;

use num_bigint::BigInt;

use super::api::Equivalence;
use super::construct::Constructor;
use super::diversify::{attempt, rewrite_inputs, vary};
use super::exhaust;
use super::infect::{Infected, Interest};
use super::mutate::Mutator;
use super::sequences::Sequences;
use super::shrink::{is_as_good, shrink};
use super::states::{self, Reached};
use super::validate::{Candidate, Validator};
use dafny_resolve::typed::CallableKind;
use dtest_interp::{Execution, Inputs, Runnable};
use dtest_ir::{BlockId, GoalId};
use dtest_mutants::{Mutant, Mutation};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Contents, ObjectId, Value};

/// Maximum number of mutants of a unit that are run. Of more, an evenly spaced sample is taken.
const MAX_MUTANTS: usize = 1_000;
/// Number of mutants of a unit of common size. The limits below are multiplied for units with more.
const COMMON_MUTANTS: usize = 100;
/// Maximum number of consecutive inputs per test that kill no further mutant.
const MAX_IDLE: usize = 32;
/// Maximum number of parts of a test's inputs that are changed one by one.
const MAX_PARTS: usize = 160;
/// Interpreter steps for moving the tests, per share.
const MAX_STEPS: u64 = 3_000_000;
/// Maximum number of shares: callables of an entry, or parts of a large unit, each of which pays
/// for the limits below.
const MAX_SHARES: usize = 8;
/// Interpreter steps for an entry with a large call tree. Every execution is long there and there
/// are many mutants, and their total cost must not grow faster than the program.
const LARGE_TREE_STEPS: u64 = 50_000;
/// Interpreter steps for adding tests, per share.
const ADDING_STEPS: u64 = 1_000_000;
/// Interpreter steps for tests with inputs from the pool, per share.
const POOLED_STEPS: u64 = 2_000_000;
/// Interpreter steps for replacing states of objects, per share.
const REMAKING_STEPS: u64 = 1_000_000;
/// Maximum number of tests that are added per part of a unit, before redundant tests are removed.
const MAX_ADDED: usize = 32;
/// Maximum number of inputs that are kept as a basis for changed inputs.
const MAX_POOL: usize = 48;
/// Factors by which all numbers are multiplied together: sums and products of a few numbers then
/// exceed the constants that a program compares with.
const SCALES: [u32; 2] = [10, 300];
/// Maximum number of tests from which tests with fewer elements are derived.
const MAX_THINNED: usize = 8;
/// Offsets that are added to all numbers together: order and differences stay the same.
const SHIFTS: [i64; 5] = [3, 1, 7, -1, -4];

/// Replaces the inputs of tests by inputs that kill more mutants. Every goal stays covered and
/// every killed mutant stays killed. With a `solver`, tests are added for surviving mutants, and
/// then tests are removed whose goals and mutants other tests cover. `effort` is the factor by which
/// the search for surviving mutants may take more steps than usual.
pub(super) fn strengthen(
    validator: &mut Validator<'_>,
    mutator: &mut Mutator<'_>,
    candidates: &mut Vec<Candidate>,
    solver: Option<&Solver<'_>>,
    effort: u64,
) -> Strengthened {
    let (findings, blocked, blocked_goals) = (
        validator.findings.len(),
        validator.blocked.clone(),
        validator.blocked_goals.clone(),
    );
    // Only a test with an expected value kills by comparing results. If there is none, smaller
    // collections may make the choices immaterial.
    if solver.is_some() && !candidates.iter().any(is_settled) {
        candidates.extend(with_fewer_choices(validator, candidates));
    }
    let mut table = Table::new(validator, candidates);
    table.effort = effort;
    validator.keep_short(candidates.iter());
    for (i, candidate) in candidates.iter_mut().enumerate() {
        if is_settled(candidate) {
            table.move_test(validator, mutator, i, candidate);
        }
    }
    let (mut equivalent, mut is_cut) = (Vec::new(), false);
    if let Some(solver) = solver
        && candidates.iter().any(is_settled)
    {
        (equivalent, is_cut) = table.add_tests(validator, mutator, candidates, solver);
        table.leave_out(validator, candidates);
    }
    table.remake(validator, mutator, candidates);
    if solver.is_some() {
        table.add_larger(validator, mutator, candidates);
    }
    // Last, because a larger input may kill what an added test kills.
    table.name_purposes(validator, candidates);
    validator.interp().keep_short(None);
    // Candidates that were validated on the way are not inputs that the search was asked for: their
    // violations are dropped.
    validator.findings.truncate(findings);
    (validator.blocked, validator.blocked_goals) = (blocked, blocked_goals);
    Strengthened { equivalent, is_cut }
}

/// The result of [`strengthen`], besides the tests.
pub(super) struct Strengthened {
    /// The mutants that are equivalent to the unit.
    pub(super) equivalent: Vec<(Mutation, Equivalence)>,
    /// Whether the search for surviving mutants still made progress when its steps were used.
    pub(super) is_cut: bool,
}

/// Equivalent mutations, with the certainty of that result.
type Settled = Vec<(Mutation, Equivalence)>;

/// The queries about mutants that the solver answers.
pub(super) struct Solver<'a> {
    /// Returns mutants that make no difference at the changed place, whatever the state.
    pub(super) local: &'a dyn Fn(&[&Mutant]) -> Settled,
    /// Returns inputs on which some mutants may have a different outcome, and mutants that never
    /// have one. `None` if the unit cannot be compared in this way.
    pub(super) outcome: &'a dyn Fn(&[&Mutant]) -> Option<Infected>,
    /// Returns inputs on which some mutants differ at the changed place, and mutants that never
    /// differ there. With [`Interest::Equivalence`], only the latter are of interest.
    pub(super) infect: &'a dyn Fn(&[&Mutant], Interest) -> Infected,
}

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
        if self.pool.len() < MAX_POOL && self.met.insert(candidate.execution.trace.clone()) {
            self.pool.push(candidate.inputs);
        }
    }
}

/// The mutants that each test kills.
pub(super) struct Table {
    pub(super) mutants: Vec<Runnable>,
    /// The mutations that are no mutants and only guide the search.
    hinted: Vec<Mutation>,
    /// The mutants that each test is known to kill, in the order of the tests.
    pub(super) killed_by_test: Vec<SortedSet<usize>>,
    /// Number of callables whose goals count for the unit, the unit included.
    callables: usize,
    /// Interpreter steps after which no more candidates are run.
    pub(super) limit: u64,
    /// The factor of the steps of the search for surviving mutants.
    pub(super) effort: u64,
}

impl Table {
    fn new(validator: &Validator<'_>, candidates: &[Candidate]) -> Self {
        let all = validator.interp().mutants(validator.procedure().callable);
        // Of too many mutants, every n-th one is kept, so that all parts of the unit are
        // represented.
        let parts = all.len().div_ceil(MAX_MUTANTS).max(1);
        let hints = validator.interp().hints(validator.procedure().callable);
        let hinted = hints.iter().map(|m| m.mutation.clone()).collect();
        let mutants = all
            .into_iter()
            .step_by(parts)
            .chain(hints)
            .filter_map(|m| validator.interp().runnable(m))
            .collect();
        let system = validator
            .interp()
            .program()
            .systems
            .get(&validator.procedure().callable);
        let callables = 1 + system.map_or(0, |s| s.callees.len());
        let mut table = Self {
            mutants,
            hinted,
            killed_by_test: Vec::with_capacity(candidates.len()),
            callables,
            limit: 0,
            effort: 1,
        };
        // Only runs of mutants are limited here; the candidates themselves have been executed
        // already.
        table.allow(validator, MAX_STEPS);
        for candidate in candidates {
            let killed = table.killed_by(validator, candidate, table.all());
            table.killed_by_test.push(killed);
        }
        table
    }

    /// Number of shares: multiples of the limits for one callable of common size.
    pub(super) fn shares(&self) -> usize {
        self.callables.max(self.parts()).min(MAX_SHARES)
    }

    /// Number of units of common size that would have as many mutants.
    pub(super) fn parts(&self) -> usize {
        (self.mutants.len() / COMMON_MUTANTS).clamp(1, MAX_SHARES)
    }

    /// Sets the limit: `steps` more for each share.
    pub(super) fn allow(&mut self, validator: &Validator<'_>, steps: u64) {
        let is_large = validator
            .interp()
            .program()
            .call_tree_size(validator.procedure().callable)
            > super::LARGE_TREE_CALLS;
        let steps = if is_large {
            LARGE_TREE_STEPS
        } else {
            steps * self.shares() as u64
        };
        self.limit = validator.interp().steps() + steps;
    }

    fn all(&self) -> SortedSet<usize> {
        (0..self.mutants.len()).collect()
    }

    /// The mutants that survive all tests.
    fn open(&self) -> SortedSet<usize> {
        let killed: SortedSet<usize> = self.killed_by_test.iter().flatten().copied().collect();
        self.all().difference(&killed).copied().collect()
    }

    /// The subset of `mutants` that the candidate kills.
    pub(super) fn killed_by(
        &self,
        validator: &Validator<'_>,
        candidate: &Candidate,
        mutants: impl IntoIterator<Item = usize>,
    ) -> SortedSet<usize> {
        let (interp, unit) = (validator.interp(), validator.procedure().callable);
        // Without an expected value, a test cannot compare results.
        if !is_settled(candidate) {
            return SortedSet::new();
        }
        let tried = mutants
            .into_iter()
            .take_while(|_| interp.steps() < self.limit && !validator.is_over());
        let differs = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| interp.kills(unit, m, &candidate.inputs, &candidate.execution))
        };
        tried.filter(differs).collect()
    }

    /// Replaces the inputs of one test as long as that kills more mutants: first by inputs near its
    /// own, then by changes of single parts.
    fn move_test(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        i: usize,
        candidate: &mut Candidate,
    ) {
        // First phase: inputs near those of the test, until a number of them in a row kills nothing
        // more.
        let (mut idle, mut round) = (0, 0);
        let mut open = self.open();
        while idle < MAX_IDLE && !open.is_empty() && validator.interp().steps() < self.limit {
            let Some(inputs) = nearby_inputs(validator, mutator, &candidate.inputs, round) else {
                break;
            };
            (idle, round) = (idle + 1, round + 1);
            // After a success, the search starts anew from the better inputs.
            if self.moved(validator, i, candidate, inputs, &mut open) {
                (idle, round) = (0, 0);
            }
        }
        // Single parts are changed only if the test reaches the place of a surviving mutant.
        if !self.reaches_some(validator, candidate, &open) {
            return;
        }
        for at in 0..MAX_PARTS {
            if validator.interp().steps() >= self.limit || validator.is_over() {
                break;
            }
            let Some(inputs) = mutator.with_part(validator.interp(), &candidate.inputs, at) else {
                break;
            };
            self.moved(validator, i, candidate, inputs, &mut open);
        }
    }

    /// Whether the candidate reaches the changed place of at least one of the mutants.
    fn reaches_some(
        &self,
        validator: &Validator<'_>,
        candidate: &Candidate,
        mutants: &SortedSet<usize>,
    ) -> bool {
        let (interp, unit) = (validator.interp(), validator.procedure().callable);
        let comes = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| interp.may_reach(unit, m, &candidate.execution))
        };
        mutants.iter().any(comes)
    }

    /// Replaces the inputs of a test if that kills a surviving mutant in `open` and every mutant
    /// that only this test killed. Returns whether it did.
    fn moved(
        &mut self,
        validator: &mut Validator<'_>,
        i: usize,
        candidate: &mut Candidate,
        inputs: Inputs,
        open: &mut SortedSet<usize>,
    ) -> bool {
        if inputs == candidate.inputs {
            return false;
        }
        let Some(better) = attempt(validator, candidate, inputs).filter(is_settled) else {
            return false;
        };
        // Surviving mutants first: most candidates kill none, and are discarded at the lowest cost.
        let new = self.killed_by(validator, &better, open.iter().copied());
        if new.is_empty() {
            return false;
        }
        // Mutants that only this test kills must stay killed; those of other tests may be lost
        // here.
        let others: SortedSet<usize> = self
            .killed_by_test
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .flat_map(|(_, t)| t.iter().copied())
            .collect();
        let Some(mine) = self.killed_by_test.get(i) else {
            return false;
        };
        let needed: SortedSet<usize> = mine.difference(&others).copied().collect();
        let kept = self.killed_by(validator, &better, needed.iter().copied());
        if kept.len() < needed.len() {
            return false;
        }
        // Mutants that other tests kill are recorded, too: removing redundant tests depends on
        // them.
        let rest = self.killed_by(validator, &better, others.iter().copied());
        if let Some(mine) = self.killed_by_test.get_mut(i) {
            *mine = new.into_iter().chain(kept).chain(rest).collect();
        }
        *candidate = better;
        *open = self.open();
        true
    }

    /// Adds tests for surviving mutants, in the order of cost: from all inputs if they can be
    /// listed, from states of objects, from models of the solver, from changes of parts, from
    /// scaled numbers, and from random changes of the pool. Returns equivalent mutants. The solver
    /// proves equivalence before inputs are searched for in vain.
    fn add_tests(
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
        self.add_part_by_part(validator, mutator, candidates, &mut adding);
        self.add_scaled(validator, candidates, &mut adding);
        let is_cut = self.hunt(validator, mutator, candidates, &mut adding);
        // A mutant that a test kills is not equivalent, whatever was reported within bounds.
        let is_killed = |m: &Mutation| {
            self.killed_by_test.iter().flatten().any(|i| {
                self.mutants
                    .get(*i)
                    .is_some_and(|r| r.mutant.mutation == *m)
            })
        };
        equivalent.retain(|(m, _)| !is_killed(m) && !self.hinted.contains(m));
        (equivalent, is_cut)
    }

    /// Adds tests with inputs from the pool, within a step limit of their own.
    fn add_pooled(
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
    fn add_part_by_part(
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

    fn add_parts(
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
    fn add_scaled(
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
    fn in_states(&self, validator: &Validator<'_>, candidates: &[Candidate]) -> Vec<Inputs> {
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
    fn add_all(
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
    fn set_aside(&self, adding: &mut Adding, equivalent: &[(Mutation, Equivalence)]) {
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
    fn mutants_of(&self, numbers: &SortedSet<usize>) -> Vec<&Mutant> {
        numbers
            .iter()
            .filter_map(|m| self.mutants.get(*m))
            .map(|m| &m.mutant)
            .filter(|m| !self.hinted.contains(&m.mutation))
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
    fn tried(
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
    /// If the steps do not suffice to know all mutants that the added tests kill, no test is
    /// removed.
    fn leave_out(&mut self, validator: &Validator<'_>, candidates: &mut Vec<Candidate>) {
        self.allow(validator, ADDING_STEPS);
        let added: Vec<usize> = (0..candidates.len())
            .filter(|i| candidates.get(*i).is_some_and(|t| t.sole_kill.is_some()))
            .collect();
        // So far, an added test was only run on the mutants that survived when it was added.
        for i in &added {
            if let Some(candidate) = candidates.get(*i) {
                let killed = self.killed_by(validator, candidate, self.all());
                self.killed_by_test
                    .get_mut(*i)
                    .into_iter()
                    .for_each(|t| t.extend(&killed));
            }
        }
        if added.is_empty() || validator.interp().steps() >= self.limit || validator.is_over() {
            return;
        }
        // Tests that kill little are removed first, so that those that remain kill much.
        let mut order: Vec<usize> = (0..candidates.len())
            .filter(|i| candidates.get(*i).is_some_and(is_settled))
            .collect();
        order.sort_by_key(|i| self.killed_by_test.get(*i).map(SortedSet::len));
        let mut left_out = SortedSet::new();
        for i in order {
            let (Some(candidate), Some(killed)) = (candidates.get(i), self.killed_by_test.get(i))
            else {
                continue;
            };
            // Redundant with respect to the tests that have not been removed.
            let others = || (0..candidates.len()).filter(|o| *o != i && !left_out.contains(o));
            let covered = |g: &GoalId| {
                others().any(|o| candidates.get(o).is_some_and(|t| t.covers.contains(g)))
            };
            let is_killed = |m: &usize| {
                others().any(|o| self.killed_by_test.get(o).is_some_and(|t| t.contains(m)))
            };
            if candidate.covers.iter().all(covered) && killed.iter().all(is_killed) {
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
}

impl Table {
    /// Names for each added test a mutant that no other test of the unit kills. A test without such
    /// a mutant is named after its goals, or removed if other tests cover these.
    fn name_purposes(&mut self, validator: &Validator<'_>, candidates: &mut Vec<Candidate>) {
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
        let mut numbers = 0..candidates.len();
        candidates.retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
        let mut numbers = 0..self.killed_by_test.len();
        self.killed_by_test
            .retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
    }

    /// Whether a test with the candidate's inputs fails on a mutant.
    fn kills(&self, validator: &Validator<'_>, candidate: &Candidate, mutant: usize) -> bool {
        let (interp, unit) = (validator.interp(), validator.procedure().callable);
        !candidate.execution.linked
            && interp.steps() < self.limit
            && self.mutants.get(mutant).is_some_and(|m| {
                interp.is_noticed(unit, m, &candidate.inputs, &candidate.execution)
            })
    }

    /// Replaces objects that were created field by field by objects in states that calls lead to,
    /// if the test still covers its goals and kills the mutants that only it killed. Only such
    /// states occur in real use: a constructor relates the fields to each other.
    fn remake(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut [Candidate],
    ) {
        self.allow(validator, REMAKING_STEPS);
        let mut sequences = Sequences::default();
        let mut constructor = Constructor::new(validator.interp().program());
        // Objects of tests without an expected value are left alone, because kills could not be
        // compared.
        for (i, candidate) in candidates
            .iter_mut()
            .enumerate()
            .filter(|(_, t)| is_settled(t))
        {
            let mut next = 0;
            while let Some(id) =
                next_made_by_hand(validator, &mut constructor, &candidate.inputs, next)
            {
                next = id.0 + 1;
                // The constructions found so far remain valid without further steps.
                if validator.interp().steps() >= self.limit || validator.is_over() {
                    return;
                }
                let (program, interp) = (validator.interp().program(), validator.interp());
                let near = states::near(program, interp, &candidate.inputs, id);
                let remade = self.remade(validator, candidate, i, id, near).or_else(|| {
                    // More calls are expensive, so that they come second.
                    let near = sequences.toward(validator, mutator, &candidate.inputs, id);
                    self.remade(validator, candidate, i, id, near)
                });
                if let Some((better, killed)) = remade {
                    *candidate = better;
                    self.killed_by_test
                        .get_mut(i)
                        .into_iter()
                        .for_each(|t| t.clone_from(&killed));
                }
            }
        }
    }

    /// A candidate like the test with one object in one of the states `near`, and the mutants
    /// that it kills. All mutants that only this test killed are among them.
    fn remade(
        &self,
        validator: &mut Validator<'_>,
        candidate: &Candidate,
        i: usize,
        id: ObjectId,
        near: Vec<Reached>,
    ) -> Option<(Candidate, SortedSet<usize>)> {
        let killed = self.killed_by_test.get(i)?;
        let others: SortedSet<usize> = self
            .killed_by_test
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .flat_map(|(_, t)| t)
            .copied()
            .collect();
        // The mutant that the test is named after must stay killed even if other tests kill it,
        // too.
        let is_purpose = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| Some(&m.mutant.mutation) == candidate.sole_kill.as_ref())
        };
        let needed: SortedSet<usize> = killed
            .iter()
            .copied()
            .filter(|m| !others.contains(m) || is_purpose(m))
            .collect();
        let class = candidate.inputs.heap.objects.get(id.0 as usize)?.ty.clone();
        for state in near {
            if validator.interp().steps() >= self.limit {
                return None;
            }
            let Some(inputs) = states::exchanged(&candidate.inputs, id, &state) else {
                continue;
            };
            let Some(mut better) = validator.validate(inputs) else {
                continue;
            };
            // Goals, kills and checks must be at least those of the original test.
            let is_worse =
                !is_as_good(&better, candidate, &candidate.covers) || !is_settled(&better);
            if is_worse
                || self
                    .killed_by(validator, &better, needed.iter().copied())
                    .len()
                    < needed.len()
            {
                continue;
            }
            let killed = self.killed_by(validator, &better, killed.iter().copied());
            // The calls are recorded, so that the test can construct the object by them.
            validator.learn(&candidate.inputs.type_args, &class, state);
            better.given = validator.given_in(&better.inputs);
            better.sole_kill.clone_from(&candidate.sole_kill);
            return Some((better, killed));
        }
        None
    }
}

/// The first argument that is an object with a number of at least `from` and whose state no calls
/// are known to lead to.
fn next_made_by_hand(
    validator: &Validator<'_>,
    constructor: &mut Constructor<'_>,
    inputs: &Inputs,
    from: u32,
) -> Option<ObjectId> {
    let receiver = usize::from(
        validator.interp().program().typed[validator.procedure().callable].kind
            == CallableKind::Constructor,
    );
    let ids = inputs.args.iter().skip(receiver).filter_map(|v| {
        if let Value::Ref(id) = v
            && id.0 >= from
        {
            Some(*id)
        } else {
            None
        }
    });
    // The order of identifiers makes the result independent of the order of arguments.
    let mut ids: Vec<ObjectId> = ids.collect();
    ids.sort();
    ids.into_iter().find(|id| {
        !validator.given(&inputs.type_args).has(inputs, *id)
            && constructor.construction(inputs, *id).is_none()
    })
}

/// A change that yields a better test with the same goals, or `None`.
type Change<'c> = dyn Fn(&mut Validator<'_>, &Candidate) -> Option<Candidate> + 'c;

fn apart(validator: &mut Validator<'_>, candidate: &Candidate) -> Option<Candidate> {
    attempt(validator, candidate, pulled_apart(&candidate.inputs))
}

fn varied(validator: &mut Validator<'_>, candidate: &Candidate) -> Option<Candidate> {
    Some(vary(validator, candidate.clone()))
}

/// Candidates with so few elements in sets, maps and multisets that it does not matter which of
/// them a choice picks. Used if no candidate has an expected value.
fn with_fewer_choices(validator: &mut Validator<'_>, candidates: &[Candidate]) -> Vec<Candidate> {
    // One candidate per size, so that the tests differ.
    let mut found: Vec<Candidate> = Vec::new();
    for most in [2, 1, 0] {
        let fewer = candidates
            .iter()
            .take(MAX_THINNED)
            .map(|t| thinned(&t.inputs, most))
            .collect::<Vec<_>>();
        let is_new =
            |inputs: &Inputs, found: &[Candidate]| found.iter().all(|t| t.inputs != *inputs);
        for inputs in fewer {
            if is_new(&inputs, &found)
                && let Some(candidate) = validator.validate(inputs).filter(is_settled)
            {
                found.push(candidate);
                break;
            }
        }
    }
    found
}

/// The inputs with at most `most` elements in every set, map and multiset.
fn thinned(inputs: &Inputs, most: usize) -> Inputs {
    let mut out = inputs.clone();
    out.answers.clear();
    out.args.iter_mut().for_each(|v| *v = with_few(v, most));
    for object in &mut out.heap.objects {
        match &mut object.contents {
            Contents::Fields(fields) => fields.values_mut().for_each(|v| *v = with_few(v, most)),
            Contents::Elements(elements) => elements
                .iter_mut()
                .flatten()
                .for_each(|v| *v = with_few(v, most)),
        }
    }
    out
}

/// The value with at most `most` elements in every set, map and multiset.
fn with_few(value: &Value, most: usize) -> Value {
    match value {
        Value::Set(xs) => Value::set(xs.iter().take(most).cloned()),
        Value::Multiset(counts) => Value::Multiset(Arc::new(
            counts
                .iter()
                .take(most)
                .map(|(x, n)| (x.clone(), n.clone()))
                .collect(),
        )),
        Value::Map(pairs) => Value::map(
            pairs
                .iter()
                .take(most)
                .map(|(k, v)| (k.clone(), with_few(v, most))),
        ),
        Value::Seq(xs) => Value::seq(xs.iter().map(|x| with_few(x, most))),
        Value::Tuple(xs) => Value::tuple(xs.iter().map(|x| with_few(x, most))),
        Value::Datatype(d) => {
            Value::datatype(d.ctor, d.args.iter().map(|x| with_few(x, most)).collect())
        }
        Value::Newtype(n) => n.with(with_few(&n.value, most)),
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Function(_)
        | Value::Lazy(_) => value.clone(),
    }
}

/// Whether a test of the candidate has an expected value.
pub(super) fn is_settled(candidate: &Candidate) -> bool {
    candidate.execution.determined && !candidate.execution.linked
}

/// Inputs near those of a test. The rounds shift all numbers, then spread them, then make random
/// changes.
fn nearby_inputs(
    validator: &Validator<'_>,
    mutator: &mut Mutator<'_>,
    inputs: &Inputs,
    round: usize,
) -> Option<Inputs> {
    if let Some(by) = SHIFTS.get(round) {
        return Some(rewrite_inputs(inputs, &mut |v| {
            if let Value::Int(n) = v {
                Some(Value::Int(n + by))
            } else {
                None
            }
        }));
    }
    match round - SHIFTS.len() {
        0 => Some(pulled_apart(inputs)),
        _ => Some(mutator.changed(validator.interp(), inputs)),
    }
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

/// The inputs with numbers in the same order but further apart. Equal numbers stay equal.
fn pulled_apart(inputs: &Inputs) -> Inputs {
    // First pass: collects the distinct numbers. Second pass: replaces them by rank.
    let mut numbers: SortedMap<BigInt, BigInt> = SortedMap::new();
    rewrite_inputs(inputs, &mut |v| {
        if let Value::Int(n) = v {
            numbers.insert(n.clone(), BigInt::default());
        }
        None
    });
    let mut next = BigInt::from(2);
    for (rank, (_, new)) in numbers.iter_mut().enumerate() {
        *new = next.clone();
        next += 3 + 2 * (rank % 3);
    }
    rewrite_inputs(inputs, &mut |v| {
        if let Value::Int(n) = v {
            numbers.get(n).cloned().map(Value::Int)
        } else {
            None
        }
    })
}
