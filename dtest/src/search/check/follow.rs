//! Executions again, step by step.

use super::super::api::Options;
use super::super::constants::{Constants, Reach};
use super::Violation;
use crate::interp::{Execution, FailureKind, Inputs, Interp, Limits, Outcome, Resolution, Trace};
use crate::ir::{self, Procedure};
use crate::typed::CallableId;

/// How choices are resolved: by the rule, or as that seed has it.
pub(super) fn resolution(program: &ir::Program, procedure: &Procedure, choices: Option<u64>) -> Resolution {
    match choices {
        None => Resolution::Rule,
        Some(seed) => {
            let ints = Constants::of(program, procedure, Reach::FAR).ints.into_iter().collect();
            Resolution::Random { seed, ints }
        }
    }
}

/// Executes a unit and records how it comes to its end. `None`: the unit has no blocks.
pub fn follow(
    program: &ir::Program,
    unit: CallableId,
    inputs: &Inputs,
    choices: Option<u64>,
    options: &Options,
) -> Option<(Execution, Trace)> {
    let procedure = program.procedures.get(&unit)?;
    // What a trace holds on to is copied where it is changed, which costs steps.
    let limits = Limits { steps: options.fuel.saturating_mul(4), ..Limits::default() };
    let interp = Interp::new(program, limits).tracing();
    Some(interp.trace(unit, inputs, &resolution(program, procedure, choices)))
}

/// How the execution of a violation comes to its end. `None`: there are no steps, since the inputs themselves show it.
pub fn trace(program: &ir::Program, unit: CallableId, violation: &Violation, options: &Options) -> Option<Trace> {
    let (execution, trace) = follow(program, unit, &violation.inputs, violation.choices, options)?;
    let is_same = match &execution.outcome {
        Outcome::Failed(failure) => failure.kind == violation.failure.kind && failure.span == violation.failure.span,
        // The rest is looked at when the unit has returned.
        Outcome::Returned(_) => !matches!(violation.failure.kind, FailureKind::Assert | FailureKind::Invariant),
        Outcome::Halted { .. } | Outcome::OutOfFuel(_) | Outcome::Infeasible(_) | Outcome::Unsupported(_) => false,
    };
    is_same.then_some(trace)
}
