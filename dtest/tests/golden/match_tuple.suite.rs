// tests/dtest/order.rs

use dunit::prelude::*;

use crate::subject::match_tuple;

/// Reaches src/match_tuple.dfy:3:24: case `(true, true)` (block 2 of 4); also block 1.
/// Path: true, true.
#[dunit(unit = "Order")]
fn in_case_true_true() {
    let a = true;
    let b = true;

    let result = match_tuple::order(a, b);

    expect_eq!(result, int(2), "src/match_tuple.dfy:1:10: Order by Dafny's semantics");
}

/// Reaches src/match_tuple.dfy:4:26: case `(false, false)` (block 3 of 4); also block 1.
/// Path: !(true, true), false, false.
#[dunit(unit = "Order")]
fn in_case_false_false() {
    let a = false;
    let b = false;

    let result = match_tuple::order(a, b);

    expect_eq!(result, int(0), "src/match_tuple.dfy:1:10: Order by Dafny's semantics");
}

/// Reaches src/match_tuple.dfy:5:13: case `_` (block 4 of 4); also block 1.
/// Path: !(true, true), !(false, false).
#[dunit(unit = "Order")]
fn otherwise() {
    let a = true;
    let b = false;

    let result = match_tuple::order(a, b);

    expect_eq!(result, int(1), "src/match_tuple.dfy:1:10: Order by Dafny's semantics");
}
