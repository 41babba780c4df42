// tests/dtest/half.rs

use dunit::prelude::*;

use crate::subject::newtype_native;

/// Reaches src/newtype_native.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Half")]
fn runs() {
    let b = 6u8;

    let result = newtype_native::half(b);

    expect_eq!(result, 3u8, "src/newtype_native.dfy:3:10: Half by Dafny's semantics");
}
