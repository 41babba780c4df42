//! Tests of executions: paths, violations with their places, calls, loops, inputs and traces.

use crate::test_support::{all, ending, endings, entry, program, shown, small};
use crate::{Ending, Given, Limits, Modular, Options, StepKind};

#[test]
fn each_feasible_path_is_executed_once() {
    let text = "procedure P(x: int) returns (y: int) { if (x > 0) { y := 1; } else if (x > 0) { y := 2; } else { y := 3; } }";
    let (found, explored) = all(text, &small());
    let passed: Vec<_> = found
        .iter()
        .filter(|e| e.ending == Ending::Passed)
        .collect();
    let mut outputs: Vec<_> = passed.iter().flat_map(|e| shown(&e.outputs)).collect();
    outputs.sort();
    assert_eq!(outputs, ["y = 1", "y = 3"]);
    assert!(explored.is_complete);
    assert_eq!(explored.limit, None);
}

#[test]
fn inputs_satisfy_the_conditions_of_their_path() {
    let (found, _) = all(
        "procedure P(x: int) { if (x > 7) { assert false; } }",
        &small(),
    );
    let failed = found
        .iter()
        .find(|e| matches!(e.ending, Ending::Failed(_)))
        .expect("a violation");
    assert_eq!(shown(&failed.inputs), ["x = 8"]);
}

#[test]
fn each_violated_obligation_has_a_kind_and_places() {
    for (text, expected) in [
        (
            "procedure P(x: int) {\nassert x > 0;\n}",
            "failed assertion 2 at 2",
        ),
        (
            "procedure P(x: int)\nreturns (y: int)\nensures y > 0; {\ny := x;\n}",
            "failed postcondition 3 at 1",
        ),
        (
            "procedure Q(x: int);\nrequires x > 0;\nprocedure P(x: int) {\ncall Q(x);\n}",
            "failed precondition 2 at 4",
        ),
        (
            "procedure P(x: int) {\nwhile (*)\ninvariant x > 0; { }\n}",
            "failed invariant at entry 3 at 3",
        ),
        (
            "procedure P() { var x: int; x := 1;\nwhile (*)\ninvariant x > 0; {\nx := x - 1; }\n}",
            "failed invariant 3 at 3",
        ),
    ] {
        let found = endings(text);
        assert!(found.contains(&expected.to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn assumptions_restrict_executions() {
    assert_eq!(
        endings("procedure P(x: int) { assume x > 0; assert x >= 1; }"),
        ["passed"]
    );
    assert_eq!(
        endings("procedure P(x: int) { assume x > 0; assume x < 1; assert false; }"),
        ["infeasible"]
    );
    assert_eq!(
        endings("procedure P(x: int); requires x > 0; implementation P(x: int) { assert x >= 1; }"),
        ["passed"]
    );
}

#[test]
fn code_after_a_false_assumption_is_not_executed() {
    assert_eq!(
        endings("procedure P() { assume false; assert false; }"),
        ["infeasible"]
    );
}

#[test]
fn an_obligation_is_assumed_after_it_was_checked() {
    assert_eq!(
        endings("procedure P(x: int) {\nassert x > 0;\nassert x >= 1; }"),
        ["failed assertion 2 at 2", "passed"]
    );
}

#[test]
fn havoc_forgets_a_value_but_not_its_condition() {
    assert_eq!(
        endings(
            "procedure P() { var x: int where x > 5; x := 1; havoc x;\nassert x > 5;\nassert x == 6; }"
        ),
        ["failed assertion 3 at 3", "passed"]
    );
}

#[test]
fn a_parallel_assignment_reads_the_old_values() {
    assert_eq!(
        endings(
            "procedure P(a: int, b: int) { var x, y: int; x, y := a, b; x, y := y, x; assert x == b && y == a; }"
        ),
        ["passed"]
    );
}

#[test]
fn old_is_the_state_at_the_entry_of_the_procedure() {
    assert_eq!(
        endings(
            "var g: int; procedure P() modifies g; { g := g + 1; g := g + 1; assert g == old(g) + 2; }"
        ),
        ["passed"]
    );
    assert_eq!(
        endings(
            "var g: int; procedure P() modifies g; { g := g + 1; call Q(); assert g == old(g) + 3; } procedure Q() modifies g; ensures g == old(g) + 2; { g := g + 2; }"
        ),
        ["passed"]
    );
}

#[test]
fn a_procedure_without_a_body_returns_what_its_contract_allows() {
    assert_eq!(
        endings(
            "procedure Q() returns (r: int); ensures r > 5; procedure P() { var x: int; call x := Q();\nassert x > 5;\nassert x > 6; }"
        ),
        ["failed assertion 3 at 3", "passed"]
    );
}

#[test]
fn a_procedure_without_a_body_changes_only_what_it_modifies() {
    assert_eq!(
        endings("var g, h: int; procedure Q(); modifies g; procedure P() modifies g; { g := 1; h := h; call Q();\nassert g == 1; }".replace("h := h; ", "").as_str()),
        ["failed assertion 2 at 2", "passed"]
    );
    assert_eq!(
        endings(
            "var g, h: int; procedure Q(); modifies g; procedure P() modifies g, h; { h := 1; call Q(); assert h == 1; }"
        ),
        ["passed"]
    );
}

#[test]
fn free_clauses_are_assumed_without_a_check() {
    assert_eq!(
        endings("procedure Q(x: int); free requires x > 0; procedure P(x: int) { call Q(x); }"),
        ["passed"]
    );
    assert_eq!(
        endings(
            "procedure P(x: int) returns (y: int); free ensures y > 0; implementation P(x: int) returns (y: int) { y := x; }"
        ),
        ["passed"]
    );
}

#[test]
fn the_body_of_a_callee_is_executed() {
    let text = "procedure Q(x: int) returns (y: int) { y := x * 2; } procedure P() { var y: int; call y := Q(4); assert y == 8; }";
    assert_eq!(endings(text), ["passed"]);
}

#[test]
fn a_callee_can_be_represented_by_its_contract() {
    let text = "procedure Q(x: int) returns (y: int) ensures y > x; { y := x + 1; } procedure P() { var y: int; call y := Q(4);\nassert y == 5; }";
    assert_eq!(endings(text), ["passed"]);
    let q = program(text).procedure_named("Q").expect("a procedure");
    let modular = Modular {
        by_contract: vec![q],
        by_invariant: Vec::new(),
    };
    let (found, _) = all(text, &Options { modular, ..small() });
    let ends: Vec<String> = found.iter().map(|e| ending(text, &e.ending)).collect();
    assert!(
        ends.contains(&"failed assertion 2 at 2".to_owned()),
        "{ends:?}"
    );
}

#[test]
fn a_violation_in_a_callee_names_the_active_calls() {
    let text = "procedure Q(x: int) {\nassert x > 0; }\nprocedure P() {\ncall Q(0); }";
    let (found, _) = all(text, &small());
    assert_eq!(ending(text, &found[0].ending), "failed assertion 2 at 2");
    let calls: Vec<&str> = found[0]
        .calls
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(calls, ["Q"]);
}

#[test]
fn recursion_is_executed() {
    let text = "procedure P(n: int) returns (s: int) requires n == 3; { var t: int; s := 0; call t := Sum(n); s := t; assert s == 6; } procedure Sum(n: int) returns (s: int) { s := 0; if (n > 0) { call s := Sum(n - 1); s := s + n; } }";
    assert_eq!(endings(text), ["passed"]);
}

#[test]
fn a_loop_is_executed_iteration_by_iteration() {
    let text = "procedure P() { var i, s: int; i, s := 0, 0; while (i < 4) { i := i + 1; s := s + i; } assert s == 10; }";
    assert_eq!(endings(text), ["passed"]);
}

#[test]
fn an_endless_loop_ends_at_the_limit_of_iterations() {
    let limits = Limits {
        rounds: 5,
        ..Limits::default()
    };
    let (found, _) = all(
        "procedure P() { while (true) { } }",
        &Options { limits, ..small() },
    );
    let text = "";
    assert_eq!(found.len(), 1);
    assert!(
        ending(text, &found[0].ending).contains("iterations"),
        "{:?}",
        found[0].ending
    );
}

#[test]
fn endless_recursion_ends_at_the_limit_of_calls() {
    let limits = Limits {
        recursion: 5,
        ..Limits::default()
    };
    let (found, _) = all(
        "procedure P() { call P(); }",
        &Options { limits, ..small() },
    );
    assert_eq!(found.len(), 1);
    assert!(
        matches!(found[0].ending, Ending::NotDecided(crate::Stop::Limit(_))),
        "{:?}",
        found[0].ending
    );
}

#[test]
fn the_number_of_executions_is_limited() {
    let limits = Limits {
        tried: 3,
        ..Limits::default()
    };
    let (found, explored) = all(
        "procedure P(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } }",
        &Options { limits, ..small() },
    );
    assert_eq!(
        found
            .iter()
            .filter(|e| !matches!(e.ending, Ending::Infeasible(_)))
            .count(),
        3
    );
    assert_eq!(
        (explored.is_complete, explored.limit),
        (false, Some("executions"))
    );
}

#[test]
fn gotos_jump_to_any_of_their_labels() {
    let text = "procedure P() returns (y: int) { goto A, B; A: y := 1; return; B: y := 2; }";
    let (found, _) = all(text, &small());
    let mut outputs: Vec<_> = found
        .iter()
        .filter(|e| e.ending == Ending::Passed)
        .flat_map(|e| shown(&e.outputs))
        .collect();
    outputs.sort();
    assert_eq!(outputs, ["y = 1", "y = 2"]);
}

#[test]
fn elements_of_maps_are_inputs() {
    let (found, _) = all(
        "procedure P(m: [int]int) { if (m[2] > m[5]) { assert false; } }",
        &small(),
    );
    let failed = found
        .iter()
        .find(|e| matches!(e.ending, Ending::Failed(_)))
        .expect("a violation");
    assert_eq!(shown(&failed.inputs), ["m[2] = 0", "m[5] = -1"]);
}

#[test]
fn equal_indices_have_equal_elements() {
    assert_eq!(
        endings("procedure P(m: [int]int, i: int, j: int) { assume i == j; assert m[i] == m[j]; }"),
        ["passed"]
    );
    assert_eq!(
        endings("procedure P(m: [int]int, i: int, j: int) {\nassert m[i] == m[j]; }")[0],
        "failed assertion 2 at 2"
    );
}

#[test]
fn an_element_is_unchanged_by_an_update_of_another() {
    assert_eq!(
        endings(
            "procedure P(m: [int]int, i: int, j: int) { var n: [int]int; n := m; n[i] := 7; assert i != j ==> n[j] == m[j]; assert n[i] == 7; }"
        ),
        ["passed"]
    );
}

#[test]
fn elements_of_undefined_types_are_numbered_or_named() {
    let text = "type T; const unique a: T; const unique b: T; procedure P(x: T, y: T) { assume x == a && y != x; assume y != b; assert false; }";
    let (found, _) = all(text, &small());
    let inputs = shown(&found[0].inputs);
    assert!(inputs.contains(&"x = a".to_owned()), "{inputs:?}");
    assert!(inputs.iter().any(|i| i.starts_with("y = T#")), "{inputs:?}");
}

#[test]
fn unique_constants_differ() {
    assert_eq!(
        endings("type T; const unique a: T; const unique b: T; procedure P() { assert a != b; }"),
        ["passed"]
    );
    assert_eq!(
        endings("type T; const a: T; const b: T; procedure P() {\nassert a != b; }")[0],
        "failed assertion 2 at 2"
    );
}

#[test]
fn a_configured_input_has_its_value() {
    let given = |name: &str, value: &str| Given {
        name: name.into(),
        value: value.into(),
    };
    let text = "procedure P(x: int, b: bool, r: real, v: bv8, m: [int]int) returns (s: bool) { s := x == -4 && b && r == 1.0 / 3.0 && v == 7bv8 && m[2] == 9; }";
    let options = Options {
        given: vec![
            given("x", "-4"),
            given("b", "true"),
            given("r", "1/3"),
            given("v", "7bv8"),
            given("m[2]", "9"),
        ],
        ..small()
    };
    let (found, explored) = all(text, &options);
    assert_eq!(shown(&found[0].outputs), ["s = true"]);
    assert_eq!(explored.not_given, Vec::<String>::new());
}

#[test]
fn configured_inputs_that_do_not_exist_are_listed() {
    let given = |name: &str, value: &str| Given {
        name: name.into(),
        value: value.into(),
    };
    let options = Options {
        given: vec![given("y", "1"), given("x", "true")],
        ..small()
    };
    let (_, explored) = all("procedure P(x: int) { }", &options);
    assert_eq!(explored.not_given, ["y", "x"]);
}

#[test]
fn printed_lines_have_the_values_of_the_execution() {
    let (found, _) = all(
        "procedure P() { var x: int; x := 3; assert {:print \"x=\", x, \"!\"} true; x := 4; }",
        &small(),
    );
    assert_eq!(found[0].printed, ["x=3!"]);
}

#[test]
fn a_trace_has_conditions_changes_and_calls() {
    let text = "procedure Q() returns (r: int) { r := 2; } procedure P() { var x: int; x := 1; if (x > 0) { call x := Q(); } }";
    let (found, _) = all(
        text,
        &Options {
            traced: true,
            ..small()
        },
    );
    let steps: Vec<String> = found[0]
        .trace
        .iter()
        .map(|s| {
            let changes = shown(&s.changed).join(", ");
            match &s.kind {
                StepKind::Statement => format!("{} {changes}", s.depth),
                StepKind::Condition(b) => format!("{} condition {b}", s.depth),
                StepKind::Rounds(n) => format!("{} rounds {n}", s.depth),
                StepKind::Entered(name) => format!("{} enters {name}", s.depth),
                StepKind::Left(name) => format!("{} leaves {name} {changes}", s.depth),
            }
        })
        .collect();
    assert_eq!(
        steps,
        [
            "0 x = 1",
            "0 condition true",
            "0 ",
            "1 enters Q",
            "1 r = 2",
            "0 leaves Q x = 2",
        ]
    );
}

#[test]
fn without_a_trace_no_steps_are_kept() {
    let (found, _) = all("procedure P() { var x: int; x := 1; }", &small());
    assert!(found[0].trace.is_empty());
    assert!(found[0].steps > 0);
}

#[test]
fn an_assumption_variable_keeps_what_it_assumed() {
    assert_eq!(
        endings(
            "procedure P(x: int) { var {:assumption} a: bool; a := a && x > 0; havoc a; assume a; assert x > 0; }"
        ),
        ["passed"]
    );
}

#[test]
fn several_bodies_are_executed_one_after_the_other() {
    let text = "procedure P() returns (x: int);\nensures x > 0;\nimplementation P() returns (x: int) { x := 1; }\nimplementation P() returns (x: int) { x := 0;\n}";
    let found = endings(text);
    assert!(found.contains(&"passed".to_owned()), "{found:?}");
    assert!(
        found
            .iter()
            .any(|e| e.starts_with("failed postcondition 2")),
        "{found:?}"
    );
}

#[test]
fn lemma_calls_are_unsupported() {
    assert_eq!(
        endings("procedure L(); procedure P() { call forall L(); }"),
        ["undecided: unsupported `call forall`"]
    );
}

#[test]
fn type_arguments_are_passed_to_callees() {
    assert_eq!(
        endings(
            "procedure Id<a>(x: a) returns (y: a) { y := x; } procedure P() { var i: int; var b: bool; call i := Id(3); call b := Id(true); assert i == 3 && b; }"
        ),
        ["passed"]
    );
}

#[test]
fn the_same_program_has_the_same_executions() {
    let text =
        "procedure P(x: int, m: [int]bool) { if (m[x]) { assert x > 3; } else { assert x < 3; } }";
    let shown = || format!("{:?}", all(text, &small()).0);
    assert_eq!(shown(), shown());
    assert_eq!(entry(&program(text)).0, 0);
}
