//! The report of `check --executions`: the executions of units in the order of the search, with
//! their endings.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::json::line;
use super::place::Place;
use super::trace::TraceReport;
use dafny_source::diagnostic::Diagnostic;

/// A recorded execution, for `run --replay`. It is valid only for the same program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// A hash of the closure of the unit.
    pub key: String,
    /// The inputs and choices.
    pub data: String,
}

/// An execution.
#[derive(Debug, Clone, Serialize)]
pub struct ExecutionReport {
    /// The Dafny path of the unit.
    pub unit: String,
    /// Its number, from 1, in the order of the search.
    pub number: usize,
    /// The unit's inputs, as `name = value`.
    pub inputs: Vec<String>,
    /// Descriptions of its nondeterministic choices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The ending of the execution.
    pub outcome: OutcomeKind,
    /// A description of the ending.
    pub message: String,
    /// The location of the ending, unless it returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The results, as `name = value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<String>,
    /// The printed text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// The execution as data, for `run --replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Kept>,
    /// The number of branches, choices and obligations on its path.
    pub branches: usize,
    /// The execution that it was derived from by negating a branch, and that branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<Follows>,
}

/// A repeated execution.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayReport {
    /// The execution; its number is that of its record in the file.
    #[serde(flatten)]
    pub execution: ExecutionReport,
    /// The steps of the execution, with `--trace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
}

impl ReplayReport {
    /// Formats the report for people.
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

    /// Formats the report as a line of JSON.
    pub fn json(&self) -> String {
        line("replay", self)
    }
}

/// The origin of an execution.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Follows {
    /// The number of the execution that it was derived from.
    pub from: usize,
    /// The negated branch, from 1.
    pub branch: usize,
}

/// The ending of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// The execution returned.
    Returned,
    /// The execution violates an obligation.
    Violated,
    /// The execution violates an obligation, but rests on an assumption or on external code that is
    /// not checked.
    ViolatedAssuming,
    /// An `expect` halted the execution.
    Halted,
    /// An assumption is false, so the program has no such execution.
    Infeasible,
    /// The execution could not be completed.
    NotDecided,
}

/// The executions of a unit.
#[derive(Debug, Clone, Serialize)]
pub struct ExplorationReport {
    /// The Dafny path of the unit.
    pub unit: String,
    /// `path:line:column` of the unit.
    pub place: Place,
    /// The order of the search.
    pub strategy: &'static str,
    /// The number of executions.
    pub executed: usize,
    /// The number of executions that violate an obligation.
    pub violated: usize,
    /// Whether every path within the bounds has an execution.
    pub whole: bool,
    /// The bounds of inputs and paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// Descriptions of the limits that ended the search.
    pub limits: Vec<String>,
    /// The executions.
    #[serde(skip)]
    pub executions: Vec<ExecutionReport>,
}

impl ExecutionReport {
    /// Formats the inputs.
    pub fn given(&self) -> String {
        if self.inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            self.inputs.join(", ")
        }
    }

    /// Formats the choices and the ending.
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
    /// Formats the report for people.
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

    /// Formats the report as lines of JSON: one per execution, then one for all.
    pub fn json(&self) -> String {
        self.executions
            .iter()
            .map(|e| line("execution", e))
            .chain([line("exploration", self)])
            .collect()
    }
}

/// The answer whether an execution can halt at an `expect`.
#[derive(Debug, Clone, Serialize)]
pub struct HaltReport {
    /// The Dafny path of the unit.
    pub unit: String,
    /// `path:line:column` of the statement.
    pub place: Place,
    /// The text of the statement, on one line.
    pub text: String,
    /// Whether an execution halts there; `None` if this is undecided.
    pub halts: Option<bool>,
    /// The message that it prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The unit's inputs, as `name = value`.
    pub inputs: Vec<String>,
    /// The bounds of the search, if no execution halts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The answer as a diagnostic.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

impl HaltReport {
    /// Formats the report as a line of JSON.
    pub fn json(&self) -> String {
        line("halt", self)
    }
}

/// The number of statements at which executions halt or do not halt.
#[derive(Debug, Clone, Copy, Default)]
pub struct HaltCounts {
    halt: usize,
    pass: usize,
    open: usize,
}

impl HaltCounts {
    /// Counts a statement.
    pub fn add(&mut self, report: &HaltReport) {
        match report.halts {
            Some(true) => self.halt += 1,
            Some(false) => self.pass += 1,
            None => self.open += 1,
        }
    }

    /// Formats the counts as a sentence.
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
