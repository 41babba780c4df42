// tests/dtest/fail.rs

use dunit::prelude::*;

use crate::subject::halt_always;

/// Reaches src/halt_always.dfy:1:24: the body is entered (block 1 of 1).
#[dunit(unit = "Fail")]
fn runs() {
    let code = int(3);

    let halt = halted(|| halt_always::fail(&code));

    expect_eq!(
        halt.map(|h| h.location),
        Some(String::from("src/halt_always.dfy(2,2)")),
        "the `expect` that fails",
    );
}
