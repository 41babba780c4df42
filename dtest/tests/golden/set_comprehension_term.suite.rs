// tests/dtest/lengths.rs

use dunit::prelude::*;

use crate::subject::set_comprehension_term;

/// Reaches src/set_comprehension_term.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Lengths")]
fn runs() {
    let words = set![str(" "), str("ac"), str("db")];

    let result = set_comprehension_term::lengths(&words);

    expect_eq!(
        result,
        set![int(1), int(2)],
        "src/set_comprehension_term.dfy:1:10: Lengths by Dafny's semantics",
    );
}
