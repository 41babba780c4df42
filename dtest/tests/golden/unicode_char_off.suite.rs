// tests/dtest/units.rs

use dunit::prelude::*;

use crate::subject::unicode_char_off;

/// Reaches src/unicode_char_off.dfy:3:3: the body is entered (block 1 of 1).
#[dunit(unit = "Units")]
fn runs() {
    let result = unicode_char_off::units();

    expect_eq!(
        result,
        int(2),
        "src/unicode_char_off.dfy:2:10: Units by Dafny's semantics",
    );
}
