// tests/dtest/corner.rs

use dunit::prelude::*;

use crate::subject::two_dimensional_array;

/// Reaches src/two_dimensional_array.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Corner")]
fn runs() {
    let m = {
        let mut elements = Vec::<
            Int,
        >::from([int(3), int(100), int(3), int(100), int(-2), int(5)])
            .into_iter();
        Array2::init_with([int(3), int(2)], |_| elements.next().unwrap())
    };
    require!(
        m.length(0) > 0 && m.length(1) > 0,
        "src/two_dimensional_array.dfy:2:12: m.Length0 > 0 && m.Length1 > 0",
    );

    let before = Snapshot::take();
    let r = two_dimensional_array::corner(&m);

    expect_eq!(
        r,
        int(5),
        "src/two_dimensional_array.dfy:1:8: Corner by Dafny's semantics",
    );
    expect_eq!(
        m.to_seq(),
        seq![int(3), int(100), int(3), int(100), int(-2), int(5)],
        "src/two_dimensional_array.dfy:1:8: Corner by Dafny's semantics",
    );
    expect_frame!(
        before,
        [m],
        [],
        "src/two_dimensional_array.dfy:1:8: nothing is modified",
    );
}
