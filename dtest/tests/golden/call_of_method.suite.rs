// tests/dtest/inner.rs

use dunit::prelude::*;

use crate::subject::call_of_method;

/// Reaches src/call_of_method.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Inner")]
fn runs() {
    let n = int(3);

    let r = call_of_method::inner(&n);

    expect_eq!(r, int(4), "src/call_of_method.dfy:1:8: Inner by Dafny's semantics");
    expect!(r == &n + 1, "src/call_of_method.dfy:2:11: r == n + 1");
}

// tests/dtest/outer.rs

use dunit::prelude::*;

use crate::subject::call_of_method;

/// Reaches src/call_of_method.dfy:9:1: the body is entered (block 1 of 1).
#[dunit(unit = "Outer")]
fn runs() {
    let n = int(3);

    let r = call_of_method::outer(&n);

    expect_eq!(r, int(5), "src/call_of_method.dfy:7:8: Outer by Dafny's semantics");
    expect!(r == &n + 2, "src/call_of_method.dfy:8:11: r == n + 2");
}
