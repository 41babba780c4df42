// tests/dtest/low.rs

use dunit::prelude::*;

use crate::subject::conversion_int_to_native;

/// Reaches src/conversion_int_to_native.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Low")]
fn runs() {
    let n = int(3);

    let result = conversion_int_to_native::low(&n);

    expect_eq!(
        result,
        3u32,
        "src/conversion_int_to_native.dfy:3:10: Low by Dafny's semantics",
    );
}
