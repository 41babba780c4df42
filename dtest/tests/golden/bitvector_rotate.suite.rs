// tests/dtest/rotate.rs

use dunit::prelude::*;

use crate::subject::bitvector_rotate;

/// Reaches src/bitvector_rotate.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Rotate")]
fn runs() {
    let a = Bv::<16>::from(46821);

    let result = bitvector_rotate::rotate(&a);

    expect_eq!(
        result,
        Bv::<16>::from(39578),
        "src/bitvector_rotate.dfy:1:10: Rotate by Dafny's semantics",
    );
}
