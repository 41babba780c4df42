// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::arrays_aliased;

/// Reaches src/arrays_aliased.dfy:2:13: `a == b` holds (block 2 of 3); also block 1.
/// Path: a == b.
#[dunit(unit = "Same")]
fn when_a_is_b() {
    let a = Array::<Int>::of([int(2), int(3), int(5)]);
    let b = a.clone();

    let before = Snapshot::take();
    let r = arrays_aliased::same(&a, &b);

    expect_eq!(r, true, "src/arrays_aliased.dfy:1:8: Same by Dafny's semantics");
    expect_eq!(
        a.to_seq(),
        seq![int(2), int(3), int(5)],
        "src/arrays_aliased.dfy:1:8: Same by Dafny's semantics",
    );
    expect_frame!(before, [a], [], "src/arrays_aliased.dfy:1:8: nothing is modified");
}

/// Reaches src/arrays_aliased.dfy:4:4: `a == b` does not hold (block 3 of 3); also block 1.
/// Path: a != b.
#[dunit(unit = "Same")]
fn when_a_is_not_b() {
    let a = Array::<Int>::of([int(2), int(3), int(5)]);
    let b = Array::<Int>::of([int(7), int(13), int(11)]);

    let before = Snapshot::take();
    let r = arrays_aliased::same(&a, &b);

    expect_eq!(r, false, "src/arrays_aliased.dfy:1:8: Same by Dafny's semantics");
    expect_eq!(
        a.to_seq(),
        seq![int(2), int(3), int(5)],
        "src/arrays_aliased.dfy:1:8: Same by Dafny's semantics",
    );
    expect_eq!(
        b.to_seq(),
        seq![int(7), int(13), int(11)],
        "src/arrays_aliased.dfy:1:8: Same by Dafny's semantics",
    );
    expect_frame!(
        before,
        [a, b],
        [],
        "src/arrays_aliased.dfy:1:8: nothing is modified",
    );
}
