// tests/dtest/day.rs

use dunit::prelude::*;

use crate::subject::match_disjunctive_pattern::Day;

/// Values of the constructors at src/match_disjunctive_pattern.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Day")]
fn constructors() {
    let mon = Day::Mon;
    expect!(
        mon.is_mon() && !mon.is_tue(),
        "src/match_disjunctive_pattern.dfy:1:16: Mon",
    );
    expect_eq!(
        format!("{mon:?}"),
        "Day.Mon",
        "src/match_disjunctive_pattern.dfy:1:16: Mon, printed",
    );

    let tue = Day::Tue;
    expect!(
        tue.is_tue() && !tue.is_sat(),
        "src/match_disjunctive_pattern.dfy:1:22: Tue",
    );
    expect_eq!(
        format!("{tue:?}"),
        "Day.Tue",
        "src/match_disjunctive_pattern.dfy:1:22: Tue, printed",
    );

    let sat = Day::Sat;
    expect!(
        sat.is_sat() && !sat.is_sun(),
        "src/match_disjunctive_pattern.dfy:1:28: Sat",
    );
    expect_eq!(
        format!("{sat:?}"),
        "Day.Sat",
        "src/match_disjunctive_pattern.dfy:1:28: Sat, printed",
    );

    let sun = Day::Sun;
    expect!(
        sun.is_sun() && !sun.is_mon(),
        "src/match_disjunctive_pattern.dfy:1:34: Sun",
    );
    expect_eq!(
        format!("{sun:?}"),
        "Day.Sun",
        "src/match_disjunctive_pattern.dfy:1:34: Sun, printed",
    );
}

// tests/dtest/free.rs

use dunit::prelude::*;

use crate::subject::match_disjunctive_pattern::{self, Day};

/// Reaches src/match_disjunctive_pattern.dfy:5:21: case `Sat | Sun` (block 2 of 3); also block 1.
/// Path: Sat | Sun.
#[dunit(unit = "Free")]
fn in_case_sat_or_sun() {
    let d = Day::Sat;

    let result = match_disjunctive_pattern::free(&d);

    expect_eq!(
        result,
        true,
        "src/match_disjunctive_pattern.dfy:3:11: Free by Dafny's semantics",
    );
}

/// Reaches src/match_disjunctive_pattern.dfy:6:21: case `Mon | Tue` (block 3 of 3); also block 1.
/// Path: !(Sat | Sun).
#[dunit(unit = "Free")]
fn in_case_mon_or_tue() {
    let d = Day::Mon;

    let result = match_disjunctive_pattern::free(&d);

    expect_eq!(
        result,
        false,
        "src/match_disjunctive_pattern.dfy:3:11: Free by Dafny's semantics",
    );
}
