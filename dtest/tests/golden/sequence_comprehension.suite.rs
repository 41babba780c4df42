// tests/dtest/squares.rs

use dunit::prelude::*;

use crate::subject::sequence_comprehension;

/// Reaches src/sequence_comprehension.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Squares")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/sequence_comprehension.dfy:1:18: n is a nat");

    let result = sequence_comprehension::squares(&n);

    expect_eq!(
        result,
        seq![int(0), int(1), int(4)],
        "src/sequence_comprehension.dfy:1:10: Squares by Dafny's semantics",
    );
    expect!(
        result.iter().all(|e| 0 <= *e),
        "src/sequence_comprehension.dfy:1:10: the result is a seq<nat>",
    );
}
