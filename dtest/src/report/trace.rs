//! The trace of an execution: the call stack at its end, and the states on the way.

use std::fmt::{self, Write as _};

use serde::Serialize;

use super::place::Place;
use dafny_source::Span;
use dafny_source::diagnostic::FlowStep;

/// The trace of an execution.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TraceReport {
    /// The active calls at the end, the unit's first.
    pub stack: Vec<ActivationReport>,
    /// The part of a deep stack that is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deeper: Option<LeftOut>,
    /// The steps in order; only the first and the last steps of a long execution.
    pub steps: Vec<StepReport>,
    /// The steps that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<LeftOut>,
    /// The variables at the last step that changed since the first.
    pub end: Vec<Shown>,
}

/// The part of a list that is left out.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct LeftOut {
    /// The number of entries before the part.
    pub after: usize,
    /// The number of entries that are left out.
    pub count: u64,
}

/// A variable with its value, shown as `name = value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The name of the variable.
    pub name: String,
    /// The formatted value.
    pub value: String,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

impl Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Formats variables as `a = 1, b = 2`.
fn list<'s>(variables: impl IntoIterator<Item = &'s Shown>) -> String {
    variables
        .into_iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// An active call.
#[derive(Debug, Clone, Serialize)]
pub struct ActivationReport {
    /// The Dafny path of the callable.
    pub unit: String,
    /// `path:line:column` of the next call, or of the end of the execution.
    pub place: Place,
    /// The parameters.
    pub arguments: Vec<Shown>,
    /// The location.
    #[serde(skip)]
    pub span: Span,
}

/// A statement that was executed, or a loop head that was reached.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// The Dafny path of the callable.
    pub unit: String,
    /// The number of active calls around it.
    pub depth: usize,
    /// `path:line:column` of the statement.
    pub place: Place,
    /// The source text, on one line.
    pub text: String,
    /// At the head of a loop: the number of completed iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// The variables before the step; objects are shown with their fields. At the start of a call
    /// and at the head of a loop, all variables; otherwise those that the previous step changed.
    pub variables: Vec<Shown>,
    /// Whether the step makes a nondeterministic choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chooses: bool,
    /// The location.
    #[serde(skip)]
    pub span: Span,
}

/// Maximum number of calls from each end of the stack in the short form.
const ACTIVATIONS: usize = 3;
/// Maximum number of iterations in the short form.
const TURNS: usize = 3;
/// Maximum number of choices in the short form.
const CHOICES: usize = 3;

/// The last iterations of a loop, formatted.
struct Turns<'t> {
    text: String,
    /// The variables that the last of them shows.
    last: Vec<&'t Shown>,
}

impl StepReport {
    /// Describes the step.
    fn said(&self) -> String {
        let mut said = match self.iteration {
            Some(n) => format!(
                "the loop, after {n} iteration{}",
                if n == 1 { "" } else { "s" }
            ),
            None => self.text.clone(),
        };
        if self.chooses {
            said.push_str("  (a choice)");
        }
        said
    }
}

impl TraceReport {
    /// Formats the most informative parts: the calls that lead to the end, the last states of the
    /// loop, and the choices.
    pub fn short(&self) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.calls());
        let turns = self.last_turns();
        let is_said = turns
            .as_ref()
            .is_some_and(|t| t.last.iter().copied().eq(&self.end));
        notes.extend(turns.map(|t| t.text));
        notes.extend(self.state_at_the_end().filter(|_| !is_said));
        notes.extend(self.choices());
        notes
    }

    /// Formats all steps, one per line.
    pub fn whole(&self) -> Vec<String> {
        let mut lines = vec!["step by step:".to_owned()];
        for (i, step) in self.steps.iter().enumerate() {
            if let Some(left) = self.omitted.filter(|o| o.after == i) {
                lines.push(format!("  ... {} steps are omitted", left.count));
            }
            let mut line = format!("{}{}  ", "  ".repeat(step.depth.min(20)), step.place);
            line.push_str(&step.said());
            if !step.variables.is_empty() {
                let _ = write!(line, "  [{}]", list(&step.variables));
            }
            lines.push(line);
        }
        self.calls().into_iter().chain([lines.join("\n")]).collect()
    }

    /// Returns the steps for a diagnostic, up to the violation.
    pub fn flow(&self, broken: Span, message: &str) -> Vec<FlowStep> {
        let step = |s: &StepReport| FlowStep {
            span: s.span,
            message: s.said(),
            depth: s.depth.saturating_sub(1),
            state: s
                .variables
                .iter()
                .map(|v| (v.name.clone(), v.value.clone()))
                .collect(),
        };
        let end = FlowStep {
            span: broken,
            message: message.to_owned(),
            depth: self.stack.len().saturating_sub(1),
            state: Vec::new(),
        };
        self.steps.iter().map(step).chain([end]).collect()
    }

    /// Formats the call stack, if it has more than the unit.
    fn calls(&self) -> Option<String> {
        let (unit, inner) = self.stack.split_first()?;
        if inner.is_empty() {
            return None;
        }
        let mut lines = vec!["call stack:".to_owned()];
        let mut from = unit;
        let hidden = self.deeper.map_or(0, |d| d.count as usize);
        for (i, activation) in inner.iter().enumerate() {
            let is_shown = i < ACTIVATIONS || i + ACTIVATIONS >= inner.len();
            if is_shown {
                let with = if activation.arguments.is_empty() {
                    String::new()
                } else {
                    format!(" with {}", list(&activation.arguments))
                };
                lines.push(format!("`{}` at {}{with}", activation.unit, from.place));
            } else if i == ACTIVATIONS {
                lines.push(format!(
                    "... {} more",
                    inner.len() + hidden - 2 * ACTIVATIONS
                ));
            }
            from = activation;
        }
        Some(lines.join("\n  "))
    }

    /// Formats the last states of the innermost active loop, or of the last one.
    fn last_turns(&self) -> Option<Turns<'_>> {
        let depth = self.stack.len().max(1) + self.deeper.map_or(0, |d| d.count as usize);
        let last = self
            .steps
            .iter()
            .rposition(|s| s.iteration.is_some() && s.depth <= depth)?;
        let head = self.steps.get(last)?;
        let (mut turns, mut shown) = (Vec::new(), None);
        for step in self.steps.iter().take(last + 1).rev() {
            if step.depth < head.depth || turns.len() >= TURNS {
                break;
            }
            if let (Some(n), true) = (
                step.iteration,
                step.depth == head.depth && step.span == head.span,
            ) {
                let when = if n == 0 {
                    "before the first".to_owned()
                } else {
                    format!("after {n}")
                };
                let changed: Vec<&Shown> = step
                    .variables
                    .iter()
                    .filter(|v| !self.is_given(v, head.depth))
                    .collect();
                turns.push(format!("{when}: {}", list(changed.iter().copied())));
                shown.get_or_insert(changed);
                if n == 0 {
                    break;
                }
            }
        }
        turns.reverse();
        let text = format!(
            "iterations of the loop at {}:\n  {}",
            head.place,
            turns.join("\n  ")
        );
        shown.map(|last| Turns { text, last })
    }

    /// Whether a variable still has the value that was passed to the call at that depth.
    fn is_given(&self, variable: &Shown, depth: usize) -> bool {
        let of_unit = self
            .steps
            .first()
            .filter(|s| s.depth == depth)
            .map(|s| &s.variables);
        let of_call = depth
            .checked_sub(1)
            .and_then(|i| self.stack.get(i))
            .map(|a| &a.arguments);
        of_unit
            .or(of_call)
            .is_some_and(|given| given.contains(variable))
    }

    /// Formats the variables of the innermost call at the end.
    fn state_at_the_end(&self) -> Option<String> {
        (!self.end.is_empty()).then(|| format!("at the end, {}", list(&self.end)))
    }

    /// Formats the choices of the execution.
    fn choices(&self) -> Option<String> {
        let mut lines = Vec::new();
        for (i, step) in self.steps.iter().enumerate().filter(|(_, s)| s.chooses) {
            let next = self
                .steps
                .iter()
                .skip(i + 1)
                .find(|s| s.depth == step.depth && !s.variables.is_empty());
            let values = next.map(|s| list(&s.variables)).unwrap_or_default();
            let values = if values.is_empty() {
                String::new()
            } else {
                format!(": {values}")
            };
            lines.push(format!("`{}` at {}{values}", step.text, step.place));
        }
        let more = lines.len().saturating_sub(CHOICES);
        lines.truncate(CHOICES);
        if more > 0 {
            lines.push(format!("... {more} more"));
        }
        (!lines.is_empty()).then(|| format!("nondeterministic choices:\n  {}", lines.join("\n  ")))
    }
}
