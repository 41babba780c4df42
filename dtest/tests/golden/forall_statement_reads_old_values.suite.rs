// tests/dtest/rotate.rs

use dunit::prelude::*;

use crate::subject::forall_statement_reads_old_values;

/// Reaches src/forall_statement_reads_old_values.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "Rotate")]
fn runs() {
    let a = Array::<Int>::of([int(7), int(2), int(3)]);
    require!(
        !a.is_empty(),
        "src/forall_statement_reads_old_values.dfy:2:12: a.Length > 0",
    );

    let before = Snapshot::take();
    forall_statement_reads_old_values::rotate(&a);

    expect_eq!(
        a.to_seq(),
        seq![int(2), int(3), int(7)],
        "src/forall_statement_reads_old_values.dfy:1:8: Rotate by Dafny's semantics",
    );
    expect_frame!(
        before,
        [a],
        [a],
        "src/forall_statement_reads_old_values.dfy:3:12: modifies a",
    );
}
