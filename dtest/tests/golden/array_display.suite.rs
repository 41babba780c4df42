// tests/dtest/primes.rs

use dunit::prelude::*;

use crate::subject::array_display;

/// Reaches src/array_display.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Primes")]
fn runs() {
    let a = array_display::primes();

    expect_eq!(
        a.to_seq(),
        seq![int(2), int(3), int(5)],
        "src/array_display.dfy:1:8: Primes by Dafny's semantics",
    );
    expect!(
        a.to_seq() == seq![int(2), int(3), int(5)],
        "src/array_display.dfy:2:11: a[..] == [2, 3, 5]",
    );
}
