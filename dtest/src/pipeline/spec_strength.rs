//! Mutants of contracts and missing postconditions, in words and as a report.

use super::spec::{Options, bounds, example, inputs, keyword, proved, values};
use super::work::in_parallel;
use crate::message::MessageId;
use crate::report::place::Place;
use crate::report::spec_strength::{SpecCandidate, SpecMutant, StrengthReport};
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{SourceMap, Span};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::describe::one_line;
use dtest_spec::{Candidate, Certainty, Change, ContractMutant, Effect, Example, Strength};

/// The questions about the strength of contracts.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Mutants of the contract.
    pub mutants: bool,
    /// Missing postconditions.
    pub candidates: bool,
}

/// Examines the strength of the contracts of units. The program must not be desugared for
/// obligations. `done` is called with the number of finished units after each unit.
pub fn examine(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    options: &Options<'_>,
    wanted: Wanted,
    done: &(dyn Fn(usize) + Sync),
) -> StrengthReport {
    let work = |unit: &Unit| {
        let (typed, id) = (&program.typed, unit.callable);
        let mutants = match wanted.mutants {
            true => dtest_spec::mutants(typed, id, options.search),
            false => Vec::new(),
        };
        let candidates = match wanted.candidates {
            true => dtest_spec::candidates(typed, id, options.search),
            false => Vec::new(),
        };
        (mutants, candidates)
    };
    let answers = in_parallel("spec-strength", program, units, options.jobs, &work, done);
    let mut report = StrengthReport::default();
    for (unit, answer) in units.iter().zip(answers) {
        let words = Words {
            sources,
            unit: &unit.path,
            span: program.typed[unit.callable].span,
        };
        match answer {
            Ok((mutants, candidates)) => {
                for mutant in &mutants {
                    report.mutants.push(words.mutant(mutant));
                    report.diagnostics.extend(words.of_mutant(mutant));
                }
                for candidate in &candidates {
                    report.candidates.push(words.candidate(candidate));
                    report.diagnostics.push(words.of_candidate(candidate));
                }
            }
            Err(stopped) => {
                let reason = ir::reason::Reason::from(stopped).to_string();
                report.failed.push((unit.path.clone(), reason));
            }
        }
    }
    report
}

/// The answers on a unit in words.
struct Words<'a> {
    sources: &'a SourceMap,
    unit: &'a str,
    span: Span,
}

impl Words<'_> {
    /// A phrase that describes the change of a mutant.
    fn what(&self, mutant: &ContractMutant) -> String {
        let text = one_line(self.sources.text(mutant.span));
        match mutant.change {
            Change::Dropped => format!("without `{text}`"),
            Change::Operator(from, to) => {
                format!(
                    "`{}` instead of `{}` in `{text}`",
                    to.as_str(),
                    from.as_str()
                )
            }
            Change::Old => format!("`{text}` without `old`"),
        }
    }

    fn mutant(&self, mutant: &ContractMutant) -> SpecMutant {
        let report = |status, proved| SpecMutant {
            unit: self.unit.to_owned(),
            clause: keyword(mutant.kind),
            place: Place::of(self.sources, mutant.span),
            what: self.what(mutant),
            strength: match mutant.strength {
                Strength::Weaker => "weaker",
                Strength::Stronger => "stronger",
            },
            status,
            proved,
            bounds: None,
            example: None,
            reason: None,
        };
        match &mutant.effect {
            Effect::Differs(shown) => SpecMutant {
                example: Some(example(shown)),
                ..report("differs", true)
            },
            Effect::Same(certainty) => SpecMutant {
                bounds: bounds(certainty),
                ..report("same", is_proved(certainty))
            },
            Effect::Implemented(shown, certainty) => SpecMutant {
                example: Some(example(shown)),
                bounds: bounds(certainty),
                ..report("implemented", is_proved(certainty))
            },
            Effect::Undecided(reason) => SpecMutant {
                reason: Some(reason.to_string()),
                ..report("undecided", false)
            },
        }
    }

    /// The message on a mutant that says something about the contract.
    fn of_mutant(&self, mutant: &ContractMutant) -> Option<Diagnostic> {
        let what = self.what(mutant);
        let (id, message, certainty) = match (&mutant.effect, mutant.strength) {
            (Effect::Same(certainty), Strength::Weaker) => {
                let message = format!(
                    "{what}, the contract of `{}` accepts nothing more",
                    self.unit
                );
                (MessageId::SpecIdlePart, message, certainty)
            }
            (Effect::Implemented(shown, certainty), _) => {
                let message = format!(
                    "the body of `{}` also satisfies this clause with {what}, which rejects {}",
                    self.unit,
                    rejected(shown)
                );
                (MessageId::SpecStronger, message, certainty)
            }
            (Effect::Differs(_) | Effect::Same(_) | Effect::Undecided(_), _) => return None,
        };
        let mut note = Diagnostic::warning(id, mutant.span, message).with_note(proved(certainty));
        note.severity = Severity::Note;
        Some(note)
    }

    fn candidate(&self, candidate: &Candidate) -> SpecCandidate {
        SpecCandidate {
            unit: self.unit.to_owned(),
            place: Place::of(self.sources, self.span),
            text: candidate.text.clone(),
            example: example(&candidate.rejects),
            rejected: candidate.rejected,
            accepted: candidate.accepted,
            proved: is_proved(&candidate.certainty),
            bounds: bounds(&candidate.certainty),
        }
    }

    fn of_candidate(&self, candidate: &Candidate) -> Diagnostic {
        let message = format!(
            "the body of `{}` also satisfies `ensures {}`, which rejects {}",
            self.unit,
            candidate.text,
            rejected(&candidate.rejects)
        );
        let counts = format!(
            "it rejects {} of {} accepted results that were tried",
            candidate.rejected, candidate.accepted
        );
        let mut note = Diagnostic::warning(MessageId::SpecCandidate, self.span, message)
            .with_note(proved(&candidate.certainty))
            .with_note(counts);
        note.severity = Severity::Note;
        note
    }
}

fn is_proved(certainty: &Certainty) -> bool {
    bounds(certainty).is_none()
}

/// The result of an example, with its input.
fn rejected(example: &Example) -> String {
    let result = example.results.first().map(|r| values(r));
    format!("{}{}", result.unwrap_or_default(), inputs(&example.inputs))
}
