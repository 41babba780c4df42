// tests/dtest/next.rs

use dunit::prelude::*;

use crate::subject::least_predicate_is_ghost;

/// Reaches src/least_predicate_is_ghost.dfy:7:1: the body is entered (block 1 of 1).
#[dunit(unit = "Next")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/least_predicate_is_ghost.dfy:5:13: n is a nat");

    let r = least_predicate_is_ghost::next(&n);

    expect_eq!(
        r,
        int(5),
        "src/least_predicate_is_ghost.dfy:5:8: Next by Dafny's semantics",
    );
    expect!(r == &n + 2, "src/least_predicate_is_ghost.dfy:6:11: r == n + 2");
    expect!(0 <= r, "src/least_predicate_is_ghost.dfy:5:30: r is a nat");
}
