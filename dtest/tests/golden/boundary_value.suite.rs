// tests/dtest/adult.rs

use dunit::prelude::*;

use crate::subject::boundary_value;

/// Reaches src/boundary_value.dfy:3:3: `age` equals `18` (goal 1 of 3).
#[dunit(unit = "Adult")]
fn when_age_is_18() {
    let age = int(18);
    require!(0 <= age, "src/boundary_value.dfy:2:16: age is a nat");

    let result = boundary_value::adult(&age);

    expect_eq!(result, true, "src/boundary_value.dfy:2:10: Adult by Dafny's semantics");
}

/// Reaches src/boundary_value.dfy:3:3: `age` is one less than `18` (goal 2 of 3).
#[dunit(unit = "Adult")]
fn when_age_is_one_less_than_18() {
    let age = int(17);
    require!(0 <= age, "src/boundary_value.dfy:2:16: age is a nat");

    let result = boundary_value::adult(&age);

    expect_eq!(
        result,
        false,
        "src/boundary_value.dfy:2:10: Adult by Dafny's semantics",
    );
}

/// Reaches src/boundary_value.dfy:3:3: `age` is one more than `18` (goal 3 of 3).
#[dunit(unit = "Adult")]
fn when_age_is_one_more_than_18() {
    let age = int(19);
    require!(0 <= age, "src/boundary_value.dfy:2:16: age is a nat");

    let result = boundary_value::adult(&age);

    expect_eq!(result, true, "src/boundary_value.dfy:2:10: Adult by Dafny's semantics");
}
