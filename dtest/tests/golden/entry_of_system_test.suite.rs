// tests/dtest/main_.rs

use dunit::prelude::*;

use crate::subject::entry_of_system_test;

/// Reaches src/entry_of_system_test.dfy:3:3: in `Double`, the body is entered (block 2 of 2); also block 1.
#[dunit(unit = "Main")]
fn double_runs() {
    entry_of_system_test::main();

    expect_prints!("8\n", "src/entry_of_system_test.dfy:6:8: what Main prints");
}
