// tests/dtest/nothing.rs

use dunit::prelude::*;

use crate::subject::unit_value;

/// Reaches src/unit_value.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Nothing")]
fn runs() {
    let u = ();

    let result = unit_value::nothing(&u);

    expect_eq!(result, (), "src/unit_value.dfy:1:10: Nothing by Dafny's semantics");
}
