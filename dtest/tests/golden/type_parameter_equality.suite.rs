// tests/dtest/position.rs

use dunit::prelude::*;

use crate::subject::type_parameter_equality;

/// Reaches src/type_parameter_equality.dfy:2:32: `|s| > 0 && s[0] == x` holds (block 3 of 4); also blocks 1, 2.
/// Path: |s| > 0, |s| > 0 && s[0] == x.
#[dunit(unit = "Position")]
fn when_len_s_is_greater_than_0_and_s_at_0_is_x() {
    let s = seq![int(0), int(2), int(3)];
    let x = int(0);

    let result = type_parameter_equality::position(&s, &x);

    expect_eq!(
        result,
        int(0),
        "src/type_parameter_equality.dfy:1:10: Position by Dafny's semantics",
    );
}

/// Reaches src/type_parameter_equality.dfy:2:39: `|s| > 0 && s[0] == x` does not hold (block 4 of 4); also blocks 1, 2.
/// Path: |s| > 0, !(|s| > 0 && s[0] == x).
#[dunit(unit = "Position")]
fn unless_len_s_is_greater_than_0_and_s_at_0_is_x() {
    let s = seq![int(2), int(3), int(5)];
    let x = int(7);

    let result = type_parameter_equality::position(&s, &x);

    expect_eq!(
        result,
        int(-1),
        "src/type_parameter_equality.dfy:1:10: Position by Dafny's semantics",
    );
}
