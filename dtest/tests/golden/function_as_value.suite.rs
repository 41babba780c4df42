// tests/dtest/apply.rs

use dunit::prelude::*;

use crate::subject::function_as_value;

/// Reaches src/function_as_value.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Apply")]
fn runs() {
    let f = Fun1::named("x => x + 1", |a: &Int| a + int(1));
    let n = int(3);

    let result = function_as_value::apply(&f, &n);

    expect_eq!(
        result,
        int(5),
        "src/function_as_value.dfy:1:10: Apply by Dafny's semantics",
    );
}

// tests/dtest/increment.rs

use dunit::prelude::*;

use crate::subject::function_as_value;

/// Reaches src/function_as_value.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Increment")]
fn runs() {
    let n = int(3);

    let result = function_as_value::increment(&n);

    expect_eq!(
        result,
        int(4),
        "src/function_as_value.dfy:5:10: Increment by Dafny's semantics",
    );
}

// tests/dtest/twice.rs

use dunit::prelude::*;

use crate::subject::function_as_value;

/// Reaches src/function_as_value.dfy:10:3: the body is entered (block 1 of 1).
#[dunit(unit = "Twice")]
fn runs() {
    let n = int(3);

    let result = function_as_value::twice(&n);

    expect_eq!(
        result,
        int(5),
        "src/function_as_value.dfy:9:10: Twice by Dafny's semantics",
    );
}
