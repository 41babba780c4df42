//! Traces: executions that are repeated step by step.

use super::super::api::Options;
use super::Violation;
use dafny_resolve::typed::CallableId;
use dtest_interp::{
    Chosen, Execution, FailureKind, Inputs, Interp, Limits, Outcome, Resolution, Trace,
};
use dtest_ir as ir;

/// Executes a unit and records its steps. Choices are resolved by the rule for choices or as in an
/// earlier execution. `None` if the unit has no blocks.
pub fn follow(
    program: &ir::Program,
    unit: CallableId,
    inputs: &Inputs,
    choices: Option<&[Chosen]>,
    options: &Options,
) -> Option<(Execution, Trace)> {
    program.procedures.get(&unit)?;
    // Values that a trace refers to are copied when they are changed, which costs additional steps.
    let limits = Limits {
        steps: options.fuel.saturating_mul(4),
        ..Limits::default()
    };
    let interp = Interp::new(program, limits).tracing();
    let resolution = choices.map_or(Resolution::Rule, |all| Resolution::Again(all.to_vec()));
    Some(interp.trace(unit, inputs, &resolution))
}

/// The trace of a violation. `None` if there are no steps, because the inputs themselves violate
/// the obligation.
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
    // The replay must end in the same violation; otherwise the trace would be misleading.
    let is_same = match &execution.outcome {
        Outcome::Failed(failure) => {
            failure.kind == violation.failure.kind && failure.span == violation.failure.span
        }
        // Other obligations are checked after the unit has returned.
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
