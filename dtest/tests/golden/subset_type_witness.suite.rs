// tests/dtest/following.rs

use dunit::prelude::*;

use crate::subject::subset_type_witness;

/// Reaches src/subset_type_witness.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Following")]
fn runs() {
    let n = int(3);
    require!(&n % 2 == 1, "src/subset_type_witness.dfy:3:20: n is an Odd");

    let result = subset_type_witness::following(&n);

    expect_eq!(
        result,
        int(5),
        "src/subset_type_witness.dfy:3:10: Following by Dafny's semantics",
    );
    expect!(&result % 2 == 1, "src/subset_type_witness.dfy:3:10: the result is an Odd");
}
