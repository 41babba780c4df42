// tests/dtest/name.rs

use dunit::prelude::*;

use crate::subject::constant_of_type;

/// Reaches src/constant_of_type.dfy:3:35: the body is entered (block 1 of 1).
#[dunit(unit = "Name")]
fn runs() {
    let s = constant_of_type::name();

    expect_eq!(s, str("b"), "src/constant_of_type.dfy:3:8: Name by Dafny's semantics");
}
