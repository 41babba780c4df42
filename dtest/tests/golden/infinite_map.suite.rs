// tests/dtest/entry.rs

use dunit::prelude::*;

use crate::subject::infinite_map;

/// Reaches src/infinite_map.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Entry")]
fn runs() {
    let result = infinite_map::entry();

    expect_eq!(
        result,
        int(10),
        "src/infinite_map.dfy:5:10: Entry by Dafny's semantics",
    );
}

// tests/dtest/table.rs

use dunit::prelude::*;

use crate::subject::infinite_map;

/// Reaches src/infinite_map.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Table")]
fn runs() {
    let result = infinite_map::table();

    expect_eq!(
        result,
        map![int(1) => int(10)],
        "src/infinite_map.dfy:1:10: Table by Dafny's semantics",
    );
}
