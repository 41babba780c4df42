// tests/dtest/a/value.rs

use dunit::prelude::*;

use crate::subject::modules_with_equal_names::a;

/// Reaches src/modules_with_equal_names.dfy:3:5: the body is entered (block 1 of 1).
#[dunit(unit = "A.Value")]
fn runs() {
    let result = a::value();

    expect_eq!(
        result,
        int(1),
        "src/modules_with_equal_names.dfy:2:12: Value by Dafny's semantics",
    );
}

// tests/dtest/b/value.rs

use dunit::prelude::*;

use crate::subject::modules_with_equal_names::b;

/// Reaches src/modules_with_equal_names.dfy:10:5: the body is entered (block 1 of 1).
#[dunit(unit = "B.Value")]
fn runs() {
    let result = b::value();

    expect_eq!(
        result,
        int(2),
        "src/modules_with_equal_names.dfy:9:12: Value by Dafny's semantics",
    );
}
