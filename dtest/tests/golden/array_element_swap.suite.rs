// tests/dtest/swap.rs

use dunit::prelude::*;

use crate::subject::array_element_swap;

/// Reaches src/array_element_swap.dfy:5:1: the body is entered (block 1 of 1).
#[dunit(unit = "Swap")]
fn runs() {
    let a = Array::<Int>::of([int(3), int(2)]);
    require!(a.len() == 2, "src/array_element_swap.dfy:2:12: a.Length == 2");

    let before = Snapshot::take();
    array_element_swap::swap(&a);

    expect_eq!(
        a.to_seq(),
        seq![int(2), int(3)],
        "src/array_element_swap.dfy:1:8: Swap by Dafny's semantics",
    );
    expect!(
        a.get(0) == before.old(|| a.get(1)) && a.get(1) == before.old(|| a.get(0)),
        "src/array_element_swap.dfy:4:11: a[0] == old(a[1]) && a[1] == old(a[0])",
    );
    expect_frame!(before, [a], [a], "src/array_element_swap.dfy:3:12: modifies a");
}
