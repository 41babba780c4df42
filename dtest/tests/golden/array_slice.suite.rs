// tests/dtest/part.rs

use dunit::prelude::*;

use crate::subject::array_slice;

/// Reaches src/array_slice.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Part")]
fn runs() {
    let a = Array::<Int>::of([int(3), int(4), int(6)]);
    let n = int(1);
    require!(0 <= n, "src/array_slice.dfy:1:28: n is a nat");
    require!(n <= a.len(), "src/array_slice.dfy:2:12: n <= a.Length");

    let before = Snapshot::take();
    let s = array_slice::part(&a, &n);

    expect_eq!(
        s,
        seq![int(4), int(6), int(3)],
        "src/array_slice.dfy:1:8: Part by Dafny's semantics",
    );
    expect_eq!(
        a.to_seq(),
        seq![int(3), int(4), int(6)],
        "src/array_slice.dfy:1:8: Part by Dafny's semantics",
    );
    expect_frame!(before, [a], [], "src/array_slice.dfy:1:8: nothing is modified");
}
