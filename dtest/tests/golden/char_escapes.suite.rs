// tests/dtest/lines.rs

use dunit::prelude::*;

use crate::subject::char_escapes;

/// Reaches src/char_escapes.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Lines")]
fn runs() {
    let result = char_escapes::lines();

    expect_eq!(
        result,
        str("tab\t, quote\", unicode 😀\n"),
        "src/char_escapes.dfy:1:10: Lines by Dafny's semantics",
    );
}
