// tests/dtest/clear.rs

use dunit::prelude::*;

use crate::subject::newtype_of_bitvector;

/// Reaches src/newtype_of_bitvector.dfy:5:3: the body is entered (block 1 of 1).
#[dunit(unit = "Clear")]
fn runs() {
    let f = Bv::<8>::from(33);
    require!(
        &f & Bv::<8>::from(128) == Bv::<8>::from(0),
        "src/newtype_of_bitvector.dfy:4:16: f is a Flags",
    );

    let result = newtype_of_bitvector::clear(&f);

    expect_eq!(
        result,
        Bv::<8>::from(1),
        "src/newtype_of_bitvector.dfy:4:10: Clear by Dafny's semantics",
    );
}
