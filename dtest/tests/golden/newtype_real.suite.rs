// tests/dtest/fahrenheit.rs

use dunit::prelude::*;

use crate::subject::newtype_real;

/// Reaches src/newtype_real.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Fahrenheit")]
fn runs() {
    let c = real("3.5");

    let result = newtype_real::fahrenheit(&c);

    expect_eq!(
        result,
        real("38.3"),
        "src/newtype_real.dfy:3:10: Fahrenheit by Dafny's semantics",
    );
}
