//! Tests of contracts: the answers on every unit, in words and as a report.
//!
//! [`examine`] runs [`dtest_spec::examine`] on units in parallel, and [`described`] turns the answers
//! into messages.

use super::work::in_parallel;
use crate::message::MessageId;
use crate::report::place::Place;
use crate::report::spec::{
    ClauseReport, CompletenessReport, ExampleReport, SpecReport, UnitSpec, VerdictReport,
};
use dafny_resolve::typed::Program;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{SourceMap, Span};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::describe::one_line;
use dtest_spec::{
    Certainty, ClauseAnswer, ClauseKind, Completeness, Contribution, Equivalence, Example,
    Implementable, Named, Satisfiable, Specification,
};

/// Returns the units with contracts in the named files (in all files if `included`) whose paths
/// match `filter`.
pub fn units(
    program: &Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&regex_lite::Regex>,
) -> Vec<Unit> {
    let is_wanted =
        |span: Span| included || sources.file_at(span.start).is_some_and(|(_, f)| f.named);
    let all = dtest_lower::units::units_with_contracts(program, is_wanted);
    all.into_iter()
        .filter(|u| filter.is_none_or(|f| f.is_match(&u.path)))
        .collect()
}

/// The options of `spec` for one program.
pub struct Options<'o> {
    /// The options of the search.
    pub search: &'o search::Options,
    /// The number of threads.
    pub jobs: usize,
    /// The paths of units that deliberately leave results open.
    pub allow: &'o [String],
}

/// Examines the contracts of units. The program must not be desugared for obligations. `done` is
/// called with the number of finished units after each unit.
pub fn examine(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    options: &Options<'_>,
    done: &(dyn Fn(usize) + Sync),
) -> SpecReport {
    let work = |unit: &Unit| dtest_spec::examine(&program.typed, unit.callable, options.search);
    let answers = in_parallel("spec", program, units, options.jobs, &work, done);
    let mut report = SpecReport::default();
    for (unit, answer) in units.iter().zip(answers) {
        match answer {
            Ok(spec) => {
                let is_allowed = options.allow.contains(&unit.path);
                report
                    .units
                    .push(described(&program.typed, sources, unit, &spec, is_allowed));
            }
            Err(stopped) => report.failed.push((
                unit.path.clone(),
                ir::reason::Reason::from(stopped).to_string(),
            )),
        }
    }
    report
}

/// Describes the answers on one unit.
fn described(
    program: &Program,
    sources: &SourceMap,
    unit: &Unit,
    spec: &Specification,
    is_allowed: bool,
) -> UnitSpec {
    let words = Words {
        sources,
        unit: &unit.path,
        span: program[unit.callable].span,
        spec,
        is_allowed,
    };
    let examples = [&spec.accepted]
        .into_iter()
        .flatten()
        .chain(match (&spec.satisfiable, &spec.accepted) {
            (Satisfiable::Yes(example), None) => Some(example),
            (Satisfiable::Yes(_) | Satisfiable::No { .. } | Satisfiable::Undecided(_), _) => None,
        })
        .chain(match &spec.implementable {
            Implementable::No { example, .. } => Some(example),
            Implementable::Yes(_) | Implementable::Undecided(_) => None,
        })
        .chain(two_results(&spec.completeness))
        .map(example)
        .collect::<Vec<_>>();
    UnitSpec {
        unit: unit.path.clone(),
        place: Place::of(sources, words.span),
        satisfiable: match &spec.satisfiable {
            Satisfiable::Yes(_) => VerdictReport::yes(None),
            Satisfiable::No { certainty, clauses } => VerdictReport::no(
                bounds(certainty),
                words.texts(clauses, ClauseKind::Requires),
            ),
            Satisfiable::Undecided(reason) => VerdictReport::undecided(reason.to_string()),
        },
        implementable: match &spec.implementable {
            Implementable::Yes(certainty) => VerdictReport::yes(bounds(certainty)),
            Implementable::No {
                certainty, clauses, ..
            } => VerdictReport::no(bounds(certainty), words.texts(clauses, ClauseKind::Ensures)),
            Implementable::Undecided(reason) => VerdictReport::undecided(reason.to_string()),
        },
        completeness: match &spec.completeness {
            Completeness::Determined(certainty) => {
                CompletenessReport::determined(None, bounds(certainty))
            }
            Completeness::UpTo(Equivalence::Order(_), certainty) => {
                CompletenessReport::determined(Some("order"), bounds(certainty))
            }
            Completeness::UpTo(Equivalence::Identity, certainty) => {
                CompletenessReport::determined(Some("identity"), bounds(certainty))
            }
            Completeness::Open(_) => CompletenessReport::open(is_allowed),
            Completeness::Undecided(reason) => CompletenessReport::undecided(reason.to_string()),
        },
        examples,
        clauses: spec
            .clauses
            .iter()
            .map(|clause| clause_report(sources, clause))
            .collect(),
        score: if is_allowed && matches!(spec.completeness, Completeness::Open(_)) {
            None
        } else {
            score(spec)
        },
        diagnostics: words.diagnostics(),
    }
}

/// The score of a contract: 0 if it is contradictory or cannot be implemented.
fn score(spec: &Specification) -> Option<f64> {
    let is_faulty = matches!(spec.satisfiable, Satisfiable::No { .. })
        || matches!(spec.implementable, Implementable::No { .. });
    if is_faulty { Some(0.0) } else { spec.score() }
}

/// The example of two results, if there is one.
fn two_results(completeness: &Completeness) -> Option<&Example> {
    match completeness {
        Completeness::Open(example) | Completeness::UpTo(Equivalence::Order(example), _) => {
            Some(example)
        }
        Completeness::UpTo(Equivalence::Identity, _)
        | Completeness::Determined(_)
        | Completeness::Undecided(_) => None,
    }
}

/// The bounds of a claim; `None` if it is proved.
pub(super) fn bounds(certainty: &Certainty) -> Option<String> {
    match certainty {
        Certainty::Proved => None,
        Certainty::Within(bounds) => Some(bounds.clone()),
    }
}

pub(super) fn example(example: &Example) -> ExampleReport {
    let pairs = |all: &[Named]| {
        let pair = |n: &Named| (n.name.clone(), n.value.clone());
        all.iter().map(pair).collect::<Vec<_>>().into()
    };
    ExampleReport {
        inputs: pairs(&example.inputs),
        results: example.results.iter().map(|r| pairs(r)).collect(),
    }
}

fn clause_report(sources: &SourceMap, clause: &ClauseAnswer) -> ClauseReport {
    let (redundant, idle, rejects, reason) = match &clause.contribution {
        Contribution::Decisive(rejected) => (Some(false), Some(false), Some(rejected), None),
        Contribution::Redundant => (Some(true), Some(true), None, None),
        Contribution::Claim => (Some(false), Some(false), None, None),
        Contribution::Guard => {
            let reason = "other clauses are defined only where it holds".to_owned();
            (Some(false), Some(false), None, Some(reason))
        }
        Contribution::Idle(bounds) => (None, Some(true), None, Some(format!("within {bounds}"))),
        Contribution::Undecided(reason) => (None, None, None, Some(reason.to_string())),
    };
    ClauseReport {
        clause: keyword(clause.kind),
        text: sources
            .text(clause.span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        place: Place::of(sources, clause.span),
        redundant,
        idle,
        rejects: rejects.map(example),
        reason,
    }
}

pub(super) fn keyword(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Requires => "requires",
        ClauseKind::Ensures => "ensures",
    }
}

/// The answers on a unit in words.
struct Words<'a> {
    sources: &'a SourceMap,
    unit: &'a str,
    span: Span,
    spec: &'a Specification,
    /// Whether the unit deliberately leaves results open.
    is_allowed: bool,
}

impl Words<'_> {
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        all.extend(self.satisfiable());
        all.extend(self.implementable());
        all.extend(self.completeness());
        all.extend(self.spec.clauses.iter().filter_map(|c| self.clause(c)));
        all
    }

    /// The spans of clauses, by their indices among those of the kind.
    fn spans(&self, clauses: &[usize], kind: ClauseKind) -> Vec<Span> {
        let of_kind: Vec<Span> = self
            .spec
            .clauses
            .iter()
            .filter(|c| c.kind == kind)
            .map(|c| c.span)
            .collect();
        clauses
            .iter()
            .filter_map(|i| of_kind.get(*i).copied())
            .collect()
    }

    fn texts(&self, clauses: &[usize], kind: ClauseKind) -> Vec<String> {
        let spans = self.spans(clauses, kind);
        spans
            .iter()
            .map(|s| one_line(self.sources.text(*s)))
            .collect()
    }

    fn note(&self, id: MessageId, span: Span, message: String) -> Diagnostic {
        let mut note = Diagnostic::warning(id, span, message);
        note.severity = Severity::Note;
        note
    }

    fn undecided(&self, question: &str, reason: &dtest_spec::Undecided) -> Diagnostic {
        let message = format!("not decided: {question}");
        self.note(MessageId::SpecNotDecided, self.span, message)
            .with_note(reason.to_string())
    }

    fn satisfiable(&self) -> Option<Diagnostic> {
        match &self.spec.satisfiable {
            Satisfiable::Yes(_) => None,
            Satisfiable::No { certainty, clauses } => {
                let message = format!("no input satisfies the precondition of `{}`", self.unit);
                let diagnostic =
                    Diagnostic::error(MessageId::SpecContradictory, self.span, message);
                let spans = self.spans(clauses, ClauseKind::Requires);
                Some(conflict(diagnostic, &spans).with_note(proved(certainty)))
            }
            Satisfiable::Undecided(reason) => {
                let question = format!(
                    "whether an input satisfies the precondition of `{}`",
                    self.unit
                );
                Some(self.undecided(&question, reason))
            }
        }
    }

    fn implementable(&self) -> Option<Diagnostic> {
        match &self.spec.implementable {
            Implementable::Yes(_) => None,
            Implementable::No {
                example,
                certainty,
                clauses,
            } => {
                let given = inputs(&example.inputs);
                let message = if self.spec.has_results {
                    format!("`{}` accepts no result{given}", self.unit)
                } else {
                    format!("`{}` does not satisfy its postcondition{given}", self.unit)
                };
                let diagnostic =
                    Diagnostic::error(MessageId::SpecNotImplementable, self.span, message);
                let spans = self.spans(clauses, ClauseKind::Ensures);
                Some(conflict(diagnostic, &spans).with_note(proved(certainty)))
            }
            Implementable::Undecided(dtest_spec::Undecided::NoInputs) => None,
            Implementable::Undecided(reason) => {
                let question = format!("whether every input of `{}` has a result", self.unit);
                Some(self.undecided(&question, reason))
            }
        }
    }

    fn completeness(&self) -> Option<Diagnostic> {
        let unit = self.unit;
        if !self.spec.has_results {
            return None;
        }
        match &self.spec.completeness {
            Completeness::Determined(certainty) => {
                let message = format!("`{unit}` determines its result");
                Some(
                    self.note(MessageId::SpecDetermined, self.span, message)
                        .with_note(proved(certainty)),
                )
            }
            Completeness::UpTo(equivalence, certainty) => {
                let (what, example) = match equivalence {
                    Equivalence::Order(example) => ("the order of elements", Some(example)),
                    Equivalence::Identity => ("the objects that it refers to", None),
                };
                let message = format!("`{unit}` determines its result up to {what}");
                Some(match example {
                    // Callers see the order of elements.
                    Some(example) if !self.is_allowed => {
                        Diagnostic::warning(MessageId::SpecOpen, self.span, both(unit, example))
                            .with_note(message)
                            .with_note(proved(certainty))
                    }
                    Some(example) => self
                        .note(MessageId::SpecDetermined, self.span, message)
                        .with_note(proved(certainty))
                        .with_note(both(unit, example)),
                    None => self
                        .note(MessageId::SpecDetermined, self.span, message)
                        .with_note(proved(certainty)),
                })
            }
            Completeness::Open(example) => {
                let message = both(unit, example);
                Some(match self.is_allowed {
                    true => self
                        .note(MessageId::SpecOpen, self.span, message)
                        .with_note("this freedom is allowed"),
                    false => Diagnostic::warning(MessageId::SpecOpen, self.span, message),
                })
            }
            Completeness::Undecided(
                dtest_spec::Undecided::NoInputs | dtest_spec::Undecided::NoResults,
            ) => None,
            Completeness::Undecided(reason) => {
                let question = format!("whether `{unit}` determines its result");
                Some(self.undecided(&question, reason))
            }
        }
    }

    fn clause(&self, clause: &ClauseAnswer) -> Option<Diagnostic> {
        let what = match clause.kind {
            ClauseKind::Requires => "precondition",
            ClauseKind::Ensures => "postcondition",
        };
        Some(match &clause.contribution {
            Contribution::Claim | Contribution::Guard => return None,
            Contribution::Decisive(example) => {
                let given = inputs(&example.inputs);
                let message = match example.results.first() {
                    Some(result) if !result.is_empty() => {
                        format!("only this {what} rejects {}{given}", values(result))
                    }
                    Some(_) | None => {
                        format!("only this {what} rejects{}", &given.replacen(" for", "", 1))
                    }
                };
                self.note(MessageId::SpecClause, clause.span, message)
            }
            Contribution::Redundant => {
                let message = format!("the rest of the contract implies this {what}");
                Diagnostic::warning(MessageId::SpecRedundant, clause.span, message)
                    .with_note("proved")
            }
            Contribution::Idle(bounds) => {
                let message =
                    format!("the rest of the contract implies this {what}, within bounds");
                self.note(MessageId::SpecIdle, clause.span, message)
                    .with_note(format!("the bounds: {bounds}"))
            }
            Contribution::Undecided(reason) => {
                let message = format!("not decided: whether this {what} contributes");
                self.note(MessageId::SpecNotDecided, clause.span, message)
                    .with_note(reason.to_string())
            }
        })
    }
}

/// The sentence on two results for one input.
fn both(unit: &str, example: &Example) -> String {
    let [first, second] = example.results.as_slice() else {
        return format!("`{unit}` accepts different results");
    };
    // Only the parts that differ matter, unless the names are needed to read them.
    format!(
        "`{unit}` accepts {} and {}{}",
        values(first),
        values(second),
        inputs(&example.inputs)
    )
}

/// Values with their names, as code. A single result needs no name.
pub(super) fn values(all: &[Named]) -> String {
    match all {
        [one] if !one.name.contains(['.', '[']) => format!("`{}`", one.value),
        many => format!("`{}`", assignments(many)),
    }
}

pub(super) fn inputs(all: &[Named]) -> String {
    match all {
        [] => String::new(),
        some => format!(" for `{}`", assignments(some)),
    }
}

fn assignments(all: &[Named]) -> String {
    let parts: Vec<String> = all
        .iter()
        .map(|n| format!("{} = {}", n.name, n.value))
        .collect();
    parts.join(", ")
}

/// The inputs and results of a written case.
pub(super) fn one_case(
    given: &dtest_sorted::SortedMap<String, String>,
    results: &dtest_sorted::SortedMap<String, String>,
) -> String {
    let named = |all: &dtest_sorted::SortedMap<String, String>| -> Vec<Named> {
        let pair = |(name, value): (&String, &String)| Named {
            name: name.clone(),
            value: value.clone(),
        };
        all.iter().map(pair).collect()
    };
    let result = match results.is_empty() {
        true => "the result of the body".to_owned(),
        false => values(&named(results)),
    };
    format!("{result}{}", inputs(&named(given)))
}

pub(super) fn proved(certainty: &Certainty) -> String {
    match certainty {
        Certainty::Proved => "proved".to_owned(),
        Certainty::Within(bounds) => format!("within bounds: {bounds}"),
    }
}

/// Adds the clauses that exclude each other to a message.
fn conflict(mut diagnostic: Diagnostic, clauses: &[Span]) -> Diagnostic {
    let label = match clauses.len() {
        1 => "this clause is never satisfied",
        _several => "these clauses exclude each other",
    };
    for span in clauses {
        diagnostic = diagnostic.with_secondary(*span, label);
    }
    diagnostic
}
