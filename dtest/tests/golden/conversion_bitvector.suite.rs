// tests/dtest/wide.rs

use dunit::prelude::*;

use crate::subject::conversion_bitvector;

/// Reaches src/conversion_bitvector.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Wide")]
fn runs() {
    let a = Bv::<8>::from(229);

    let result = conversion_bitvector::wide(&a);

    expect_eq!(
        result,
        Bv::<16>::from(58624),
        "src/conversion_bitvector.dfy:1:10: Wide by Dafny's semantics",
    );
}
