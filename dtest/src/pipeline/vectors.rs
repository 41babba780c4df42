//! Test vectors: the tests as JSON, with what the search knows of each.

use dafny_source::SourceMap;
use dtest_emit::Unsupported;
use dtest_emit::case::{Case, Suite, TestRole};
use dtest_emit::vectors::{self, Clause, Facts, Goal};
use dtest_interp::{ClauseResult, Truth};
use dtest_ir as ir;
use dtest_search::{TestCase, describe};
use dtest_sorted::SortedMap;

use super::Solved;

/// Returns the lines of the tests, and the suite that reports are made from.
pub fn write(
    program: &ir::Program,
    sources: &SourceMap,
    cases: &[Case],
    results: &[Solved],
) -> (String, Suite) {
    let results: SortedMap<_, _> = results.iter().map(|s| (s.result.unit, s)).collect();
    let (mut text, mut suite) = (String::new(), Suite::default());
    for case in cases {
        let test = match case.role {
            TestRole::Covering(index) => results
                .get(&case.unit)
                .and_then(|s| s.result.tests.get(index)),
            TestRole::Violating(_) => None,
        };
        let facts = test.map_or_else(Facts::default, |t| facts(program, sources, t));
        let written = match vectors::test(&program.typed, sources, case, &facts) {
            Ok((line, written)) => {
                text.push_str(&line);
                Ok(written)
            }
            Err(reason) => Err(Unsupported {
                what: program.typed.callable_path(case.unit),
                reason,
                span: program.typed[case.unit].span,
            }),
        };
        suite.tests.insert(case.id(), written);
    }
    (text, suite)
}

/// Returns the goals, the killed mutant and the clauses of a test.
fn facts(program: &ir::Program, sources: &SourceMap, test: &TestCase) -> Facts {
    let goal = |id| {
        let goal = program.goal(test.unit, id)?;
        // A path has no place of its own.
        let span = if goal.reason == ir::GoalReason::Path {
            program.typed[test.unit].span
        } else {
            goal.span
        };
        Some(Goal {
            criterion: program.criterion(test.unit, id)?.to_string(),
            place: sources.locate(span),
            text: describe::phrase(goal, sources),
        })
    };
    let others = test.covers.iter().copied().filter(|g| *g != test.goal);
    // The types of parameters are checked like preconditions. Those that hold say nothing new.
    let is_clause = |c: &ClauseResult| {
        let spec = &program.typed[test.unit].spec;
        spec.requires.iter().any(|r| r.cond.span == c.span) || c.truth != Truth::True
    };
    let requires = test.requires.iter().filter(|c| is_clause(c));
    Facts {
        goals: std::iter::once(test.goal)
            .chain(others)
            .filter_map(goal)
            .collect(),
        sole_kill: test.sole_kill.as_ref().map(|mutation| {
            let place = sources.locate(mutation.span);
            format!("{place}: {}", describe::mutation(mutation, sources))
        }),
        requires: requires.map(|c| clause(sources, c)).collect(),
        ensures: test.ensures.iter().map(|c| clause(sources, c)).collect(),
    }
}

/// Converts the result of a clause. None of a test's clauses is false.
fn clause(sources: &SourceMap, clause: &ClauseResult) -> Clause {
    Clause {
        place: sources.locate(clause.span),
        text: describe::one_line(sources.text(clause.span)),
        undecided: match &clause.truth {
            Truth::True => None,
            Truth::Unknown(reason) => Some(reason.to_string()),
            Truth::False => Some("it does not hold".into()),
        },
    }
}
