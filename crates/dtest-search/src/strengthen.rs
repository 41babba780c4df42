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

use std::sync::Arc;

use num_bigint::BigInt;

use super::api::Equivalence;
use super::diversify::{attempt, rewrite_inputs};
use super::infect::{Infected, Interest};
use super::mutate::Mutator;
use super::validate::{Candidate, Validator};
use dtest_interp::{Inputs, Outcome, Runnable};
use dtest_mutants::{Mutant, Mutation};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Contents, Value};

/// Maximum number of mutants of a unit that are run. Of more, an evenly spaced sample is taken.
const MAX_MUTANTS: usize = 1_000;
/// Number of mutants of a unit of common size. The limits below are multiplied for units with more.
const COMMON_MUTANTS: usize = 100;
/// Maximum number of consecutive inputs per test that kill no further mutant.
const MAX_IDLE: usize = 32;
/// Maximum number of parts of a test's inputs that are changed one by one.
pub(super) const MAX_PARTS: usize = 160;
/// Interpreter steps for moving the tests, per share.
const MAX_STEPS: u64 = 3_000_000;
/// Maximum number of shares: callables of an entry, or parts of a large unit, each of which pays
/// for the limits below.
const MAX_SHARES: usize = 8;
/// Interpreter steps for an entry with a large call tree. Every execution is long there and there
/// are many mutants, and their total cost must not grow faster than the program.
const LARGE_TREE_STEPS: u64 = 50_000;
/// Maximum number of bits of the results of a test that is moved to other inputs.
const MAX_BITS: u64 = 128;
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
    table.merge_into_larger(validator, candidates);
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

/// The mutants that each test kills.
pub(super) struct Table {
    /// The mutants, and the hints behind them.
    pub(super) mutants: Vec<Runnable>,
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

    pub(super) fn all(&self) -> SortedSet<usize> {
        (0..self.mutants.len()).collect()
    }

    /// The mutants that survive all tests.
    pub(super) fn open(&self) -> SortedSet<usize> {
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
    pub(super) fn reaches_some(
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
        let better = attempt(validator, candidate, inputs).filter(is_settled);
        let Some(better) = better.filter(is_readable) else {
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

/// Whether no result is a number of so many digits that a reader cannot check it.
fn is_readable(candidate: &Candidate) -> bool {
    let Outcome::Returned(results) = &candidate.execution.outcome else {
        return true;
    };
    let is_long = |v: &Value| matches!(v, Value::Int(n) if n.bits() > MAX_BITS);
    !results
        .iter()
        .flatten()
        .flat_map(Value::within)
        .any(is_long)
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

/// The inputs with numbers in the same order but further apart. Equal numbers stay equal.
pub(super) fn pulled_apart(inputs: &Inputs) -> Inputs {
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
