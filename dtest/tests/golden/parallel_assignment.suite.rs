// tests/dtest/swap.rs

use dunit::prelude::*;

use crate::subject::parallel_assignment;

/// Reaches src/parallel_assignment.dfy:1:54: the body is entered (block 1 of 1).
#[dunit(unit = "Swap")]
fn runs() {
    let a = int(3);
    let b = int(2);

    let (x, y) = parallel_assignment::swap(&a, &b);

    expect_eq!(x, int(2), "src/parallel_assignment.dfy:1:8: Swap by Dafny's semantics");
    expect_eq!(y, int(3), "src/parallel_assignment.dfy:1:8: Swap by Dafny's semantics");
}
