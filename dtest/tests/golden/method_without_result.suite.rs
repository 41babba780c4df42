// tests/dtest/nothing.rs

use dunit::prelude::*;

use crate::subject::method_without_result;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/method_without_result.dfy:1:24: the body is entered (block 1 of 1).
#[dunit(unit = "Nothing")]
fn runs() {
    let n = int(3);

    method_without_result::nothing(&n);
}
