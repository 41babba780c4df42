//! All executions of units: what was tried, in order, and how each ended.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::json::line;
use super::trace::TraceReport;
use dafny_syntax::diagnostic::Diagnostic;

/// An execution as text, for runs that repeat it. It means something only together with the program that it is of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// A hash of all that the unit reaches.
    pub key: String,
    /// Inputs and choices.
    pub data: String,
}

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
    /// The same, for `run --replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Kept>,
    /// Branches, choices and obligations on its path.
    pub branches: usize,
    /// The execution that it follows from by turning round a branch, and which branch that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<Follows>,
}

/// An execution that was repeated.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayReport {
    /// The execution; its number is that of its record in the file.
    #[serde(flatten)]
    pub execution: ExecutionReport,
    /// How it went, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
}

impl ReplayReport {
    /// For people.
    pub fn text(&self) -> String {
        let mut out = format!(
            "`{}` with {}\n",
            self.execution.unit,
            self.execution.given()
        );
        let steps = self
            .trace
            .iter()
            .flat_map(TraceReport::whole)
            .collect::<Vec<_>>();
        for line in steps.iter().flat_map(|part| part.lines()) {
            let _ = writeln!(out, "  {line}");
        }
        for line in self.execution.lines() {
            let _ = writeln!(out, "  {line}");
        }
        out
    }

    /// As a line of JSON.
    pub fn json(&self) -> String {
        line("replay", self)
    }
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
    /// It violates an obligation.
    Violated,
    /// It violates an obligation, and rests on something that nobody runs or checks.
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
    /// How many of them violate an obligation.
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

impl ExecutionReport {
    /// The inputs.
    pub fn given(&self) -> String {
        if self.inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            self.inputs.join(", ")
        }
    }

    /// What it chooses, and how it ends.
    pub fn lines(&self) -> Vec<String> {
        let chosen =
            (!self.choices.is_empty()).then(|| format!("chosen: {}", self.choices.join("; ")));
        let at = self
            .place
            .as_ref()
            .map_or(String::new(), |p| format!(" ({p})"));
        let printed = if self.printed.is_empty() {
            String::new()
        } else {
            format!("; printed {:?}", self.printed)
        };
        chosen
            .into_iter()
            .chain([format!("{}{at}{printed}", self.message)])
            .collect()
    }
}

impl ExplorationReport {
    /// For people.
    pub fn text(&self) -> String {
        let mut out = format!("`{}` ({}), {}\n", self.unit, self.place, self.strategy);
        let width = self.executed.to_string().len().max(2);
        for e in &self.executions {
            let _ = writeln!(out, "  {:width$}  {}", e.number, e.given());
            for line in e.lines() {
                let _ = writeln!(out, "{}{line}", " ".repeat(width + 4));
            }
        }
        let plural = if self.executed == 1 { "" } else { "s" };
        let _ = write!(
            out,
            "  {} execution{plural}, {} of them violate an obligation",
            self.executed, self.violated
        );
        if let Some(bounds) = &self.bounds {
            let whole = if self.whole {
                "every path within the bounds"
            } else {
                "not every path within the bounds"
            };
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
        self.executions
            .iter()
            .map(|e| line("execution", e))
            .chain([line("exploration", self)])
            .collect()
    }
}

/// Whether an execution can halt at an `expect`.
#[derive(Debug, Clone, Serialize)]
pub struct HaltReport {
    /// The Dafny path of the unit.
    pub unit: String,
    /// `path:line:column` of the statement.
    pub place: String,
    /// Its text, on one line.
    pub text: String,
    /// Whether one does; `None`: it is not known.
    pub halts: Option<bool>,
    /// What it prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The unit's inputs, as `name = value`.
    pub inputs: Vec<String>,
    /// The bounds within which executions were looked for, where none halts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The same as a message with a place.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

impl HaltReport {
    /// As a line of JSON.
    pub fn json(&self) -> String {
        line("halt", self)
    }
}

/// How many statements halt, and how many do not.
#[derive(Debug, Clone, Copy, Default)]
pub struct HaltCounts {
    halt: usize,
    pass: usize,
    open: usize,
}

impl HaltCounts {
    /// Counts one.
    pub fn add(&mut self, report: &HaltReport) {
        match report.halts {
            Some(true) => self.halt += 1,
            Some(false) => self.pass += 1,
            None => self.open += 1,
        }
    }

    /// In a sentence.
    pub fn text(&self) -> String {
        format!(
            "of {} `expect`s {} can halt, {} never do within the bounds, {} are not decided",
            self.halt + self.pass + self.open,
            self.halt,
            self.pass,
            self.open
        )
    }
}
