// tests/dtest/put.rs

use dunit::prelude::*;

use crate::subject::map_update;

/// Reaches src/map_update.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Put")]
fn runs() {
    let m = map![int(2) => true, int(3) => false, int(5) => true];
    let k = int(3);

    let result = map_update::put(&m, &k);

    expect_eq!(
        result,
        map![int(2) => true, int(3) => true, int(5) => true],
        "src/map_update.dfy:1:10: Put by Dafny's semantics",
    );
}
