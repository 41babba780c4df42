//! The assumptions that a program trusts, in words and as a report.

use super::spec::{Options, inputs};
use super::work::in_parallel;
use crate::message::MessageId;
use crate::report::place::Place;
use crate::report::spec_assumptions::{AssumptionReport, AssumptionsReport};
use dafny_resolve::typed::{CallableId, Program};
use dafny_source::SourceMap;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_ir as ir;
use dtest_lower::units::{Unit, units_of};
use dtest_sorted::SortedMap;
use dtest_spec::{Assumption, AssumptionKind, Dependents, Evidence, Subject};

/// Maximum number of dependents that a message names.
const MAX_NAMED: usize = 3;

/// Lists the assumptions in the named files (in all files if `included`) whose declarations match
/// `filter`, and looks for evidence. The program must not be desugared for obligations.
pub fn examine(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&regex_lite::Regex>,
    options: &Options<'_>,
    done: &(dyn Fn(usize) + Sync),
) -> AssumptionsReport {
    let typed = &program.typed;
    let is_wanted = |a: &Assumption| {
        let is_named = || sources.file_at(a.span.start).is_some_and(|(_, f)| f.named);
        (included || is_named()) && filter.is_none_or(|f| f.is_match(&path(typed, a.subject)))
    };
    let all: Vec<Assumption> = dtest_spec::assumptions(typed)
        .into_iter()
        .filter(is_wanted)
        .collect();
    // One search for the assumptions of a callable.
    let mut by_callable: SortedMap<CallableId, Vec<Assumption>> = SortedMap::new();
    for assumption in &all {
        if let Subject::Callable(id) = assumption.subject {
            by_callable.entry(id).or_default().push(*assumption);
        }
    }
    let units = units_of(typed, by_callable.keys().copied().collect());
    let work = |unit: &Unit| {
        let own = by_callable.get(&unit.callable).map_or(&[][..], |v| v);
        dtest_spec::evidence(typed, own, options.search)
    };
    let answers = in_parallel(
        "spec-assumptions",
        program,
        &units,
        options.jobs,
        &work,
        done,
    );
    let mut found: SortedMap<Assumption, Evidence> = SortedMap::new();
    for (unit, answer) in units.iter().zip(answers) {
        let own = by_callable.get(&unit.callable).map_or(&[][..], |v| v);
        match answer {
            Ok(evidence) => found.extend(own.iter().copied().zip(evidence)),
            Err(stopped) => {
                let reason = ir::reason::Reason::from(stopped).to_string();
                let undecided = |a: &Assumption| (*a, Evidence::Undecided(reason.clone()));
                found.extend(own.iter().map(undecided));
            }
        }
    }
    let dependents = Dependents::new(typed);
    let mut report = AssumptionsReport::default();
    for assumption in &all {
        let evidence = match found.remove(assumption) {
            Some(evidence) => evidence,
            // The assumptions of types and constants are not executed.
            None => {
                let own = std::slice::from_ref(assumption);
                let mut evidence = dtest_spec::evidence(typed, own, options.search);
                match evidence.pop() {
                    Some(evidence) => evidence,
                    None => continue,
                }
            }
        };
        let dependents = dependents.of(assumption);
        let mut names: Vec<String> = dependents
            .iter()
            .map(|id| typed.callable_path(*id))
            .collect();
        names.sort();
        names.dedup();
        let diagnostic = described(typed, assumption, &evidence, &names);
        report.diagnostics.push(diagnostic);
        report
            .assumptions
            .push(reported(typed, sources, assumption, evidence, names));
    }
    report
}

fn path(program: &Program, subject: Subject) -> String {
    match subject {
        Subject::Callable(id) => program.callable_path(id),
        Subject::Type(id) => program.type_path(id),
        Subject::Field(id) => {
            let field = &program[id];
            let mut path = match field.owner {
                Some(owner) => vec![program.type_path(owner).into()],
                None => program.module_path(field.module),
            };
            path.push(field.name.clone());
            path.join(".")
        }
    }
}

/// The name in JSON, and the phrase in messages.
fn kind(kind: AssumptionKind) -> (&'static str, &'static str) {
    match kind {
        AssumptionKind::Axiom => ("axiom", "the axiom"),
        AssumptionKind::NoBody => ("no-body", "the contract without a body"),
        AssumptionKind::ExternalFunction => (
            "external-function",
            "the determinism of the external function",
        ),
        AssumptionKind::ExternalEnsures => {
            ("external-ensures", "the postcondition of the external")
        }
        AssumptionKind::ExternalRequires => {
            ("external-requires", "the precondition of the external")
        }
        AssumptionKind::NotVerified => ("not-verified", "the unverified"),
        AssumptionKind::MayNotTerminate => ("may-not-terminate", "`decreases *` of"),
        AssumptionKind::CrossModuleTermination => (
            "cross-module-termination",
            "the termination across modules of",
        ),
        AssumptionKind::Only => ("only", "`{:only}` of"),
        AssumptionKind::Assume => ("assume", "the `assume` in"),
        AssumptionKind::AssumedChoice => ("assumed-choice", "the `:| assume` in"),
        AssumptionKind::AssumedSuccess => ("assumed-success", "the `:- assume` in"),
        AssumptionKind::LoopWithoutBody => ("loop-without-body", "the loop without a body in"),
        AssumptionKind::ForallWithoutBody => {
            ("forall-without-body", "the `forall` without a body in")
        }
    }
}

fn described(
    program: &Program,
    assumption: &Assumption,
    evidence: &Evidence,
    dependents: &[String],
) -> Diagnostic {
    let (_, phrase) = kind(assumption.kind);
    let what = format!("{phrase} `{}`", path(program, assumption.subject));
    let (id, message, severity, note) = match evidence {
        Evidence::Refuted(values) => {
            let message = match values.is_empty() {
                true => format!("{what} is refuted"),
                false => format!("{what} is refuted{}", inputs(values)),
            };
            let id = MessageId::SpecRefutedAssumption;
            (id, message, Severity::Error, None)
        }
        Evidence::Proved => note(format!("{what} is proved"), None),
        Evidence::Supported { executions, bounds } => {
            let message = format!("{what} is supported by {executions} executions");
            note(message, Some(format!("within bounds: {bounds}")))
        }
        Evidence::NotExecutable(reason) => {
            note(format!("{what} is not executable: {reason}"), None)
        }
        Evidence::Undecided(reason) => note(format!("{what} is not decided: {reason}"), None),
    };
    let mut diagnostic = Diagnostic::error(id, assumption.span, message);
    diagnostic.severity = severity;
    if let Some(note) = note {
        diagnostic = diagnostic.with_note(note);
    }
    match users(dependents) {
        Some(users) => diagnostic.with_note(users),
        None => diagnostic,
    }
}

fn note(message: String, note: Option<String>) -> (MessageId, String, Severity, Option<String>) {
    (MessageId::SpecAssumption, message, Severity::Note, note)
}

/// The sentence on dependents.
fn users(dependents: &[String]) -> Option<String> {
    let named: Vec<String> = dependents
        .iter()
        .take(MAX_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    let others = dependents.len().saturating_sub(MAX_NAMED);
    let named = named.join(", ");
    match (dependents.len(), others) {
        (0, _) => None,
        (1, _) => Some(format!("{named} depends on it")),
        (_, 0) => Some(format!("{named} depend on it")),
        (_, n) => Some(format!("{named} and {n} more depend on it")),
    }
}

fn reported(
    program: &Program,
    sources: &SourceMap,
    assumption: &Assumption,
    evidence: Evidence,
    dependents: Vec<String>,
) -> AssumptionReport {
    let report = |evidence| AssumptionReport {
        declaration: path(program, assumption.subject),
        place: Place::of(sources, assumption.span),
        assumption: kind(assumption.kind).0,
        evidence,
        inputs: None,
        executions: None,
        bounds: None,
        reason: None,
        dependents,
    };
    match evidence {
        Evidence::Refuted(values) => {
            let pairs: Vec<_> = values.into_iter().map(|n| (n.name, n.value)).collect();
            AssumptionReport {
                inputs: Some(pairs.into()),
                ..report("refuted")
            }
        }
        Evidence::Proved => report("proved"),
        Evidence::Supported { executions, bounds } => AssumptionReport {
            executions: Some(executions),
            bounds: Some(bounds),
            ..report("supported")
        },
        Evidence::NotExecutable(reason) => AssumptionReport {
            reason: Some(reason),
            ..report("not-executable")
        },
        Evidence::Undecided(reason) => AssumptionReport {
            reason: Some(reason),
            ..report("undecided")
        },
    }
}
