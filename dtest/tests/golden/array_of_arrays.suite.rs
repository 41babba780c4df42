// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::array_of_arrays;

/// Reaches src/array_of_arrays.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Cell")]
fn runs() {
    let array0 = Array::<Int>::of([int(3)]);
    let rows = Array::<Array<Int>>::of([array0.clone()]);
    require!(
        rows.len() == 1 && rows.get(0).len() == 1,
        "src/array_of_arrays.dfy:2:12: rows.Length == 1 && rows[0].Length == 1",
    );

    let before = Snapshot::take();
    let r = array_of_arrays::cell(&rows);

    expect_eq!(r, int(3), "src/array_of_arrays.dfy:1:8: Cell by Dafny's semantics");
    expect_eq!(
        rows.to_seq(),
        seq![array0.clone()],
        "src/array_of_arrays.dfy:1:8: Cell by Dafny's semantics",
    );
    expect_eq!(
        array0.to_seq(),
        seq![int(3)],
        "src/array_of_arrays.dfy:1:8: Cell by Dafny's semantics",
    );
    expect_frame!(
        before,
        [rows, array0],
        [],
        "src/array_of_arrays.dfy:1:8: nothing is modified",
    );
}
