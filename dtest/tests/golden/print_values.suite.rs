// tests/dtest/show.rs

use dunit::prelude::*;

use crate::subject::print_values;

/// Reaches src/print_values.dfy:1:15: the body is entered (block 1 of 1).
#[dunit(unit = "Show")]
fn runs() {
    print_values::show();

    expect_prints!(
        "1 2.5 true 'c' [1, 2] {3} map[1 := ['x']]\n",
        "src/print_values.dfy:1:8: what Show prints",
    );
}
