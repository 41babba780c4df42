// tests/dtest/positive.rs

use dunit::prelude::*;

use crate::subject::extern_stub;

/// Reaches src/extern_stub.dfy:4:37: the body is entered (block 1 of 1).
/// No Rust is linked to `Read`: a stub returns results according to its contract.
#[dunit(unit = "Positive")]
fn runs() {
    stub_once!("Read", [] => int(3));

    let r = extern_stub::positive();

    expect_eq!(r, true, "src/extern_stub.dfy:4:8: Positive by Dafny's semantics");
    expect_calls!("src/extern_stub.dfy:4:8: the calls that Positive makes");
}
