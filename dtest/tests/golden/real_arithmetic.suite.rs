// tests/dtest/average.rs

use dunit::prelude::*;

use crate::subject::real_arithmetic;

/// Reaches src/real_arithmetic.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Average")]
fn runs() {
    let a = real("3.5");
    let b = real("2.5");

    let result = real_arithmetic::average(&a, &b);

    expect_eq!(
        result,
        real("3.0"),
        "src/real_arithmetic.dfy:1:10: Average by Dafny's semantics",
    );
}
