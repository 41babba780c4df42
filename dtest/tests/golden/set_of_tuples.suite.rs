// tests/dtest/pairs.rs

use dunit::prelude::*;

use crate::subject::set_of_tuples;

/// Reaches src/set_of_tuples.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Pairs")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/set_of_tuples.dfy:1:16: n is a nat");

    let result = set_of_tuples::pairs(&n);

    expect_eq!(
        result,
        set![(int(0), int(1)), (int(0), int(2)), (int(1), int(2))],
        "src/set_of_tuples.dfy:1:10: Pairs by Dafny's semantics",
    );
}
