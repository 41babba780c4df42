//! Inputs that would notice a mistake: tests that are there are moved to inputs on which mutants of the unit
//! ([`Interp::mutants`]) show, as long as they reach what they reach; for mutants that none of them can be moved to, a few tests are
//! added where that is asked for (after Fraser and Zeller, *Mutation-Driven Generation of Unit Tests and Oracles*, 2012).
//!
//! [`Interp::mutants`]: crate::interp::Interp::mutants

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;

use super::mutate::Mutator;
use super::shrink::shrink;
use super::trial::{Judge, Trial};
use super::vary::{attempt, rewrite_inputs};
use crate::interp::{Inputs, Runnable};
use crate::mutants::Mutant;
use crate::value::Value;

/// Mutants of a unit that are tried.
const MAX_MUTANTS: usize = 400;
/// Other inputs that are tried for one test: those from which something else came last count.
const MAX_IDLE: usize = 32;
/// Steps of the interpreter for moving the tests of a callable whose goals count, and for adding some.
const MAX_STEPS: u64 = 3_000_000;
/// Callables of an entry for which all that is spent, at most.
const MAX_SHARES: usize = 8;
/// Steps for an entry whose tree of calls is large, where every execution is long and there are many mutants: what they cost together
/// must not grow faster than the program.
const LARGE_TREE_STEPS: u64 = 50_000;
/// Tests that are added for each callable whose goals count, at most.
const MORE: usize = 4;
/// Callables for which tests are added, at most.
const MAX_ADDING: usize = 4;
/// Inputs that are tried for a further test, for each such callable: those after the last that was added.
const MAX_TRIES: usize = 400;
/// Inputs from which others are made for that, at most.
const MAX_POOL: usize = 48;
/// By how much all numbers are moved together: that keeps their order and their differences.
const SHIFTS: [i64; 5] = [3, 1, 7, -1, -4];

/// Moves tests to inputs that tell more mutants apart; none is told apart less than before, and the goals stay. Then some tests may
/// be added, each for mutants that no other one tells apart.
///
/// `infect` finds inputs on which mutants differ where they are changed.
pub(super) fn strengthen(judge: &mut Judge<'_>, mutator: &mut Mutator<'_>, trials: &mut Vec<Trial>, infect: Option<&Infect<'_>>) {
    let (findings, blocked, blocked_goals) = (judge.findings.len(), judge.blocked.clone(), judge.blocked_goals.clone());
    let mut table = Table::new(judge, trials);
    for (i, trial) in trials.iter_mut().enumerate() {
        if is_settled(trial) {
            table.move_test(judge, mutator, i, trial);
        }
    }
    if let Some(infect) = infect
        && trials.iter().any(is_settled)
    {
        table.add_tests(judge, mutator, trials, infect);
    }
    // Inputs tried on the way are not what was asked for.
    judge.findings.truncate(findings);
    (judge.blocked, judge.blocked_goals) = (blocked, blocked_goals);
}

/// Finds inputs on which some mutants differ where they are changed.
pub(super) type Infect<'a> = dyn Fn(&[&Mutant]) -> Vec<Inputs> + 'a;

/// Which test tells which mutants apart.
struct Table {
    mutants: Vec<Runnable>,
    /// For each test.
    told: Vec<BTreeSet<usize>>,
    /// Callables whose goals count.
    callables: usize,
    /// Steps of the interpreter after which nothing more is tried.
    limit: u64,
}

impl Table {
    fn new(judge: &Judge<'_>, trials: &[Trial]) -> Self {
        let all = judge.interp().mutants(judge.procedure().callable);
        // Of too many, some from everywhere.
        let parts = all.len().div_ceil(MAX_MUTANTS).max(1);
        let mutants = all.into_iter().step_by(parts).filter_map(|m| judge.interp().runnable(m)).collect();
        let system = judge.interp().program().systems.get(&judge.procedure().callable);
        let callables = 1 + system.map_or(0, |s| s.callees.len());
        let mut table = Self { mutants, told: Vec::with_capacity(trials.len()), callables, limit: 0 };
        table.allow(judge);
        for trial in trials {
            let told = table.tells(judge, trial, table.all());
            table.told.push(told);
        }
        table
    }

    /// How many times what one callable may cost.
    fn shares(&self) -> usize {
        self.callables.min(MAX_SHARES)
    }

    /// Allows more steps.
    fn allow(&mut self, judge: &Judge<'_>) {
        let is_large = judge.interp().program().call_tree_size(judge.procedure().callable) > super::LARGE_TREE;
        let steps = if is_large { LARGE_TREE_STEPS } else { MAX_STEPS * self.shares() as u64 };
        self.limit = judge.interp().steps() + steps;
    }

    fn all(&self) -> BTreeSet<usize> {
        (0..self.mutants.len()).collect()
    }

    /// The mutants that no test tells from the unit.
    fn open(&self) -> BTreeSet<usize> {
        let told: BTreeSet<usize> = self.told.iter().flatten().copied().collect();
        self.all().difference(&told).copied().collect()
    }

    /// Those of some mutants that the trial tells from the unit.
    fn tells(&self, judge: &Judge<'_>, trial: &Trial, of: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let (interp, unit) = (judge.interp(), judge.procedure().callable);
        if !is_settled(trial) {
            return BTreeSet::new();
        }
        let tried = of.into_iter().take_while(|_| interp.steps() < self.limit && !judge.is_over());
        let differs = |m: &usize| self.mutants.get(*m).is_some_and(|m| interp.tells_apart(unit, m, &trial.inputs, &trial.execution));
        tried.filter(differs).collect()
    }

    /// Moves one test as long as that tells more apart.
    fn move_test(&mut self, judge: &mut Judge<'_>, mutator: &mut Mutator<'_>, i: usize, trial: &mut Trial) {
        let (mut idle, mut round) = (0, 0);
        let mut open = self.open();
        while idle < MAX_IDLE && !open.is_empty() && judge.interp().steps() < self.limit {
            let Some(inputs) = candidate(judge, mutator, &trial.inputs, round) else { break };
            (idle, round) = (idle + 1, round + 1);
            if inputs == trial.inputs {
                continue;
            }
            let Some(better) = attempt(judge, trial, inputs).filter(is_settled) else { continue };
            let new = self.tells(judge, &better, open.iter().copied());
            if new.is_empty() {
                continue;
            }
            let others: BTreeSet<usize> =
                self.told.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, t)| t.iter().copied()).collect();
            let Some(mine) = self.told.get(i) else { break };
            let needed: BTreeSet<usize> = mine.difference(&others).copied().collect();
            let kept = self.tells(judge, &better, needed.iter().copied());
            if kept.len() < needed.len() {
                continue;
            }
            let rest = self.tells(judge, &better, others.iter().copied());
            if let Some(mine) = self.told.get_mut(i) {
                *mine = new.into_iter().chain(kept).chain(rest).collect();
            }
            *trial = better;
            open = self.open();
            (idle, round) = (0, 0);
        }
    }

    /// Adds tests for mutants that no test tells apart, from inputs that the solver proposes, then from inputs near those of all tests and
    /// of what was tried on the way.
    fn add_tests(&mut self, judge: &mut Judge<'_>, mutator: &mut Mutator<'_>, trials: &mut Vec<Trial>, infect: &Infect<'_>) {
        self.allow(judge);
        let open: Vec<&Mutant> = self.open().into_iter().filter_map(|m| self.mutants.get(m)).map(|m| &m.mutant).collect();
        let mut proposed = if open.is_empty() { Vec::new() } else { infect(&open) };
        proposed.reverse();
        let mut pool: Vec<Inputs> = trials.iter().map(|t| t.inputs.clone()).collect();
        let mut met: BTreeSet<_> = trials.iter().map(|t| t.execution.trace.clone()).collect();
        let unknowns = trials.iter().map(Trial::unknowns).max().unwrap_or(0);
        let (mut open, mut idle, mut next, most) = (self.open(), 0, 0, trials.len() + MORE * self.callables.min(MAX_ADDING));
        while idle < MAX_TRIES * self.shares() && trials.len() < most && !open.is_empty() && judge.interp().steps() < self.limit {
            idle += 1;
            next += 1;
            let nearby = || pool.get(next % pool.len().max(1)).map(|i| mutator.changed(judge.interp(), i));
            let Some(inputs) = proposed.pop().or_else(nearby) else { break };
            let Some(mut trial) = judge.judge(inputs).filter(|t| is_settled(t) && t.unknowns() <= unknowns) else { continue };
            let new = self.tells(judge, &trial, open.iter().copied());
            if let Some(first) = new.first().and_then(|m| self.mutants.get(*m)) {
                let mutation = first.mutant.mutation.clone();
                let keep = trial.covers.iter().copied().collect();
                let small = shrink(judge, trial.clone(), &keep);
                if is_settled(&small) && self.tells(judge, &small, new.iter().copied()).len() == new.len() {
                    trial = small;
                }
                trial.notices = Some(mutation);
                pool.push(trial.inputs.clone());
                trials.push(trial);
                open.retain(|m| !new.contains(m));
                idle = 0;
            } else if pool.len() < MAX_POOL && met.insert(trial.execution.trace.clone()) {
                pool.push(trial.inputs);
            }
        }
    }
}

/// Whether a test of the trial knows what has to come out.
fn is_settled(trial: &Trial) -> bool {
    trial.execution.deterministic && !trial.execution.linked
}

/// Other inputs near those of a test: numbers moved together, then pulled apart, then small changes.
fn candidate(judge: &Judge<'_>, mutator: &mut Mutator<'_>, inputs: &Inputs, round: usize) -> Option<Inputs> {
    if let Some(by) = SHIFTS.get(round) {
        return Some(rewrite_inputs(inputs, &mut |v| match v {
            Value::Int(n) => Some(Value::Int(n + by)),
            _ => None,
        }));
    }
    match round - SHIFTS.len() {
        0 => Some(pulled_apart(inputs)),
        _ => Some(mutator.changed(judge.interp(), inputs)),
    }
}

/// The inputs with numbers in the same order, further from each other; what is equal stays so.
fn pulled_apart(inputs: &Inputs) -> Inputs {
    let mut numbers: BTreeMap<BigInt, BigInt> = BTreeMap::new();
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
    rewrite_inputs(inputs, &mut |v| match v {
        Value::Int(n) => numbers.get(n).cloned().map(Value::Int),
        _ => None,
    })
}
