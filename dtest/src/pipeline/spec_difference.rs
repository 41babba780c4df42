//! The differences between the contracts of two versions of a program, in words and as a report.

use super::spec::{bounds, example, inputs, proved, values};
use super::work::in_parallel;
use crate::message::MessageId;
use crate::report::place::Place;
use crate::report::spec_difference::{Changes, DifferenceReport, FoundReport, UnitDifference};
use dafny_resolve::typed::{Callable, CallableKind, Program};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{SourceMap, Span};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_spec::{Difference, Found, Versions};

/// The versions to compare.
pub struct Compared<'p> {
    /// The old program, with its units.
    pub old: (&'p Program, &'p [Unit]),
    /// The new program, with its units.
    pub new: (&'p ir::Program, &'p [Unit]),
    /// The texts of both.
    pub sources: &'p SourceMap,
}

/// Compares the contracts of two versions with `jobs` threads. Neither program must be desugared for
/// obligations. `done` is called with the number of finished units after each unit.
pub fn compare(
    compared: &Compared<'_>,
    options: &search::Options,
    jobs: usize,
    done: &(dyn Fn(usize) + Sync),
) -> DifferenceReport {
    let ((old, of_old), (new, of_new)) = (compared.old, compared.new);
    let versions = Versions::new(old, &new.typed);
    // A contract without clauses is a contract: it accepts everything.
    let is_unit = |id| of_new.iter().any(|n| n.callable == id);
    let without_clauses = of_old.iter().filter_map(|o| {
        let callable = versions.namesake(o.callable).filter(|id| !is_unit(*id))?;
        let path = o.path.clone();
        Some(Unit { callable, path })
    });
    let units: Vec<Unit> = of_new.iter().cloned().chain(without_clauses).collect();
    let work = |unit: &Unit| {
        versions.ancestor(unit.callable).map(|o| {
            let is_unchanged = versions.is_unchanged(o);
            (!is_unchanged).then(|| versions.difference(o, unit.callable, options))
        })
    };
    let answers = in_parallel("spec-diff", new, &units, jobs, &work, done);
    let mut report = DifferenceReport::default();
    for (unit, answer) in units.iter().zip(answers) {
        let words = Words {
            compared,
            unit,
            callable: &new.typed[unit.callable],
        };
        match answer {
            Ok(None) => report.units.push(words.alone("added")),
            Ok(Some(None)) => report.unchanged += 1,
            Ok(Some(Some(difference))) => report.units.push(words.changed(&difference)),
            Err(stopped) => {
                let reason = ir::reason::Reason::from(stopped).to_string();
                report.failed.push((unit.path.clone(), reason));
            }
        }
    }
    let is_removed = |o: &&Unit| versions.namesake(o.callable).is_none();
    let removed = of_old.iter().filter(is_removed).map(|unit| Words {
        compared,
        unit,
        callable: &old[unit.callable],
    });
    report.units.extend(removed.map(|w| w.alone("removed")));
    report
}

/// The difference of a unit in words.
struct Words<'a> {
    compared: &'a Compared<'a>,
    unit: &'a Unit,
    callable: &'a Callable,
}

impl Words<'_> {
    fn span(&self) -> Span {
        self.callable.span
    }

    /// A contract that only one version has.
    fn alone(&self, status: &'static str) -> UnitDifference {
        UnitDifference {
            unit: self.unit.path.clone(),
            place: Place::of(self.compared.sources, self.span()),
            status,
            changes: None,
            diagnostics: Vec::new(),
        }
    }

    fn changed(&self, difference: &Difference) -> UnitDifference {
        let Difference {
            accepted,
            rejected,
            allowed,
            forbidden,
        } = difference;
        UnitDifference {
            changes: Some(Changes {
                accepted: found(accepted),
                rejected: found(rejected),
                allowed: found(allowed),
                forbidden: found(forbidden),
            }),
            diagnostics: self.diagnostics(difference),
            ..self.alone("changed")
        }
    }

    fn diagnostics(&self, difference: &Difference) -> Vec<Diagnostic> {
        let unit = &self.unit.path;
        let is_constructor = self.callable.kind == CallableKind::Constructor;
        let has_results = is_constructor
            || !self.callable.outs.is_empty()
            || !self.callable.spec.modifies.is_empty();
        let (allows, forbids) = match has_results {
            true => ("now allows", "no longer allows"),
            false => ("ensures less than before", "ensures more than before"),
        };
        let (allows_more, allows_less) = match has_results {
            true => (
                "allows results that it did not allow before",
                "allows fewer results than before",
            ),
            false => (allows, forbids),
        };
        let parts = [
            (
                &difference.rejected,
                MessageId::SpecNewlyRejected,
                "no longer accepts",
                "accepts fewer inputs than before",
            ),
            (
                &difference.accepted,
                MessageId::SpecNewlyAccepted,
                "now accepts",
                "accepts inputs that it did not accept before",
            ),
            (
                &difference.allowed,
                MessageId::SpecNewlyAllowed,
                allows,
                allows_more,
            ),
            (
                &difference.forbidden,
                MessageId::SpecNewlyForbidden,
                forbids,
                allows_less,
            ),
        ];
        let mut all: Vec<Diagnostic> = parts
            .into_iter()
            .filter_map(|(found, id, verb, claim)| self.part(found, id, verb, claim))
            .collect();
        if all.is_empty() {
            let message = format!("the contracts of `{unit}` are equivalent");
            all.push(self.note(MessageId::SpecEquivalent, message));
        }
        all
    }

    /// The message on one direction of a difference: `verb` goes before an example, and `claim` says
    /// what no example shows.
    fn part(&self, found: &Found, id: MessageId, verb: &str, claim: &str) -> Option<Diagnostic> {
        let unit = &self.unit.path;
        match found {
            Found::Example(example) => {
                let start = format!("`{unit}` {verb}");
                let given = inputs(&example.inputs);
                let message = match example.results.first() {
                    Some(result) if !result.is_empty() => {
                        format!("{start} {}{given}", values(result))
                    }
                    Some(_) => format!("{start}{given}"),
                    // An input by itself.
                    None if given.is_empty() => format!("{start} its only input"),
                    None => format!("{start}{}", given.replacen(" for", "", 1)),
                };
                // Callers have to look at what they can rely on less.
                let is_warning = matches!(
                    id,
                    MessageId::SpecNewlyRejected | MessageId::SpecNewlyAllowed
                );
                Some(match is_warning {
                    true => Diagnostic::warning(id, self.span(), message),
                    false => self.note(id, message),
                })
            }
            Found::Nothing(dtest_spec::Certainty::Proved) => None,
            Found::Nothing(certainty) => {
                let message = format!("no example shows that `{unit}` {claim}");
                Some(
                    self.note(MessageId::SpecNotDecided, message)
                        .with_note(proved(certainty)),
                )
            }
            Found::Undecided(reason) => {
                let message = format!("not decided: whether `{unit}` {claim}");
                Some(
                    self.note(MessageId::SpecNotDecided, message)
                        .with_note(reason.to_string()),
                )
            }
        }
    }

    fn note(&self, id: MessageId, message: String) -> Diagnostic {
        let mut note = Diagnostic::warning(id, self.span(), message);
        note.severity = Severity::Note;
        note
    }
}

fn found(found: &Found) -> FoundReport {
    let report = |verdict, proved| FoundReport {
        verdict,
        proved,
        bounds: None,
        example: None,
        reason: None,
    };
    match found {
        Found::Example(shown) => FoundReport {
            example: Some(example(shown)),
            ..report("yes", true)
        },
        Found::Nothing(certainty) => FoundReport {
            bounds: bounds(certainty),
            ..report("no", bounds(certainty).is_none())
        },
        Found::Undecided(reason) => FoundReport {
            reason: Some(reason.to_string()),
            ..report("undecided", false)
        },
    }
}
