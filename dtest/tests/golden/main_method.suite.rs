// tests/dtest/main_.rs

use dunit::prelude::*;

use crate::subject::main_method;

/// Reaches src/main_method.dfy:1:15: the body is entered (block 1 of 1).
#[dunit(unit = "Main")]
fn runs() {
    main_method::main();

    expect_prints!("started\n", "src/main_method.dfy:1:8: what Main prints");
}
