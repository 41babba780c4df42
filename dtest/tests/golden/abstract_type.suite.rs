// tests/dtest/shelf/capacity.rs

use dunit::prelude::*;

use crate::subject::abstract_type::shelf;

/// Reaches src/abstract_type.dfy:9:5: the body is entered (block 1 of 1).
#[dunit(unit = "Shelf.Capacity")]
fn runs() {
    let result = shelf::capacity();

    expect_eq!(
        result,
        int(12),
        "src/abstract_type.dfy:8:12: Capacity by Dafny's semantics",
    );
    expect!(0 <= result, "src/abstract_type.dfy:8:12: the result is a nat");
}
