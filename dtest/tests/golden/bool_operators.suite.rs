// tests/dtest/implies.rs

use dunit::prelude::*;

use crate::subject::bool_operators;

/// Reaches src/bool_operators.dfy:2:17: `a` holds, so the next operand is evaluated (block 4 of 6); also blocks 1, 2, 3, 5.
/// Path: a, (a ==> b), a.
#[dunit(unit = "Implies")]
fn when_a() {
    let a = true;
    let b = true;

    let result = bool_operators::implies(a, b);

    expect_eq!(
        result,
        true,
        "src/bool_operators.dfy:1:10: Implies by Dafny's semantics",
    );
}

/// Reaches src/bool_operators.dfy:2:42: `b` does not hold, so the next operand is evaluated (block 6 of 6); also blocks 1, 3, 5.
/// Path: (a ==> b), (a ==> b) && (b <== a), !b.
#[dunit(unit = "Implies")]
fn unless_b() {
    let a = false;
    let b = false;

    let result = bool_operators::implies(a, b);

    expect_eq!(
        result,
        false,
        "src/bool_operators.dfy:1:10: Implies by Dafny's semantics",
    );
}
