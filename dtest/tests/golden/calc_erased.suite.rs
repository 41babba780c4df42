// tests/dtest/doubled.rs

use dunit::prelude::*;

use crate::subject::calc_erased;

/// Reaches src/calc_erased.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Doubled")]
fn runs() {
    let n = int(3);

    let r = calc_erased::doubled(&n);

    expect_eq!(r, int(6), "src/calc_erased.dfy:1:8: Doubled by Dafny's semantics");
    expect!(r == 2 * &n, "src/calc_erased.dfy:2:11: r == 2 * n");
}
