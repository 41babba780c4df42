// tests/dtest/outer/inner/one.rs

use dunit::prelude::*;

use crate::subject::module_nested::outer::inner;

/// Reaches src/module_nested.dfy:4:7: the body is entered (block 1 of 1).
#[dunit(unit = "Outer.Inner.One")]
fn runs() {
    let result = inner::one();

    expect_eq!(result, int(1), "src/module_nested.dfy:3:14: One by Dafny's semantics");
}

// tests/dtest/outer/two.rs

use dunit::prelude::*;

use crate::subject::module_nested::outer;

/// Reaches src/module_nested.dfy:9:5: the body is entered (block 1 of 1).
#[dunit(unit = "Outer.Two")]
fn runs() {
    let result = outer::two();

    expect_eq!(result, int(2), "src/module_nested.dfy:8:12: Two by Dafny's semantics");
}
