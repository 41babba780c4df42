// tests/dtest/remainder.rs

use dunit::prelude::*;

use crate::subject::int_negative_modulo;

/// Reaches src/int_negative_modulo.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Remainder")]
fn runs() {
    let n = int(-12);
    require!(n < 0, "src/int_negative_modulo.dfy:2:12: n < 0");

    let result = int_negative_modulo::remainder(&n);

    expect_eq!(
        result,
        int(3),
        "src/int_negative_modulo.dfy:1:10: Remainder by Dafny's semantics",
    );
}
