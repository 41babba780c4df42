// tests/dtest/halved.rs

use dunit::prelude::*;

use crate::subject::ghost_parameter_erased;

/// Reaches src/ghost_parameter_erased.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "Halved")]
fn runs() {
    let n = int(6);
    let bound = int(9);
    require!(0 <= n, "src/ghost_parameter_erased.dfy:1:15: n is a nat");
    require!(0 <= bound, "src/ghost_parameter_erased.dfy:1:29: bound is a nat");
    require!(n <= bound, "src/ghost_parameter_erased.dfy:2:12: n <= bound");

    let r = ghost_parameter_erased::halved(&n);

    expect_eq!(
        r,
        int(3),
        "src/ghost_parameter_erased.dfy:1:8: Halved by Dafny's semantics",
    );
    expect!(r <= bound, "src/ghost_parameter_erased.dfy:3:11: r <= bound");
    expect!(0 <= r, "src/ghost_parameter_erased.dfy:1:50: r is a nat");
}
