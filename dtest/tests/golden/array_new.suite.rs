// tests/dtest/zeros.rs

use dunit::prelude::*;

use crate::subject::array_new;

/// Reaches src/array_new.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Zeros")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/array_new.dfy:1:14: n is a nat");

    let before = Snapshot::take();
    let a = array_new::zeros(&n);

    expect_eq!(
        a.to_seq(),
        seq![int(0), int(0), int(0)],
        "src/array_new.dfy:1:8: Zeros by Dafny's semantics",
    );
    expect!(
        before.is_fresh(a.identity()) && a.len() == n,
        "src/array_new.dfy:2:11: fresh(a) && a.Length == n",
    );
}
