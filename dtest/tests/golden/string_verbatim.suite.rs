// tests/dtest/path.rs

use dunit::prelude::*;

use crate::subject::string_verbatim;

/// Reaches src/string_verbatim.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Path")]
fn runs() {
    let result = string_verbatim::path();

    expect_eq!(
        result,
        str("C:\\temp \"quoted\""),
        "src/string_verbatim.dfy:1:10: Path by Dafny's semantics",
    );
}
