// tests/dtest/price.rs

use dunit::prelude::*;

use crate::subject::parameter_by_name_only;

/// Reaches src/parameter_by_name_only.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Price")]
fn runs() {
    let cents = int(5);
    let discount = int(2);

    let result = parameter_by_name_only::price(&cents, &discount);

    expect_eq!(
        result,
        int(3),
        "src/parameter_by_name_only.dfy:1:10: Price by Dafny's semantics",
    );
}

// tests/dtest/sale.rs

use dunit::prelude::*;

use crate::subject::parameter_by_name_only;

/// Reaches src/parameter_by_name_only.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Sale")]
fn runs() {
    let result = parameter_by_name_only::sale();

    expect_eq!(
        result,
        int(80),
        "src/parameter_by_name_only.dfy:5:10: Sale by Dafny's semantics",
    );
}
