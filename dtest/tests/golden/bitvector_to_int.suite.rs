// tests/dtest/value.rs

use dunit::prelude::*;

use crate::subject::bitvector_to_int;

/// Reaches src/bitvector_to_int.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Value")]
fn runs() {
    let a = Bv::<8>::from(229);

    let result = bitvector_to_int::value(&a);

    expect_eq!(
        result,
        int(230),
        "src/bitvector_to_int.dfy:1:10: Value by Dafny's semantics",
    );
}
