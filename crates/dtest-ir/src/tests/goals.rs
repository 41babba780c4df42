//! Tests of coverage criteria and of the descriptions of goals.

use dafny_resolve::typed::CallableId;
use dafny_source::{SourceMap, Span};

use crate::describe::{broken, called_at, never, obligation, one_line, ordinal, phrase, shorten};
use crate::{
    BlockId, Criteria, Criterion, Decision, Goal, GoalId, GoalReason, NoCriterion, ObligationKind,
    Relation,
};

fn criteria(all: impl IntoIterator<Item = Criterion>) -> Criteria {
    Criteria::new(all).expect("a criterion")
}

#[test]
fn criteria_have_names() {
    for (criterion, name) in Criterion::ALL {
        assert_eq!(Criterion::named(name), Some(criterion));
        assert_eq!(criterion.to_string(), name);
    }
    assert_eq!(Criterion::named("statement"), None);
}

#[test]
fn a_set_of_criteria_is_not_empty() {
    assert_eq!(Criteria::new([]), Err(NoCriterion));
    assert_eq!(
        NoCriterion.to_string(),
        "at least one coverage criterion is required"
    );
    assert!(Criteria::default().is_default());
    assert_eq!(
        criteria([Criterion::Spec, Criterion::Block]).to_string(),
        "block,spec"
    );
}

#[test]
fn branch_coverage_includes_blocks() {
    for (criterion, blocks, once, calls, seeks) in [
        (Criterion::Block, true, true, false, true),
        (Criterion::Branch, true, true, false, true),
        (Criterion::InlinedBlock, true, false, true, true),
        (Criterion::Path, false, false, true, true),
        (Criterion::Boundary, false, false, false, false),
        (Criterion::Mcdc, false, false, false, false),
        (Criterion::Spec, false, false, false, false),
    ] {
        let c = criteria([criterion]);
        assert_eq!(
            (
                c.has_blocks(),
                c.has_blocks_once(),
                c.tells_calls_apart(),
                c.seeks_blocks()
            ),
            (blocks, once, calls, seeks),
            "{criterion}"
        );
    }
}

#[test]
fn goals_of_the_search_are_no_criteria_of_the_user() {
    assert!(Criteria::obligations().has(Criterion::Obligation));
    assert!(Criteria::mutants().has(Criterion::Mutant));
    assert!(Criterion::ALL.iter().all(|(c, _)| !matches!(
        c,
        Criterion::Flow | Criterion::Obligation | Criterion::Mutant
    )));
}

#[test]
fn a_goal_that_is_a_block_names_its_callable() {
    let (unit, other, block) = (CallableId(1), CallableId(2), BlockId(3));
    assert_eq!(GoalId::Block(block).block(unit), Some((unit, block)));
    assert_eq!(
        GoalId::BlockIn(other, block).block(unit),
        Some((other, block))
    );
    for id in [
        GoalId::Probe(0),
        GoalId::Way(0),
        GoalId::Path(0),
        GoalId::ProbeIn(other, 0),
    ] {
        assert_eq!(id.block(unit), None);
    }
}

/// Returns a map of one file, and the span of a part of its text.
fn source(text: &str) -> (SourceMap, impl Fn(&str) -> Span) {
    let mut sources = SourceMap::new();
    sources.add("t.dfy", text, true);
    let text = text.to_owned();
    let span = move |part: &str| {
        let at = text.find(part).expect("a part of the text") as u32;
        Span::new(at, at + part.len() as u32)
    };
    (sources, span)
}

#[test]
fn decisions_are_described_by_their_condition() {
    let (sources, span) = source("if x > 0 { } for i := 0 to n { }");
    let describe = |cond: &str, value, decision| {
        let reason = GoalReason::Branch {
            cond: span(cond),
            value,
            decision,
        };
        let goal = Goal {
            reason,
            span: span(cond),
        };
        (phrase(&goal, &sources), never(&goal, &sources))
    };
    for (cond, value, decision, reached, unreached) in [
        (
            "x > 0",
            true,
            Decision::If,
            "`x > 0` holds",
            "`x > 0` never holds here",
        ),
        (
            "x > 0",
            false,
            Decision::If,
            "`x > 0` does not hold",
            "`x > 0` always holds here",
        ),
        (
            "x > 0",
            true,
            Decision::Loop,
            "the loop is entered: `x > 0` holds",
            "the body of the loop never runs: `x > 0` never holds here",
        ),
        (
            "x > 0",
            false,
            Decision::Loop,
            "the loop is exited: `x > 0` does not hold",
            "the loop is never exited: `x > 0` always holds here",
        ),
        (
            "i := 0 to n",
            true,
            Decision::Loop,
            "the body of the loop `i := 0 to n` runs",
            "the body of the loop `i := 0 to n` never runs",
        ),
        (
            "i := 0 to n",
            false,
            Decision::Loop,
            "the loop `i := 0 to n` runs to completion",
            "the loop `i := 0 to n` never runs to completion",
        ),
        (
            "x > 0",
            true,
            Decision::Operand,
            "`x > 0` holds, so the next operand is evaluated",
            "the next operand is never evaluated: `x > 0` never holds here",
        ),
        (
            "x > 0",
            false,
            Decision::Outcome,
            "`x > 0` does not hold",
            "`x > 0` always holds here",
        ),
    ] {
        assert_eq!(
            describe(cond, value, decision),
            (reached.to_owned(), unreached.to_owned())
        );
    }
}

#[test]
fn other_goals_are_described_by_their_source() {
    let (sources, span) = source("case Cons(x, _) => a < b && c; return 1;");
    let at = span("a < b");
    let describe = |reason| phrase(&Goal { reason, span: at }, &sources);
    for (reason, text) in [
        (GoalReason::Entry, "the body is entered"),
        (
            GoalReason::Case {
                pattern: span("Cons(x, _)"),
            },
            "case `Cons(x, _)`",
        ),
        (GoalReason::Alternative { guard: at }, "alternative `a < b`"),
        (
            GoalReason::Failure {
                value: at,
                failed: true,
            },
            "`a < b` is a failure",
        ),
        (
            GoalReason::Failure {
                value: at,
                failed: false,
            },
            "`a < b` is not a failure",
        ),
        (
            GoalReason::Boundary {
                left: span("a "),
                right: span("b "),
                relation: Relation::OneLess,
            },
            "`a` is one less than `b`",
        ),
        (
            GoalReason::Decides {
                cond: at,
                value: true,
                decision: span("a < b && c"),
            },
            "`a < b` holds and alone decides `a < b && c`",
        ),
        (
            GoalReason::Decides {
                cond: at,
                value: false,
                decision: at,
            },
            "`a < b` does not hold",
        ),
        (
            GoalReason::Clause {
                post: true,
                part: at,
                value: false,
            },
            "postcondition: `a < b` does not hold",
        ),
        (GoalReason::Path, "a path through the body"),
        (
            GoalReason::After {
                stmt: span("return 1;"),
            },
            "execution continues after `return 1`",
        ),
        (
            GoalReason::Broken {
                obligation: ObligationKind::Index,
                clause: None,
            },
            "this is out of range",
        ),
    ] {
        assert_eq!(describe(reason), text);
    }
}

#[test]
fn a_case_includes_its_pattern() {
    let (_, span) = source("case Nil => 7");
    let goal = Goal {
        reason: GoalReason::Case {
            pattern: span("Nil"),
        },
        span: span("7"),
    };
    assert_eq!(goal.source(), span("Nil => 7"));
    assert_eq!(goal.decided(), Some(span("Nil")));
    assert!(goal.is_case());
    let entry = Goal {
        reason: GoalReason::Entry,
        span: span("7"),
    };
    assert_eq!((entry.source(), entry.decided()), (span("7"), None));
}

#[test]
fn a_violation_has_an_obligation() {
    let (_, span) = source("x");
    let reason = GoalReason::Broken {
        obligation: ObligationKind::Frame,
        clause: Some(span("x")),
    };
    let goal = Goal {
        reason,
        span: span("x"),
    };
    assert_eq!(
        goal.obligation(),
        Some((ObligationKind::Frame, Some(span("x"))))
    );
    assert_eq!(
        Goal {
            reason: GoalReason::Entry,
            span: span("x")
        }
        .obligation(),
        None
    );
}

#[test]
fn each_obligation_has_its_own_words() {
    use ObligationKind as O;
    let all = [
        O::Assertion,
        O::InvariantOnEntry,
        O::InvariantKept,
        O::Precondition,
        O::Postcondition,
        O::Decreases,
        O::LoopRange,
        O::Frame,
        O::Reads,
        O::Type,
        O::Case,
        O::Aliasing,
        O::Uniqueness,
        O::Index,
        O::Key,
        O::Divisor,
        O::Constructor,
        O::NonNull,
        O::Domain,
        O::Existence,
        O::Assigned,
        O::Application,
        O::Allocated,
        O::Override,
        O::Witness,
    ];
    for (i, a) in all.iter().enumerate() {
        for b in all.iter().skip(i + 1) {
            assert_ne!(broken(*a), broken(*b), "{a:?} {b:?}");
            assert_ne!(obligation(*a), obligation(*b), "{a:?} {b:?}");
        }
    }
}

#[test]
fn texts_are_put_on_one_line() {
    assert_eq!(one_line("a\n   &&\t b"), "a && b");
}

#[test]
fn short_names_stay_as_they_are() {
    assert_eq!(shorten("when_x_is_0"), "when_x_is_0");
}

#[test]
fn long_texts_end_in_dots() {
    let text = one_line(&"word ".repeat(50));
    assert_eq!(text.chars().count(), 100);
    assert!(text.ends_with("..."));
}

#[test]
fn goals_are_numbered_from_one() {
    let goals = [GoalId::Block(BlockId(4)), GoalId::Probe(1), GoalId::Path(0)];
    assert_eq!(goals.map(|g| ordinal(&goals, g)), [1, 2, 3]);
    assert_eq!(ordinal(&goals, GoalId::Way(7)), 0);
}

#[test]
fn the_last_call_of_a_chain_comes_first() {
    assert_eq!(called_at(&[]), "");
    let calls = ["a.dfy:1:2".to_owned(), "a.dfy:5:6".to_owned()];
    let text = called_at(&calls);
    assert!(
        text.ends_with(" through a.dfy:1:2") && text.contains("a.dfy:5:6"),
        "{text}"
    );
}
