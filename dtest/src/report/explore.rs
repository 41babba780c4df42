//! All executions of units: what was tried, in order, and how each ended.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::line;

/// An execution.
#[derive(Debug, Clone, Serialize)]
pub struct ExecutionReport {
    /// The Dafny path of the unit.
    pub unit: String,
    /// Its number, from 1, in the order in which executions were tried.
    pub number: usize,
    /// The unit's inputs, as `name = value`.
    pub inputs: Vec<String>,
    /// What it chooses, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// The same in words.
    pub message: String,
    /// Where, unless it returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The results, as `name = value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<String>,
    /// What it printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// Branches, choices and promises on its path.
    pub branches: usize,
    /// The execution that it follows from by turning round a branch, and which branch that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<Follows>,
}

/// Where an execution comes from.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Follows {
    /// The number of the other one.
    pub from: usize,
    /// The branch that is turned round, from 1.
    pub branch: usize,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// It returned.
    Returned,
    /// It breaks a promise.
    Violated,
    /// It breaks a promise, and rests on something that nobody runs or checks.
    ViolatedAssuming,
    /// An `expect` halted it.
    Halted,
    /// An assumption is false: the program has no such execution.
    Infeasible,
    /// It could not be followed to its end.
    NotDecided,
}

/// The executions of a unit.
#[derive(Debug, Clone, Serialize)]
pub struct ExplorationReport {
    /// The Dafny path of the unit.
    pub unit: String,
    /// `path:line:column` of the unit.
    pub place: String,
    /// The order in which they were tried.
    pub strategy: &'static str,
    /// How many there are.
    pub executed: usize,
    /// How many of them break a promise.
    pub violated: usize,
    /// Whether one execution was tried for every path within the bounds.
    pub whole: bool,
    /// The bounds of inputs and paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// What kept it from going on, in words.
    pub limits: Vec<String>,
    /// The executions.
    #[serde(skip)]
    pub executions: Vec<ExecutionReport>,
}

impl ExplorationReport {
    /// For people.
    pub fn text(&self) -> String {
        let mut out = format!("`{}` ({}), {}\n", self.unit, self.place, self.strategy);
        let width = self.executed.to_string().len().max(2);
        for e in &self.executions {
            let inputs = if e.inputs.is_empty() { "no inputs".to_owned() } else { e.inputs.join(", ") };
            let _ = writeln!(out, "  {:width$}  {inputs}", e.number);
            let pad = " ".repeat(width + 4);
            if !e.choices.is_empty() {
                let _ = writeln!(out, "{pad}chosen: {}", e.choices.join("; "));
            }
            let at = e.place.as_ref().map_or(String::new(), |p| format!(" ({p})"));
            let printed = if e.printed.is_empty() { String::new() } else { format!("; printed {:?}", e.printed) };
            let _ = writeln!(out, "{pad}{}{at}{printed}", e.message);
        }
        let plural = if self.executed == 1 { "" } else { "s" };
        let _ = write!(out, "  {} execution{plural}, {} of them break a promise", self.executed, self.violated);
        if let Some(bounds) = &self.bounds {
            let whole = if self.whole { "every path within the bounds" } else { "not every path within the bounds" };
            let _ = write!(out, "; {whole}: {bounds}");
        }
        out.push('\n');
        for limit in &self.limits {
            let _ = writeln!(out, "  {limit}");
        }
        out
    }

    /// As lines of JSON: one an execution, then one for all.
    pub fn json(&self) -> String {
        self.executions.iter().map(|e| line("execution", e)).chain([line("exploration", self)]).collect()
    }
}
