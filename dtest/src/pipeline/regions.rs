//! The tests that execute a statement, for statements that do not share the tests of the enclosing
//! goal.

use super::reports::UnitTests;
use crate::report::{SourceRegion, Way};
use dafny_resolve::typed::visit::effective_statements;
use dafny_source::{SourceMap, Span};
use dtest_ir::{self as ir, BlockId, GoalId};
use dtest_sorted::{SortedMap, SortedSet};

/// Returns the statements that are executed by other tests than the enclosing goal: code after a
/// loop or a branch, and code that no path reaches.
pub(super) fn regions(
    program: &ir::Program,
    sources: &SourceMap,
    tests: &UnitTests<'_>,
) -> Vec<SourceRegion> {
    let result = tests.result;
    let Some(procedure) = program.procedures.get(&result.unit) else {
        return Vec::new();
    };
    let goals: SortedMap<GoalId, usize> = result
        .goals
        .iter()
        .enumerate()
        .map(|(i, (g, _))| (*g, i))
        .collect();
    let before = procedure.predecessors();
    let visiting = |id: BlockId| {
        tests
            .iter()
            .filter(|(t, _)| t.execution.visited.contains(&id))
            .filter_map(|(_, w)| w.as_ref().ok().map(|w| w.test.clone()))
            .collect::<Vec<_>>()
    };
    let tests_of: Vec<Vec<String>> = (0..)
        .map(BlockId)
        .zip(&procedure.blocks)
        .map(|(id, _)| visiting(id))
        .collect();
    // The tests of the innermost goal around a statement.
    let around = |span: Span| {
        let goals = procedure
            .goal_blocks()
            .filter(|(_, g)| g.source().contains_span(span));
        let (block, _) = goals.min_by_key(|(_, g)| g.source().end - g.source().start)?;
        tests_of.get(block.0 as usize)
    };
    let mut out = Vec::new();
    let mut begun = SortedSet::new();
    for ((id, block), tests) in (0..).map(BlockId).zip(&procedure.blocks).zip(&tests_of) {
        begun.extend(block.begins.iter().copied());
        let differs = |s: &&Span| around(**s).is_some_and(|goal| goal != tests);
        let spans: Vec<Span> = block.begins.iter().filter(differs).copied().collect();
        if spans.is_empty() {
            continue;
        }
        // Walks backwards to the preceding goals, and stops at each.
        let (mut seen, mut open) = (SortedSet::from([id]), vec![id]);
        let mut behind = SortedSet::new();
        while let Some(at) = open.pop() {
            match goals.get(&GoalId::Block(at)) {
                Some(goal) => _ = behind.insert(*goal),
                None => open.extend(
                    before
                        .get(&at)
                        .into_iter()
                        .flatten()
                        .copied()
                        .filter(|b| seen.insert(*b)),
                ),
            }
        }
        let way = Way::After {
            goals: behind.into_iter().collect(),
        };
        out.extend(
            spans
                .into_iter()
                .filter_map(|s| sources.region(s))
                .map(|region| SourceRegion {
                    region,
                    tests: tests.clone(),
                    actual: None,
                    block: Some((result.unit, id)),
                    way: way.clone(),
                }),
        );
    }
    let statements = effective_statements(&program.typed[result.unit].body);
    let no_way = statements
        .into_iter()
        .map(|s| s.span)
        .filter(|s| !begun.contains(s) && around(*s).is_some());
    out.extend(
        no_way
            .filter_map(|s| sources.region(s))
            .map(|region| SourceRegion {
                region,
                tests: Vec::new(),
                actual: None,
                block: None,
                way: Way::None,
            }),
    );
    out
}
