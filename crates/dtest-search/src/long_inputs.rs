//! Inputs of lengths that the program demands and that no bound allows: fixed blocks, buffers.
//!
//! The solver works with described sequences ([`dtest_encode::encode_described`]), whose models are
//! guesses: they are validated on the unit, and a goal without a model keeps its status. Long inputs
//! without the solver come first: they also reach code behind loops over them, which the solver does
//! not follow.

use super::session::{self, Session, Verdict};
use super::validate::Candidate;
use super::{Bounds, Constants, Reach, Search, seeds};
use dtest_ir::{Criterion, GoalId};

/// Maximum number of long inputs that are made without the solver.
const MAX_SEEDS: usize = 24;

impl Search<'_> {
    /// Searches for open goals by inputs with lengths beyond the bounds.
    pub(super) fn cover_by_long_inputs(&mut self) {
        // A configured size of collections excludes longer ones.
        if self.stage == Some(Criterion::Mutant)
            || self.is_opaque()
            || self.options.asked.collection.is_some()
        {
            return;
        }
        let goals = self.not_reached(true);
        if goals.is_empty() || self.is_over() {
            return;
        }
        let constants = Constants::of(self.program, self.procedure, Reach::NEAR);
        let lengths: Vec<u32> = constants.lengths.into_iter().collect();
        if lengths.is_empty() {
            return;
        }
        let seeds = seeds::long_seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            MAX_SEEDS,
        );
        for inputs in seeds {
            if self.is_over() {
                return;
            }
            if let Some(candidate) = self.validator.validate(inputs) {
                self.take(candidate);
            }
        }
        for bounds in self.described_bounds() {
            self.cover_described(bounds, &lengths, &goals);
        }
    }

    /// The bounds of the encodings with described sequences. What few elements and objects can show
    /// is asked over them, because larger queries often have no answer. The widest encoding is for
    /// collections of blocks: the usual bounds do not grow where each element is large.
    fn described_bounds(&self) -> Vec<Bounds> {
        let start = Bounds::START;
        let few = Bounds {
            collection: self.bounds.collection.min(start.collection),
            depth: self.bounds.depth.min(start.depth),
            objects: self.bounds.objects.min(start.objects),
            ..self.bounds
        };
        let wide = Bounds {
            collection: self.options.caps.collection,
            ..few
        };
        let mut all = vec![few, self.bounds, wide];
        all.dedup();
        all
    }

    /// Searches for open goals by models of an encoding with described sequences.
    fn cover_described(&mut self, bounds: Bounds, lengths: &[u32], goals: &[GoalId]) {
        let is_open = |s: &Self, g: &GoalId| !s.covered.contains(g);
        if self.is_over() || !goals.iter().any(|g| is_open(self, g)) {
            return;
        }
        let started = dtest_limits::clock::now();
        let encoding = dtest_encode::encode_described(
            self.program,
            self.procedure.callable,
            &self.type_args,
            bounds,
            lengths,
        );
        self.times.encoding += started.elapsed();
        let Ok(encoding) = encoding else { return };
        self.effort.spent.terms += encoding.terms().work() as u64;
        if encoding.exhausted {
            return;
        }
        let mut session = Session::new(encoding, self.options);
        for goal in goals {
            if self.is_over() {
                break;
            }
            if is_open(self, goal) {
                self.try_models(&mut session, *goal);
            }
            self.effort.spent.solver += session.take_spent();
        }
        self.close(&mut session);
    }

    /// Validates models of a goal until one is confirmed.
    fn try_models(&mut self, session: &mut Session<'_>, goal: GoalId) {
        for _ in 0..session::MAX_ATTEMPTS {
            let Verdict::Model(model) = session.reach(goal) else {
                return;
            };
            let candidate = session
                .encoding
                .decode(&model)
                .and_then(|inputs| self.validator.validate(inputs));
            if let Some(candidate) = candidate {
                self.take(candidate);
                if self.covered.contains(&goal) {
                    return;
                }
            }
            session.block(goal, &model);
        }
    }

    /// Accepts a candidate that may cover goals that already have a status.
    pub(super) fn take(&mut self, candidate: Candidate) {
        let covers = candidate.covers.clone();
        self.accept(candidate);
        covers.iter().for_each(|g| drop(self.status.remove(g)));
    }
}
