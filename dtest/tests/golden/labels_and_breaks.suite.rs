// tests/dtest/find.rs

use dunit::prelude::*;

use crate::subject::labels_and_breaks;

/// Reaches src/labels_and_breaks.dfy:5:26: `rows[i][j] == 7` holds (block 4 of 7); also blocks 1, 2, 3.
/// Path: loop i := 0 to |rows| runs, loop j := 0 to |rows[i]| runs, rows[i][j] == 7.
#[dunit(unit = "Find")]
fn when_rows_at_i_at_j_is_7() {
    let rows = seq![
        seq![int(7), int(2), int(3)],
        seq![int(5)],
        seq![int(13), int(11)],
    ];

    let found = labels_and_breaks::find(&rows);

    expect_eq!(found, true, "src/labels_and_breaks.dfy:1:8: Find by Dafny's semantics");
}

/// Reaches src/labels_and_breaks.dfy:10:4: the loop `i := 0 to |rows|` runs to completion (block 7 of 7); also blocks 1, 2, 3, 5, 6.
/// Path: rows[i][j] != 7, loop j := 0 to |rows[i]| ends, loop i := 0 to |rows| ends.
#[dunit(unit = "Find")]
fn after_i_0_to_len_rows() {
    let rows = seq![
        seq![int(5), int(5)],
        seq![int(2)],
        seq![int(5), int(10), int(17)],
    ];

    let found = labels_and_breaks::find(&rows);

    expect_eq!(
        found,
        false,
        "src/labels_and_breaks.dfy:1:8: Find by Dafny's semantics",
    );
}
