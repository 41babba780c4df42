//! `check --executions`: explores the executions of units and describes them.

use super::replay::Keeper;
use super::work::in_parallel;
use crate::message::MessageId;
use crate::report::explore::{
    ExecutionReport, ExplorationReport, Follows, HaltReport, OutcomeKind,
};
use crate::report::place::Place;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{SourceMap, Span};
use dtest_encode::{BoundKind, Bounds};
use dtest_interp::{Chosen, Opening};
use dtest_ir::reason::Stopped;
use dtest_ir::{self as ir, BlockId, Decision, GoalReason, StmtKind, Terminator};
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::check::{Ended, Exploration, Explore, Explored, Strategy, explore};
use dtest_search::describe;
use dtest_value::Value;

/// Explores units on `jobs` threads; results are in the order of `units`.
pub fn search(
    program: &ir::Program,
    units: &[Unit],
    options: &search::Options,
    how: Explore,
    jobs: usize,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Exploration> {
    let found = in_parallel(
        "executions",
        program,
        units,
        jobs,
        &|unit| explore(program, unit.callable, options, how),
        done,
    );
    let nothing = |stopped: Stopped| Exploration::of_nothing(stopped.into());
    found
        .into_iter()
        .map(|found| found.unwrap_or_else(nothing))
        .collect()
}

/// Reports on the executions of a unit.
pub fn report(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    found: &Exploration,
    options: &search::Options,
    how: Explore,
) -> ExplorationReport {
    let keeper = Keeper::new(program, std::slice::from_ref(unit));
    let renderer = Renderer {
        program,
        sources,
        unit,
        keeper,
    };
    let executions: Vec<ExecutionReport> = (1..)
        .zip(&found.executions)
        .map(|(n, e)| renderer.execution(n, e))
        .collect();
    let is_violated = |e: &&ExecutionReport| {
        matches!(
            e.outcome,
            OutcomeKind::Violated | OutcomeKind::ViolatedAssuming
        )
    };
    ExplorationReport {
        unit: unit.path.clone(),
        place: Place::of(sources, program.typed[unit.callable].span),
        strategy: match how.strategy {
            Strategy::Depth => "depth first",
            Strategy::Breadth => "breadth first",
            Strategy::Generational => "by generations",
        },
        executed: executions.len(),
        violated: executions.iter().filter(is_violated).count(),
        whole: found.is_whole(),
        bounds: found.bounds.map(|b| b.to_string()),
        limits: limits(found, how, options.rounds.is_some()),
        executions,
    }
}

/// Reports on a single execution, as number 1.
pub fn execution(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    explored: &Explored,
) -> ExecutionReport {
    let keeper = Keeper::new(program, std::slice::from_ref(unit));
    Renderer {
        program,
        sources,
        unit,
        keeper,
    }
    .execution(1, explored)
}

/// Returns the `expect` statements in a unit's own code.
pub fn expects(program: &ir::Program, unit: &Unit) -> Vec<Span> {
    let blocks = program
        .procedures
        .get(&unit.callable)
        .map_or(&[][..], |p| &p.blocks);
    let is_expect = |s: &&ir::Stmt| matches!(s.kind, StmtKind::Expect { .. });
    let mut spans: Vec<Span> = blocks
        .iter()
        .flat_map(|b| &b.stmts)
        .filter(is_expect)
        .map(|s| s.span)
        .collect();
    spans.sort();
    spans.dedup();
    spans
}

/// Reports whether executions of a unit halt at its `expect` statements.
pub fn halts(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    found: &Exploration,
    options: &search::Options,
    how: Explore,
) -> Vec<HaltReport> {
    // One report for each `expect` statement: an execution that halts there, or how far that is
    // excluded.
    let at = |span: Span| {
        let halted = found.executions.iter().find_map(|e| match &e.ended {
            Ended::Halted(s, message) if *s == span => Some((e, message.clone())),
            Ended::Halted(..)
            | Ended::Returned(..)
            | Ended::Broken(_)
            | Ended::Infeasible(_)
            | Ended::Open(_) => None,
        });
        let bounds = found.bounds.map(|b| b.to_string());
        let (id, said) = match &halted {
            Some(_) => (MessageId::CheckHalts, "an execution can halt here"),
            None if found.is_complete() => (
                MessageId::CheckNeverHalts,
                "no execution within the bounds halts here",
            ),
            None => (
                MessageId::CheckNotDecided,
                "not decided: whether an execution halts here",
            ),
        };
        let mut diagnostic = Diagnostic::warning(id, span, said);
        diagnostic.severity = Severity::Note;
        let inputs = halted
            .as_ref()
            .map(|(e, _)| describe::inputs(program, unit.callable, &e.inputs))
            .unwrap_or_default();
        diagnostic = match (&halted, &bounds) {
            (Some((_, message)), _) => {
                let with = if inputs.is_empty() {
                    "no inputs".to_owned()
                } else {
                    inputs.join(", ")
                };
                diagnostic
                    .with_label(message.clone())
                    .with_note(format!("in `{}` with {with}", unit.path))
            }
            (None, Some(bounds)) => {
                let limits = limits(found, how, options.rounds.is_some());
                limits.into_iter().fold(
                    diagnostic.with_note(format!("the bounds: {bounds}")),
                    Diagnostic::with_note,
                )
            }
            (None, None) => limits(found, how, false)
                .into_iter()
                .fold(diagnostic, Diagnostic::with_note),
        };
        HaltReport {
            unit: unit.path.clone(),
            place: Place::of(sources, span),
            text: describe::one_line(sources.text(span)),
            halts: if halted.is_some() {
                Some(true)
            } else {
                found.is_complete().then_some(false)
            },
            message: halted.map(|(_, message)| message),
            inputs,
            bounds: bounds.filter(|_| found.is_complete()),
            diagnostic,
        }
    };
    expects(program, unit).into_iter().map(at).collect()
}

/// Describes the limits that ended an exploration.
fn limits(found: &Exploration, how: Explore, rounds: bool) -> Vec<String> {
    let mut limits = Vec::new();
    if !found.crossed.is_empty() {
        let option = |k: &BoundKind| super::check::option(*k, &Bounds::START).0;
        let mut options: dtest_sorted::SortedSet<&str> = found.crossed.iter().map(option).collect();
        if found.crossed.contains(&BoundKind::Unroll) && rounds {
            options.insert("--unroll-choice");
        }
        let options: Vec<String> = options.into_iter().map(|o| format!("`{o}`")).collect();
        limits.push(format!(
            "larger bounds have more executions: raise {}",
            options.join(", ")
        ));
    }
    if found.too_deep {
        limits.push(format!(
            "only the first {} branches of an execution were negated: raise `--depth`",
            how.depth
        ));
    }
    if found.left > 0 {
        let paths = if found.left == 1 {
            "path was"
        } else {
            "paths were"
        };
        let option = if found.executions.len() >= how.most {
            ""
        } else {
            ": raise `--rlimit`"
        };
        limits.push(format!("at least {} {paths} left{option}", found.left));
    }
    if found.unknown > 0 {
        limits.push(format!("for {} branches, the solver could not decide whether they can be negated: raise `--rlimit`", found.unknown));
    }
    if found.refuted > 0 {
        limits.push(format!(
            "{} models of the solver are not executions",
            found.refuted
        ));
    }
    limits.extend(found.reasons.iter().map(|r| format!("not supported: {r}")));
    limits
}

struct Renderer<'a> {
    program: &'a ir::Program,
    sources: &'a SourceMap,
    unit: &'a Unit,
    keeper: Keeper,
}

impl Renderer<'_> {
    fn execution(&self, number: usize, e: &Explored) -> ExecutionReport {
        let mut report = ExecutionReport {
            unit: self.unit.path.clone(),
            number,
            inputs: describe::inputs(self.program, self.unit.callable, &e.inputs),
            choices: e
                .choices
                .taken
                .iter()
                .flat_map(|(at, all)| all.iter().filter_map(|c| self.choice(at, c)))
                .collect(),
            outcome: OutcomeKind::Returned,
            message: String::new(),
            place: None,
            results: Vec::new(),
            printed: e.printed.clone(),
            execution: self.keeper.keep(self.unit.callable, &e.inputs, &e.chosen),
            branches: e.branches,
            follows: e.parent.map(|p| Follows {
                from: p + 1,
                branch: e.turned,
            }),
        };
        self.end(&e.ended, e, &mut report);
        report
    }

    fn end(&self, ended: &Ended, e: &Explored, report: &mut ExecutionReport) {
        let (outcome, message, span) = match ended {
            Ended::Returned(values, heap) => {
                report.results = self.results(values, heap, e);
                let results = report.results.join(", ");
                let message = if results.is_empty() {
                    "returns".to_owned()
                } else {
                    format!("returns with {results}")
                };
                (OutcomeKind::Returned, message, None)
            }
            Ended::Broken(violation) => {
                let outcome = if violation.is_certain() {
                    OutcomeKind::Violated
                } else {
                    OutcomeKind::ViolatedAssuming
                };
                let broken = describe::broken(violation.failure.kind.obligation());
                (
                    outcome,
                    format!("violates an obligation: {broken}"),
                    Some(violation.failure.span),
                )
            }
            Ended::Halted(span, message) => (
                OutcomeKind::Halted,
                format!("halts: {message}"),
                Some(*span),
            ),
            Ended::Infeasible(span) => (
                OutcomeKind::Infeasible,
                "is not an execution: an assumption is false".to_owned(),
                Some(*span),
            ),
            Ended::Open(reason) => (
                OutcomeKind::NotDecided,
                format!("not decided: {reason}"),
                None,
            ),
        };
        (report.outcome, report.message) = (outcome, message);
        report.place = span.map(|s| Place::of(self.sources, s));
    }

    fn results(
        &self,
        values: &[Option<Value>],
        heap: &dtest_value::Heap,
        e: &Explored,
    ) -> Vec<String> {
        describe::results(
            self.program,
            self.unit.callable,
            &e.inputs.type_args,
            values,
            heap,
        )
    }

    /// Describes the choice at an opening of the unit.
    fn choice(&self, at: &Opening, chosen: &Chosen) -> Option<String> {
        let line = |span: Span| {
            self.sources
                .line_column(span.start)
                .map_or(String::new(), |at| format!(" in line {}", at.line))
        };
        match (at, chosen) {
            (_, Chosen::Values(values)) if values.is_empty() => None,
            (Opening::At(span), Chosen::Values(values)) => {
                let text = describe::one_line(self.sources.text(*span));
                Some(format!(
                    "{} for `{text}`{}",
                    self.values(values),
                    line(*span)
                ))
            }
            (Opening::Variable(callable, name), Chosen::Values(values))
                if *callable == self.unit.callable =>
            {
                (!name.starts_with('$'))
                    .then(|| format!("{} for the unassigned `{name}`", self.values(values)))
            }
            (Opening::Ways(callable, first), Chosen::Way(i)) if *callable == self.unit.callable => {
                let (phrase, span) = self.branch(*first, *i)?;
                Some(format!("{phrase}{}", line(span)))
            }
            (Opening::Field(field), Chosen::Values(values)) => Some(format!(
                "{} for the unassigned field `{}`",
                self.values(values),
                self.program.typed[*field].name
            )),
            (Opening::Modified(span), Chosen::Values(values)) => {
                let value = values.last()?;
                Some(format!(
                    "{} for a place that the statement modifies{}",
                    self.values(std::slice::from_ref(value)),
                    line(*span)
                ))
            }
            (Opening::Variable(..), Chosen::Values(_)) | (Opening::Ways(..), Chosen::Way(_)) => {
                None
            }
            // Each kind of opening has one kind of choice.
            (Opening::Ways(..), Chosen::Values(_))
            | (
                Opening::At(_) | Opening::Variable(..) | Opening::Field(_) | Opening::Modified(_),
                Chosen::Way(_),
            ) => None,
        }
    }

    fn values(&self, values: &[Value]) -> String {
        let show = |v| {
            dtest_value::show(
                &self.program.typed,
                &|_| None,
                v,
                &dafny_resolve::typed::Type::Error,
            )
        };
        values.iter().map(show).collect::<Vec<String>>().join(", ")
    }

    /// Describes the chosen branch, with the location of the choice.
    fn branch(&self, first: BlockId, index: u32) -> Option<(String, Span)> {
        let procedure = self.program.procedures.get(&self.unit.callable)?;
        let (among, span) = procedure.blocks.iter().find_map(|b| match &b.terminator {
            Terminator::Choose { among, span, .. } if among.first() == Some(&first) => {
                Some((among, *span))
            }
            Terminator::Choose { .. }
            | Terminator::Goto(_)
            | Terminator::Branch { .. }
            | Terminator::Return
            | Terminator::Stop => None,
        })?;
        let reason = |i: usize| Some(&procedure.block(*among.get(i)?)?.goal.as_ref()?.reason);
        let index = index as usize;
        // The branch that skips the statement has no goal, so it is described by the negation of
        // the other one.
        let (reason, is_it) = match reason(index) {
            Some(reason) => (reason, true),
            None if among.len() == 2 => (reason(1 - index.min(1))?, false),
            None => return None,
        };
        let phrase = match reason {
            GoalReason::Branch {
                value,
                decision: Decision::Loop,
                ..
            } if *value == is_it => "another iteration of the loop".to_owned(),
            GoalReason::Branch {
                decision: Decision::Loop,
                ..
            } => "exit from the loop".to_owned(),
            GoalReason::Branch { value, .. } if *value == is_it => "that `*` holds".to_owned(),
            GoalReason::Branch { .. } => "that `*` does not hold".to_owned(),
            GoalReason::Alternative { guard } if is_it => {
                format!("`{}`", describe::one_line(self.sources.text(*guard)))
            }
            GoalReason::Entry
            | GoalReason::Case { .. }
            | GoalReason::Alternative { .. }
            | GoalReason::Failure { .. }
            | GoalReason::Boundary { .. }
            | GoalReason::Decides { .. }
            | GoalReason::Clause { .. }
            | GoalReason::Path
            | GoalReason::After { .. }
            | GoalReason::Differs
            | GoalReason::Broken { .. } => return None,
        };
        Some((phrase, span))
    }
}
