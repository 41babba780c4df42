// tests/dtest/size.rs

use dunit::prelude::*;

use crate::subject::array_nullable;

/// Reaches src/array_nullable.dfy:2:16: `a == null` holds (block 2 of 3); also block 1.
/// Path: a == null.
#[dunit(unit = "Size")]
fn when_a_is_null() {
    let a = <Array<Int>>::null();

    let n = array_nullable::size(&a);

    expect_eq!(n, int(-1), "src/array_nullable.dfy:1:8: Size by Dafny's semantics");
}

/// Reaches src/array_nullable.dfy:4:4: `a == null` does not hold (block 3 of 3); also block 1.
/// Path: a != null.
#[dunit(unit = "Size")]
fn when_a_is_not_null() {
    let a = Array::<Int>::of([int(2), int(3), int(5)]);

    let before = Snapshot::take();
    let n = array_nullable::size(&a);

    expect_eq!(n, int(3), "src/array_nullable.dfy:1:8: Size by Dafny's semantics");
    expect_eq!(
        a.to_seq(),
        seq![int(2), int(3), int(5)],
        "src/array_nullable.dfy:1:8: Size by Dafny's semantics",
    );
    expect_frame!(before, [a], [], "src/array_nullable.dfy:1:8: nothing is modified");
}
