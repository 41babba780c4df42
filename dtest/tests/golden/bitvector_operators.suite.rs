// tests/dtest/mix.rs

use dunit::prelude::*;

use crate::subject::bitvector_operators;

/// Reaches src/bitvector_operators.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Mix")]
fn runs() {
    let a = Bv::<8>::from(229);
    let b = Bv::<8>::from(179);

    let result = bitvector_operators::mix(&a, &b);

    expect_eq!(
        result,
        Bv::<8>::from(169),
        "src/bitvector_operators.dfy:1:10: Mix by Dafny's semantics",
    );
}
