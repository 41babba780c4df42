// tests/dtest/both.rs

use dunit::prelude::*;

use crate::subject::function_table_as_input;

/// Reaches src/function_table_as_input.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Both")]
fn runs() {
    let f = Fun1::table([(false, int(3)), (true, int(5))], int(2));

    let result = function_table_as_input::both(&f);

    expect_eq!(
        result,
        int(8),
        "src/function_table_as_input.dfy:1:10: Both by Dafny's semantics",
    );
}
