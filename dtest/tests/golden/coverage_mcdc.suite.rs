// tests/dtest/allowed.rs

use dunit::prelude::*;

use crate::subject::coverage_mcdc;

/// Reaches src/coverage_mcdc.dfy:3:6: `admin` holds and alone decides `admin || owner` (goal 1 of 4).
/// Path: admin || owner.
#[dunit(unit = "Allowed")]
fn when_admin_decides() {
    let admin = true;
    let owner = false;

    let result = coverage_mcdc::allowed(admin, owner);

    expect_eq!(
        result,
        int(1),
        "src/coverage_mcdc.dfy:2:10: Allowed by Dafny's semantics",
    );
}

/// Reaches src/coverage_mcdc.dfy:3:15: `owner` holds and alone decides `admin || owner` (goal 3 of 4).
/// Path: !admin, admin || owner.
#[dunit(unit = "Allowed")]
fn when_owner_decides() {
    let admin = false;
    let owner = true;

    let result = coverage_mcdc::allowed(admin, owner);

    expect_eq!(
        result,
        int(1),
        "src/coverage_mcdc.dfy:2:10: Allowed by Dafny's semantics",
    );
}

/// Reaches src/coverage_mcdc.dfy:3:15: `owner` does not hold and alone decides `admin || owner` (goal 4 of 4); also goal 2.
/// Path: !admin, !(admin || owner).
#[dunit(unit = "Allowed")]
fn unless_owner_decides() {
    let admin = false;
    let owner = false;

    let result = coverage_mcdc::allowed(admin, owner);

    expect_eq!(
        result,
        int(0),
        "src/coverage_mcdc.dfy:2:10: Allowed by Dafny's semantics",
    );
}
