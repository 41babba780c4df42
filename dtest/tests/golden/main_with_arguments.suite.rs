// tests/dtest/main_.rs

use dunit::prelude::*;

use crate::subject::main_with_arguments;

/// Reaches src/main_with_arguments.dfy:1:32: the body is entered (block 1 of 1).
#[dunit(unit = "Main")]
fn runs() {
    let args = seq![str(" "), str("ac"), str("db")];

    main_with_arguments::main(&args);

    expect_prints!("3\n", "src/main_with_arguments.dfy:1:8: what Main prints");
}
