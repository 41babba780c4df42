// tests/dtest/find.rs

use dunit::prelude::*;

use crate::subject::if_binding_guard;

/// Reaches src/if_binding_guard.dfy:2:28: `x in s && x > 10` holds (block 2 of 3); also block 1.
/// Path: x in s && x > 10.
#[dunit(unit = "Find")]
fn when_x_is_in_s_and_x_is_greater_than_10() {
    let s = set![int(2), int(3), int(11)];

    let r = if_binding_guard::find(&s);

    expect_eq!(r, int(1), "src/if_binding_guard.dfy:1:8: Find by Dafny's semantics");
}

/// Reaches src/if_binding_guard.dfy:4:10: `x in s && x > 10` does not hold (block 3 of 3); also block 1.
/// Path: !(x in s && x > 10).
#[dunit(unit = "Find")]
fn unless_x_is_in_s_and_x_is_greater_than_10() {
    let s = set![int(2), int(5), int(10)];

    let r = if_binding_guard::find(&s);

    expect_eq!(r, int(0), "src/if_binding_guard.dfy:1:8: Find by Dafny's semantics");
}
