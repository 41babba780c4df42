//! Names and documentation of tests.

use dafny_source::SourceMap;
use dtest_interp::Truth;
use dtest_ir::{self as ir, GoalId};
use dtest_search::{self as search, UnitResult, describe};

/// The name and documentation of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The name of the test, unique within the unit.
    pub name: String,
    /// The lines of its documentation.
    pub doc: Vec<String>,
}

/// Maximum number of decisions of a path in the documentation.
const MAX_PATH: usize = 12;

/// Returns a caption for each test of a unit, named after the condition that decides its goal and
/// the value of that condition.
pub fn captions(program: &ir::Program, sources: &SourceMap, result: &UnitResult) -> Vec<Caption> {
    let goals: Vec<GoalId> = result.goals.iter().map(|(g, _)| *g).collect();
    let noun = if program.criteria.is_default() {
        "block"
    } else {
        "goal"
    };
    let mut taken = dtest_sorted::SortedSet::new();
    let caption = |test: &search::TestCase| {
        let goal = program.goal(test.unit, test.goal)?;
        // A path is named after its last decision.
        let name = match (&test.sole_kill, &goal.reason, test.path.last()) {
            (None, _, _) if test.is_larger => "larger_input".to_owned(),
            (Some(mutation), _, _) => describe::mutation_name(mutation, sources),
            (None, ir::GoalReason::Path, Some(last)) => {
                describe::path_name(last.cond, last.value, sources)
            }
            (None, _, _) => match (test.goal, test.goal.callee()) {
                (GoalId::BlockBy(call, ..), _) => {
                    describe::inner_name_by_call(program, test.unit, call, goal, sources)
                }
                (_, Some(callee)) => {
                    describe::inner_name(&program.typed[callee].name, goal, sources)
                }
                (_, None) => describe::name(goal, sources),
            },
        };
        Some(Caption {
            name: unique(name, &mut taken),
            doc: doc(program, goal, test, &goals, noun, sources),
        })
    };
    result.tests.iter().map_while(caption).collect()
}

fn unique(name: String, taken: &mut dtest_sorted::SortedSet<String>) -> String {
    let mut candidate = name.clone();
    let mut n = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{n}");
        n += 1;
    }
    candidate
}

fn doc(
    program: &ir::Program,
    goal: &ir::Goal,
    test: &search::TestCase,
    goals: &[GoalId],
    noun: &str,
    sources: &SourceMap,
) -> Vec<String> {
    // First line: the goal of the test, its position among the goals, and the other goals covered.
    let number = |g: GoalId| describe::ordinal(goals, g);
    let others: Vec<String> = test
        .covers
        .iter()
        .filter(|b| **b != test.goal)
        .map(|b| number(*b).to_string())
        .collect();
    let also = match others.as_slice() {
        [] => String::new(),
        [one] => format!("; also {noun} {one}"),
        [..] => format!("; also {noun}s {}", others.join(", ")),
    };
    let place = format!("{noun} {} of {}", number(test.goal), goals.len());
    let called = describe::called_at(&describe::calls(program, test.unit, test.goal, sources));
    let inside = test
        .goal
        .callee()
        .map(|c| format!("in `{}`{called}, ", program.typed.callable_path(c)))
        .unwrap_or_default();
    let phrase = describe::phrase(goal, sources);
    let at = if goal.reason == ir::GoalReason::Path {
        program.typed[test.unit].span
    } else {
        goal.span
    };
    let reached = format!(
        "Reaches {}: {inside}{phrase} ({place}){also}.",
        sources.locate(at)
    );
    // A test that was added to kill a mutant says so first. A hint is no mutant that a user knows.
    let killed = test.sole_kill.as_ref().map(|mutation| {
        let what = describe::mutation(mutation, sources);
        let unit = program.typed.callable_path(test.unit);
        let place = sources.locate(mutation.span);
        if mutation.is_hint {
            format!(
                "Of the tests of `{unit}`, only this one would end otherwise with {what} ({place})."
            )
        } else {
            format!("Kills a mutant that survives the other tests of `{unit}`: {what} ({place}).")
        }
    });
    let larger = test.is_larger.then(|| {
        "A larger input, for combinations that the smaller ones lack; values of the program's own functions."
            .to_owned()
    });
    let mut lines: Vec<String> = killed.into_iter().chain(larger).chain([reached]).collect();
    // The conditions on the path, and the preconditions that were not decided.
    let mut path: Vec<String> = test
        .path
        .iter()
        .take(MAX_PATH)
        .map(|s| describe::condition(s.cond, s.value, sources))
        .collect();
    if test.path.len() > MAX_PATH {
        path.push("...".into());
    }
    if !path.is_empty() {
        lines.push(format!("Path: {}.", path.join(", ")));
    }
    for clause in &test.requires {
        if let Truth::Unknown(reason) = &clause.truth {
            lines.push(format!(
                "Undecided when the test was written: {} ({reason}).",
                sources.locate(clause.span)
            ));
        }
    }
    lines
}
