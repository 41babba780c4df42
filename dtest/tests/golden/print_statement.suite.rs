// tests/dtest/greet.rs

use dunit::prelude::*;

use crate::subject::print_statement;

/// Reaches src/print_statement.dfy:1:28: the body is entered (block 1 of 1).
#[dunit(unit = "Greet")]
fn runs() {
    let name = str("0Z\n");

    print_statement::greet(&name);

    expect_prints!("Hello, 0Z\n!\n", "src/print_statement.dfy:1:8: what Greet prints");
}
