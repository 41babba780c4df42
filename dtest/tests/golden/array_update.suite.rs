// tests/dtest/store.rs

use dunit::prelude::*;

use crate::subject::array_update;

/// Reaches src/array_update.dfy:5:1: the body is entered (block 1 of 1).
#[dunit(unit = "Store")]
fn runs() {
    let a = Array::<Int>::of([int(5), int(2), int(3)]);
    let i = int(0);
    let x = int(7);
    require!(0 <= i, "src/array_update.dfy:1:29: i is a nat");
    require!(i < a.len(), "src/array_update.dfy:2:12: i < a.Length");

    let before = Snapshot::take();
    array_update::store(&a, &i, &x);

    expect_eq!(
        a.to_seq(),
        seq![int(7), int(2), int(3)],
        "src/array_update.dfy:1:8: Store by Dafny's semantics",
    );
    expect!(
        a.to_seq() == before.old(|| a.to_seq()).update(&i, x.clone()),
        "src/array_update.dfy:4:11: a[..] == old(a[..])[i := x]",
    );
    expect_frame!(before, [a], [a], "src/array_update.dfy:3:12: modifies a");
}
