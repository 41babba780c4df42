// tests/dtest/truncated.rs

use dunit::prelude::*;

use crate::subject::conversion_real_int;

/// Reaches src/conversion_real_int.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Truncated")]
fn runs() {
    let x = real("-1.0");
    require!(
        x == real(x.floor()),
        "src/conversion_real_int.dfy:2:12: x == x.Floor as real",
    );

    let result = conversion_real_int::truncated(&x);

    expect_eq!(
        result,
        int(-1),
        "src/conversion_real_int.dfy:1:10: Truncated by Dafny's semantics",
    );
}
