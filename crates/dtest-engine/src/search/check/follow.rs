//! Executions again, step by step.

use super::super::api::Options;
use super::Violation;
use crate::interp::{
    Chosen, Execution, FailureKind, Inputs, Interp, Limits, Outcome, Resolution, Trace,
};
use crate::ir;
use dafny_resolve::typed::CallableId;

/// Executes a unit and records how it comes to its end; choices are resolved by the rule, or as an earlier execution had them. `None`: the unit has no blocks.
pub fn follow(
    program: &ir::Program,
    unit: CallableId,
    inputs: &Inputs,
    choices: Option<&[Chosen]>,
    options: &Options,
) -> Option<(Execution, Trace)> {
    program.procedures.get(&unit)?;
    // What a trace holds on to is copied where it is changed, which costs steps.
    let limits = Limits {
        steps: options.fuel.saturating_mul(4),
        ..Limits::default()
    };
    let interp = Interp::new(program, limits).tracing();
    let resolution = choices.map_or(Resolution::Rule, |all| Resolution::Again(all.to_vec()));
    Some(interp.trace(unit, inputs, &resolution))
}

/// How the execution of a violation comes to its end. `None`: there are no steps, since the inputs themselves show it.
pub fn trace(
    program: &ir::Program,
    unit: CallableId,
    violation: &Violation,
    options: &Options,
) -> Option<Trace> {
    let (execution, trace) = follow(
        program,
        unit,
        &violation.inputs,
        violation.choices.as_deref(),
        options,
    )?;
    let is_same = match &execution.outcome {
        Outcome::Failed(failure) => {
            failure.kind == violation.failure.kind && failure.span == violation.failure.span
        }
        // The rest is looked at when the unit has returned.
        Outcome::Returned(_) => !matches!(
            violation.failure.kind,
            FailureKind::Assert | FailureKind::Invariant
        ),
        Outcome::Halted { .. }
        | Outcome::OutOfFuel(_)
        | Outcome::Infeasible(_)
        | Outcome::Unsupported(_) => false,
    };
    is_same.then_some(trace)
}
