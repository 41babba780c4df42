// tests/dtest/code.rs

use dunit::prelude::*;

use crate::subject::conversion_char_int;

/// Reaches src/conversion_char_int.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Code")]
fn runs() {
    let c = ch('a');

    let result = conversion_char_int::code(c);

    expect_eq!(
        result,
        int(97),
        "src/conversion_char_int.dfy:1:10: Code by Dafny's semantics",
    );
}
