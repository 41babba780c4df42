// tests/dtest/first.rs

use dunit::prelude::*;

use crate::subject::type_synonym;

/// Reaches src/type_synonym.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "First")]
fn runs() {
    let r = seq![int(7), int(2), int(3)];
    require!(!r.is_empty(), "src/type_synonym.dfy:4:12: |r| > 0");

    let result = type_synonym::first(&r);

    expect_eq!(result, int(7), "src/type_synonym.dfy:3:10: First by Dafny's semantics");
}
