//! The search for inputs that kill surviving mutants: local search, guided by how far each mutant's
//! difference gets.
//!
//! For every surviving mutant, an archive has the inputs on which its effect went furthest
//! ([`Effect`]): the changed place was not reached, was reached, or was reached and the mutant then
//! took other branches than the unit. The mutants have turns. In its turn, inputs of a mutant's
//! archive are changed, by small changes and by structural ones with parts of other inputs, and run
//! with all surviving mutants. Reach, infection and propagation as fitness are those of Fraser and
//! Zeller (*Mutation-Driven Generation of Unit Tests and Oracles*, 2012), the archive with one goal
//! per mutant is that of DynaMOSA (Panichella, Kifetew and Tonella, 2018).
//!
//! Before the random changes, those of single parts are listed ([`Mutator::neighbours`]).
//!
//! The search ends when no mutant survives, when its interpreter steps are used, or when a number of
//! changes in a row improved nothing.

use super::add_tests::Adding;
use super::mutate::Mutator;
use super::sequences::{self, Sequences};
use super::strengthen::Table;
use super::validate::{Candidate, Validator};
use dtest_interp::{Effect, Inputs};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;

/// Interpreter steps of the random changes, and of the listed ones before them, per share.
const STEPS: u64 = 1_000_000;
const LISTED_STEPS: u64 = 500_000;
/// Number of surviving mutants for which these steps are meant, and maximum factor for more of them:
/// every input is run with all.
const COMMON_OPEN: usize = 20;
const MAX_FACTOR: usize = 6;
/// Number of surviving mutants that are run first. The others are run if an input gets further with
/// one of these.
const SAMPLE: usize = 24;
/// Maximum number of inputs whose neighbours are listed.
const MAX_LISTED: usize = 24;
/// Maximum number of consecutive inputs that improve nothing, per share.
const MAX_IDLE: usize = 250;
/// Number of parts of inputs from which one is drawn to be changed.
const MAX_PARTS: usize = 40;
/// Maximum number of inputs per mutant in the archive.
const MAX_PER_MUTANT: usize = 3;

/// The inputs on which the effect of a mutant went furthest.
#[derive(Default)]
struct Best {
    effect: Option<Effect>,
    inputs: Vec<Inputs>,
}

impl Table {
    /// Adds tests for surviving mutants, with one of `part` parts of the steps. Returns whether the
    /// search was still making progress when its steps were used.
    pub(super) fn hunt(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
        part: usize,
    ) -> bool {
        let mut archive: SortedMap<usize, Best> = SortedMap::new();
        let factor = (adding.open.len() / COMMON_OPEN).clamp(1, MAX_FACTOR) as u64;
        let effort = self.effort.saturating_mul(factor);
        self.allow(validator, LISTED_STEPS.saturating_mul(effort) / part as u64);
        self.try_neighbours(validator, mutator, candidates, adding, &mut archive);
        self.allow(validator, STEPS.saturating_mul(effort) / part as u64);
        let most_idle = MAX_IDLE * self.shares() / part;
        let mut sequences = Sequences::default();
        let (mut idle, mut turn) = (0, 0);
        let mut progress = false;
        while idle < most_idle && self.goes_on(validator, adding, candidates) {
            idle += 1;
            turn += 1;
            let target = adding.open.iter().nth(turn % adding.open.len().max(1));
            let best = target.and_then(|m| archive.get(m));
            // Half of the changes start from other inputs, because the best ones may be a local
            // optimum.
            let basis = match best.filter(|_| mutator.random.flip()) {
                Some(best) => mutator.random.pick(&best.inputs),
                None => mutator.random.pick(&adding.pool),
            };
            let Some(basis) = basis else {
                break;
            };
            let donor = mutator.random.pick(&adding.pool);
            let inputs = proposed(validator, mutator, &mut sequences, basis, donor);
            let (kills, improved) =
                self.propose(validator, candidates, adding, &mut archive, inputs);
            if kills {
                (idle, progress) = (0, true);
            } else if improved {
                idle /= 2;
            }
        }
        progress && !adding.open.is_empty() && idle < most_idle / 2
    }

    /// Tries the inputs that differ in one part from those on which the effect of a surviving mutant
    /// went furthest.
    fn try_neighbours(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
        archive: &mut SortedMap<usize, Best>,
    ) {
        for inputs in adding.pool.clone() {
            if !self.goes_on(validator, adding, candidates) {
                return;
            }
            self.propose(validator, candidates, adding, archive, inputs);
        }
        let mut listed: Vec<Inputs> = Vec::new();
        let targets: Vec<usize> = adding.open.iter().copied().collect();
        for target in targets {
            let best = archive
                .get(&target)
                .filter(|_| adding.open.contains(&target));
            // Without an input that reaches the mutant, changes of single parts are blind.
            let best = best.filter(|b| b.effect > Some(Effect::Unreached));
            let bases = best.map(|b| b.inputs.clone()).unwrap_or_default();
            for basis in bases {
                if listed.len() >= MAX_LISTED || listed.contains(&basis) {
                    continue;
                }
                let (scope, donors) = (validator.scope(&basis), adding.pool.clone());
                for inputs in mutator.neighbours(validator.interp(), &basis, &donors, scope) {
                    if !self.goes_on(validator, adding, candidates) {
                        return;
                    }
                    self.propose(validator, candidates, adding, archive, inputs);
                }
                listed.push(basis);
            }
        }
    }

    /// Adds a test with these inputs if it kills surviving mutants. Returns whether it does, and
    /// whether the effect of others got further.
    fn propose(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
        archive: &mut SortedMap<usize, Best>,
        inputs: Inputs,
    ) -> (bool, bool) {
        let Some(candidate) = validator.validate(inputs).filter(|t| adding.admits(t)) else {
            return (false, false);
        };
        let (killed, improved) = self.effects(validator, &candidate, adding, archive);
        if killed.is_empty() {
            adding.remember(candidate);
            return (false, improved);
        }
        let candidate = self.with_fewer_calls(validator, candidate, adding, &killed);
        self.add(validator, candidates, adding, candidate, killed);
        (true, improved)
    }

    /// The candidate with shorter sequences of calls that lead to its objects, if it kills the same
    /// mutants then. Its objects count as preferred from here on, so that they keep their states.
    fn with_fewer_calls(
        &self,
        validator: &mut Validator<'_>,
        mut candidate: Candidate,
        adding: &Adding,
        killed: &SortedSet<usize>,
    ) -> Candidate {
        let inputs = candidate.inputs.clone();
        sequences::shortened(validator, &inputs, |validator, shorter| {
            let shorter = validator.validate(shorter.clone());
            let shorter = shorter.filter(|t| adding.admits(t)).filter(|t| {
                self.killed_by(validator, t, killed.iter().copied()).len() == killed.len()
            });
            let is_good = shorter.is_some();
            candidate = shorter.unwrap_or_else(|| candidate.clone());
            is_good
        });
        validator.learn_calls(&candidate.inputs);
        candidate.given = validator.given_in(&candidate.inputs);
        candidate
    }

    /// The surviving mutants that a candidate kills, and whether others got further on it than on
    /// all inputs before.
    fn effects(
        &self,
        validator: &Validator<'_>,
        candidate: &Candidate,
        adding: &Adding,
        archive: &mut SortedMap<usize, Best>,
    ) -> (SortedSet<usize>, bool) {
        let (interp, unit) = (validator.interp(), validator.procedure().callable);
        let (mut killed, mut improved) = (SortedSet::new(), false);
        // The sample moves on with the steps, so that every mutant comes first at times.
        let first = (interp.steps() % 0xFFF1) as usize % adding.open.len().max(1);
        let open = adding.open.iter().cycle().skip(first);
        for (i, m) in open.take(adding.open.len()).enumerate() {
            let Some(mutant) = self.mutants.get(*m) else {
                continue;
            };
            let is_in_vain = i >= SAMPLE && killed.is_empty() && !improved;
            if is_in_vain || interp.steps() >= self.limit || validator.is_over() {
                break;
            }
            let effect = interp.effect(unit, mutant, &candidate.inputs, &candidate.execution);
            if effect == Effect::Killed {
                killed.insert(*m);
                continue;
            }
            let best = archive.entry(*m).or_default();
            if best.effect < Some(effect) {
                improved |= best.effect.is_some();
                *best = Best {
                    effect: Some(effect),
                    inputs: vec![candidate.inputs.clone()],
                };
            } else if best.effect == Some(effect) && best.inputs.len() < MAX_PER_MUTANT {
                best.inputs.push(candidate.inputs.clone());
            }
        }
        (killed, improved)
    }
}

/// Changed inputs: by other calls that lead to their objects, by structural changes, by changes of
/// single parts at any depth, by arguments that share a few values, by numbers at the limits of
/// what is valid, or by small changes from the top.
fn proposed(
    validator: &mut Validator<'_>,
    mutator: &mut Mutator<'_>,
    sequences: &mut Sequences,
    basis: &Inputs,
    donor: Option<&Inputs>,
) -> Inputs {
    let has_objects = basis.args.iter().any(|v| matches!(v, Value::Ref(_)));
    // Objects are related to nothing but the calls that lead to them: changes of their fields are
    // often invalid.
    let proposed = match mutator.random.below(7) {
        0 => sequences.extended(validator, mutator, basis),
        1 if has_objects => sequences.extended(validator, mutator, basis),
        1 | 2 => {
            let scope = validator.scope(basis);
            mutator.restructured(validator.interp(), basis, donor, scope)
        }
        3 => {
            let at = mutator.random.below(MAX_PARTS);
            mutator.with_part(validator.interp(), basis, at)
        }
        4 => mutator.coherent(validator.interp(), basis),
        5 => mutator.at_limits(validator.interp(), validator.procedure().callable, basis),
        _ => None,
    };
    proposed.unwrap_or_else(|| mutator.changed(validator.interp(), basis))
}
