//! Violations as diagnostics.

use super::Solved;
use super::obligation_keys::Keys;
use crate::message::MessageId;
use crate::report::Report;
use crate::report::key::Key;
use dafny_resolve::typed::CallableId;
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dtest_interp::{Failure, FailureKind};
use dtest_ir::{self as ir, Criteria};
use dtest_lower::units::Unit;
use dtest_search::Finding;
use dtest_sorted::SortedMap;

/// The keys of violations, which are those of their obligations in `check`. Without violations there
/// are none.
pub struct FindingKeys<'p>(Option<Keys<'p>>);

impl<'p> FindingKeys<'p> {
    /// Assigns the keys if there are violations.
    pub fn new(program: &ir::Program, sources: &'p SourceMap, has_findings: bool) -> Self {
        let keys = || {
            // Obligations are goals of the program of `check` alone.
            let all = super::lower((*program.typed).clone(), Criteria::obligations());
            Keys::new(&all, sources)
        };
        Self(has_findings.then(keys))
    }

    fn of(&self, failure: &Failure, unit: &str) -> Key {
        let keys = self.0.as_ref();
        let key = |k: &Keys<'_>| {
            k.of(
                failure.span,
                failure.kind.obligation(),
                failure.clause,
                unit,
            )
        };
        keys.map(key).unwrap_or_default()
    }

    /// Sets the keys in the reports on units and on the program's own tests.
    pub fn set(
        &self,
        report: &mut Report,
        (units, results): (&[Unit], &[Solved]),
        program: &ir::Program,
        own: &SortedMap<CallableId, Failure>,
    ) {
        for ((unit, solved), report) in units.iter().zip(results).zip(&mut report.units) {
            let certain = solved.result.findings.iter().filter(|f| f.certain);
            for (finding, report) in certain.zip(&mut report.findings) {
                report.key = self.of(&finding.failure, &unit.path);
            }
        }
        for (test, failure) in own {
            let name = program.typed.callable_path(*test);
            let reports = report.own_tests.iter_mut().filter(|t| t.name == name);
            for finding in reports.filter_map(|t| t.finding.as_mut()) {
                finding.key = self.of(failure, &name);
            }
        }
    }
}

/// Returns a diagnostic for every violation whose inputs certainly satisfy the precondition, in the
/// order of units.
pub fn diagnostics(
    program: &ir::Program,
    units: &[Unit],
    results: &[Solved],
    keys: &FindingKeys<'_>,
) -> Vec<(Diagnostic, Key)> {
    let of_unit = |(unit, solved): (&Unit, &Solved)| {
        let certain = solved.result.findings.iter().filter(|f| f.certain);
        certain
            .map(|f| {
                (
                    diagnostic(program, unit, f),
                    keys.of(&f.failure, &unit.path),
                )
            })
            .collect::<Vec<_>>()
    };
    units.iter().zip(results).flat_map(of_unit).collect()
}

/// Returns a diagnostic for each of the program's own tests whose execution violates an obligation.
pub fn of_own_tests(
    program: &ir::Program,
    failures: &SortedMap<CallableId, Failure>,
    keys: &FindingKeys<'_>,
) -> Vec<(Diagnostic, Key)> {
    let diagnostic = |(test, failure): (&CallableId, &Failure)| {
        let test = program.typed.callable_path(*test);
        let diagnostic = of_failure(failure).with_note(format!("in {test}"));
        (diagnostic, keys.of(failure, &test))
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
