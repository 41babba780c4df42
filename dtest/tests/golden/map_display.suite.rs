// tests/dtest/names.rs

use dunit::prelude::*;

use crate::subject::map_display;

/// Reaches src/map_display.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Names")]
fn runs() {
    let result = map_display::names();

    expect_eq!(
        result,
        map![int(1) => str("one"), int(2) => str("two")],
        "src/map_display.dfy:1:10: Names by Dafny's semantics",
    );
}
