// tests/dtest/symmetric.rs

use dunit::prelude::*;

use crate::subject::set_operators;

/// Reaches src/set_operators.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Symmetric")]
fn runs() {
    let a = set![int(2), int(3), int(6), int(7)];
    let b = set![int(7), int(11), int(26)];

    let result = set_operators::symmetric(&a, &b);

    expect_eq!(
        result,
        set![int(2), int(3), int(6), int(11), int(26)],
        "src/set_operators.dfy:1:10: Symmetric by Dafny's semantics",
    );
}
