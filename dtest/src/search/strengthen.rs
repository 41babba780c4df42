//! Inputs that would notice a mistake: tests that are there are moved to inputs on which wrong variants of the unit
//! ([`Interp::mutants`]) show, as long as they reach what they reach (after Fraser and Zeller, *Mutation-Driven Generation of Unit Tests
//! and Oracles*, 2012, with the number of tests kept).
//!
//! [`Interp::mutants`]: crate::interp::Interp::mutants

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;

use super::mutate::Mutator;
use super::trial::{Judge, Trial};
use super::vary::{attempt, rewrite_inputs};
use crate::interp::{Inputs, Mutant};
use crate::value::Value;

/// Variants of a unit that are tried.
const MAX_MUTANTS: usize = 160;
/// Other inputs that are tried for one test: those from which something else came last count.
const MAX_IDLE: usize = 32;
/// Steps of the interpreter for a unit.
const MAX_STEPS: u64 = 1_500_000;
/// By how much all numbers are moved together: that keeps their order and their differences.
const SHIFTS: [i64; 5] = [3, 1, 7, -1, -4];

/// Moves tests to inputs that tell more variants apart; none is told apart less than before, and the goals stay.
pub(super) fn strengthen(judge: &mut Judge<'_>, mutator: &mut Mutator<'_>, trials: &mut [Trial]) {
    let (findings, blocked, blocked_goals) = (judge.findings.len(), judge.blocked.clone(), judge.blocked_goals.clone());
    let mut mutants = judge.interp().mutants(judge.procedure().callable);
    mutants.truncate(MAX_MUTANTS);
    let limit = judge.interp().steps() + MAX_STEPS;
    let mut told: Vec<BTreeSet<usize>> = Vec::with_capacity(trials.len());
    for trial in trials.iter() {
        told.push(tells(judge, &mutants, trial, limit));
    }
    for (i, trial) in trials.iter_mut().enumerate() {
        if !is_settled(trial) {
            continue;
        }
        let others: BTreeSet<usize> = told.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, t)| t.iter().copied()).collect();
        let (mut idle, mut round) = (0, 0);
        while idle < MAX_IDLE && judge.interp().steps() < limit {
            let mine = told.get(i).cloned().unwrap_or_default();
            if mine.len() + others.difference(&mine).count() >= mutants.len() {
                break;
            }
            let Some(inputs) = candidate(judge, mutator, &trial.inputs, round) else { break };
            (idle, round) = (idle + 1, round + 1);
            if inputs == trial.inputs {
                continue;
            }
            let Some(better) = attempt(judge, trial, inputs).filter(is_settled) else { continue };
            let all = tells(judge, &mutants, &better, limit);
            let kept = mine.difference(&others).all(|m| all.contains(m));
            if kept && all.iter().any(|m| !mine.contains(m) && !others.contains(m)) {
                *trial = better;
                if let Some(mine) = told.get_mut(i) {
                    *mine = all;
                }
                (idle, round) = (0, 0);
            }
        }
    }
    // Inputs tried on the way are not what was asked for.
    judge.findings.truncate(findings);
    (judge.blocked, judge.blocked_goals) = (blocked, blocked_goals);
}

/// Whether a test of the trial knows what has to come out.
fn is_settled(trial: &Trial) -> bool {
    trial.execution.deterministic && !trial.execution.linked && trial.execution.answers.is_empty()
}

/// The variants that the trial tells from the unit.
fn tells(judge: &Judge<'_>, mutants: &[Mutant], trial: &Trial, limit: u64) -> BTreeSet<usize> {
    let (interp, is_settled) = (judge.interp(), is_settled(trial));
    let tried = mutants.iter().enumerate().take_while(|_| is_settled && interp.steps() < limit);
    tried.filter(|(_, m)| interp.tells_apart(m, &trial.inputs, &trial.execution)).map(|(i, _)| i).collect()
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
