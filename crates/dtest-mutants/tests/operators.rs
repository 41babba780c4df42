//! The complete list of mutants of small units, one construct each: the kind of the mutation and
//! its description, in the order of the code.
#![allow(clippy::expect_used, reason = "tests")]

use dtest_ir::Criteria;
use dtest_lower::testing::lowered;
use dtest_lower::units;
use dtest_mutants::describe;

/// Checks all mutants of the unit `F` or `M`.
#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let (sources, program) = lowered(source, Criteria::default());
    let unit = units::units(&program.typed, |_| true)
        .into_iter()
        .find(|u| ["F", "M", "C.M"].contains(&u.path.as_str()))
        .expect("a unit");
    let found: Vec<String> = dtest_mutants::of(&program, unit.callable)
        .iter()
        .map(|m| {
            let text = describe::mutation(&m.mutation, &sources);
            format!("{:?}: {text}", m.mutation.kind)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_sum() {
    check(
        "function F(a: int, b: int): int { a + b }",
        &[
            "Operator: `a - b` instead of `a + b`",
            "Operator: `a * b` instead of `a + b`",
            "Operand: `a` instead of `a + b`",
            "Operand: `b` instead of `a + b`",
            "Variable: `b` instead of `a`",
            "Variable: `a` instead of `b`",
        ],
    );
}

#[test]
fn an_order() {
    check(
        "function F(a: int, b: int): bool { a < b }",
        &[
            "Operator: `a <= b` instead of `a < b`",
            "Operator: `a == b` instead of `a < b`",
            "Variable: `b` instead of `a`",
            "Variable: `a` instead of `b`",
            "Decision: `false` instead of `a < b`",
            "Decision: `true` instead of `a < b`",
        ],
    );
}

#[test]
fn an_equality() {
    check(
        "function F(a: int, b: int): bool { a == b }",
        &[
            "Operator: `a != b` instead of `a == b`",
            "Operator: `a <= b` instead of `a == b`",
            "Operator: `a >= b` instead of `a == b`",
            "Variable: `b` instead of `a`",
            "Variable: `a` instead of `b`",
            "Decision: `false` instead of `a == b`",
            "Decision: `true` instead of `a == b`",
        ],
    );
}

#[test]
fn a_conjunction() {
    check(
        "function F(a: bool, b: bool): bool { a && b }",
        &[
            "Variable: `b` instead of `a`",
            "Negation: `!(a)` instead of `a`",
            "Operand: `true` instead of `a`",
            "Connective: `&&` and `||` exchanged after `a`",
            "Variable: `a` instead of `b`",
            "Negation: `!(b)` instead of `b`",
        ],
    );
}

#[test]
fn an_implication() {
    check(
        "function F(a: bool, b: bool): bool { a ==> b }",
        &[
            "Variable: `b` instead of `a`",
            "Negation: `!(a)` instead of `a`",
            "Operand: `true` instead of `a`",
            "Connective: `&&` and `||` exchanged after `a`",
            "Variable: `a` instead of `b`",
            "Negation: `!(b)` instead of `b`",
        ],
    );
}

#[test]
fn a_negation() {
    check(
        "function F(a: bool): bool { !a }",
        &[
            "Operator: `a` instead of `!a`",
            "Negation: `!(a)` instead of `a`",
            "Decision: `false` instead of `!a`",
            "Decision: `true` instead of `!a`",
        ],
    );
}

#[test]
fn a_quotient() {
    check(
        "function F(a: int): int { a / 2 }",
        &[
            "Operator: `a % 2` instead of `a / 2`",
            "Operator: `a * 2` instead of `a / 2`",
            "Order: `2 / a` instead of `a / 2`",
            "Operand: `a` instead of `a / 2`",
            "Constant: `3` instead of `2`",
            "Constant: `1` instead of `2`",
            "Constant: `0` instead of `2`",
        ],
    );
}

#[test]
fn a_remainder() {
    check(
        "function F(a: int): int { a % 3 }",
        &[
            "Operator: `a / 3` instead of `a % 3`",
            "Operator: `a + 3` instead of `a % 3`",
            "Order: `3 % a` instead of `a % 3`",
            "Operand: `a` instead of `a % 3`",
            "Constant: `4` instead of `3`",
            "Constant: `2` instead of `3`",
            "Constant: `0` instead of `3`",
        ],
    );
}

#[test]
fn an_opposite_number() {
    check(
        "function F(a: int): int { -a }",
        &["Operator: `a` instead of `-a`"],
    );
}

#[test]
fn a_product_of_reals() {
    check(
        "function F(a: real): real { a * 2.5 }",
        &[
            "Operator: `a + 2.5` instead of `a * 2.5`",
            "Operator: `a / 2.5` instead of `a * 2.5`",
            "Operand: `a` instead of `a * 2.5`",
            "Constant: `3.5` instead of `2.5`",
        ],
    );
}

#[test]
fn a_bitwise_operator() {
    check(
        "function F(a: bv8, b: bv8): bv8 { a & b }",
        &[
            "Operator: `a | b` instead of `a & b`",
            "Operator: `a ^ b` instead of `a & b`",
            "Operand: `a` instead of `a & b`",
            "Operand: `b` instead of `a & b`",
            "Variable: `b` instead of `a`",
            "Variable: `a` instead of `b`",
        ],
    );
}

#[test]
fn a_shift() {
    check(
        "function F(a: bv8): bv8 { a << 2 }",
        &[
            "Operator: `a >> 2` instead of `a << 2`",
            "Operand: `a` instead of `a << 2`",
            "Constant: `3` instead of `2`",
            "Constant: `1` instead of `2`",
            "Constant: `0` instead of `2`",
        ],
    );
}

#[test]
fn a_character() {
    check(
        "function F(a: char): bool { a == 'x' }",
        &[
            "Operator: `a != 'x'` instead of `a == 'x'`",
            "Constant: `'y'` instead of `'x'`",
            "Decision: `false` instead of `a == 'x'`",
            "Decision: `true` instead of `a == 'x'`",
        ],
    );
}

#[test]
fn a_concatenation() {
    check(
        "function F(s: seq<int>): seq<int> { s + [1] }",
        &[
            "Order: `[1] + s` instead of `s + [1]`",
            "Operand: `s` instead of `s + [1]`",
            "Operand: `[1]` instead of `s + [1]`",
            "Constant: `[]` instead of `[1]`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
        ],
    );
}

#[test]
fn a_slice() {
    check(
        "function F(s: seq<int>): seq<int> { s[1..] }",
        &[
            "Constant: `s[1 + 1..]` instead of `s[1..]`",
            "Constant: `s[1..|s| - 1]` instead of `s[1..]`",
            "Order: `s[..|s| - 1]` instead of `s[1..]`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
        ],
    );
}

#[test]
fn an_element() {
    check(
        "function F(s: seq<int>, i: int): int requires 0 <= i < |s| { s[i] }",
        &[
            "Constant: `s[0]` instead of `s[i]`",
            "Constant: `0` instead of `s[i]`",
        ],
    );
}

#[test]
fn a_union() {
    check(
        "function F(s: set<int>, t: set<int>): set<int> { s + t }",
        &[
            "Operator: `s * t` instead of `s + t`",
            "Operator: `s - t` instead of `s + t`",
            "Operand: `s` instead of `s + t`",
            "Operand: `t` instead of `s + t`",
            "Variable: `t` instead of `s`",
            "Variable: `s` instead of `t`",
        ],
    );
}

#[test]
fn a_subset() {
    check(
        "function F(s: set<int>, t: set<int>): bool { s <= t }",
        &[
            "Operator: `s < t` instead of `s <= t`",
            "Operator: `s == t` instead of `s <= t`",
            "Variable: `t` instead of `s`",
            "Variable: `s` instead of `t`",
            "Decision: `false` instead of `s <= t`",
            "Decision: `true` instead of `s <= t`",
        ],
    );
}

#[test]
fn a_membership() {
    check(
        "function F(s: set<int>, x: int): bool { x in s }",
        &[
            "Negation: `!(x in s)` instead of `x in s`",
            "Decision: `false` instead of `x in s`",
            "Decision: `true` instead of `x in s`",
        ],
    );
}

#[test]
fn an_update_of_a_map() {
    check(
        "function F(m: map<int, int>, k: int): map<int, int> { m[k := 1] }",
        &[
            "Operand: `m` instead of `m[k := 1]`",
            "Constant: `map[]` instead of `m`",
            "Constant: `0` instead of `k`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
        ],
    );
}

#[test]
fn a_string() {
    check(
        "function F(s: string): string { s + \"!\" }",
        &[
            "Order: `(\"!\") + s` instead of `s + \"!\"`",
            "Operand: `s` instead of `s + \"!\"`",
            "Operand: `\"!\"` instead of `s + \"!\"`",
            "Constant: `\"\"` instead of `\"!\"`",
        ],
    );
}

#[test]
fn a_conditional() {
    check(
        "function F(a: int): int { if a > 0 then 1 else 2 }",
        &[
            "Operator: `a >= 0` instead of `a > 0`",
            "Operator: `a == 0` instead of `a > 0`",
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Decision: `false` instead of `a > 0`",
            "Decision: `true` instead of `a > 0`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Constant: `3` instead of `2`",
            "Constant: `1` instead of `2`",
            "Constant: `0` instead of `2`",
        ],
    );
}

#[test]
fn a_quantifier() {
    check(
        "function F(s: seq<int>): bool { forall x :: x in s ==> x > 0 }",
        &[
            "Quantifier: `exists x :: (x in s) && (x > 0)` instead of `forall x :: x in s ==> x > 0`",
            "Operator: `x >= 0` instead of `x > 0`",
            "Operator: `x == 0` instead of `x > 0`",
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Decision: `false` instead of `forall x :: x in s ==> x > 0`",
            "Decision: `true` instead of `forall x :: x in s ==> x > 0`",
        ],
    );
}

#[test]
fn a_destructor() {
    check(
        "datatype D = A(x: int, y: int) | B(x: int, y: int) function F(d: D): int { d.x }",
        &[
            "Field: `d.y` instead of `d.x`",
            "Constant: `0` instead of `d.x`",
        ],
    );
}

#[test]
fn a_construction() {
    check(
        "datatype D = A(x: int, y: int) | B(x: int, y: int) function F(n: int): D { A(n, 1) }",
        &[
            "Constructor: `B(n, 1)` instead of `A(n, 1)`",
            "Order: `A(1, n)` instead of `A(n, 1)`",
            "Constant: `0` instead of `n`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
        ],
    );
}

#[test]
fn a_match() {
    check(
        "datatype D = A | B | C function F(d: D): int { match d case A => 1 case B => 2 case C => 3 }",
        &[
            "Order: parts of `A => 1 case B => 2` exchanged",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Order: parts of `B => 2 case C => 3` exchanged",
            "Constant: `3` instead of `2`",
            "Constant: `1` instead of `2`",
            "Constant: `0` instead of `2`",
            "Constant: `4` instead of `3`",
            "Constant: `2` instead of `3`",
            "Constant: `0` instead of `3`",
        ],
    );
}

#[test]
fn a_call() {
    check(
        "function G(a: int): int { a } function H(a: int): int { a + 1 } function F(a: int): int { G(a) }",
        &[
            "Constant: `0` instead of `G(a)`",
            "Operand: `a` instead of `G(a)`",
            "Callee: `F(a)` instead of `G(a)`",
            "Constant: `0` instead of `a`",
        ],
    );
}

#[test]
fn assignments() {
    check(
        "method M(a: int) returns (r: int) { r := a; r := r + 1; }",
        &[
            "Constant: `0` instead of `a`",
            "Operator: `r - 1` instead of `r + 1`",
            "Operator: `r * 1` instead of `r + 1`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Statement: `r := r + 1;` is removed",
            "Operand: `1` instead of `r + 1`",
        ],
    );
}

#[test]
fn a_while_loop() {
    check(
        "method M(a: int) returns (r: int) { r := 0; while r < a { r := r + 1; } }",
        &[
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Iteration: `break;` at the end of the loop",
            "Operator: `r <= a` instead of `r < a`",
            "Operator: `r == a` instead of `r < a`",
            "Variable: `a` instead of `r`",
            "Variable: `r` instead of `a`",
            "Decision: `false` instead of `r < a`",
            "Constant: `a - 1` instead of `a`",
            "Operator: `r - 1` instead of `r + 1`",
            "Operator: `r * 1` instead of `r + 1`",
            "Variable: `a` instead of `r`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Statement: `r := r + 1;` is removed",
        ],
    );
}

#[test]
fn a_for_loop() {
    check(
        "method M(a: int) returns (r: int) { r := 0; for i := 0 to a { r := r + i; } }",
        &[
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Iteration: `break;` at the end of the loop",
            "Operator: `i := 0 to a + 1` instead of `i := 0 to a`",
            "Constant: `i := 0 to a - 1` instead of `i := 0 to a`",
            "Operator: `r - i` instead of `r + i`",
            "Operator: `r * i` instead of `r + i`",
            "Operand: `r` instead of `r + i`",
            "Operand: `i` instead of `r + i`",
            "Variable: `a` instead of `r`",
            "Variable: `i` instead of `r`",
            "Variable: `a` instead of `i`",
            "Variable: `r` instead of `i`",
            "Statement: `r := r + i;` is removed",
        ],
    );
}

#[test]
fn an_early_return() {
    check(
        "method M(a: int) returns (r: int) { if a > 0 { return 1; } r := 2; }",
        &[
            "Operator: `a >= 0` instead of `a > 0`",
            "Operator: `a == 0` instead of `a > 0`",
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Decision: `false` instead of `a > 0`",
            "Decision: `true` instead of `a > 0`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Constant: `3` instead of `2`",
            "Constant: `1` instead of `2`",
            "Constant: `0` instead of `2`",
        ],
    );
}

#[test]
fn an_assignment_to_an_array() {
    check(
        "method M(a: array<int>) modifies a requires a.Length > 1 { a[0] := a[1]; }",
        &[
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Statement: `a[0] := a[1];` is removed",
            "Constant: `0` instead of `a[1]`",
        ],
    );
}

#[test]
fn an_assignment_to_a_field() {
    check(
        "class C { var x: int var y: int constructor() { x := 1; y := 2; } method M() modifies this { x := y; } }",
        &[
            "Field: `this.x` instead of `y`",
            "Statement: `x := y;` is removed",
            "Constant: `0` instead of `y`",
        ],
    );
}

#[test]
fn a_loop_with_a_break() {
    check(
        "method M(a: int) returns (r: int) { r := 0; var i := 0; while i < a { if i == 3 { break; } i := i + 1; r := r + 2; } }",
        &[
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Constant: `1` instead of `0`",
            "Constant: `-1` instead of `0`",
            "Iteration: `break;` at the end of the loop",
            "Operator: `i <= a` instead of `i < a`",
            "Operator: `i == a` instead of `i < a`",
            "Variable: `a` instead of `i`",
            "Variable: `i` instead of `a`",
            "Decision: `false` instead of `i < a`",
            "Constant: `a - 1` instead of `a`",
            "Operator: `i != 3` instead of `i == 3`",
            "Operator: `i <= 3` instead of `i == 3`",
            "Operator: `i >= 3` instead of `i == 3`",
            "Variable: `a` instead of `i`",
            "Constant: `4` instead of `3`",
            "Constant: `2` instead of `3`",
            "Constant: `0` instead of `3`",
            "Decision: `false` instead of `i == 3`",
            "Decision: `true` instead of `i == 3`",
            "Statement: `break;` is removed",
            "Operator: `i - 1` instead of `i + 1`",
            "Operator: `i * 1` instead of `i + 1`",
            "Variable: `a` instead of `i`",
            "Constant: `2` instead of `1`",
            "Constant: `0` instead of `1`",
            "Statement: `i := i + 1;` is removed",
            "Operator: `r - 2` instead of `r + 2`",
            "Operator: `r * 2` instead of `r + 2`",
            "Variable: `a` instead of `r`",
            "Constant: `3` instead of `2`",
            "Constant: `1` instead of `2`",
            "Constant: `0` instead of `2`",
            "Statement: `r := r + 2;` is removed",
            "Operand: `2` instead of `r + 2`",
        ],
    );
}
