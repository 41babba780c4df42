// tests/dtest/increment.rs

use dunit::prelude::*;

use crate::subject::bitvector_wraps;

/// Reaches src/bitvector_wraps.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Increment")]
fn runs() {
    let a = Bv::<4>::from(5);

    let result = bitvector_wraps::increment(&a);

    expect_eq!(
        result,
        Bv::<4>::from(6),
        "src/bitvector_wraps.dfy:1:10: Increment by Dafny's semantics",
    );
}
