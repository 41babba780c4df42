// tests/dtest/rest.rs

use dunit::prelude::*;

use crate::subject::subset_type;

/// Reaches src/subset_type.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Rest")]
fn runs() {
    let p = int(3);
    require!(0 <= p && p <= 100, "src/subset_type.dfy:3:15: p is a Percent");

    let result = subset_type::rest(&p);

    expect_eq!(result, int(97), "src/subset_type.dfy:3:10: Rest by Dafny's semantics");
    expect!(
        0 <= result && result <= 100,
        "src/subset_type.dfy:3:10: the result is a Percent",
    );
}
