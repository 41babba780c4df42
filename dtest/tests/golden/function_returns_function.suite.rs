// tests/dtest/applied.rs

use dunit::prelude::*;

use crate::subject::function_returns_function;

/// Reaches src/function_returns_function.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Applied")]
fn runs() {
    let result = function_returns_function::applied();

    expect_eq!(
        result,
        int(7),
        "src/function_returns_function.dfy:5:10: Applied by Dafny's semantics",
    );
}

// tests/dtest/curried.rs

use dunit::prelude::*;

use crate::subject::function_returns_function;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/function_returns_function.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Curried")]
fn runs() {
    let a = int(3);

    let _result = function_returns_function::curried(&a);
}
