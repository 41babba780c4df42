// tests/dtest/fill.rs

use dunit::prelude::*;

use crate::subject::forall_statement;

/// Reaches src/forall_statement.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "Fill")]
fn runs() {
    let a = Array::<Int>::of([int(2), int(3), int(5)]);

    let before = Snapshot::take();
    forall_statement::fill(&a);

    expect_eq!(
        a.to_seq(),
        seq![int(0), int(1), int(2)],
        "src/forall_statement.dfy:1:8: Fill by Dafny's semantics",
    );
    expect!(
        forall_in(0, a.len(), |i| a.get(i) == *i),
        "src/forall_statement.dfy:3:11: forall i | 0 <= i < a.Length :: a[i] == i",
    );
    expect_frame!(before, [a], [a], "src/forall_statement.dfy:2:12: modifies a");
}
