// tests/dtest/both.rs

use dunit::prelude::*;

use crate::subject::set_display;

/// Reaches src/set_display.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Both")]
fn runs() {
    let a = int(3);
    let b = int(2);

    let result = set_display::both(&a, &b);

    expect_eq!(
        result,
        set![int(2), int(3)],
        "src/set_display.dfy:1:10: Both by Dafny's semantics",
    );
}
