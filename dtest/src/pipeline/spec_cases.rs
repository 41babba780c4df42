//! Cases of contracts: inputs and results that a contract has to accept or to reject.
//!
//! The values are Dafny expressions in the scope of the top level. [`judge`] resolves them as
//! constants of a further file, and [`dtest_spec::judge`] executes each clause for them.

use super::spec::{bounds, inputs, one_case, units, values};
use crate::message::MessageId;
use crate::report::spec_cases::{CaseReport, CasesReport};
use dafny_resolve::spelling;
use dafny_resolve::typed::{Arena as _, CallableId, Expr, FieldId, FieldKind, Program, Type};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{Name, SourceMap, Span};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::describe::one_line;
use dtest_sorted::SortedMap;
use dtest_spec::{
    Case, CaseTruth, CaseVariable, CaseVerdict, ClauseKind, Named, ReferenceAnswer, StateCase,
    StateError, StateValue, ValueName, case_variables, has_states, judge_reference, judge_states,
    names_instead_of, recorded_cases, value_name,
};
use std::fmt;

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

/// A reference as written: a callable whose results a contract has to accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenReference {
    /// The place, for messages.
    pub place: String,
    /// The path of the unit with the contract.
    pub unit: String,
    /// The path of the reference.
    pub reference: String,
}

/// Why a case is not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
enum CaseError {
    /// The case has no value for this variable.
    NoValue(String),
    /// The unit has no variable of this name.
    UnknownName {
        unit: String,
        name: String,
        /// The name that is probably meant.
        similar: Option<Name>,
    },
    /// The values are no expressions of their types: the message of the first error.
    Values(String),
    /// A text is no set or sequence of names of objects.
    NoNames(String),
    /// Units of this kind have no cases.
    Unit,
    /// The values are no state.
    State(StateError),
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue(name) => write!(f, "it has no value for `{name}`"),
            Self::UnknownName {
                unit,
                name,
                similar,
            } => {
                write!(f, "`{unit}` has no variable `{name}`")?;
                match similar {
                    Some(similar) => write!(f, "; did you mean `{similar}`?"),
                    None => Ok(()),
                }
            }
            Self::Values(message) => f.write_str(message),
            Self::NoNames(text) => {
                write!(f, "`{text}` is no set or sequence of names of objects")
            }
            Self::Unit => f.write_str(
                "cases of units with type parameters, units in two states, and extreme predicates are not supported",
            ),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CaseError {}

impl From<StateError> for CaseError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl From<Vec<Diagnostic>> for CaseError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let first = diagnostics.into_iter().find(Diagnostic::is_error);
        Self::Values(first.map_or_else(String::new, |d| d.message))
    }
}

impl CaseError {
    /// The error for a name that is no variable of a unit.
    fn unknown_name(program: &Program, unit: &Unit, name: &str) -> Self {
        let known = names_instead_of(program, unit.callable, name);
        Self::UnknownName {
            unit: unit.path.to_string(),
            name: name.to_owned(),
            similar: spelling::closest(name, known.iter()),
        }
    }
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
            None => {
                let message = format!("the program has no contract of the name `{}`", case.unit);
                let names: Vec<Name> = all.iter().map(|u| Name::from(&*u.path)).collect();
                let mut error = problem(case, MessageId::SpecUnknownUnit, &message);
                if let Some(similar) = spelling::closest(&case.unit, names.iter()) {
                    error = error.with_help(format!("did you mean `{similar}`?"));
                }
                report.diagnostics.push(error);
            }
        }
    }
    // Each case is resolved by itself, so that an error in one does not hide the others.
    for (case, unit) in found {
        let verdicts = match case_variables(program, unit.callable) {
            Some(variables) => {
                resolved(program, sources, (case, unit), &variables).map(|(typed, values)| {
                    let verdicts = dtest_spec::judge(&typed, unit.callable, &[Case { values }]);
                    verdicts.into_iter().flatten().collect::<Vec<_>>()
                })
            }
            None => judge_with_states(program, sources, case, unit),
        };
        match verdicts {
            Ok(verdicts) => {
                let (judged, diagnostic) = described(sources, case, &verdicts);
                report.cases.push(judged);
                report.diagnostics.extend(diagnostic);
            }
            Err(error) => {
                let message = format!("the case is not judged: {error}");
                report
                    .diagnostics
                    .push(problem(case, MessageId::SpecBadCase, &message));
                report.cases.push(CaseReport {
                    reason: Some(error.to_string()),
                    ..CaseReport::new(&case.place, &case.unit, case.is_accepted)
                });
            }
        }
    }
    report
}

/// Judges references: each contract has to accept their results for all inputs.
pub fn judge_references(
    program: &Program,
    sources: &SourceMap,
    references: &[WrittenReference],
    options: &search::Options,
) -> CasesReport {
    let mut report = CasesReport::default();
    let units = units(program, sources, true, None);
    let ids: Vec<CallableId> = program.ids();
    for written in references {
        let WrittenReference {
            place,
            unit,
            reference,
        } = written;
        let case = Written {
            place: place.clone(),
            unit: unit.clone(),
            inputs: SortedMap::new(),
            results: SortedMap::new(),
            is_accepted: true,
        };
        let callable = units.iter().find(|u| u.path == *unit).map(|u| u.callable);
        let mut known = ids.iter().copied();
        let other = known.find(|id| program.callable_path(*id) == *reference);
        let (Some(callable), Some(other)) = (callable, other) else {
            let missing = if callable.is_none() { unit } else { reference };
            let message =
                format!("the program has no contract or callable of the name `{missing}`");
            let diagnostic = problem(&case, MessageId::SpecUnknownUnit, &message);
            report.diagnostics.push(diagnostic);
            continue;
        };
        let mut judged = CaseReport::new(place, unit, true);
        match judge_reference(program, (callable, other), options) {
            Some(ReferenceAnswer::Accepts(certainty)) => {
                judged.verdict = "accepted";
                judged.bounds = bounds(&certainty);
            }
            Some(ReferenceAnswer::Rejects { example, clauses }) => {
                judged.verdict = "rejected";
                let all = &program[callable].spec.ensures;
                let clauses: Vec<Span> = clauses
                    .iter()
                    .filter_map(|i| Some(all.get(*i)?.span))
                    .collect();
                judged.clauses = clauses.iter().map(|s| one_line(sources.text(*s))).collect();
                let shown = example
                    .results
                    .first()
                    .map(|r| values(r))
                    .unwrap_or_default();
                let message = format!(
                    "`{unit}` wrongly rejects {shown}, the result of `{reference}`{}",
                    inputs(&example.inputs)
                );
                let mut error = problem(&case, MessageId::SpecWronglyRejects, &message);
                for span in clauses {
                    error = error.with_secondary(span, "this clause rejects it");
                }
                report.diagnostics.push(error);
            }
            Some(ReferenceAnswer::Undecided(reason)) => {
                let reason = reason.to_string();
                let message =
                    format!("not decided: whether `{unit}` accepts the results of `{reference}`");
                let note = problem(&case, MessageId::SpecNotDecided, &message);
                report.diagnostics.push(note.with_note(reason.clone()));
                judged.reason = Some(reason);
            }
            None => {
                let reason = format!(
                    "`{reference}` has no body, type parameters, or other parameters or results than `{unit}`"
                );
                let message = format!("the case is not judged: {reason}");
                report
                    .diagnostics
                    .push(problem(&case, MessageId::SpecBadCase, &message));
                judged.reason = Some(reason);
            }
        }
        report.cases.push(judged);
    }
    report
}

/// Judges the calls of the tests of a program: each contract has to accept the call, and what the
/// body did.
pub fn judge_tests(program: &ir::Program, sources: &SourceMap) -> CasesReport {
    let typed = &program.typed;
    let units = units(typed, sources, true, None);
    let path = |id: CallableId| units.iter().find(|u| u.callable == id).map(|u| &u.path);
    let mut report = CasesReport::default();
    for test in dtest_lower::units::own_tests(typed, |_| true) {
        let span = typed[test].span;
        if let Some(reason) = dtest_lower::units::no_test(typed, test) {
            let name = typed.callable_path(test);
            let message = format!("the calls of the test `{name}` are not judged: {reason}");
            report
                .diagnostics
                .push(Diagnostic::warning(MessageId::SpecBadCase, span, message));
            continue;
        }
        for case in recorded_cases(program, test) {
            let Some(unit) = path(case.unit) else {
                continue;
            };
            let named = |all: &[Named]| {
                let pairs = all.iter().map(|n| (n.name.clone(), n.value.clone()));
                pairs.collect::<SortedMap<String, String>>()
            };
            let results = case.example.results.first().map(|r| named(r));
            let written = Written {
                place: format!("test {}", typed.callable_path(test)),
                unit: unit.clone(),
                inputs: named(&case.example.inputs),
                results: results.unwrap_or_default(),
                is_accepted: true,
            };
            let (judged, diagnostic) = described(sources, &written, &case.verdicts);
            report.cases.push(judged);
            report.diagnostics.extend(diagnostic);
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
    (case, unit): (&Written, &Unit),
    variables: &[CaseVariable],
) -> Result<(Program, Vec<Option<Expr>>), CaseError> {
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
            return Err(CaseError::NoValue(variable.name.to_string()));
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
        return Err(CaseError::unknown_name(program, unit, unknown));
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

/// Judges a case with a receiver, objects, arrays that change, or type parameters.
fn judge_with_states(
    program: &Program,
    sources: &SourceMap,
    case: &Written,
    unit: &Unit,
) -> Result<Vec<CaseVerdict>, CaseError> {
    let id = unit.callable;
    if !has_states(program, id) {
        return Err(CaseError::Unit);
    }
    let named = |name: &str| {
        let found = value_name(program, id, name.trim());
        found.ok_or_else(|| CaseError::unknown_name(program, unit, name))
    };
    // The values that are no objects become constants.
    let mut text = String::new();
    let mut constants = 0;
    let mut parts = Vec::new();
    for (name, value) in case.inputs.iter().chain(case.results.iter()) {
        let (target, ty) = named(name)?;
        let object = object_value(program, &ty, value, &|name| Ok(named(name)?.0))?;
        let object = match object {
            Some(object) => Some(object),
            None => {
                let ty = program.show_type(&ty);
                text.push_str(&format!(
                    "ghost const {CONSTANT}{constants}: {ty} := (\n{value}\n)\n"
                ));
                constants += 1;
                None
            }
        };
        parts.push((target, object));
    }
    let typed = super::with_text(program, sources, &text)?;
    let ids: Vec<FieldId> = typed.ids();
    let mut next = 0;
    let mut valued = Vec::new();
    for (target, object) in parts {
        let value = match object {
            Some(object) => object,
            None => {
                let name = format!("{CONSTANT}{next}");
                next += 1;
                let found = ids.iter().find(|f| *typed[**f].name == *name);
                let found = found.ok_or_else(|| CaseError::NoValue(name.clone()))?;
                StateValue::Constant(*found)
            }
        };
        valued.push((target, value));
    }
    let results = valued.split_off(case.inputs.len());
    let states = StateCase {
        inputs: valued,
        results: (!case.results.is_empty()).then_some(results),
    };
    Ok(judge_states(&typed, id, &states)?)
}

/// The value of a type with references: `null`, the name of an object, or a set or sequence of
/// names. `None` for other values.
fn object_value(
    program: &Program,
    ty: &Type,
    value: &str,
    named: &dyn Fn(&str) -> Result<ValueName, CaseError>,
) -> Result<Option<StateValue>, CaseError> {
    let value = value.trim();
    if program.is_reference(ty) {
        return Ok(Some(match value {
            "null" => StateValue::Null,
            name => StateValue::Same(named(name)?),
        }));
    }
    let (Type::Set { elem, .. } | Type::Seq(elem)) = program.representation(ty) else {
        return Ok(None);
    };
    if !program.is_reference(&elem) {
        return Ok(None);
    }
    let inner = value
        .strip_prefix('{')
        .and_then(|v| v.strip_suffix('}'))
        .or_else(|| value.strip_prefix('[').and_then(|v| v.strip_suffix(']')))
        .ok_or_else(|| CaseError::NoNames(value.to_owned()))?;
    let names = inner.split(',').map(str::trim).filter(|n| !n.is_empty());
    let names = names.map(named).collect::<Result<_, CaseError>>()?;
    Ok(Some(StateValue::Objects(names)))
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
