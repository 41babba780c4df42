// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::statement_expression_erased;

/// Reaches src/statement_expression_erased.dfy:7:3: the body is entered (block 1 of 1).
#[dunit(unit = "Same")]
fn runs() {
    let n = int(3);

    let result = statement_expression_erased::same(&n);

    expect_eq!(
        result,
        int(3),
        "src/statement_expression_erased.dfy:6:10: Same by Dafny's semantics",
    );
}
