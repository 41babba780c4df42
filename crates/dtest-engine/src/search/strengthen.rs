//! Inputs that would notice a mistake: tests that are there are moved to inputs on which mutants of the unit
//! ([`Interp::mutants`]) show, as long as they reach what they reach; for mutants that none of them can be moved to, a few tests are
//! added where that is asked for (after Fraser and Zeller, *Mutation-Driven Generation of Unit Tests and Oracles*, 2012).
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
use dafny_resolve::typed::CallableKind;
use dtest_sorted::{SortedMap, SortedSet};

/// Mutants of a unit that are tried.
const MAX_MUTANTS: usize = 1_000;
/// So many mutants are those of a unit of common size: what one unit may cost is spent for each as many again.
const COMMON_MUTANTS: usize = 100;
/// Other inputs that are tried for one test: those from which something else came last count.
const MAX_IDLE: usize = 32;
/// Parts of the inputs that are changed one by one for one test, at most.
const MAX_PARTS: usize = 160;
/// Steps of the interpreter for moving the tests of a callable whose goals count.
const MAX_STEPS: u64 = 3_000_000;
/// Callables of an entry, or parts of a large unit, for which all that is spent, at most.
const MAX_SHARES: usize = 8;
/// Steps for an entry whose tree of calls is large, where every execution is long and there are many mutants: what they cost together
/// must not grow faster than the program.
const LARGE_TREE_STEPS: u64 = 50_000;
/// Steps of the interpreter for adding tests, for each such callable.
const ADDING_STEPS: u64 = 1_000_000;
/// Steps of the interpreter for tests with inputs that come from the program itself, for each such callable.
const POOLED_STEPS: u64 = 2_000_000;
/// Steps of the interpreter for states of objects that calls lead to, for each such callable.
const REMAKING_STEPS: u64 = 1_000_000;
/// Tests that are added for each part of a unit, at most, before those are left out without which as much is told apart.
const MORE: usize = 32;
/// Inputs that are tried for a further test, for each such callable: those after the last that was added.
const MAX_TRIES: usize = 150;
/// Inputs from which others are made for that, at most.
const MAX_POOL: usize = 48;
/// By how many times all numbers are made larger together: sums and products of a few come past what a program compares them with.
const SCALES: [u32; 2] = [10, 300];
/// Tests of which others with fewer elements are made, at most.
const MAX_THINNED: usize = 8;
/// By how much all numbers are moved together: that keeps their order and their differences.
const SHIFTS: [i64; 5] = [3, 1, 7, -1, -4];

/// Moves tests to inputs that tell more mutants apart; none is told apart less than before, and the goals stay. Then some tests may
/// be added, each for mutants that no other one tells apart, and tests left out without which as much is reached and told apart.
/// The result: mutants that do the same as the unit, as the solver says.
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
    // Inputs tried on the way are not what was asked for.
    judge.findings.truncate(findings);
    (judge.blocked, judge.blocked_goals) = (blocked, blocked_goals);
    equivalent
}

/// Mutations that make no difference where they are made, with how that is known.
type Settled = Vec<(Mutation, Equivalence)>;

/// What the solver is asked about mutants.
pub(super) struct Solver<'a> {
    /// Those of some mutants that make no difference where they are made, whatever the state.
    pub(super) local: &'a dyn Fn(&[&Mutant]) -> Settled,
    /// Inputs on which some of them may end otherwise than the unit, and those that never do; `None`: it cannot be asked that.
    pub(super) outcome: &'a dyn Fn(&[&Mutant]) -> Option<Infected>,
    /// Inputs on which some of them differ where they are changed, and those that never do; where only these are of interest, said so.
    pub(super) infect: &'a dyn Fn(&[&Mutant], Interest) -> Infected,
}

/// How far the adding of tests has come.
struct Adding {
    /// Mutants that no test tells apart.
    open: SortedSet<usize>,
    /// Tests, at most.
    most: usize,
    /// Conditions of unknown truth that a test may have.
    unknowns: usize,
    /// Inputs from which others are made.
    pool: Vec<Inputs>,
    /// The ways that executions took.
    met: SortedSet<Vec<(BlockId, BlockId)>>,
}

/// Which test tells which mutants apart.
struct Table {
    mutants: Vec<Runnable>,
    /// For each test.
    told: Vec<SortedSet<usize>>,
    /// Callables whose goals count.
    callables: usize,
    /// Steps of the interpreter after which nothing more is tried.
    limit: u64,
}

impl Table {
    fn new(judge: &Validator<'_>, trials: &[Candidate]) -> Self {
        let all = judge.interp().mutants(judge.procedure().callable);
        // Of too many, some from everywhere.
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
            told: Vec::with_capacity(trials.len()),
            callables,
            limit: 0,
        };
        table.allow(judge, MAX_STEPS);
        for trial in trials {
            let told = table.tells(judge, trial, table.all());
            table.told.push(told);
        }
        table
    }

    /// How many times what one callable of common size may cost.
    fn shares(&self) -> usize {
        self.callables.max(self.parts()).min(MAX_SHARES)
    }

    /// How many units of common size have as many mutants.
    fn parts(&self) -> usize {
        (self.mutants.len() / COMMON_MUTANTS).clamp(1, MAX_SHARES)
    }

    /// Allows more steps: so many for each callable whose goals count.
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

    /// The mutants that no test tells from the unit.
    fn open(&self) -> SortedSet<usize> {
        let told: SortedSet<usize> = self.told.iter().flatten().copied().collect();
        self.all().difference(&told).copied().collect()
    }

    /// Those of some mutants that the trial tells from the unit.
    fn tells(
        &self,
        judge: &Validator<'_>,
        trial: &Candidate,
        of: impl IntoIterator<Item = usize>,
    ) -> SortedSet<usize> {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        if !is_settled(trial) {
            return SortedSet::new();
        }
        let tried = of
            .into_iter()
            .take_while(|_| interp.steps() < self.limit && !judge.is_over());
        let differs = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| interp.tells_apart(unit, m, &trial.inputs, &trial.execution))
        };
        tried.filter(differs).collect()
    }

    /// Moves one test as long as that tells more apart: to other inputs near its own, then part by part.
    fn move_test(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        i: usize,
        trial: &mut Candidate,
    ) {
        let (mut idle, mut round) = (0, 0);
        let mut open = self.open();
        while idle < MAX_IDLE && !open.is_empty() && judge.interp().steps() < self.limit {
            let Some(inputs) = candidate(judge, mutator, &trial.inputs, round) else {
                break;
            };
            (idle, round) = (idle + 1, round + 1);
            if self.moved(judge, i, trial, inputs, &mut open) {
                (idle, round) = (0, 0);
            }
        }
        if !self.comes_to_some(judge, trial, &open) {
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

    /// Whether the trial comes to the place of one of some mutants.
    fn comes_to_some(
        &self,
        judge: &Validator<'_>,
        trial: &Candidate,
        of: &SortedSet<usize>,
    ) -> bool {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        let comes = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| interp.may_come_to(unit, m, &trial.execution))
        };
        of.iter().any(comes)
    }

    /// Moves a test to other inputs if that tells more of the `open` mutants apart, and none less; whether it did.
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
        let new = self.tells(judge, &better, open.iter().copied());
        if new.is_empty() {
            return false;
        }
        let others: SortedSet<usize> = self
            .told
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .flat_map(|(_, t)| t.iter().copied())
            .collect();
        let Some(mine) = self.told.get(i) else {
            return false;
        };
        let needed: SortedSet<usize> = mine.difference(&others).copied().collect();
        let kept = self.tells(judge, &better, needed.iter().copied());
        if kept.len() < needed.len() {
            return false;
        }
        let rest = self.tells(judge, &better, others.iter().copied());
        if let Some(mine) = self.told.get_mut(i) {
            *mine = new.into_iter().chain(kept).chain(rest).collect();
        }
        *trial = better;
        *open = self.open();
        true
    }

    /// Adds tests for mutants that no test tells apart, from inputs that the solver proposes, then from inputs near those of all tests and
    /// of what was tried on the way. The result: mutants that do the same as the unit.
    fn add_tests(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        trials: &mut Vec<Candidate>,
        solver: &Solver<'_>,
    ) -> Vec<(Mutation, Equivalence)> {
        self.allow(judge, ADDING_STEPS);
        let mut adding = Adding {
            open: self.open(),
            most: trials.len() + MORE * self.parts(),
            unknowns: trials.iter().map(Candidate::unknowns).max().unwrap_or(0),
            pool: trials.iter().map(|t| t.inputs.clone()).collect(),
            met: trials.iter().map(|t| t.execution.trace.clone()).collect(),
        };
        let mut interest = Interest::All;
        let mut equivalent = self.add_all(judge, trials, &mut adding);
        self.set_aside(&mut adding, &equivalent);
        if self.goes_on(judge, &adding, trials) {
            let proposed = self.in_states(judge, trials);
            self.add_best(judge, trials, &mut adding, proposed);
        }
        self.add_pooled(judge, trials, &mut adding);
        if self.goes_on(judge, &adding, trials) {
            let same = (solver.local)(&self.mutants_of(&adding.open));
            self.set_aside(&mut adding, &same);
            equivalent.extend(same);
        }
        if self.goes_on(judge, &adding, trials)
            && let Some(proposed) = (solver.outcome)(&self.mutants_of(&adding.open))
        {
            self.add_best(judge, trials, &mut adding, proposed.inputs);
            self.set_aside(&mut adding, &proposed.equivalent);
            equivalent.extend(proposed.equivalent);
            interest = Interest::Equivalence;
        }
        if self.goes_on(judge, &adding, trials) {
            let infected = (solver.infect)(&self.mutants_of(&adding.open), interest);
            self.add_best(judge, trials, &mut adding, infected.inputs);
            self.set_aside(&mut adding, &infected.equivalent);
            equivalent.extend(infected.equivalent);
        }
        self.add_part_by_part(judge, mutator, trials, &mut adding);
        self.add_scaled(judge, trials, &mut adding);
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
        // What a test was found to tell apart is nobody's equal.
        let is_told = |m: &Mutation| {
            self.told.iter().flatten().any(|i| {
                self.mutants
                    .get(*i)
                    .is_some_and(|r| r.mutant.mutation == *m)
            })
        };
        equivalent.retain(|(m, _)| !is_told(m));
        equivalent
    }

    /// Adds tests with inputs that come from the program itself, for steps of their own.
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

    /// Adds tests that differ from others in one part of their inputs, where these come to the place of a mutant; for half of what is left
    /// to spend.
    fn add_part_by_part(
        &mut self,
        judge: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
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
                    .filter(|t| is_settled(t) && self.comes_to_some(judge, t, &adding.open))
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

    /// Adds tests with larger numbers, unless executions come to no end with these.
    fn add_scaled(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
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

    /// The inputs of a test, with objects in other states that calls lead to.
    fn in_states(&self, judge: &Validator<'_>, trials: &[Candidate]) -> Vec<Inputs> {
        let Some(first) = trials.iter().find(|t| is_settled(t)) else {
            return Vec::new();
        };
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

    /// Where all inputs of the unit can be listed, adds tests from them. The result: mutants that do the same as the unit on each.
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

    /// Mutants that are proved to do the same as the unit are not looked for.
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

    /// Whether further inputs are worth trying.
    fn goes_on(&self, judge: &Validator<'_>, adding: &Adding, trials: &[Candidate]) -> bool {
        !adding.open.is_empty()
            && trials.len() < adding.most
            && judge.interp().steps() < self.limit
            && !judge.is_over()
    }

    /// Adds tests with such inputs as tell open mutants apart: those first that tell the most.
    fn add_best(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
        proposed: Vec<Inputs>,
    ) {
        let mut found: Vec<(Candidate, SortedSet<usize>)> = Vec::new();
        for inputs in proposed {
            if self.goes_on(judge, adding, trials) {
                found.extend(self.tried(judge, adding, inputs));
            }
        }
        // What was found is added also where finding it took all the steps.
        while !adding.open.is_empty() && trials.len() < adding.most && !judge.is_over() {
            for (_, told) in &mut found {
                told.retain(|m| adding.open.contains(m));
            }
            let best = (0..found.len())
                .max_by_key(|i| (found.get(*i).map(|(_, told)| told.len()), Reverse(*i)));
            let Some((trial, told)) = best
                .map(|i| found.swap_remove(i))
                .filter(|(_, told)| !told.is_empty())
            else {
                break;
            };
            self.add(judge, trials, adding, trial, told);
        }
    }

    /// A trial with such inputs, and the open mutants that it tells apart; `None`: it tells none.
    fn tried(
        &mut self,
        judge: &mut Validator<'_>,
        adding: &mut Adding,
        inputs: Inputs,
    ) -> Option<(Candidate, SortedSet<usize>)> {
        let trial = judge
            .judge(inputs)
            .filter(|t| is_settled(t) && t.unknowns() <= adding.unknowns)?;
        let told = self.tells(judge, &trial, adding.open.iter().copied());
        if told.is_empty() {
            if adding.pool.len() < MAX_POOL && adding.met.insert(trial.execution.trace.clone()) {
                adding.pool.push(trial.inputs);
            }
            return None;
        }
        Some((trial, told))
    }

    /// Adds a test that tells some mutants apart, made smaller and more varied as long as it still does.
    fn add(
        &mut self,
        judge: &mut Validator<'_>,
        trials: &mut Vec<Candidate>,
        adding: &mut Adding,
        mut trial: Candidate,
        told: SortedSet<usize>,
    ) {
        let Some(first) = told.first().and_then(|m| self.mutants.get(*m)) else {
            return;
        };
        let mutation = first.mutant.mutation.clone();
        let keep = trial.covers.iter().copied().collect();
        let small = |judge: &mut Validator<'_>, trial: &Candidate| {
            Some(shrink(judge, trial.clone(), &keep))
        };
        let changes: [&Change<'_>; 3] = [&small, &apart, &varied];
        for change in changes {
            let better = change(judge, &trial).filter(is_settled);
            if let Some(better) =
                better.filter(|b| self.tells(judge, b, told.iter().copied()).len() == told.len())
            {
                trial = better;
            }
        }
        trial.notices = Some(mutation);
        judge.learn_calls(&trial.inputs);
        adding.pool.push(trial.inputs.clone());
        trials.push(trial);
        adding.open.retain(|m| !told.contains(m));
        self.told.push(told);
    }

    /// Leaves out tests all of whose goals other tests reach, and all of whose mutants other tests tell apart: first those that tell the
    /// fewest. Where the steps do not suffice to know that of the tests that were added, none.
    fn leave_out(&mut self, judge: &Validator<'_>, trials: &mut Vec<Candidate>) {
        self.allow(judge, ADDING_STEPS);
        let added: Vec<usize> = (0..trials.len())
            .filter(|i| trials.get(*i).is_some_and(|t| t.notices.is_some()))
            .collect();
        for i in &added {
            if let Some(trial) = trials.get(*i) {
                let told = self.tells(judge, trial, self.all());
                self.told
                    .get_mut(*i)
                    .into_iter()
                    .for_each(|t| t.extend(&told));
            }
        }
        if added.is_empty() || judge.interp().steps() >= self.limit || judge.is_over() {
            return;
        }
        let mut order: Vec<usize> = (0..trials.len())
            .filter(|i| trials.get(*i).is_some_and(is_settled))
            .collect();
        order.sort_by_key(|i| self.told.get(*i).map(SortedSet::len));
        let mut left_out = SortedSet::new();
        for i in order {
            let (Some(trial), Some(told)) = (trials.get(i), self.told.get(i)) else {
                continue;
            };
            let others = || (0..trials.len()).filter(|o| *o != i && !left_out.contains(o));
            let covered =
                |g: &GoalId| others().any(|o| trials.get(o).is_some_and(|t| t.covers.contains(g)));
            let noticed =
                |m: &usize| others().any(|o| self.told.get(o).is_some_and(|t| t.contains(m)));
            if trial.covers.iter().all(covered) && told.iter().all(noticed) {
                left_out.insert(i);
            }
        }
        let is_kept: Vec<bool> = (0..trials.len()).map(|i| !left_out.contains(&i)).collect();
        let (mut of_trials, mut of_told) = (is_kept.iter(), is_kept.iter());
        trials.retain(|_| of_trials.next() == Some(&true));
        self.told.retain(|_| of_told.next() == Some(&true));
        // One that was added may be the only one now that reaches a goal: that is what it is for.
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
    /// Names, for each test that was added, a mutant that no other test of the unit kills. A test without one stands for its goals; it is
    /// left out where other tests reach these.
    fn name_purposes(&mut self, judge: &Validator<'_>, trials: &mut Vec<Candidate>) {
        self.allow(judge, ADDING_STEPS);
        let added: Vec<usize> = (0..trials.len())
            .filter(|i| trials.get(*i).is_some_and(|t| t.notices.is_some()))
            .collect();
        let mut left_out = SortedSet::new();
        for i in added {
            let (Some(trial), Some(killed)) = (trials.get(i), self.told.get(i)) else {
                continue;
            };
            let is_named = |m: &usize| {
                let mutant = self.mutants.get(*m).map(|m| &m.mutant.mutation);
                mutant == trial.notices.as_ref()
            };
            // The mutant that the test was added for first, then those that no other test is known to kill.
            let mut candidates: Vec<usize> = killed.iter().copied().filter(is_named).collect();
            candidates.extend(killed.iter().copied().filter(|m| {
                let others = self.told.iter().enumerate();
                let mut others = others.filter(|(j, _)| *j != i && !left_out.contains(j));
                !is_named(m) && !others.any(|(_, told)| told.contains(m))
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
            // Without steps it is not known what other tests kill.
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
        let mut numbers = 0..self.told.len();
        self.told
            .retain(|_| numbers.next().is_some_and(|i| !left_out.contains(&i)));
    }

    /// Whether a test with the inputs of a trial fails on a mutant.
    fn kills(&self, judge: &Validator<'_>, trial: &Candidate, mutant: usize) -> bool {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        !trial.execution.linked
            && interp.steps() < self.limit
            && self
                .mutants
                .get(mutant)
                .is_some_and(|m| interp.is_noticed(unit, m, &trial.inputs, &trial.execution))
    }

    /// Puts objects that were made field by field into states that calls lead to, where as much is reached and told apart from there: whoever
    /// uses a class meets such states, and what the fields have to do with each other is the constructor's business.
    fn remake(&mut self, judge: &mut Validator<'_>, trials: &mut [Candidate]) {
        self.allow(judge, REMAKING_STEPS);
        let mut constructor = Constructor::new(judge.interp().program());
        for (i, trial) in trials.iter_mut().enumerate().filter(|(_, t)| is_settled(t)) {
            let mut next = 0;
            while let Some(id) = next_made_by_hand(judge, &mut constructor, &trial.inputs, next) {
                next = id.0 + 1;
                if judge.interp().steps() >= self.limit || judge.is_over() {
                    return;
                }
                if let Some((better, told)) = self.remade(judge, trial, i, id) {
                    *trial = better;
                    self.told
                        .get_mut(i)
                        .into_iter()
                        .for_each(|t| t.clone_from(&told));
                }
            }
        }
    }

    /// A trial like one of the tests, with one object in a state that calls lead to, and the mutants that it tells apart: all that only this test
    /// does are among them.
    fn remade(
        &self,
        judge: &mut Validator<'_>,
        trial: &Candidate,
        i: usize,
        id: ObjectId,
    ) -> Option<(Candidate, SortedSet<usize>)> {
        let told = self.told.get(i)?;
        let others: SortedSet<usize> = self
            .told
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .flat_map(|(_, t)| t)
            .copied()
            .collect();
        let is_purpose = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| Some(&m.mutant.mutation) == trial.notices.as_ref())
        };
        let needed: SortedSet<usize> = told
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
            let is_worse = !is_as_good(&better, trial, &trial.covers) || !is_settled(&better);
            if is_worse || self.tells(judge, &better, needed.iter().copied()).len() < needed.len() {
                continue;
            }
            let told = self.tells(judge, &better, told.iter().copied());
            judge.learn(&trial.inputs.type_args, &class, state);
            better.given = judge.given_in(&better.inputs);
            better.notices.clone_from(&trial.notices);
            return Some((better, told));
        }
        None
    }
}

/// The first object from a number on that is an argument, and in no state that calls are known to lead to.
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
    let mut ids: Vec<ObjectId> = ids.collect();
    ids.sort();
    ids.into_iter().find(|id| {
        !judge.given(&inputs.type_args).has(inputs, *id)
            && constructor.construction(inputs, *id).is_none()
    })
}

/// A way to a better test that covers as much.
type Change<'c> = dyn Fn(&mut Validator<'_>, &Candidate) -> Option<Candidate> + 'c;

fn apart(judge: &mut Validator<'_>, trial: &Candidate) -> Option<Candidate> {
    attempt(judge, trial, pulled_apart(&trial.inputs))
}

fn varied(judge: &mut Validator<'_>, trial: &Candidate) -> Option<Candidate> {
    Some(vary(judge, trial.clone()))
}

/// Candidates like some others of which none knows what has to come out, with so few elements in sets, maps and multisets that it does not
/// matter which is chosen.
fn with_fewer_choices(judge: &mut Validator<'_>, trials: &[Candidate]) -> Vec<Candidate> {
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

/// The inputs with so many elements in sets, maps and multisets, at most.
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

/// The value with so many elements in sets, maps and multisets, at most.
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

/// Whether a test of the trial knows what has to come out.
fn is_settled(trial: &Candidate) -> bool {
    trial.execution.determined && !trial.execution.linked
}

/// Other inputs near those of a test: numbers moved together, then pulled apart, then small changes.
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

/// The inputs with numbers that are so many times larger; `None`: there are none.
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

/// The inputs with numbers in the same order, further from each other; what is equal stays so.
fn pulled_apart(inputs: &Inputs) -> Inputs {
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
