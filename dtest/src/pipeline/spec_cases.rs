//! Cases of contracts: inputs and results that a contract has to accept or to reject.
//!
//! The values are Dafny expressions in the scope of the top level. [`judge`] resolves them as
//! constants of a further file, and [`dtest_spec::judge`] executes each clause for them.

use super::spec::{one_case, units};
use crate::message::MessageId;
use crate::report::spec_cases::{CaseReport, CasesReport};
use dafny_resolve::typed::{Arena as _, Expr, FieldId, FieldKind, Program};
use dafny_source::SourceMap;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dtest_lower::units::Unit;
use dtest_search::describe::one_line;
use dtest_sorted::SortedMap;
use dtest_spec::{Case, CaseTruth, CaseVerdict, ClauseKind, case_variables};

/// A case as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The place of the case, for messages.
    pub place: String,
    /// The path of the unit.
    pub unit: String,
    /// The inputs by name, as expressions.
    pub inputs: SortedMap<String, String>,
    /// The results by name. Without any, the body is executed.
    pub results: SortedMap<String, String>,
    /// Whether the contract has to accept the case.
    pub is_accepted: bool,
}

/// The prefix of the names of constants that stand for values. Programs cannot use this name.
const CONSTANT: &str = "value'by'dtest'";

/// Judges the cases of the units of a program.
pub fn judge(program: &Program, sources: &SourceMap, cases: &[Written]) -> CasesReport {
    let mut report = CasesReport::default();
    let all = units(program, sources, true, None);
    let mut found: Vec<(&Written, &Unit)> = Vec::new();
    for case in cases {
        match all.iter().find(|u| u.path == case.unit) {
            Some(unit) => found.push((case, unit)),
            None => report.diagnostics.push(problem(
                case,
                MessageId::SpecUnknownUnit,
                &format!("the program has no contract of the name `{}`", case.unit),
            )),
        }
    }
    // Each case is resolved by itself, so that an error in one does not hide the others.
    for (case, unit) in found {
        match resolved(program, sources, case, unit) {
            Ok((typed, values)) => {
                let verdicts = dtest_spec::judge(&typed, unit.callable, &[Case { values }]);
                let verdicts = verdicts.into_iter().flatten().collect::<Vec<_>>();
                let (judged, diagnostic) = described(sources, case, &verdicts);
                report.cases.push(judged);
                report.diagnostics.extend(diagnostic);
            }
            Err(reason) => {
                let message = format!("the case is not judged: {reason}");
                report
                    .diagnostics
                    .push(problem(case, MessageId::SpecBadCase, &message));
                report.cases.push(CaseReport {
                    reason: Some(reason),
                    ..CaseReport::new(&case.place, &case.unit, case.is_accepted)
                });
            }
        }
    }
    report
}

fn problem(case: &Written, id: MessageId, message: &str) -> Diagnostic {
    Diagnostic::global(id, format!("{}: {message}", case.place))
}

/// Resolves the values of a case with the program. Ids of the program stay, because the file with
/// the values comes last.
fn resolved(
    program: &Program,
    sources: &SourceMap,
    case: &Written,
    unit: &Unit,
) -> Result<(Program, Vec<Option<Expr>>), String> {
    let variables = case_variables(program, unit.callable).ok_or_else(|| {
        "cases of methods with a receiver, effects, objects or type parameters are not supported"
            .to_owned()
    })?;
    let has_results = !case.results.is_empty();
    let mut text = String::new();
    let mut names = Vec::new();
    for (i, variable) in variables.iter().enumerate() {
        let values = match variable.is_result {
            true => &case.results,
            false => &case.inputs,
        };
        let elements = format!("{}[..]", variable.name);
        let value = values.get(&variable.name).or_else(|| values.get(&elements));
        let Some(value) = value else {
            if variable.is_result && !has_results {
                names.push(None);
                continue;
            }
            return Err(format!("it has no value for `{}`", variable.name));
        };
        let ty = program.show_type(&variable.ty);
        // The parentheses keep the text within its constant.
        text.push_str(&format!(
            "ghost const {CONSTANT}{i}: {ty} := (\n{value}\n)\n"
        ));
        names.push(Some(format!("{CONSTANT}{i}")));
    }
    let known = |name: &String| {
        let plain = name.strip_suffix("[..]").unwrap_or(name);
        variables.iter().any(|v| v.name == plain)
    };
    let given = case.inputs.keys().chain(case.results.keys());
    if let Some(unknown) = given.into_iter().find(|n| !known(n)) {
        return Err(format!("`{}` has no variable `{unknown}`", unit.path));
    }
    let typed = super::with_text(program, sources, &text)?;
    let ids: Vec<FieldId> = typed.ids();
    let constant = |name: &String| {
        let id = ids.iter().find(|id| *typed[**id].name == **name)?;
        match &typed[*id].kind {
            FieldKind::Const(Some(e)) => Some((**e).clone()),
            FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => None,
        }
    };
    let values: Vec<Option<Expr>> = names
        .iter()
        .map(|name| name.as_ref().and_then(constant))
        .collect();
    Ok((typed, values))
}

/// Describes the verdicts on a case.
fn described(
    sources: &SourceMap,
    case: &Written,
    verdicts: &[CaseVerdict],
) -> (CaseReport, Option<Diagnostic>) {
    let clause = |v: &CaseVerdict| one_line(sources.text(v.span));
    let rejecting = |kind: ClauseKind| -> Vec<&CaseVerdict> {
        let is_rejecting = |v: &&CaseVerdict| v.kind == kind && v.truth == CaseTruth::Rejects;
        verdicts.iter().filter(is_rejecting).collect()
    };
    // Postconditions say nothing about inputs that the precondition rejects.
    let of_inputs = rejecting(ClauseKind::Requires);
    let responsible = match of_inputs.is_empty() {
        true => rejecting(ClauseKind::Ensures),
        false => of_inputs,
    };
    let undecided = verdicts.iter().find_map(|v| match &v.truth {
        CaseTruth::Undecided(reason) => Some(format!("{reason}: `{}`", clause(v))),
        CaseTruth::Accepts | CaseTruth::Rejects | CaseTruth::WrongType => None,
    });
    let has_wrong_type = verdicts.iter().any(|v| v.truth == CaseTruth::WrongType);
    let mut report = CaseReport::new(&case.place, &case.unit, case.is_accepted);
    let shown = one_case(&case.inputs, &case.results);
    let unit = &case.unit;
    if has_wrong_type || !responsible.is_empty() {
        report.verdict = "rejected";
        report.clauses = responsible.iter().map(|v| clause(v)).collect();
    } else if let Some(reason) = undecided {
        report.reason = Some(reason.clone());
        let message = format!("not decided: whether `{unit}` accepts {shown}");
        let mut note = problem(case, MessageId::SpecNotDecided, &message).with_note(reason);
        note.severity = Severity::Note;
        return (report, Some(note));
    } else {
        report.verdict = "accepted";
    }
    let diagnostic = match (case.is_accepted, report.verdict) {
        (true, "rejected") => {
            let message = format!("`{unit}` wrongly rejects {shown}");
            let mut error = problem(case, MessageId::SpecWronglyRejects, &message);
            if has_wrong_type {
                error = error.with_note("a value is not of the type of its variable");
            }
            for v in responsible {
                error = error.with_secondary(v.span, "this clause rejects it");
            }
            Some(error)
        }
        (false, "accepted") => {
            let message = format!("`{unit}` wrongly accepts {shown}");
            Some(problem(case, MessageId::SpecWronglyAccepts, &message))
        }
        (_, _) => None,
    };
    (report, diagnostic)
}
