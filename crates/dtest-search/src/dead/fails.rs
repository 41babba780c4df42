//! Blocks that every execution reaches only together with a violation of an obligation: infeasible
//! code in the sense of Christ, Hoenicke and Schäf (2012), beyond code that is not reached at all.
//! No execution that ends well passes them.
//!
//! [`Search::always_failing`] first searches for good executions, then asks for a proof that there
//! are none.

use super::super::graph::Graph;
use super::super::session::{Session, Verdict as Query};
use super::{Found, MAX_ATTEMPTS, Search, Verdict};
use dtest_encode::{self as encode, Mode};
use dtest_interp::{Execution, Failure, FailureKind, Inputs, Outcome};
use dtest_ir::GoalId;

/// Maximum number of violations that are kept per block.
const MAX_SEEN: usize = 4;

impl Found {
    /// Goals that were reached, but only by executions that violate an obligation.
    pub(super) fn failing(&self) -> Vec<GoalId> {
        self.reached
            .iter()
            .filter(|g| !self.fine.contains(g) && self.broken.contains_key(g))
            .copied()
            .collect()
    }
}

impl<'p> Search<'p, '_> {
    /// Records whether an execution that reaches these goals violates an obligation.
    pub(super) fn note_obligations(
        &mut self,
        inputs: &Inputs,
        execution: &Execution,
        goals: &[GoalId],
    ) {
        // A goal with a good execution cannot be failing.
        if goals.iter().all(|g| self.found.fine.contains(g)) {
            return;
        }
        match self.breaks(inputs, execution) {
            Some(failure) => {
                for goal in goals {
                    let seen = self.found.broken.entry(*goal).or_default();
                    // A few different violations are enough for a report.
                    if seen.len() < MAX_SEEN
                        && seen
                            .iter()
                            .all(|f| (f.span, f.kind) != (failure.span, failure.kind))
                    {
                        seen.push(failure.clone());
                    }
                }
            }
            None => self.found.fine.extend(goals),
        }
    }

    /// The obligation that an execution violates. Executions with stubs are not counted, because a
    /// stub's result may be the cause.
    fn breaks(&self, inputs: &Inputs, execution: &Execution) -> Option<Failure> {
        if !execution.answers.is_empty() {
            return None;
        }
        match &execution.outcome {
            Outcome::Failed(failure) => Some(failure.clone()),
            Outcome::Returned(_) => {
                let ensures = self
                    .interp
                    .check_ensures(self.procedure.callable, inputs, execution);
                let broken = ensures.iter().find(|c| c.truth.is_false())?;
                let message = "the postcondition is false".to_owned();
                Some(Failure {
                    kind: FailureKind::Postcondition,
                    span: broken.span,
                    clause: None,
                    message,
                })
            }
            Outcome::Halted { .. }
            | Outcome::OutOfFuel(_)
            | Outcome::Infeasible(_)
            | Outcome::Unsupported(_) => None,
        }
    }

    /// Proves for failing blocks that no execution that reaches them satisfies every obligation.
    pub(super) fn always_failing(&mut self) {
        if self.found.failing().is_empty() || self.is_late() {
            return;
        }
        // A good execution decides a goal more cheaply than a proof.
        self.look_for_fine();
        let failing = self.found.failing();
        if failing.is_empty() || !self.options.prove || self.is_late() {
            return;
        }
        let (unit, bounds) = (self.procedure.callable, self.options.start);
        // Every obligation is a fact of its own in this encoding, so that an unsat core names those
        // that are violated.
        let Some(encoding) = encode::encode_obligations(self.program, unit, self.type_args, bounds)
            .ok()
            .filter(|e| !e.exhausted)
        else {
            return;
        };
        let mut session = Session::new(encoding, self.options);
        for goal in failing {
            if self.is_late() {
                break;
            }
            if let Some(obligations) = session.breaks_one_of(goal) {
                self.found.fails.insert(goal, obligations);
            }
        }
        self.close(&session);
    }

    /// Searches for executions that pass the failing goals and end well.
    fn look_for_fine(&mut self) {
        let (unit, bounds) = (self.procedure.callable, self.options.start);
        let Ok(encoding) = encode::encode(self.program, unit, self.type_args, bounds, Mode::Cut)
        else {
            return;
        };
        if encoding.exhausted || encoding.overflows {
            return;
        }
        let mut session = Session::new(encoding, self.options);
        for goal in self.found.failing() {
            for _ in 0..MAX_ATTEMPTS {
                if self.found.fine.contains(&goal) || self.is_late() {
                    break;
                }
                // Models that end well are the only candidates.
                let Query::Model(model) = session.reach(goal) else {
                    break;
                };
                if let Some(inputs) = session.encoding.decode(&model) {
                    self.execute(inputs);
                }
                session.block(goal, &model);
            }
        }
        self.close(&session);
    }
}

/// The verdict on a goal that some execution reaches.
pub(super) fn verdict(found: &Found, graph: &Graph, goal: GoalId) -> Verdict {
    let seen = match found.broken.get(&goal) {
        Some(seen) if !found.fine.contains(&goal) => seen,
        Some(_) | None => return Verdict::Reached,
    };
    // A goal inside another one with the same verdict is reported as part of it.
    let within = |has_verdict: &dyn Fn(&GoalId) -> bool| graph.nearest_dominator(goal, has_verdict);
    match (found.fails.get(&goal), seen.first()) {
        (Some(obligations), _) => {
            let inside = within(&|g| found.fails.contains_key(g));
            Verdict::AlwaysFails {
                obligations: obligations.clone(),
                seen: seen.clone(),
                inside,
            }
        }
        (None, Some(failure)) => {
            let inside = within(&|g| found.broken.contains_key(g) && !found.fine.contains(g));
            Verdict::OnlyByFinding {
                failure: failure.clone(),
                inside,
            }
        }
        (None, None) => Verdict::Reached,
    }
}
