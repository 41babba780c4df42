// tests/dtest/fn_.rs

use dunit::prelude::*;

use crate::subject::names_that_are_keywords_in_rust;

/// Reaches src/names_that_are_keywords_in_rust.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "fn")]
fn runs() {
    let type_ = int(3);
    let self_ = int(2);

    let result = names_that_are_keywords_in_rust::r#fn(&type_, &self_);

    expect_eq!(
        result,
        int(5),
        "src/names_that_are_keywords_in_rust.dfy:1:10: fn by Dafny's semantics",
    );
}
