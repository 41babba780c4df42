// tests/dtest/merged.rs

use dunit::prelude::*;

use crate::subject::map_merge;

/// Reaches src/map_merge.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Merged")]
fn runs() {
    let m = map![int(2) => int(2), int(3) => int(3), int(5) => int(5)];
    let n = map![int(5) => int(11)];

    let result = map_merge::merged(&m, &n);

    expect_eq!(
        result,
        map![int(2) => int(2), int(3) => int(3), int(5) => int(11)],
        "src/map_merge.dfy:1:10: Merged by Dafny's semantics",
    );
}
