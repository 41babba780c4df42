//! Executions of given inputs in the program in which every obligation is executed.

use std::sync::Arc;

use super::validate::{ProgramFacts, Validator};
use super::{MAX_INPUTS_OTHERWISE, Violation};
use crate::api::{Asked, Options};
use dafny_resolve::typed::CallableId;
use dtest_interp::{Inputs, Interp, Limits, Resolution};
use dtest_ir::{self as ir, GoalId};

/// The violations of `unit` from given inputs, under the rule for choices and under others, with
/// the unit's obligation if it is one of its own. Inputs that are not valid violate nothing.
pub fn broken_by(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    all: &[Inputs],
) -> Vec<(Option<GoalId>, Violation)> {
    let Some(procedure) = program.procedures.get(&unit) else {
        return Vec::new();
    };
    let limits = Limits {
        steps: options.fuel,
        ..Limits::default()
    };
    let validator = Validator::new(Interp::new(program, limits), procedure, options.asked);
    let mut broken = Vec::new();
    // All inputs are executed by the rule; other choices are tried only if some choice was made.
    for inputs in all {
        let seen = validator.validate(inputs, &Resolution::Rule);
        broken.extend(seen.broken);
        if seen.is_free {
            broken.extend(
                (0..MAX_INPUTS_OTHERWISE as u64)
                    .filter_map(|seed| validator.validate(inputs, &validator.random(seed)).broken),
            );
        }
    }
    broken
}

/// The verdict on a test whose execution checks every proof obligation.
#[derive(Clone, Debug)]
pub enum Replay {
    /// No obligation is known to be violated.
    Kept,
    /// A precondition or the type of an argument is false. It could not be evaluated in a program
    /// in which ghost code is not executed.
    NotAdmissible,
    /// The execution violates an obligation, and this depends on no assumption.
    Violates(Box<Violation>),
    /// An assumption of the program is false, before any obligation is violated: the program makes
    /// no claim about this execution.
    Excluded,
}

/// Executes the inputs of tests in the program in which every proof obligation is executed.
pub struct Replayer<'p> {
    program: &'p ir::Program,
    facts: Arc<ProgramFacts>,
    fuel: u64,
}

impl<'p> Replayer<'p> {
    /// A replayer for a program that was lowered with obligations as goals. `fuel` is the maximum
    /// number of steps of one execution.
    pub fn new(program: &'p ir::Program, fuel: u64) -> Self {
        Self {
            program,
            facts: Arc::new(ProgramFacts::new(program)),
            fuel,
        }
    }

    /// The verdict on each of the inputs of a unit. Nondeterministic choices follow the rule for
    /// choices.
    pub fn replay<'i>(
        &self,
        unit: CallableId,
        all: impl IntoIterator<Item = &'i Inputs>,
    ) -> Vec<Replay> {
        let all = all.into_iter();
        let Some(procedure) = self.program.procedures.get(&unit) else {
            return all.map(|_| Replay::Kept).collect();
        };
        let limits = Limits {
            steps: self.fuel,
            ..Limits::default()
        };
        let interp = Interp::new(self.program, limits);
        let validator =
            Validator::sharing(Arc::clone(&self.facts), interp, procedure, Asked::default());
        let replay = |inputs: &Inputs| {
            if !validator.may_be_given(inputs) {
                return Replay::NotAdmissible;
            }
            // A violation with assumptions is not certain enough to replace the test's verdict.
            let seen = validator.validate(inputs, &Resolution::Rule);
            if seen.is_excluded {
                return Replay::Excluded;
            }
            match seen.broken {
                Some((_, violation)) if violation.is_certain() => {
                    Replay::Violates(Box::new(violation))
                }
                Some(_) | None => Replay::Kept,
            }
        };
        all.map(replay).collect()
    }
}
