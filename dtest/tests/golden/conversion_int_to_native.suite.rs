// tests/dtest/low.rs

use dunit::prelude::*;

use crate::subject::conversion_int_to_native;

/// Reaches src/conversion_int_to_native.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Low")]
fn runs() {
    let n = int(8_589_934_591_i64);

    let result = conversion_int_to_native::low(&n);

    expect_eq!(
        result,
        4294967295u32,
        "src/conversion_int_to_native.dfy:3:10: Low by Dafny's semantics",
    );
}
