//! Larger inputs: a few tests per unit that combine many cases in one execution.
//!
//! Tests that cover a goal or kill a mutant are as small as possible, so that loops iterate once
//! and recursion ends early. Many errors show only where cases follow each other: the second
//! element of an operator chain, a merge after a merge, an element that is skipped before one that
//! is taken. [`Table::add_larger`] looks for inputs whose executions have many such combinations
//! ([`Feature`]) and that kill mutants again that few tests kill.
//!
//! The inputs are found by local search from the inputs of the pool and of the unit's tests, with an
//! archive that keeps an input for every feature (many-objective search with an archive: Panichella,
//! Kifetew and Tonella, *Automated Test Case Generation as a Many-Objective Optimisation Problem
//! with Dynamic Selection of the Targets*, 2018).

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::mutate::Mutator;
use super::parts::{Scope, extent};
use super::sequences::Sequences;
use super::strengthen::{Table, is_settled};
use super::validate::{Candidate, Validator};
use dafny_resolve::typed::CallableId;
use dtest_interp::{Feature, Inputs};
use dtest_ir::Terminator;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;

/// Interpreter steps for the local search, and for running mutants, per part of common size.
const SEARCH_STEPS: u64 = 600_000;
const MUTANT_STEPS: u64 = 700_000;
/// Maximum number of changed inputs, and of consecutive ones without a new feature, per part.
const MAX_CHANGES: usize = 600;
const MAX_IDLE: usize = 150;
/// Maximum number of parts of larger inputs. Others are unreadable in a test.
const MAX_EXTENT: u64 = 90;
/// Maximum number of inputs in the archive.
const MAX_ARCHIVE: usize = 64;
/// Maximum numbers of larger inputs that are added, of candidates on which mutants are run, and of
/// these mutants.
const MAX_LARGER: usize = 5;
const MAX_TRIED: usize = 16;
const MAX_SAMPLE: usize = 80;
/// Number of tests below which a mutant counts as rarely killed.
const DETECTIONS: usize = 2;
/// Minimum worth of a larger input, in the units of [`weight`].
const MIN_WORTH: u64 = 16;
/// Minimum number of decisions of a unit that gets several larger inputs, and of one without loops
/// and recursion that gets any.
const MIN_DECISIONS: usize = 4;

/// Inputs in the archive.
struct Rich {
    candidate: Candidate,
    features: SortedSet<Feature>,
    extent: u64,
}

impl Table {
    /// Adds a few larger inputs, so that combinations of cases are tested and most mutants are
    /// killed by two different tests. The number of times that a suite detects each fault of one
    /// model predicts how many other faults it detects (n-detection: Pomeranz and Reddy, *On
    /// n-detection test sets and variable n-detection test sets*, 1999). Units without loops,
    /// recursion and several decisions have no such inputs.
    pub(super) fn add_larger(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
    ) {
        if validator.pool.is_none()
            || !is_composite(validator)
            || !candidates.iter().any(is_settled)
        {
            return;
        }
        validator.interp().observe(true);
        // The features that the tests have already, with the number of tests.
        let mut known: FxHashMap<Feature, u32> = FxHashMap::default();
        for candidate in candidates.iter().filter(|t| is_settled(t)) {
            let unit = validator.procedure().callable;
            validator.interp().run(unit, &candidate.inputs);
            for feature in validator.interp().behaviour() {
                *known.entry(feature).or_default() += 1;
            }
        }
        let mut archive = self.explored(validator, mutator, candidates, &known);
        validator.interp().observe(false);
        // Mutants are run only on the inputs that combine the most.
        archive.sort_by_cached_key(|r| Reverse((worth(r, &known), Reverse(r.extent))));
        archive.truncate(MAX_TRIED);
        self.choose(validator, candidates, archive, known);
    }

    /// Searches for inputs with new features.
    fn explored(
        &self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &[Candidate],
        known: &FxHashMap<Feature, u32>,
    ) -> Vec<Rich> {
        let unknowns = candidates.iter().map(Candidate::unknowns).max();
        let parts = self.parts();
        let limit = validator.interp().steps() + SEARCH_STEPS * parts as u64;
        let mut archive = Archive::default();
        let tried = |validator: &mut Validator<'_>, archive: &mut Archive, inputs: Inputs| {
            let extent = extent(&inputs);
            if extent > MAX_EXTENT {
                return false;
            }
            let candidate = validator.validate(inputs);
            let features = validator.interp().behaviour();
            let candidate =
                candidate.filter(|t| is_settled(t) && t.unknowns() <= unknowns.unwrap_or_default());
            candidate.is_some_and(|candidate| {
                archive.add(Rich {
                    candidate,
                    features,
                    extent,
                })
            })
        };
        // The tests' own inputs are a basis for changes, too.
        let own: Vec<Inputs> = candidates.iter().map(|t| t.inputs.clone()).collect();
        for inputs in validator.pooled().iter().cloned().chain(own) {
            if validator.interp().steps() >= limit || validator.is_over() {
                break;
            }
            tried(validator, &mut archive, inputs);
        }
        let mut sequences = Sequences::default();
        let mut idle = 0;
        for _ in 0..MAX_CHANGES * parts {
            let is_over = validator.interp().steps() >= limit || validator.is_over();
            if is_over || idle >= MAX_IDLE * parts {
                break;
            }
            idle += 1;
            let Some(inputs) = archive.changed(validator, mutator, &mut sequences, known) else {
                break;
            };
            // Objects that calls made are not changed by hand, so that some inputs allow no change.
            if let Some(inputs) = inputs
                && tried(validator, &mut archive, inputs)
            {
                idle = 0;
            }
        }
        archive.all
    }

    /// Adds the inputs that are worth the most, in new features and in mutants that few tests kill.
    fn choose(
        &mut self,
        validator: &mut Validator<'_>,
        candidates: &mut Vec<Candidate>,
        mut found: Vec<Rich>,
        mut known: FxHashMap<Feature, u32>,
    ) {
        self.limit = validator.interp().steps() + MUTANT_STEPS * self.parts() as u64;
        // A sample of the mutants is enough to compare candidates.
        let sample: Vec<usize> = {
            let parts = self.mutants.len().div_ceil(MAX_SAMPLE).max(1);
            (0..self.mutants.len()).step_by(parts).collect()
        };
        let mut killed: Vec<SortedSet<usize>> = Vec::new();
        for rich in &found {
            killed.push(self.killed_by(validator, &rich.candidate, sample.iter().copied()));
        }
        // The number of tests that kill each mutant so far.
        let mut counts: SortedMap<usize, usize> = SortedMap::new();
        for mutant in self.killed_by_test.iter().flatten() {
            *counts.entry(*mutant).or_default() += 1;
        }
        // One input has all combinations that a simple unit can have.
        let most = if decisions(validator) < MIN_DECISIONS {
            1
        } else {
            MAX_LARGER
        };
        for round in 0..most {
            // The first one mixes as many cases as possible. Mutants are worth little there:
            // those that few tests kill often need one case again and again.
            let of_mutant = if round == 0 { 1 } else { 6 };
            let is_rare = |m: &&usize| counts.get(m).copied().unwrap_or(0) < DETECTIONS;
            let value = |i: usize| {
                let (rich, killed) = (found.get(i)?, killed.get(i)?);
                let rare = killed.iter().filter(is_rare).count() as u64;
                // An input on which no mutant is killed shows nothing.
                (!killed.is_empty() || sample.is_empty()).then(|| {
                    (
                        worth(rich, &known) + of_mutant * rare,
                        Reverse(rich.extent),
                        Reverse(i),
                    )
                })
            };
            let Some((value, _, Reverse(best))) = (0..found.len()).filter_map(value).max() else {
                break;
            };
            // Otherwise it adds only length.
            if value < MIN_WORTH {
                break;
            }
            let mut rich = found.swap_remove(best);
            let mutants = killed.swap_remove(best);
            for mutant in &mutants {
                *counts.entry(*mutant).or_default() += 1;
            }
            for feature in &rich.features {
                *known.entry(*feature).or_default() += 1;
            }
            validator.learn_calls(&rich.candidate.inputs);
            // The test is named after no goal and no mutant of its own.
            rich.candidate.is_larger = true;
            candidates.push(rich.candidate);
            self.killed_by_test.push(mutants);
        }
    }
}

/// The inputs with the smallest extent for each feature.
#[derive(Default)]
struct Archive {
    all: Vec<Rich>,
    /// The features that inputs of the archive have, with the smallest extent of such an input.
    smallest: FxHashMap<Feature, u64>,
}

impl Archive {
    /// Adds inputs that have a feature which no input had before, or which only larger inputs had.
    /// Returns whether there is a new feature.
    fn add(&mut self, rich: Rich) -> bool {
        let is_new = rich.features.iter().any(|f| !self.smallest.contains_key(f));
        let is_smaller = |f: &Feature| self.smallest.get(f).is_none_or(|e| rich.extent < *e);
        if !is_new && rich.features.iter().filter(|f| is_smaller(f)).count() < 2 {
            return false;
        }
        if self.all.len() >= MAX_ARCHIVE {
            // Inputs with few features are covered by others.
            let Some(least) = (0..self.all.len())
                .min_by_key(|i| self.all.get(*i).map_or(0, |r| r.features.len()))
            else {
                return false;
            };
            if self
                .all
                .get(least)
                .is_some_and(|r| r.features.len() >= rich.features.len())
            {
                return false;
            }
            self.all.swap_remove(least);
        }
        for feature in &rich.features {
            let known = self.smallest.entry(*feature).or_insert(rich.extent);
            *known = rich.extent.min(*known);
        }
        self.all.push(rich);
        is_new
    }

    /// Changed inputs of the archive; inside, `None` if those that were drawn cannot be changed.
    /// `None` if the archive is empty.
    fn changed(
        &self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        sequences: &mut Sequences,
        known: &FxHashMap<Feature, u32>,
    ) -> Option<Option<Inputs>> {
        // The best of three drawn inputs is changed (tournament selection), so that rich inputs
        // become richer and others are not forgotten.
        let draw = |mutator: &mut Mutator<'_>| mutator.random.pick(&self.all);
        let mut best = draw(mutator)?;
        for _ in 0..2 {
            let other = draw(mutator)?;
            if worth(other, known) > worth(best, known) {
                best = other;
            }
        }
        let donor = &draw(mutator)?.candidate.inputs;
        let inputs = &best.candidate.inputs;
        let has_objects = inputs.args.iter().any(|v| matches!(v, Value::Ref(_)));
        if has_objects && mutator.random.flip() {
            return Some(sequences.extended(validator, mutator, inputs));
        }
        let scope = validator.scope(inputs);
        let interp = validator.interp();
        if mutator.random.below(4) == 0 {
            return Some(mutator.coherent(interp, inputs));
        }
        let is_whole = !has_objects || scope == Scope::Objects;
        Some(if is_whole && mutator.random.below(3) == 0 {
            Some(mutator.changed(interp, inputs))
        } else {
            mutator.restructured(interp, inputs, Some(donor), scope)
        })
    }
}

/// The weight of a feature: shorter combinations first, because an error in a single way shows in
/// all longer ones.
fn weight(feature: &Feature) -> u64 {
    match feature.order {
        0 | 1 => 6,
        2 => 3,
        _ => 1,
    }
}

/// The worth of inputs: the weight of the features that no test has, and a small part of that of
/// features that one test has.
fn worth(rich: &Rich, known: &FxHashMap<Feature, u32>) -> u64 {
    let of = |f: &Feature| match known.get(f) {
        None => 4 * weight(f),
        Some(1) => weight(f),
        Some(_) => 0,
    };
    rich.features.iter().map(of).sum::<u64>() / 4
}

/// Whether a unit can combine several cases in one execution: it has loops, is recursive or calls
/// recursive code, or has several decisions.
fn is_composite(validator: &Validator<'_>) -> bool {
    let program = validator.interp().program();
    let unit = validator.procedure().callable;
    let repeats = |callable: CallableId| {
        program.procedures.get(&callable).is_some_and(|p| {
            p.blocks.iter().any(|b| b.loop_head.is_some())
                || program.runs(callable).contains(&callable)
        })
    };
    decisions(validator) >= MIN_DECISIONS
        || repeats(unit)
        || program.callees(unit).into_iter().any(repeats)
}

/// Number of decisions of a unit.
fn decisions(validator: &Validator<'_>) -> usize {
    let is_decision = |t: &Terminator| matches!(t, Terminator::Branch { .. });
    let blocks = validator.procedure().blocks.iter();
    blocks.filter(|b| is_decision(&b.terminator)).count()
}
