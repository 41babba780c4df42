// tests/dtest/area.rs

use dunit::prelude::*;

use crate::subject::let_expression;

/// Reaches src/let_expression.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Area")]
fn runs() {
    let w = int(3);
    let h = int(2);

    let result = let_expression::area(&w, &h);

    expect_eq!(
        result,
        int(35),
        "src/let_expression.dfy:1:10: Area by Dafny's semantics",
    );
}
