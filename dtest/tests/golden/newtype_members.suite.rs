// tests/dtest/day_is_weekend.rs

use dunit::prelude::*;

use crate::subject::newtype_members;

/// Reaches src/newtype_members.dfy:3:18: `this == 5` does not hold, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: this != 5.
#[dunit(unit = "Day.IsWeekend")]
fn when_this_is_not_5() {
    let this = 4u8;
    require!(
        0 <= this.to_int() && this.to_int() < 7,
        "src/newtype_members.dfy:1:9: this is a Day",
    );

    let result = newtype_members::day_is_weekend(this);

    expect_eq!(
        result,
        false,
        "src/newtype_members.dfy:2:13: IsWeekend by Dafny's semantics",
    );
}
