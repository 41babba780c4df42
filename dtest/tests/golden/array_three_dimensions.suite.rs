// tests/dtest/size.rs

use dunit::prelude::*;

use crate::subject::array_three_dimensions;

/// Reaches src/array_three_dimensions.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Size")]
fn runs() {
    let a = {
        let mut elements = Vec::<Int>::from([int(6), int(5)]).into_iter();
        Array3::init_with([int(1), int(2), int(1)], |_| elements.next().unwrap())
    };
    require!(
        a.length(0) == 1 && a.length(1) == 2 && a.length(2) == 1,
        "src/array_three_dimensions.dfy:2:12: a.Length0 == 1 && a.Length1 == 2 && a.Length2 == 1",
    );

    let before = Snapshot::take();
    let n = array_three_dimensions::size(&a);

    expect_eq!(
        n,
        int(7),
        "src/array_three_dimensions.dfy:1:8: Size by Dafny's semantics",
    );
    expect_eq!(
        a.to_seq(),
        seq![int(6), int(5)],
        "src/array_three_dimensions.dfy:1:8: Size by Dafny's semantics",
    );
    expect_frame!(
        before,
        [a],
        [],
        "src/array_three_dimensions.dfy:1:8: nothing is modified",
    );
}
