// tests/dtest/greeting.rs

use dunit::prelude::*;

use crate::subject::string_concatenation;

/// Reaches src/string_concatenation.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Greeting")]
fn runs() {
    let name = str("0Z\n");

    let result = string_concatenation::greeting(&name);

    expect_eq!(
        result,
        str("Hello, 0Z\n!"),
        "src/string_concatenation.dfy:1:10: Greeting by Dafny's semantics",
    );
}
