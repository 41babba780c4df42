// tests/dtest/div_mod.rs

use dunit::prelude::*;

use crate::subject::multiple_results;

/// Reaches src/multiple_results.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "DivMod")]
fn runs() {
    let a = int(-200);
    let b = int(3);
    require!(b > 0, "src/multiple_results.dfy:2:12: b > 0");

    let (q, r) = multiple_results::div_mod(&a, &b);

    expect_eq!(
        q,
        int(-67),
        "src/multiple_results.dfy:1:8: DivMod by Dafny's semantics",
    );
    expect_eq!(r, int(1), "src/multiple_results.dfy:1:8: DivMod by Dafny's semantics");
    expect!(
        a == &q * &b + &r && 0 <= r && r < b,
        "src/multiple_results.dfy:3:11: a == q * b + r && 0 <= r < b",
    );
}
