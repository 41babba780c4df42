// tests/dtest/combine.rs

use dunit::prelude::*;

use crate::subject::function_of_two_parameters;

/// Reaches src/function_of_two_parameters.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Combine")]
fn runs() {
    let f = Fun2::named("(x, y) => x + x + y", |a: &Int, b: &Int| a + a + b);

    let result = function_of_two_parameters::combine(&f);

    expect_eq!(
        result,
        int(4),
        "src/function_of_two_parameters.dfy:1:10: Combine by Dafny's semantics",
    );
}

// tests/dtest/sum.rs

use dunit::prelude::*;

use crate::subject::function_of_two_parameters;

/// Reaches src/function_of_two_parameters.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Sum")]
fn runs() {
    let result = function_of_two_parameters::sum();

    expect_eq!(
        result,
        int(3),
        "src/function_of_two_parameters.dfy:5:10: Sum by Dafny's semantics",
    );
}
