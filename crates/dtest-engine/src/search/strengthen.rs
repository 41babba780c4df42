//! Mutation testing of a suite: tests are moved to inputs on which they kill more mutants of the
//! unit ([`Interp::mutants`]), and optionally tests are added for the mutants that survive (after
//! Fraser and Zeller, *Mutation-Driven Generation of Unit Tests and Oracles*, 2012).
//!
//! [`strengthen`] is the entry point. Its `Table` records which test kills which mutant. Every step
//! keeps two invariants: the suite covers the same goals as before, and every killed mutant stays
//! killed. The hard part is the cost, because each question runs a mutant: all loops are limited by
//! interpreter steps, which are the same on every machine.
//!
//! [`Interp::mutants`]: crate::interp::Interp::mutants

use std::cmp::Reverse;
use std::sync::Arc;

use num_bigint::BigInt;

use super::api::Equivalence;
use super::construct::Constructor;
use super::diversify::{attempt, rewrite_inputs, vary};
use super::exhaust;
use super::infect::{Infected, Interest};
use super::mutate::Mutator;
use super::shrink::{is_as_good, shrink};
use super::states;
use super::validate::{Candidate, Validator};
use crate::interp::{Execution, Inputs, Runnable};
use crate::ir::{BlockId, GoalId};
use crate::mutants::{Mutant, Mutation};
use crate::value::{Contents, ObjectId, Value};
use dafny_resolve::typed::{CallableId, CallableKind};
use dtest_sorted::{SortedMap, SortedSet};

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
/// Interpreter steps for larger inputs, for each part of a unit of common size.
const LARGER_STEPS: u64 = 1_200_000;
/// Larger inputs that are added, those that mutants are run on for that, and the mutants, at most.
const MAX_LARGER: usize = 2;
const MAX_LARGER_TRIED: usize = 16;
const MAX_SAMPLE: usize = 80;
/// A mutant is killed seldom if fewer tests than this kill it. A larger input kills so many of these
/// at least.
const DETECTIONS: usize = 2;
const MIN_RARE: usize = 3;
/// Decisions of a unit without loops and recursion that has larger inputs, at least.
const MIN_DECISIONS: usize = 4;
/// Interpreter steps for tests with inputs from the pool, per share.
const POOLED_STEPS: u64 = 2_000_000;
/// Interpreter steps for replacing states of objects, per share.
const REMAKING_STEPS: u64 = 1_000_000;
/// Maximum number of tests that are added per part of a unit, before redundant tests are removed.
const MORE: usize = 32;
/// Maximum number of consecutive inputs without a new test, per share.
const MAX_TRIES: usize = 150;
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
/// then tests are removed whose goals and mutants other tests cover. Returns the mutants that are
/// equivalent to the unit.
pub(super) fn strengthen(
    judge: &mut Validator<'_>,
    mutator: &mut Mutator<'_>,
    trials: &mut Vec<Candidate>,
    solver: Option<&Solver<'_>>,
) -> Vec<(Mutation, Equivalence)> {
    let (findings, blocked, blocked_goals) = (
        judge.findings.len(),
        judge.blocked.clone(),
        judge.blocked_goals.clone(),
    );
    // Only a test with an expected value kills by comparing results. If there is none, smaller
    // collections may make the choices immaterial.
    if solver.is_some() && !trials.iter().any(is_settled) {
        trials.extend(with_fewer_choices(judge, trials));
    }
    let mut table = Table::new(judge, trials);
    for (i, trial) in trials.iter_mut().enumerate() {
        if is_settled(trial) {
            table.move_test(judge, mutator, i, trial);
        }
    }
    let mut equivalent = Vec::new();
    if let Some(solver) = solver
        && trials.iter().any(is_settled)
    {
        equivalent = table.add_tests(judge, mutator, trials, solver);
        table.leave_out(judge, trials);
    }
    table.remake(judge, trials);
    table.name_purposes(judge, trials);
    if solver.is_some() {
        table.add_larger(judge, trials);
    }
    // Candidates that were validated on the way are not inputs that the search was asked for: their
    // violations are dropped.
    judge.findings.truncate(findings);
    (judge.blocked, judge.blocked_goals) = (blocked, blocked_goals);
    equivalent
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
struct Adding {
    /// Mutants that survive all tests.
    open: SortedSet<usize>,
    /// Maximum number of tests.
    most: usize,
    /// Maximum number of conditions with unknown truth in a test.
    unknowns: usize,
    /// Inputs from which changed inputs are made.
    pool: Vec<Inputs>,
    /// Traces of the executions so far. Inputs with a new trace join the pool even if they kill
    /// nothing.
    met: SortedSet<Vec<(BlockId, BlockId)>>,
}

/// The mutants that each test kills.
struct Table {
    mutants: Vec<Runnable>,
    /// The mutants that each test is known to kill, in the order of the tests.
    killed_by_test: Vec<SortedSet<usize>>,
    /// Number of callables whose goals count for the unit, the unit included.
    callables: usize,
    /// Interpreter steps after which no more candidates are run.
    limit: u64,
}

impl Table {
    fn new(judge: &Validator<'_>, trials: &[Candidate]) -> Self {
        let all = judge.interp().mutants(judge.procedure().callable);
        // Of too many mutants, every n-th one is kept, so that all parts of the unit are
        // represented.
        let parts = all.len().div_ceil(MAX_MUTANTS).max(1);
        let mutants = all
            .into_iter()
            .step_by(parts)
            .filter_map(|m| judge.interp().runnable(m))
            .collect();
        let system = judge
            .interp()
            .program()
            .systems
            .get(&judge.procedure().callable);
        let callables = 1 + system.map_or(0, |s| s.callees.len());
        let mut table = Self {
            mutants,
            killed_by_test: Vec::with_capacity(trials.len()),
            callables,
            limit: 0,
        };
        // Only runs of mutants are limited here; the candidates themselves have been executed
        // already.
        table.allow(judge, MAX_STEPS);
        for trial in trials {
            let killed = table.killed_by(judge, trial, table.all());
            table.killed_by_test.push(killed);
        }
        table
    }

    /// Number of shares: multiples of the limits for one callable of common size.
    fn shares(&self) -> usize {
        self.callables.max(self.parts()).min(MAX_SHARES)
    }

    /// Number of units of common size that would have as many mutants.
    fn parts(&self) -> usize {
        (self.mutants.len() / COMMON_MUTANTS).clamp(1, MAX_SHARES)
    }

    /// Sets the limit: `steps` more for each share.
    fn allow(&mut self, judge: &Validator<'_>, steps: u64) {
        let is_large = judge
            .interp()
            .program()
            .call_tree_size(judge.procedure().callable)
            > super::LARGE_TREE;
        let steps = if is_large {
            LARGE_TREE_STEPS
        } else {
            steps * self.shares() as u64
        };
        self.limit = judge.interp().steps() + steps;
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
    fn killed_by(
        &self,
        judge: &Validator<'_>,
        trial: &Candidate,
        mutants: impl IntoIterator<Item = usize>,
    ) -> SortedSet<usize> {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        // Without an expected value, a test cannot compare results.
        if !is_settled(trial) {
            return SortedSet::new();
        }
        let tried = mutants
            .into_iter()
            .take_while(|_| interp.steps() < self.limit && !judge.is_over());
        let differs = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| interp.tells_apart(unit, m, &trial.inputs, &trial.execution))
        };
        tried.filter(differs).collect()
    }

    /// Replaces the inputs of one test as long as that kills more mutants: first by inputs near its
    /// own, then by changes of single parts.
    fn move_test(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        i: usize,
        trial: &mut Candidate,
    ) {
        // First phase: inputs near those of the test, until a number of them in a row kills nothing
        // more.
        let (mut idle, mut round) = (0, 0);
        let mut open = self.open();
        while idle < MAX_IDLE && !open.is_empty() && judge.interp().steps() < self.limit {
            let Some(inputs) = candidate(judge, mutator, &trial.inputs, round) else {
                break;
            };
            (idle, round) = (idle + 1, round + 1);
            // After a success, the search starts anew from the better inputs.
            if self.moved(judge, i, trial, inputs, &mut open) {
                (idle, round) = (0, 0);
            }
        }
        // Single parts are changed only if the test reaches the place of a surviving mutant.
        if !self.reaches_some(judge, trial, &open) {
            return;
        }
        for at in 0..MAX_PARTS {
            if judge.interp().steps() >= self.limit || judge.is_over() {
                break;
            }
            let Some(inputs) = mutator.with_part(judge.interp(), &trial.inputs, at) else {
                break;
            };
            self.moved(judge, i, trial, inputs, &mut open);
        }
    }

    /// Whether the candidate reaches the changed place of at least one of the mutants.
    fn reaches_some(
        &self,
        judge: &Validator<'_>,
        trial: &Candidate,
        mutants: &SortedSet<usize>,
    ) -> bool {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        let comes = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| interp.may_come_to(unit, m, &trial.execution))
        };
        mutants.iter().any(comes)
    }

    /// Replaces the inputs of a test if that kills a surviving mutant in `open` and every mutant
    /// that only this test killed. Returns whether it did.
    fn moved(
        &mut self,
        judge: &mut Validator<'_>,
        i: usize,
        trial: &mut Candidate,
        inputs: Inputs,
        open: &mut SortedSet<usize>,
    ) -> bool {
        if inputs == trial.inputs {
            return false;
        }
        let Some(better) = attempt(judge, trial, inputs).filter(is_settled) else {
            return false;
        };
        // Surviving mutants first: most candidates kill none, and are discarded at the lowest cost.
        let new = self.killed_by(judge, &better, open.iter().copied());
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
        let kept = self.killed_by(judge, &better, needed.iter().copied());
        if kept.len() < needed.len() {
            return false;
        }
        // Mutants that other tests kill are recorded, too: removing redundant tests depends on
        // them.
        let rest = self.killed_by(judge, &better, others.iter().copied());
        if let Some(mine) = self.killed_by_test.get_mut(i) {
            *mine = new.into_iter().chain(kept).chain(rest).collect();
        }
        *trial = better;
        *open = self.open();
        true
    }

    /// Adds tests for surviving mutants, in the order of cost: from all inputs if they can be
    /// listed, from states of objects, from models of the solver, from changes of parts, from
    /// scaled numbers, and from random changes of the pool. Returns equivalent mutants. The solver
    /// proves equivalence before inputs are searched for in vain.
    fn add_tests(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        trials: &mut Vec<Candidate>,
        solver: &Solver<'_>,
    ) -> Vec<(Mutation, Equivalence)> {
        // Adding tests has a budget of its own, so that it does not depend on the moves before.
        self.allow(judge, ADDING_STEPS);
        let mut adding = Adding {
            open: self.open(),
            most: trials.len() + MORE * self.parts(),
            unknowns: trials.iter().map(Candidate::unknowns).max().unwrap_or(0),
            pool: trials.iter().map(|t| t.inputs.clone()).collect(),
            met: trials.iter().map(|t| t.execution.trace.clone()).collect(),
        };
        let mut interest = Interest::All;
        // Cheap sources first: all inputs, if there are few.
        let mut equivalent = self.add_all(judge, trials, &mut adding);
        self.set_aside(&mut adding, &equivalent);
        if self.goes_on(judge, &adding, trials) {
            let proposed = self.in_states(judge, trials);
            self.add_best(judge, trials, &mut adding, proposed);
        }
        self.add_pooled(judge, trials, &mut adding);
        // Local proofs concern conditions only and are cheap. A proved mutant needs no further
        // search.
        if self.goes_on(judge, &adding, trials) {
            let same = (solver.local)(&self.mutants_of(&adding.open));
            self.set_aside(&mut adding, &same);
            equivalent.extend(same);
        }
        // Asking for a different outcome yields inputs that kill directly, but not every unit can
        // be compared.
        if self.goes_on(judge, &adding, trials)
            && let Some(proposed) = (solver.outcome)(&self.mutants_of(&adding.open))
        {
            self.add_best(judge, trials, &mut adding, proposed.inputs);
            self.set_aside(&mut adding, &proposed.equivalent);
            equivalent.extend(proposed.equivalent);
            interest = Interest::Equivalence;
        }
        // Infection is necessary for a kill and can be asked for every mutant. If the outcome was
        // compared before, only proofs are still of interest.
        if self.goes_on(judge, &adding, trials) {
            let infected = (solver.infect)(&self.mutants_of(&adding.open), interest);
            self.add_best(judge, trials, &mut adding, infected.inputs);
            self.set_aside(&mut adding, &infected.equivalent);
            equivalent.extend(infected.equivalent);
        }
        self.add_part_by_part(judge, mutator, trials, &mut adding);
        self.add_scaled(judge, trials, &mut adding);
        // Random changes of the pool in turn, until a number of them in a row kills nothing.
        let (mut idle, mut next) = (0, 0);
        while idle < MAX_TRIES * self.shares() && self.goes_on(judge, &adding, trials) {
            idle += 1;
            next += 1;
            let Some(inputs) = adding.pool.get(next % adding.pool.len().max(1)) else {
                break;
            };
            let inputs = mutator.changed(judge.interp(), inputs);
            if let Some((trial, new)) = self.tried(judge, &mut adding, inputs) {
                self.add(judge, trials, &mut adding, trial, new);
                idle = 0;
            }
        }
        // A mutant that a test kills is not equivalent, whatever was reported within bounds.
        let is_killed = |m: &Mutation| {
            self.killed_by_test.iter().flatten().any(|i| {
                self.mutants
                    .get(*i)
                    .is_some_and(|r| r.mutant.mutation == *m)
            })
        };
        equivalent.retain(|(m, _)| !is_killed(m));
        equivalent
    }

    /// Adds tests with inputs from the pool, within a step limit of their own.
    fn add_pooled(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        let left = self.limit.saturating_sub(judge.interp().steps());
        self.allow(judge, POOLED_STEPS);
        if self.goes_on(judge, adding, trials) {
            let pooled = judge.pooled().to_vec();
            self.add_best(judge, trials, adding, pooled);
        }
        self.limit = judge.interp().steps() + left;
    }

    /// Adds tests that differ from others in one part of their inputs, if these reach the place of
    /// a surviving mutant. Uses at most half of the remaining steps.
    fn add_part_by_part(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        // Half of the remaining steps, so that the later sources get their share.
        let (whole, now) = (self.limit, judge.interp().steps());
        self.limit = now + whole.saturating_sub(now) / 2;
        self.add_parts(judge, mutator, trials, adding);
        self.limit = whole;
    }

    fn add_parts(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        for i in 0..trials.len() {
            for at in 0..MAX_PARTS {
                let Some(trial) = trials
                    .get(i)
                    .filter(|t| is_settled(t) && self.reaches_some(judge, t, &adding.open))
                else {
                    break;
                };
                if !self.goes_on(judge, adding, trials) {
                    return;
                }
                let Some(inputs) = mutator.with_part(judge.interp(), &trial.inputs, at) else {
                    break;
                };
                if inputs != trial.inputs
                    && let Some((trial, new)) = self.tried(judge, adding, inputs)
                {
                    self.add(judge, trials, adding, trial, new);
                }
            }
        }
    }

    /// Adds tests with scaled numbers. Stops at the first execution that does not end.
    fn add_scaled(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        // Larger numbers may make loops endless, which costs a full execution each.
        let endless = judge.endless;
        for by in SCALES {
            let larger: Vec<Inputs> = adding
                .pool
                .iter()
                .filter_map(|inputs| scaled(inputs, by))
                .collect();
            for inputs in larger {
                if judge.endless > endless || !self.goes_on(judge, adding, trials) {
                    return;
                }
                self.add_best(judge, trials, adding, vec![inputs]);
            }
        }
    }

    /// The inputs of the first test with an expected value, with objects in other states that calls
    /// lead to.
    fn in_states(&self, judge: &Validator<'_>, trials: &[Candidate]) -> Vec<Inputs> {
        let Some(first) = trials.iter().find(|t| is_settled(t)) else {
            return Vec::new();
        };
        // All inputs of a unit have the same type arguments.
        let type_args = &first.inputs.type_args;
        let given = judge.given(type_args);
        states::inputs(
            judge.interp().program(),
            judge.interp(),
            judge.procedure(),
            type_args,
            &|ty| given.of(ty),
        )
    }

    /// Adds tests from all inputs of the unit, if they can be listed. Returns the mutants that
    /// behave like the unit on each input: these are equivalent.
    fn add_all(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) -> Vec<(Mutation, Equivalence)> {
        if adding.open.is_empty() {
            return Vec::new();
        }
        let Some(all) = exhaust::all_inputs(judge.interp(), judge.procedure()) else {
            return Vec::new();
        };
        self.add_best(judge, trials, adding, all.clone());
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        // The unit's executions are computed once and compared with every mutant.
        let executions: Vec<(Inputs, Execution)> = all
            .into_iter()
            .map(|i| (i.clone(), interp.run(unit, &i)))
            .collect();
        let is_same = |m: &Runnable| {
            let goes_on = || interp.steps() < self.limit && !judge.is_over();
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

    fn mutants_of(&self, numbers: &SortedSet<usize>) -> Vec<&Mutant> {
        numbers
            .iter()
            .filter_map(|m| self.mutants.get(*m))
            .map(|m| &m.mutant)
            .collect()
    }

    /// Whether further candidates are worth validating.
    fn goes_on(&self, judge: &Validator<'_>, adding: &Adding, trials: &[Candidate]) -> bool {
        !adding.open.is_empty()
            && trials.len() < adding.most
            && judge.interp().steps() < self.limit
            && !judge.is_over()
    }

    /// Adds tests with those of the proposed inputs that kill surviving mutants, greedily the one
    /// that kills the most.
    fn add_best(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
        proposed: Vec<Inputs>,
    ) {
        let mut found: Vec<(Candidate, SortedSet<usize>)> = Vec::new();
        // All proposals are validated before the choice, because the best one is not known earlier.
        for inputs in proposed {
            if self.goes_on(judge, adding, trials) {
                found.extend(self.tried(judge, adding, inputs));
            }
        }
        // Found tests are added even if finding them exhausted the steps.
        while !adding.open.is_empty() && trials.len() < adding.most && !judge.is_over() {
            // A mutant that an added test kills is no reason for another test.
            for (_, killed) in &mut found {
                killed.retain(|m| adding.open.contains(m));
            }
            let best = (0..found.len())
                .max_by_key(|i| (found.get(*i).map(|(_, killed)| killed.len()), Reverse(*i)));
            let Some((trial, killed)) = best
                .map(|i| found.swap_remove(i))
                .filter(|(_, killed)| !killed.is_empty())
            else {
                break;
            };
            self.add(judge, trials, adding, trial, killed);
        }
    }

    /// Validates inputs. Returns the candidate with the surviving mutants that it kills, or `None`
    /// if it kills none. Then its inputs join the pool if their trace is new.
    fn tried(
        &mut self,
        judge: &mut Validator<'_>,
        adding: &mut Adding,
        inputs: Inputs,
    ) -> Option<(Candidate, SortedSet<usize>)> {
        // A test must not have more unknown conditions than those of the goals.
        let trial = judge
            .judge(inputs)
            .filter(|t| is_settled(t) && t.unknowns() <= adding.unknowns)?;
        let killed = self.killed_by(judge, &trial, adding.open.iter().copied());
        if killed.is_empty() {
            // A new trace is a basis for further changes.
            if adding.pool.len() < MAX_POOL && adding.met.insert(trial.execution.trace.clone()) {
                adding.pool.push(trial.inputs);
            }
            return None;
        }
        Some((trial, killed))
    }

    /// Adds a test that kills the mutants `killed`. Its inputs are simplified and diversified as long
    /// as it kills all of them.
    fn add(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
        mut trial: Candidate,
        killed: SortedSet<usize>,
    ) {
        let Some(first) = killed.first().and_then(|m| self.mutants.get(*m)) else {
            return;
        };
        let mutation = first.mutant.mutation.clone();
        // The goals of the candidate must stay covered while it is simplified.
        let keep = trial.covers.iter().copied().collect();
        let small = |judge: &mut Validator<'_>, trial: &Candidate| {
            Some(shrink(judge, trial.clone(), &keep))
        };
        // Simplify first, then make numbers different: simplified values are equal too often.
        let changes: [&Change<'_>; 3] = [&small, &apart, &varied];
        for change in changes {
            let better = change(judge, &trial).filter(is_settled);
            if let Some(better) = better
                .filter(|b| self.killed_by(judge, b, killed.iter().copied()).len() == killed.len())
            {
                trial = better;
            }
        }
        trial.notices = Some(mutation);
        judge.learn_calls(&trial.inputs);
        adding.pool.push(trial.inputs.clone());
        trials.push(trial);
        adding.open.retain(|m| !killed.contains(m));
        self.killed_by_test.push(killed);
    }

    /// Removes tests whose goals and mutants other tests cover, those that kill the fewest first.
    /// If the steps do not suffice to know all mutants that the added tests kill, no test is
    /// removed.
    fn leave_out(&mut self, judge: &Validator<'_>, trials: &mut Vec<Candidate>) {
        self.allow(judge, ADDING_STEPS);
        let added: Vec<usize> = (0..trials.len())
            .filter(|i| trials.get(*i).is_some_and(|t| t.notices.is_some()))
            .collect();
        // So far, an added test was only run on the mutants that survived when it was added.
        for i in &added {
            if let Some(trial) = trials.get(*i) {
                let killed = self.killed_by(judge, trial, self.all());
                self.killed_by_test
                    .get_mut(*i)
                    .into_iter()
                    .for_each(|t| t.extend(&killed));
            }
        }
        if added.is_empty() || judge.interp().steps() >= self.limit || judge.is_over() {
            return;
        }
        // Tests that kill little are removed first, so that those that remain kill much.
        let mut order: Vec<usize> = (0..trials.len())
            .filter(|i| trials.get(*i).is_some_and(is_settled))
            .collect();
        order.sort_by_key(|i| self.killed_by_test.get(*i).map(SortedSet::len));
        let mut left_out = SortedSet::new();
        for i in order {
            let (Some(trial), Some(killed)) = (trials.get(i), self.killed_by_test.get(i)) else {
                continue;
            };
            // Redundant with respect to the tests that have not been removed.
            let others = || (0..trials.len()).filter(|o| *o != i && !left_out.contains(o));
            let covered =
                |g: &GoalId| others().any(|o| trials.get(o).is_some_and(|t| t.covers.contains(g)));
            let is_killed = |m: &usize| {
                others().any(|o| self.killed_by_test.get(o).is_some_and(|t| t.contains(m)))
            };
            if trial.covers.iter().all(covered) && killed.iter().all(is_killed) {
                left_out.insert(i);
            }
        }
        // Both lists must stay parallel.
        let is_kept: Vec<bool> = (0..trials.len()).map(|i| !left_out.contains(&i)).collect();
        let (mut of_trials, mut of_killed) = (is_kept.iter(), is_kept.iter());
        trials.retain(|_| of_trials.next() == Some(&true));
        self.killed_by_test
            .retain(|_| of_killed.next() == Some(&true));
        // An added test may now be the only one that reaches a goal. Then the goal is its purpose.
        let goals: SortedSet<GoalId> = trials
            .iter()
            .filter(|t| t.notices.is_none())
            .flat_map(|t| t.covers.iter().copied())
            .collect();
        for trial in trials
            .iter_mut()
            .filter(|t| t.covers.iter().any(|g| !goals.contains(g)))
        {
            trial.notices = None;
        }
    }
}

impl Table {
    /// Names for each added test a mutant that no other test of the unit kills. A test without such
    /// a mutant is named after its goals, or removed if other tests cover these.
    fn name_purposes(&mut self, judge: &Validator<'_>, trials: &mut Vec<Candidate>) {
        self.allow(judge, ADDING_STEPS);
        let added: Vec<usize> = (0..trials.len())
            .filter(|i| trials.get(*i).is_some_and(|t| t.notices.is_some()))
            .collect();
        let mut left_out = SortedSet::new();
        for i in added {
            let (Some(trial), Some(killed)) = (trials.get(i), self.killed_by_test.get(i)) else {
                continue;
            };
            let is_named = |m: &usize| {
                let mutant = self.mutants.get(*m).map(|m| &m.mutant.mutation);
                mutant == trial.notices.as_ref()
            };
            // The mutant that the test was added for comes first, then those that no other test is
            // known to kill.
            let mut candidates: Vec<usize> = killed.iter().copied().filter(is_named).collect();
            candidates.extend(killed.iter().copied().filter(|m| {
                let others = self.killed_by_test.iter().enumerate();
                let mut others = others.filter(|(j, _)| *j != i && !left_out.contains(j));
                !is_named(m) && !others.any(|(_, killed)| killed.contains(m))
            }));
            let others = || {
                let others = trials.iter().enumerate();
                others.filter(|(j, _)| *j != i && !left_out.contains(j))
            };
            let is_killed_by_others = |m: usize| others().any(|(_, t)| self.kills(judge, t, m));
            let only = candidates
                .into_iter()
                .find(|m| !is_killed_by_others(*m))
                .and_then(|m| self.mutants.get(m));
            // Without steps, the mutants that other tests kill are unknown.
            if judge.interp().steps() >= self.limit || judge.is_over() {
                break;
            }
            let only = only.map(|m| m.mutant.mutation.clone());
            let is_covered = trial
                .covers
                .iter()
                .all(|g| others().any(|(_, t)| t.covers.contains(g)));
            if only.is_none() && is_covered {
                left_out.insert(i);
            }
            if let Some(trial) = trials.get_mut(i) {
                trial.notices = only;
            }
        }
        let mut numbers = 0..trials.len();
        trials.retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
        let mut numbers = 0..self.killed_by_test.len();
        self.killed_by_test
            .retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
    }

    /// Whether a test with the candidate's inputs fails on a mutant.
    fn kills(&self, judge: &Validator<'_>, trial: &Candidate, mutant: usize) -> bool {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        !trial.execution.linked
            && interp.steps() < self.limit
            && self
                .mutants
                .get(mutant)
                .is_some_and(|m| interp.is_noticed(unit, m, &trial.inputs, &trial.execution))
    }

    /// Replaces objects that were created field by field by objects in states that calls lead to,
    /// if the test still covers its goals and kills the mutants that only it killed. Only such
    /// states occur in real use: a constructor relates the fields to each other.
    fn remake(&mut self, judge: &mut Validator<'_>, trials: &mut [Candidate]) {
        self.allow(judge, REMAKING_STEPS);
        let mut constructor = Constructor::new(judge.interp().program());
        // Objects of tests without an expected value are left alone, because kills could not be
        // compared.
        for (i, trial) in trials.iter_mut().enumerate().filter(|(_, t)| is_settled(t)) {
            let mut next = 0;
            while let Some(id) = next_made_by_hand(judge, &mut constructor, &trial.inputs, next) {
                next = id.0 + 1;
                // The constructions found so far remain valid without further steps.
                if judge.interp().steps() >= self.limit || judge.is_over() {
                    return;
                }
                if let Some((better, killed)) = self.remade(judge, trial, i, id) {
                    *trial = better;
                    self.killed_by_test
                        .get_mut(i)
                        .into_iter()
                        .for_each(|t| t.clone_from(&killed));
                }
            }
        }
    }

    /// A candidate like the test with one object in a state that calls lead to, and the mutants
    /// that it kills. All mutants that only this test killed are among them.
    fn remade(
        &self,
        judge: &mut Validator<'_>,
        trial: &Candidate,
        i: usize,
        id: ObjectId,
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
                .is_some_and(|m| Some(&m.mutant.mutation) == trial.notices.as_ref())
        };
        let needed: SortedSet<usize> = killed
            .iter()
            .copied()
            .filter(|m| !others.contains(m) || is_purpose(m))
            .collect();
        let class = trial.inputs.heap.objects.get(id.0 as usize)?.ty.clone();
        for state in states::near(judge.interp().program(), judge.interp(), &trial.inputs, id) {
            if judge.interp().steps() >= self.limit {
                return None;
            }
            let Some(inputs) = states::exchanged(&trial.inputs, id, &state) else {
                continue;
            };
            let Some(mut better) = judge.judge(inputs) else {
                continue;
            };
            // Goals, kills and checks must be at least those of the original test.
            let is_worse = !is_as_good(&better, trial, &trial.covers) || !is_settled(&better);
            if is_worse
                || self.killed_by(judge, &better, needed.iter().copied()).len() < needed.len()
            {
                continue;
            }
            let killed = self.killed_by(judge, &better, killed.iter().copied());
            // The calls are recorded, so that the test can construct the object by them.
            judge.learn(&trial.inputs.type_args, &class, state);
            better.given = judge.given_in(&better.inputs);
            better.notices.clone_from(&trial.notices);
            return Some((better, killed));
        }
        None
    }
}

impl Table {
    /// Adds a few larger inputs from the pool, so that most mutants are killed twice, by different
    /// tests: what a test set detects that was made for one fault model grows with the number of
    /// times that it detects each fault of that model (n-detection: Pomeranz and Reddy, *On n-detection
    /// test sets and variable n-detection test sets*, 1999). Mistakes that are no mutants, such as two
    /// conditions in the wrong order, show on inputs in which several things come together. Units
    /// without loops, recursion and several decisions have no such inputs.
    fn add_larger(&mut self, judge: &mut Validator<'_>, trials: &mut Vec<Candidate>) {
        if judge.pooled().is_empty() || !is_composite(judge) || !trials.iter().any(is_settled) {
            return;
        }
        let steps = LARGER_STEPS * self.parts() as u64;
        let now = judge.interp().steps();
        self.limit = now + steps / 3;
        let unknowns = trials.iter().map(Candidate::unknowns).max().unwrap_or(0);
        let mut found: Vec<Candidate> = Vec::new();
        for inputs in judge.pooled() {
            if judge.interp().steps() >= self.limit || judge.is_over() {
                break;
            }
            if trials
                .iter()
                .all(|t| t.inputs.args != inputs.args || t.inputs.heap != inputs.heap)
            {
                let candidate = judge.judge(inputs.clone());
                found.extend(candidate.filter(|t| is_settled(t) && t.unknowns() <= unknowns));
            }
        }
        found.sort_by_key(|t| Reverse(variety(t)));
        found.truncate(MAX_LARGER_TRIED);
        self.limit = judge.interp().steps() + steps;
        let sample: Vec<usize> = {
            let parts = self.mutants.len().div_ceil(MAX_SAMPLE).max(1);
            (0..self.mutants.len()).step_by(parts).collect()
        };
        let mut killed: Vec<SortedSet<usize>> = Vec::new();
        for candidate in &found {
            killed.push(self.killed_by(judge, candidate, sample.iter().copied()));
        }
        let mut counts: SortedMap<usize, usize> = SortedMap::new();
        for mutant in self.killed_by_test.iter().flatten() {
            *counts.entry(*mutant).or_default() += 1;
        }
        for _ in 0..MAX_LARGER {
            let count = |m: &usize| counts.get(m).copied().unwrap_or(0);
            let worth = |i: usize| {
                let killed = killed.get(i)?;
                let rare = killed.iter().filter(|m| count(m) < DETECTIONS).count();
                let all: usize = killed.iter().map(|m| 12 / (1 + count(m).min(5))).sum();
                Some((rare, all, Reverse(i)))
            };
            let Some((rare, _, Reverse(best))) = (0..found.len()).filter_map(worth).max() else {
                break;
            };
            if rare < MIN_RARE.max(sample.len() / 16) {
                break;
            }
            let mut candidate = found.swap_remove(best);
            let mutants = killed.swap_remove(best);
            for mutant in &mutants {
                *counts.entry(*mutant).or_default() += 1;
            }
            judge.learn_calls(&candidate.inputs);
            candidate.is_larger = true;
            trials.push(candidate);
            self.killed_by_test.push(mutants);
        }
    }
}

/// Whether a unit has inputs in which several things come together: it has loops, calls itself or
/// callees that do, or has several decisions.
fn is_composite(judge: &Validator<'_>) -> bool {
    let program = judge.interp().program();
    let unit = judge.procedure().callable;
    let repeats = |callable: CallableId| {
        program.procedures.get(&callable).is_some_and(|p| {
            p.blocks.iter().any(|b| b.loop_head.is_some())
                || program.runs(callable).contains(&callable)
        })
    };
    let decisions = judge
        .procedure()
        .blocks
        .iter()
        .filter(|b| matches!(b.terminator, crate::ir::Terminator::Branch { .. }));
    decisions.count() >= MIN_DECISIONS
        || repeats(unit)
        || program.callees(unit).into_iter().any(repeats)
}

/// How much comes together in an execution: the different branches with how often they were taken,
/// roughly, and the steps.
fn variety(candidate: &Candidate) -> (usize, usize, u64) {
    let mut counts: SortedMap<(BlockId, BlockId), u32> = SortedMap::new();
    for edge in &candidate.execution.trace {
        *counts.entry(*edge).or_default() += 1;
    }
    let often: usize = counts.values().map(|n| 1 + n.ilog2() as usize).sum();
    (candidate.covers.len(), often, candidate.execution.steps)
}

/// The first argument that is an object with a number of at least `from` and whose state no calls
/// are known to lead to.
fn next_made_by_hand(
    judge: &Validator<'_>,
    constructor: &mut Constructor<'_>,
    inputs: &Inputs,
    from: u32,
) -> Option<ObjectId> {
    let receiver = usize::from(
        judge.interp().program().typed[judge.procedure().callable].kind
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
        !judge.given(&inputs.type_args).has(inputs, *id)
            && constructor.construction(inputs, *id).is_none()
    })
}

/// A change that yields a better test with the same goals, or `None`.
type Change<'c> = dyn Fn(&mut Validator<'_>, &Candidate) -> Option<Candidate> + 'c;

fn apart(judge: &mut Validator<'_>, trial: &Candidate) -> Option<Candidate> {
    attempt(judge, trial, pulled_apart(&trial.inputs))
}

fn varied(judge: &mut Validator<'_>, trial: &Candidate) -> Option<Candidate> {
    Some(vary(judge, trial.clone()))
}

/// Candidates with so few elements in sets, maps and multisets that it does not matter which of
/// them a choice picks. Used if no candidate has an expected value.
fn with_fewer_choices(judge: &mut Validator<'_>, trials: &[Candidate]) -> Vec<Candidate> {
    // One candidate per size, so that the tests differ.
    let mut found: Vec<Candidate> = Vec::new();
    for most in [2, 1, 0] {
        let fewer = trials
            .iter()
            .take(MAX_THINNED)
            .map(|t| thinned(&t.inputs, most))
            .collect::<Vec<_>>();
        let is_new =
            |inputs: &Inputs, found: &[Candidate]| found.iter().all(|t| t.inputs != *inputs);
        for inputs in fewer {
            if is_new(&inputs, &found)
                && let Some(trial) = judge.judge(inputs).filter(is_settled)
            {
                found.push(trial);
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
fn is_settled(trial: &Candidate) -> bool {
    trial.execution.determined && !trial.execution.linked
}

/// Inputs near those of a test. The rounds shift all numbers, then spread them, then make random
/// changes.
fn candidate(
    judge: &Validator<'_>,
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
        _ => Some(mutator.changed(judge.interp(), inputs)),
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
