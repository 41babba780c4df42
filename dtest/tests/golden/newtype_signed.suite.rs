// tests/dtest/quotient.rs

use dunit::prelude::*;

use crate::subject::newtype_signed;

/// Reaches src/newtype_signed.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Quotient")]
fn runs() {
    let a = -7i8;
    let b = -4i8;
    require!(b != 0, "src/newtype_signed.dfy:4:12: b != 0");

    let result = newtype_signed::quotient(a, b);

    expect_eq!(
        result,
        int(2),
        "src/newtype_signed.dfy:3:10: Quotient by Dafny's semantics",
    );
}
