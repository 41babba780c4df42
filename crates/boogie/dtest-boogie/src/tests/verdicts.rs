//! Tests of the verdicts on obligations: proofs first, then executions.

use std::time::Duration;

use crate::test_support::{decide, entry, program, shown, standings, verdicts_of};
use crate::{Explored, FailureKind, Limits, Options, Pool, Proofs, Standing, by_executions};
use crate::{Verdicts, obligations};

#[test]
fn obligations_are_listed_in_the_order_of_the_source() {
    let text = "procedure Q(x: int); requires x > 0; free requires x > 1;
procedure P(x: int) returns (y: int) ensures y > 0; free ensures y > 1; { while (*) invariant y > 2; free invariant y > 3; { assert x > 0; } call Q(x); }";
    let program = program(text);
    let kinds: Vec<FailureKind> = obligations(&program, entry(&program))
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(
        kinds,
        [
            FailureKind::Precondition,
            FailureKind::Postcondition,
            FailureKind::InvariantAtEntry,
            FailureKind::Invariant,
            FailureKind::Assertion,
        ]
    );
}

#[test]
fn what_follows_from_contracts_and_invariants_is_proved() {
    for text in [
        "procedure P(x: int) {\nassume x > 0; assert x >= 1; }",
        "procedure Q(x: int) returns (y: int); ensures y > x; procedure P(x: int) { var y: int; call y := Q(x);\nassert y > x; }",
        "procedure P(n: int) { var i: int; i := 0;\nwhile (i < n) invariant 0 <= i; { i := i + 1; } assert i >= 0; }",
        "function f(x: int): int { x + 1 } procedure P(x: int) {\nassert f(x) > x; }",
        "function f(x: int): int; axiom (forall x: int :: {f(x)} f(x) > x); procedure P(x: int) {\nassert f(f(x)) > x; }",
        "procedure P(m: [int]int, i: int) {\nassert m[i := 3][i] == 3; }",
        "datatype L { N(), C(h: int, t: L) } procedure P(l: L) {\nassert l is N || l is C; assert l is C ==> C(l->h, l->t) == l; }",
    ] {
        let found = verdicts_of(text);
        assert!(
            !found.is_empty() && found.iter().all(|v| v.ends_with(": proved")),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn a_violation_comes_with_its_execution() {
    let text = "procedure P(x: int) {\nassert x != 7; }";
    let found = decide(
        text,
        &Options {
            minimize: true,
            ..Options::default()
        },
    );
    let standings: Vec<_> = found.obligations.values().flatten().collect();
    let [Standing::Violated(execution)] = standings.as_slice() else {
        panic!("{standings:?}")
    };
    assert_eq!(shown(&execution.inputs), ["x = 7"]);
}

#[test]
fn obligations_behind_a_violated_one_are_decided_by_themselves() {
    assert_eq!(
        verdicts_of("procedure P(x: int) {\nassert x > 0;\nassert x > 0;\nassert x < 10; }"),
        [
            "2 assertion: violated",
            "3 assertion: proved",
            "4 assertion: violated"
        ]
    );
}

#[test]
fn what_needs_the_body_of_a_callee_holds_by_executions() {
    // The contract of `Q` says nothing, so that there is no proof.
    assert_eq!(
        verdicts_of(
            "procedure Q(x: int) returns (y: int) { y := x + 1; }\nprocedure P(x: int) { var y: int; call y := Q(x);\nassert y > x; }"
        ),
        ["3 assertion: holds"]
    );
}

#[test]
fn obligations_of_callees_are_decided_for_the_calls_of_the_procedure() {
    assert_eq!(
        verdicts_of("procedure Q(x: int) {\nassert x > 0; }\nprocedure P() { call Q(1); }"),
        ["2 assertion: holds"]
    );
    assert_eq!(
        verdicts_of("procedure Q(x: int) {\nassert x > 0; }\nprocedure P() { call Q(0); }"),
        ["2 assertion: violated"]
    );
}

#[test]
fn a_loop_without_an_invariant_is_kept_by_the_tried_executions() {
    let text = "procedure P(n: int) { var i: int; i := 0;\nwhile (i < n) { i := i + 1; }\nassert i >= 0; }";
    let limits = Limits {
        tried: 5,
        ..Limits::default()
    };
    let found = decide(
        text,
        &Options {
            limits,
            ..Options::default()
        },
    );
    assert_eq!(standings(text, &found), ["3 assertion: kept"]);
    let standing = found.obligations.values().next().and_then(Option::as_ref);
    assert!(matches!(standing, Some(Standing::Kept(5))), "{standing:?}");
}

#[test]
fn an_unsupported_statement_leaves_what_follows_undecided() {
    assert_eq!(
        verdicts_of("procedure L(); procedure P(x: int) { call forall L();\nassert x > 0; }"),
        ["2 assertion: undecided: unsupported `call forall`"]
    );
}

#[test]
fn both_obligations_of_an_invariant_are_decided() {
    assert_eq!(
        verdicts_of(
            "procedure P(x: int) { var i: int; i := x;\nwhile (*)\ninvariant i > 0; {\ni := i - 1; } }"
        ),
        ["3 invariant at entry: violated", "3 invariant: violated"]
    );
}

#[test]
fn unreachable_blocks_are_dead() {
    let text = "procedure P(x: int) { if (x > 0) { if (x < 0) { assert x == 1; } } }";
    let (program, options) = (program(text), Options::default());
    let mut found = Verdicts::default();
    by_executions(&program, entry(&program), &options, &mut found);
    let dead: Vec<&str> = found
        .dead
        .iter()
        .map(|s| &text[s.start as usize..s.end as usize])
        .collect();
    assert_eq!((dead, found.is_dead_sure), (vec!["assert"], true));
}

#[test]
fn blocks_behind_a_limit_are_not_surely_dead() {
    let text = "procedure P(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } if (i == 500) { i := 0; } }";
    let program = program(text);
    let limits = Limits {
        tried: 4,
        ..Limits::default()
    };
    let mut found = Verdicts::default();
    by_executions(
        &program,
        entry(&program),
        &Options {
            limits,
            ..Options::default()
        },
        &mut found,
    );
    assert_eq!((found.dead.len(), found.is_dead_sure), (1, false));
}

#[test]
fn a_proof_does_not_rest_on_the_obligations_of_callees() {
    let text = "procedure Q() { assert false; } procedure P() { call Q(); assert true; }";
    let program = program(text);
    let mut proofs = Proofs::new(&program);
    let mut effort = u64::MAX;
    let p = entry(&program);
    assert_eq!(proofs.of(p, &mut effort).iter().count(), 1);
    assert!(proofs.is_complete(p, &mut effort));
    assert!(!proofs.is_sure_of_callees(p, &mut effort));
}

#[test]
fn without_effort_nothing_is_proved() {
    let program = program("procedure P(x: int) { assert x == x; }");
    let mut effort = 0;
    assert_eq!(
        Proofs::new(&program)
            .of(entry(&program), &mut effort)
            .iter()
            .count(),
        0
    );
}

#[test]
fn the_next_procedure_gets_four_parts_of_the_shared_budget() {
    let options = Options {
        limits: Limits {
            effort: 1_000,
            ..Limits::default()
        },
        ..Options::default()
    };
    let mut pool = Pool::new(8_000, None, 100);
    assert_eq!(pool.next(&options).limits.effort, 320);
    // What a procedure does not use is left to the others.
    pool.take(&Explored {
        effort: 80,
        ..Explored::default()
    });
    assert_eq!(pool.next(&options).limits.effort, 320);
    assert_eq!(
        Pool::new(8_000, None, 3).next(&options).limits.effort,
        1_000
    );
}

#[test]
fn the_shared_time_is_a_safety_net() {
    let hour = Duration::from_secs(3600);
    let pool = Pool::new(u64::MAX, Some(hour), 1);
    let mine = pool.next(&Options::default()).timeout.expect("a limit");
    assert!(mine <= hour);
    let second = Duration::from_secs(1);
    let options = Options {
        timeout: Some(second),
        ..Options::default()
    };
    assert_eq!(pool.next(&options).timeout, Some(second));
}
