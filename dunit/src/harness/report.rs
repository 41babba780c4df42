//! The report of a failed test.

use std::any::Any;
use std::fmt::Write;
use std::time::Duration;

use super::Halt;
use super::clause::{Broken, ClauseKind, Side};
use super::progress::Progress;
use super::run::Case;

/// The end of a test.
pub(super) enum Outcome {
    Passed,
    Broken(Broken),
    Halted(Halt),
    Panicked(String),
    TimedOut(Duration),
}

impl Outcome {
    pub(super) fn of_panic(payload: Box<dyn Any + Send>) -> Outcome {
        let payload = match payload.downcast::<Broken>() {
            Ok(broken) => return Outcome::Broken(*broken),
            Err(payload) => payload,
        };
        let payload = match payload.downcast::<Halt>() {
            Ok(halt) => return Outcome::Halted(*halt),
            Err(payload) => payload,
        };
        Outcome::Panicked(match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(payload) => match payload.downcast::<&'static str>() {
                Ok(message) => (*message).to_owned(),
                Err(_) => "a panic with a payload that is not text".to_owned(),
            },
        })
    }
}

/// Formats the report, without a final line break.
pub(super) fn render(case: &Case, outcome: &Outcome, progress: &Progress) -> String {
    let mut text = headline(case, outcome, progress);
    let at = progress.panicked_at.as_deref();
    match outcome {
        Outcome::Passed => {}
        Outcome::Broken(broken) => {
            line(&mut text, "clause", &broken.text);
            if let Some(conjunct) = &broken.conjunct {
                line(&mut text, "fails", conjunct);
            }
            for side in &broken.sides {
                line(&mut text, side.role, &shown_side(side));
            }
        }
        Outcome::Halted(halt) => {
            line(&mut text, "at", &halt.location);
            line(&mut text, "message", &halt.message);
            evaluated(&mut text, progress);
        }
        Outcome::Panicked(message) => {
            line(&mut text, "message", message);
            if let Some(at) = at {
                line(&mut text, "at", at);
            }
            evaluated(&mut text, progress);
        }
        Outcome::TimedOut(_) => evaluated(&mut text, progress),
    }
    values(&mut text, "inputs", &progress.inputs);
    values(&mut text, "computed", &progress.results);
    values(&mut text, "changed", &progress.changed);
    let _ = write!(text, "\n  test: {}:{}", case.file, case.line);
    text
}

fn headline(case: &Case, outcome: &Outcome, progress: &Progress) -> String {
    let unit = case.unit;
    match outcome {
        Outcome::Passed => format!("{unit}: passed"),
        Outcome::Broken(broken) => clause_headline(unit, broken.kind),
        Outcome::Halted(_) => format!("{unit}: halted"),
        Outcome::Panicked(_) => match progress.clause {
            Some((ClauseKind::Require, _)) => {
                format!("{unit}: precondition cannot be evaluated: this test is unreliable")
            }
            Some((ClauseKind::Expect, _)) => format!("{unit}: expectation cannot be evaluated"),
            None => format!("{unit}: panicked"),
        },
        Outcome::TimedOut(limit) => {
            format!(
                "{unit}: no result within {} seconds (DUNIT_TIMEOUT sets the limit)",
                limit.as_secs()
            )
        }
    }
}

/// Formats a side: the value, and its expression unless that is a literal with the same text.
fn shown_side(side: &Side) -> String {
    match side.value.as_deref() {
        Some(value) if value == side.expression || side.expression.is_empty() => value.to_owned(),
        Some(value) => format!("{value}    from {}", side.expression),
        None => format!("a value without a printed form, from {}", side.expression),
    }
}

fn clause_headline(unit: &str, kind: ClauseKind) -> String {
    match kind {
        ClauseKind::Require => {
            format!(
                "{unit}: precondition not met: this test is unreliable and says nothing about the unit"
            )
        }
        ClauseKind::Expect => format!("{unit}: expectation failed"),
    }
}

fn evaluated(text: &mut String, progress: &Progress) {
    if let Some((_, clause)) = &progress.clause {
        line(text, "in clause", clause);
    }
}

fn values(text: &mut String, title: &str, values: &[(&'static str, String)]) {
    if !values.is_empty() {
        let _ = write!(text, "\n  {title}:");
    }
    for (name, value) in values {
        let _ = write!(text, "\n    {name} = {}", value.replace('\n', "\n      "));
    }
}

fn line(text: &mut String, label: &str, value: &str) {
    let _ = write!(text, "\n  {label}: {}", value.replace('\n', "\n    "));
}
