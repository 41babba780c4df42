//! Violations as diagnostics.

use super::Solved;
use dafny_resolve::typed::CallableId;
use dafny_syntax::diagnostic::Diagnostic;
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

fn id(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Assert => "finding/assertion",
        FailureKind::Invariant | FailureKind::InvariantKept => "finding/invariant",
        FailureKind::Decreases => "finding/decreases",
        FailureKind::Reads => "finding/reads",
        FailureKind::Precondition => "finding/precondition",
        FailureKind::Postcondition => "finding/postcondition",
        FailureKind::Modifies => "finding/modifies",
        FailureKind::LoopRange => "finding/loop-range",
        FailureKind::Termination => "finding/termination",
        FailureKind::TypeConstraint => "finding/type-constraint",
        FailureKind::MissingCase => "finding/missing-case",
        FailureKind::Aliasing => "finding/aliasing",
        FailureKind::NotUnique => "finding/not-unique",
        FailureKind::Index => "finding/index",
        FailureKind::Key => "finding/key",
        FailureKind::Division => "finding/division",
        FailureKind::Destructor => "finding/destructor",
        FailureKind::Null => "finding/null",
        FailureKind::Domain => "finding/domain",
        FailureKind::NoCandidate => "finding/no-candidate",
        FailureKind::Unassigned => "finding/unassigned",
        FailureKind::Application => "finding/application",
        FailureKind::Allocated => "finding/allocated",
        FailureKind::Override => "finding/override",
        FailureKind::Witness => "finding/witness",
    }
}
