//! Reports on units and types after their tests are written.
//!
//! [`unit_reports`] joins goals, tests and what became of the tests in the suite, by the ids of test
//! cases ([`UnitTests`]).

use super::{Solved, regions};
use crate::report::key::Key;
use crate::report::place::Place;
use crate::report::{
    CalleeReport, ClauseReport, FindingReport, GoalOutcome, GoalReport, OwnTestReport, UnitReport,
};
use dafny_resolve::typed::{CallableId, TypeId};
use dafny_source::SourceMap;
use dtest_emit::Unsupported;
use dtest_emit::case::{ClauseUse, Oracle, Suite, TestId, TestRole, Written};
use dtest_encode::Fact;
use dtest_interp::{Failure, Outcome, Truth};
use dtest_ir::{self as ir, GoalId};
use dtest_lower::units::Unit;
use dtest_search::{self as search, GoalStatus, UnitResult, describe};
use dtest_sorted::SortedMap;

/// Reports on types after their tests are written, from [`Suite::datatypes`] or [`Suite::classes`].
pub fn type_reports(
    program: &ir::Program,
    sources: &SourceMap,
    tests: &[(TypeId, Result<Written, Unsupported>)],
) -> Vec<OwnTestReport> {
    let report = |(id, written): &(TypeId, Result<Written, Unsupported>)| OwnTestReport {
        name: program.typed.type_path(*id),
        place: Place::of(sources, program.typed[*id].span),
        test: written.as_ref().ok().map(|w| w.test.clone()),
        not_written: written.as_ref().err().map(|u| u.reason.to_string()),
        finding: None,
    };
    tests.iter().map(report).collect()
}

/// Reports on the program's own tests after they are written; `findings` has the violations in
/// their executions.
pub fn own_test_reports(
    program: &ir::Program,
    sources: &SourceMap,
    suite: &Suite,
    findings: &SortedMap<CallableId, Failure>,
) -> Vec<OwnTestReport> {
    let report = |(id, written): &(CallableId, Result<Written, Unsupported>)| OwnTestReport {
        name: program.typed.callable_path(*id),
        place: Place::of(sources, program.typed[*id].span),
        test: written.as_ref().ok().map(|w| w.test.clone()),
        not_written: written.as_ref().err().map(|u| u.reason.to_string()),
        finding: findings.get(id).map(|failure| FindingReport {
            place: Place::of(sources, failure.span),
            message: failure.message.clone(),
            inputs: Vec::new(),
            key: Key::default(),
            allowed: None,
        }),
    };
    suite.declared.iter().map(report).collect()
}

/// Reports on every unit after its tests are written; `suite` is the result of emitting [`super::cases()`]
/// of the same results.
pub fn unit_reports(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    results: &[Solved],
    suite: &Suite,
) -> Vec<UnitReport> {
    let report = |(unit, solved)| unit_report(program, sources, unit, solved, suite);
    units.iter().zip(results).map(report).collect()
}

/// The reasons why tests that the search found are not in a suite. Tests that are there have no
/// entry.
pub type Unwritten = SortedMap<TestId, String>;

/// Returns the reasons why tests of the units are not in the suite.
pub fn unwritten(suite: &Suite) -> Unwritten {
    suite
        .tests
        .iter()
        .filter(|(id, _)| matches!(id.role, TestRole::Covering(_)))
        .filter_map(|(id, written)| Some((*id, written.as_ref().err()?.reason.to_string())))
        .collect()
}

/// The tests of a unit, each with what became of it in the suite.
pub(super) struct UnitTests<'a> {
    pub(super) result: &'a UnitResult,
    suite: &'a Suite,
}

impl<'a> UnitTests<'a> {
    /// Returns the fate of a test, by its index among the tests of the unit; `None` if it is not a
    /// case of the suite.
    fn get(&self, index: usize) -> Option<&'a Result<Written, Unsupported>> {
        self.suite.tests.get(&TestId {
            unit: self.result.unit,
            role: TestRole::Covering(index),
        })
    }

    /// Returns the tests that are cases of the suite.
    pub(super) fn iter(
        &self,
    ) -> impl Iterator<Item = (&'a search::TestCase, &'a Result<Written, Unsupported>)> {
        let tests = self.result.tests.iter().enumerate();
        tests.filter_map(|(i, test)| Some((test, self.get(i)?)))
    }
}

fn unit_report(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    solved: &Solved,
    suite: &Suite,
) -> UnitReport {
    let name_of_unit = program.typed[unit.callable].span;
    let result = &solved.result;
    let written = UnitTests { result, suite };
    let goal = |(id, status): &(GoalId, GoalStatus)| {
        goal_report(program, sources, unit, (*id, status), &written)
    };
    let unknown = |t: &search::TestCase| {
        t.requires
            .iter()
            .filter(|c| matches!(c.truth, Truth::Unknown(_)))
            .count()
    };
    // If the precondition is undecided, the inputs may be illegal, so the violation becomes a note.
    let doubts = result.findings.iter().filter(|f| !f.certain).map(|f| {
        let place = sources.locate(f.failure.span);
        format!(
            "{place}: {}, for inputs whose precondition could not be decided",
            f.failure.message
        )
    });
    let callee = |id: &CallableId| CalleeReport {
        callable: program.typed.callable_path(*id),
        place: Place::of(sources, program.typed[*id].span),
    };
    UnitReport {
        unit: unit.path.clone(),
        module: program
            .typed
            .module_path(program.typed[unit.callable].module)
            .join("."),
        place: Place::of(sources, name_of_unit),
        region: sources.region(name_of_unit),
        callees: program
            .systems
            .get(&unit.callable)
            .map_or_else(Vec::new, |s| s.callees.iter().map(callee).collect()),
        goals: result.goals.iter().filter_map(goal).collect(),
        regions: regions::regions(program, sources, &written),
        tests: written
            .iter()
            .filter_map(|(_, w)| w.as_ref().ok().map(|w| w.test.clone()))
            .collect(),
        ensures: clauses(sources, unit.callable, suite),
        preconditions_unknown: result.tests.iter().map(unknown).sum(),
        undecided_preconditions: undecided_preconditions(sources, &result.tests),
        valued_tests: written
            .iter()
            .filter(|(_, w)| w.as_ref().is_ok_and(|w| w.oracle == Oracle::Values))
            .count(),
        unchecked: written
            .iter()
            .filter_map(|(_, w)| {
                w.as_ref()
                    .ok()
                    .filter(|w| w.oracle == Oracle::Nothing)
                    .map(|w| w.test.clone())
            })
            .collect(),
        deterministic_tests: written.iter().filter(|(t, w)| is_determined(t, w)).count(),
        findings: result
            .findings
            .iter()
            .filter(|f| f.certain)
            .map(|f| finding(program, sources, unit, f))
            .collect(),
        not_emitted: written
            .iter()
            .find_map(|(_, w)| w.as_ref().err().map(|u| u.reason.to_string())),
        claims: result
            .claims
            .iter()
            .map(ToString::to_string)
            .chain(describe::calls_left_out(program, unit.callable))
            .collect(),
        notes: result
            .notes
            .iter()
            .map(ToString::to_string)
            .chain(doubts)
            .collect(),
        cached: solved.cached,
        seconds: result.times.total.as_secs_f64(),
        timed_out: result.timed_out,
        would_gain: result.would_gain,
    }
}

/// Reports on a goal of a unit; `None` if the program does not have it.
fn goal_report(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    (id, status): (GoalId, &GoalStatus),
    written: &UnitTests<'_>,
) -> Option<GoalReport> {
    let goal = program.goal(unit.callable, id)?;
    let tests = reaching(id, written);
    // A path is shown at the name of its unit: it has no place of its own.
    let is_path = goal.reason == ir::GoalReason::Path;
    let name_of_unit = program.typed[unit.callable].span;
    let span = if is_path { name_of_unit } else { goal.span };
    Some(GoalReport {
        place: Place::of(sources, span),
        region: sources.region(if is_path { span } else { goal.source() }),
        decision: goal.decided().and_then(|s| sources.region(s)),
        criterion: program.criterion(unit.callable, id)?,
        goal: describe::phrase(goal, sources),
        outcome: outcome(program, sources, status, written, &tests),
        tests,
        actual: None,
        block: id.block(unit.callable),
        callable: id.callee().map(|c| program.typed.callable_path(c)),
        calls: describe::calls(program, unit.callable, id, sources),
    })
}

/// Reports on the postconditions of a unit.
fn clauses(sources: &SourceMap, unit: CallableId, suite: &Suite) -> Vec<ClauseReport> {
    let clauses = suite
        .ensures
        .iter()
        .find(|(id, _)| *id == unit)
        .map_or(&[][..], |(_, clauses)| clauses);
    let clause = |c: &ClauseUse| ClauseReport {
        place: Place::of(sources, c.span),
        text: describe::one_line(sources.text(c.span)),
        not_executed: c.not_executed.clone(),
        is_frame: c.is_frame,
    };
    clauses.iter().map(clause).collect()
}

/// Returns the undecided preconditions of tests with objects, each once.
fn undecided_preconditions(sources: &SourceMap, tests: &[search::TestCase]) -> Vec<ClauseReport> {
    let mut found: Vec<ClauseReport> = Vec::new();
    let with_objects = tests.iter().filter(|t| !t.inputs.heap.objects.is_empty());
    for clause in with_objects.flat_map(|t| &t.requires) {
        let Truth::Unknown(reason) = &clause.truth else {
            continue;
        };
        let place = Place::of(sources, clause.span);
        if found.iter().all(|c| c.place != place) {
            found.push(ClauseReport {
                place,
                text: describe::one_line(sources.text(clause.span)),
                not_executed: Some(reason.to_string()),
                is_frame: false,
            });
        }
    }
    found
}

/// Returns the written tests that reach a goal, first the test that was generated for it.
fn reaching(goal: GoalId, written: &UnitTests<'_>) -> Vec<String> {
    let all = written
        .iter()
        .filter(|(test, _)| test.covers.contains(&goal));
    let (own, others): (Vec<_>, Vec<_>) = all.partition(|(test, _)| test.goal == goal);
    own.into_iter()
        .chain(others)
        .filter_map(|(_, w)| w.as_ref().ok().map(|w| w.test.clone()))
        .collect()
}

/// Whether Dafny's semantics determines a value that a written test could compare: a result, or a
/// field of an object.
fn is_determined(test: &search::TestCase, written: &Result<Written, Unsupported>) -> bool {
    let has_results = matches!(&test.execution.outcome, Outcome::Returned(values) if values.iter().any(Option::is_some));
    written
        .as_ref()
        .is_ok_and(|w| test.deterministic && (has_results || w.oracle == Oracle::Values))
}

/// Converts the status of a goal to its outcome. `tests` are the written tests that reach the goal.
fn outcome(
    program: &ir::Program,
    sources: &SourceMap,
    status: &GoalStatus,
    written: &UnitTests<'_>,
    tests: &[String],
) -> GoalOutcome {
    // `Covered` names the first test that was written; a covered goal without a written test is
    // reported as not supported, with the reason.
    match status {
        GoalStatus::Covered(i) => match (written.get(*i), tests.first()) {
            (Some(Ok(test)), _) => GoalOutcome::Covered {
                test: test.test.clone(),
            },
            (Some(Err(_)) | None, Some(other)) => GoalOutcome::Covered {
                test: other.clone(),
            },
            (Some(Err(left_out)), None) => GoalOutcome::Unsupported {
                reason: format!(
                    "inputs were found, but the test cannot be written: {}",
                    left_out.reason
                ),
            },
            (None, None) => GoalOutcome::Unsupported {
                reason: "inputs were found, but the test was not written".into(),
            },
        },
        GoalStatus::OnlyByFinding(_) => GoalOutcome::Finding,
        GoalStatus::OnlyByChoice => GoalOutcome::Choice,
        GoalStatus::UnreachableProved { why } => GoalOutcome::Unreachable {
            reason: why.clone(),
        },
        GoalStatus::UnreachableGiven { facts } => {
            let said: Vec<String> = facts
                .iter()
                .filter_map(|f| given(program, sources, *f))
                .collect();
            GoalOutcome::Given {
                reason: said.join(" and "),
            }
        }
        GoalStatus::UnreachableAtCaps { scope } => GoalOutcome::UnreachableAtCaps {
            bound: scope.to_string(),
            larger_size: scope.least_larger_size(),
        },
        GoalStatus::UnreachableWithinBounds { scope } => GoalOutcome::UnreachableWithinBounds {
            bound: scope.to_string(),
        },
        GoalStatus::Cut(cut) => GoalOutcome::OutOfBudget {
            reason: cut.to_string(),
        },
        GoalStatus::PathsLeft { most, stopped } => {
            let more = if *most == 1 {
                "at most 1 more path".to_owned()
            } else {
                format!("at most {most} more paths")
            };
            GoalOutcome::OutOfBudget {
                reason: format!("{more} within the bounds; {}", stopped.text()),
            }
        }
        GoalStatus::OutOfBudget(budget) => GoalOutcome::OutOfBudget {
            reason: budget.text().into(),
        },
        GoalStatus::NotConfirmed => GoalOutcome::OutOfBudget {
            reason: "the interpreter could not confirm any model".into(),
        },
        GoalStatus::Unsupported(reason) => GoalOutcome::Unsupported {
            reason: reason.to_string(),
        },
    }
}

/// Describes an assumption that a claim rests on, with its location; `None` if it needs no mention.
pub(super) fn given(program: &ir::Program, sources: &SourceMap, fact: Fact) -> Option<String> {
    match fact {
        Fact::Assume(span) => {
            let text = sources
                .text(span)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            Some(format!(
                "`{}` ({})",
                text.trim_end_matches(';'),
                sources.locate(span)
            ))
        }
        Fact::Contract(callee, span) => Some(format!(
            "the contract of `{}` ({}), which is not checked",
            program.typed.callable_path(callee),
            sources.locate(span)
        )),
        Fact::Postcondition(callee, span) => {
            let contract = program.contracts.get(&callee);
            let is_frame = contract.is_some_and(|c| c.modifies.iter().any(|f| f.span == span));
            Some(format!(
                "the {} of `{}` ({}), which compiled code does not check",
                if is_frame {
                    "`modifies` clause"
                } else {
                    "postcondition"
                },
                program.typed.callable_path(callee),
                sources.locate(span)
            ))
        }
        Fact::Precondition(_)
        | Fact::InputType(_)
        | Fact::Decision(_)
        | Fact::Definition(..)
        | Fact::WellFormed(_)
        | Fact::Returns(_)
        | Fact::Expect(_)
        | Fact::Assertion(..)
        | Fact::Variable(_) => None,
    }
}

fn finding(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    finding: &search::Finding,
) -> FindingReport {
    FindingReport {
        place: Place::of(sources, finding.failure.span),
        message: finding.failure.message.clone(),
        inputs: describe::inputs(program, unit.callable, &finding.inputs),
        key: Key::default(),
        allowed: None,
    }
}
