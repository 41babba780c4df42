// tests/dtest/largest.rs

use dunit::prelude::*;

use crate::subject::postcondition_unbounded_quantifier;

/// Reaches src/postcondition_unbounded_quantifier.dfy:4:22: `a > b` holds (block 2 of 3); also block 1.
/// Path: a > b.
#[dunit(unit = "Largest")]
fn when_a_is_greater_than_b() {
    let a = int(3);
    let b = int(2);

    let r = postcondition_unbounded_quantifier::largest(&a, &b);

    expect_eq!(
        r,
        int(3),
        "src/postcondition_unbounded_quantifier.dfy:1:8: Largest by Dafny's semantics",
    );
    expect!(
        forall_in(&r + 1, &a + 1, |x| *x <= r || *x > a)
            && forall_in(&r + 1, &b + 1, |x| *x <= r || *x > b),
        "src/postcondition_unbounded_quantifier.dfy:2:11: forall x: int :: x > r ==> x > a && x > b",
    );
}

/// Reaches src/postcondition_unbounded_quantifier.dfy:4:29: `a > b` does not hold (block 3 of 3); also block 1.
/// Path: a <= b.
#[dunit(unit = "Largest")]
fn when_a_is_at_most_b() {
    let a = int(0);
    let b = int(3);

    let r = postcondition_unbounded_quantifier::largest(&a, &b);

    expect_eq!(
        r,
        int(3),
        "src/postcondition_unbounded_quantifier.dfy:1:8: Largest by Dafny's semantics",
    );
    expect!(
        forall_in(&r + 1, &a + 1, |x| *x <= r || *x > a)
            && forall_in(&r + 1, &b + 1, |x| *x <= r || *x > b),
        "src/postcondition_unbounded_quantifier.dfy:2:11: forall x: int :: x > r ==> x > a && x > b",
    );
}
