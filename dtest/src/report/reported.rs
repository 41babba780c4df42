//! The answers of `check` to the errors of Dafny's verifier.

use serde::Serialize;

use super::check::{ObligationReport, Standing};
use super::json::line;

/// The kind of an answer, the most informative first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// An execution violates the obligation.
    Violated,
    /// An execution violates it under an assumption.
    ViolatedAssuming,
    /// No execution was found, but specifications admit a violation.
    NotImplied,
    /// The obligation holds.
    Proved,
    /// No execution comes to the obligation.
    NotReached,
    /// The obligation is undecided.
    NotDecided,
    /// `check` has no obligation at the place.
    NoObligation,
}

/// An error of the verifier with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorReport {
    /// `path:line:column` of the error.
    pub place: String,
    /// The verifier's message.
    pub message: String,
    /// The kind of the answer.
    pub answer: Answer,
    /// The place of the obligation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obligation: Option<String>,
    /// The unit whose execution or proof answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The answer in a sentence.
    pub explanation: String,
}

impl ErrorReport {
    /// Returns the answer to an error by the verdict on its obligation, if there is one.
    pub fn new(place: String, message: String, obligation: Option<&ObligationReport>) -> Self {
        let (answer, explanation) = match obligation {
            Some(obligation) => answer(obligation),
            None => (
                Answer::NoObligation,
                "there is no obligation here".to_owned(),
            ),
        };
        Self {
            place,
            message,
            answer,
            obligation: obligation.map(|p| p.place.to_string()),
            unit: obligation.map(|p| p.unit.clone()),
            explanation,
        }
    }
}

fn answer(obligation: &ObligationReport) -> (Answer, String) {
    let with = |inputs: &[String]| match inputs.is_empty() {
        true => format!("`{}` with no inputs", obligation.unit),
        false => format!("`{}` with {}", obligation.unit, inputs.join(", ")),
    };
    if let Some(not_implied) = &obligation.not_implied {
        let states = not_implied.states.join("; ");
        let state = match states.is_empty() {
            true => with(&not_implied.inputs),
            false => states,
        };
        return (Answer::NotImplied, state);
    }
    match obligation.standing {
        Standing::Violated => (Answer::Violated, with(&obligation.inputs)),
        Standing::ViolatedAssuming => (
            Answer::ViolatedAssuming,
            format!(
                "{}, assuming {}",
                with(&obligation.inputs),
                obligation.given.join(", and ")
            ),
        ),
        Standing::Holds => (Answer::Proved, lacking(obligation, "for all executions")),
        Standing::HoldsAssuming => {
            let proof = format!(
                "for all executions, assuming {}",
                obligation.given.join(", and ")
            );
            (Answer::Proved, lacking(obligation, &proof))
        }
        Standing::HoldsWithinBounds => {
            let bounds = obligation.bounds.as_deref().unwrap_or_default();
            let within = format!("within bounds: {bounds}");
            (Answer::Proved, lacking(obligation, &within))
        }
        Standing::NotReached => (Answer::NotReached, "no execution comes to it".to_owned()),
        Standing::NotDecided => (
            Answer::NotDecided,
            obligation.reason.clone().unwrap_or_default(),
        ),
    }
}

/// Adds to a proof what the verifier may lack.
fn lacking(obligation: &ObligationReport, proof: &str) -> String {
    let lacks = obligation.proved.as_ref().map(|p| p.lacks.join(", or "));
    match lacks.filter(|l| !l.is_empty()) {
        Some(lacks) => format!("{proof}; the verifier may lack {lacks}"),
        None => proof.to_owned(),
    }
}

/// Formats the answers as lines of JSON.
pub fn json(errors: &[ErrorReport]) -> String {
    errors.iter().map(|e| line("verifier-error", e)).collect()
}

/// Formats the answers as a table with a row for each error.
pub fn table(errors: &[ErrorReport]) -> String {
    let name = |answer: Answer| match answer {
        Answer::Violated => "violated",
        Answer::ViolatedAssuming => "violated, assuming",
        Answer::NotImplied => "not implied",
        Answer::Proved => "proved",
        Answer::NotReached => "not reached",
        Answer::NotDecided => "not decided",
        Answer::NoObligation => "no obligation",
    };
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let place = width(&mut errors.iter().map(|e| e.place.len()).chain([5]));
    let answer = width(&mut errors.iter().map(|e| name(e.answer).len()).chain([6]));
    let mut out = format!("{:<place$}  {:<answer$}  because\n", "error", "answer");
    for e in errors {
        out += &format!(
            "{:<place$}  {:<answer$}  {}\n",
            e.place,
            name(e.answer),
            e.explanation
        );
    }
    out
}
