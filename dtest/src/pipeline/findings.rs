//! Violations as diagnostics.

use super::Solved;
use crate::message::MessageId;
use dafny_resolve::typed::CallableId;
use dafny_source::diagnostic::Diagnostic;
use dtest_interp::{Failure, FailureKind};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::Finding;
use dtest_sorted::SortedMap;

/// Returns a diagnostic for every violation whose inputs certainly satisfy the precondition, in the
/// order of units.
pub fn diagnostics(program: &ir::Program, units: &[Unit], results: &[Solved]) -> Vec<Diagnostic> {
    let of_unit = |(unit, solved): (&Unit, &Solved)| {
        let certain = solved.result.findings.iter().filter(|f| f.certain);
        certain
            .map(|f| diagnostic(program, unit, f))
            .collect::<Vec<_>>()
    };
    units.iter().zip(results).flat_map(of_unit).collect()
}

/// Returns a diagnostic for each of the program's own tests whose execution violates an obligation.
pub fn of_own_tests(
    program: &ir::Program,
    failures: &SortedMap<CallableId, Failure>,
) -> Vec<Diagnostic> {
    let diagnostic = |(test, failure): (&CallableId, &Failure)| {
        of_failure(failure).with_note(format!("in {}", program.typed.callable_path(*test)))
    };
    failures.iter().map(diagnostic).collect()
}

fn of_failure(failure: &Failure) -> Diagnostic {
    Diagnostic::error(id(failure.kind), failure.span, failure.message.clone())
}

fn diagnostic(program: &ir::Program, unit: &Unit, finding: &Finding) -> Diagnostic {
    let inputs = dtest_search::describe::inputs(program, unit.callable, &finding.inputs);
    let with = if inputs.is_empty() {
        "no inputs".to_owned()
    } else {
        inputs.join(", ")
    };
    of_failure(&finding.failure).with_note(format!("in {} with {with}", unit.path))
}

fn id(kind: FailureKind) -> MessageId {
    match kind {
        FailureKind::Assert => MessageId::FindingAssertion,
        FailureKind::Invariant | FailureKind::InvariantKept => MessageId::FindingInvariant,
        FailureKind::Decreases => MessageId::FindingDecreases,
        FailureKind::Reads => MessageId::FindingReads,
        FailureKind::Precondition => MessageId::FindingPrecondition,
        FailureKind::Postcondition => MessageId::FindingPostcondition,
        FailureKind::Modifies => MessageId::FindingModifies,
        FailureKind::LoopRange => MessageId::FindingLoopRange,
        FailureKind::Termination => MessageId::FindingTermination,
        FailureKind::TypeConstraint => MessageId::FindingTypeConstraint,
        FailureKind::MissingCase => MessageId::FindingMissingCase,
        FailureKind::Aliasing => MessageId::FindingAliasing,
        FailureKind::NotUnique => MessageId::FindingNotUnique,
        FailureKind::Index => MessageId::FindingIndex,
        FailureKind::Key => MessageId::FindingKey,
        FailureKind::Division => MessageId::FindingDivision,
        FailureKind::Destructor => MessageId::FindingDestructor,
        FailureKind::Null => MessageId::FindingNull,
        FailureKind::Domain => MessageId::FindingDomain,
        FailureKind::NoCandidate => MessageId::FindingNoCandidate,
        FailureKind::Unassigned => MessageId::FindingUnassigned,
        FailureKind::Application => MessageId::FindingApplication,
        FailureKind::Allocated => MessageId::FindingAllocated,
        FailureKind::Override => MessageId::FindingOverride,
        FailureKind::Witness | FailureKind::Inhabited => MessageId::FindingWitness,
    }
}
