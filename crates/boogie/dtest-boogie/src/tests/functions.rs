//! Tests of functions: definitions, axioms that define, and functions without definitions.

use crate::test_support::{check, endings};

#[test]
fn a_definition_determines_the_values() {
    check(
        "function square(x: int): int { x * x } function both(a: bool, b: bool): bool { a && b }",
        &[
            ("square(7)", "49"),
            ("both(true, false)", "false"),
            ("square(square(2))", "16"),
        ],
    );
}

#[test]
fn a_recursive_definition_is_unfolded_for_known_arguments() {
    check(
        "function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) } function even(n: int): bool { n == 0 || odd(n - 1) } function odd(n: int): bool { n != 0 && even(n - 1) }",
        &[
            ("fact(5)", "120"),
            ("even(10)", "true"),
            ("odd(10)", "false"),
        ],
    );
}

#[test]
fn an_inlined_definition_is_expanded_for_unknown_arguments() {
    assert_eq!(
        endings(
            "function {:inline} next(x: int): int { x + 1 } procedure P(x: int) { assert next(x) > x; }"
        ),
        ["passed"]
    );
}

#[test]
fn a_definition_is_unfolded_for_unknown_arguments_where_needed() {
    assert_eq!(
        endings(
            "function twice(x: int): int { x + x } procedure P(x: int) {\nassert twice(x) != 14; }"
        )[0],
        "failed assertion 2 at 2"
    );
    assert_eq!(
        endings(
            "function twice(x: int): int { x + x } procedure P(x: int) { assert twice(x) == 2 * x; }"
        ),
        ["passed"]
    );
}

#[test]
fn a_function_without_a_definition_maps_equal_arguments_to_equal_values() {
    let declaration = "function f(x: int): int;";
    assert_eq!(
        endings(&format!(
            "{declaration} procedure P(x: int, y: int) {{ assume x == y; assert f(x) == f(y); }}"
        )),
        ["passed"]
    );
    assert_eq!(
        endings(&format!(
            "{declaration} procedure P() {{\nassert f(1) == f(2); }}"
        ))[0],
        "failed assertion 2 at 2"
    );
}

#[test]
fn axioms_restrict_functions_and_constants() {
    assert_eq!(
        endings("const c: int; axiom c > 10; procedure P() { assert c > 5; }"),
        ["passed"]
    );
    assert_eq!(
        endings(
            "function f(x: int): int; axiom f(0) == 7; procedure P() {\nassert f(0) == 7;\nassert f(1) == 7; }"
        ),
        ["failed assertion 3 at 3", "passed"]
    );
}

#[test]
fn a_quantified_equation_is_a_definition() {
    check(
        "function f(x: int): int; axiom (forall x: int :: {f(x)} f(x) == 3 * x);",
        &[("f(4)", "12")],
    );
}

#[test]
fn guarded_equations_define_by_cases() {
    check(
        "function len(n: int): int; axiom (forall n: int :: {len(n)} n <= 0 ==> len(n) == 0); axiom (forall n: int :: {len(n)} n > 0 ==> len(n) == 1 + len(n - 1));",
        &[("len(0)", "0"), ("len(3)", "3"), ("len(-2)", "0")],
    );
}

#[test]
fn contradictory_axioms_leave_no_execution() {
    assert_eq!(
        endings("const c: int; axiom c == 1; axiom c == 2; procedure P() { assert c == 3; }"),
        ["infeasible"]
    );
}

#[test]
fn axioms_about_unused_symbols_are_left_out() {
    // The axiom has no instance with a known truth value, and the procedure does not need one.
    assert_eq!(
        endings(
            "function f(x: int): int; axiom (forall x: int :: f(f(x)) == x + 1); procedure P() { assert true; }"
        ),
        ["passed"]
    );
}

#[test]
fn polymorphic_functions_are_different_for_each_type() {
    assert_eq!(
        endings(
            "function f<a>(x: a): int; axiom f(1) == 1; axiom f(true) == 2; procedure P() { assert f(1) != f(true); }"
        ),
        ["passed"]
    );
}

#[test]
fn arithmetic_builtins_are_evaluated() {
    check(
        "function {:builtin \"div\"} quot(x: int, y: int): int; function {:builtin \"mod\"} rem(x: int, y: int): int; function {:builtin \"+\"} plus(x: int, y: int): int; function {:builtin \">=\"} ge(x: int, y: int): bool; function {:builtin \"or\"} either(x: bool, y: bool): bool;",
        &[
            ("quot(-7, 2)", "-4"),
            ("rem(-7, 2)", "1"),
            ("plus(2, 3)", "5"),
            ("ge(2, 3)", "false"),
            ("either(false, true)", "true"),
        ],
    );
}
