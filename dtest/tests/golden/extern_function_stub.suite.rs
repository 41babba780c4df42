// tests/dtest/price.rs

use dunit::prelude::*;

use crate::subject::extern_function_stub;

/// Reaches src/extern_function_stub.dfy:6:1: the body is entered (block 1 of 1).
/// No Rust is linked to `Rate`: a stub returns results according to its contract.
#[dunit(unit = "Price")]
fn runs() {
    let day = int(3);
    stub!("Rate", [int(3)] => int(1000));
    require!(0 <= day, "src/extern_function_stub.dfy:4:14: day is a nat");

    let r = extern_function_stub::price(&day);

    expect_eq!(
        r,
        int(2000),
        "src/extern_function_stub.dfy:4:8: Price by Dafny's semantics",
    );
    expect!(r > 0, "src/extern_function_stub.dfy:5:11: r > 0");
}
