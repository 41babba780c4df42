//! Executions from the inputs that the program itself leads to, and from changes of these.
//!
//! Seeds and models are small, and models stay within the bounds of the encoding. A violation often
//! needs more: a tree of several nodes, a queue with elements of different kinds, a text that a
//! printer returns. [`Search::try_pooled`] executes the inputs that the pool has for the unit,
//! [`Search::try_changes`] changes those whose executions differ, as in greybox fuzzing. Any object
//! that satisfies the precondition is an input here, so that the contents of objects are changed
//! as well.

use rustc_hash::FxHashSet;

use super::{GoalId, MAX_ENDLESS, Search};
use crate::mutate::Mutator;
use crate::parts::{Scope, extent};
use crate::seeds;
use dtest_interp::{Feature, Inputs, Resolution};

/// Maximum number of changed inputs, and of consecutive ones whose executions show nothing new.
const MAX_CHANGES: usize = 4_000;
const MAX_IDLE: usize = 800;
/// Maximum number of inputs that are changed further.
const MAX_KEPT: usize = 96;
/// Maximum number of parts of an input. Larger ones say little to a reader.
const MAX_EXTENT: u64 = 120;
/// Divisor of the unit's budget for the executions, and maximum number of their interpreter steps.
const BUDGET_DIVISOR: u64 = 16;
const MAX_STEPS: u64 = 12_000_000;

impl Search<'_, '_> {
    /// Executes the inputs that the pool has for the unit.
    pub(super) fn try_pooled(&mut self) {
        for inputs in self.pooled {
            if self.open().is_empty() || self.is_over() || self.found.endless >= MAX_ENDLESS {
                return;
            }
            self.execute(inputs, &Resolution::Rule);
        }
    }

    /// Changes pooled inputs, and the inputs of executions with something new, until no obligation
    /// is without a violation or a proof.
    pub(super) fn try_changes(&mut self) {
        let wanted = |search: &Self| search.without_violation().next().is_some();
        if !wanted(self) || self.is_over() {
            return;
        }
        let mut mutator = Mutator::new(
            self.program,
            self.procedure,
            &self.type_args,
            self.options.seed,
        );
        let before = self.validator.interp().steps();
        let most = MAX_STEPS.min(self.effort.instructions_of_part(BUDGET_DIVISOR));
        self.validator.interp().observe(true);
        let mut known: FxHashSet<Feature> = FxHashSet::default();
        let mut kept: Vec<Inputs> = Vec::new();
        for inputs in self.pooled {
            self.keep_if_new(inputs.clone(), &mut kept, &mut known);
        }
        let seeds = seeds::seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            self.options.seeds as usize,
        );
        for inputs in seeds {
            self.keep_if_new(inputs, &mut kept, &mut known);
        }
        let mut idle = 0;
        for _ in 0..MAX_CHANGES {
            let steps = self.validator.interp().steps() - before;
            let is_enough = steps > most || idle >= MAX_IDLE || !wanted(self);
            if is_enough || self.is_over() || self.found.endless >= MAX_ENDLESS {
                break;
            }
            idle += 1;
            let (base, donor) = (mutator.random.pick(&kept), mutator.random.pick(&kept));
            let (Some(base), Some(donor)) = (base, donor) else {
                break;
            };
            let interp = self.validator.interp();
            // Small changes of values and changes of the structure in turns.
            let changed = match mutator.random.flip() {
                true => Some(mutator.changed(interp, base)),
                false => mutator.restructured(interp, base, Some(donor), Scope::Objects),
            };
            let Some(changed) = changed.filter(|c| extent(c) <= MAX_EXTENT) else {
                continue;
            };
            if self.keep_if_new(changed, &mut kept, &mut known) {
                idle = 0;
            }
        }
        self.validator.interp().observe(false);
    }

    /// Executes inputs, and keeps them if the execution has a feature that none before it had.
    fn keep_if_new(
        &mut self,
        inputs: Inputs,
        kept: &mut Vec<Inputs>,
        known: &mut FxHashSet<Feature>,
    ) -> bool {
        self.execute(&inputs, &Resolution::Rule);
        let features = self.validator.interp().behaviour();
        let count = known.len();
        known.extend(features);
        let is_new = known.len() > count;
        if is_new && kept.len() < MAX_KEPT {
            kept.push(inputs);
        }
        is_new
    }

    /// Wanted obligations that are neither violated nor proved.
    fn without_violation(&self) -> impl Iterator<Item = GoalId> + '_ {
        let is_open = |goal: &GoalId| {
            !self.found.violations.contains_key(goal) && !self.found.holds.contains(goal)
        };
        self.wanted.iter().copied().filter(is_open)
    }
}
