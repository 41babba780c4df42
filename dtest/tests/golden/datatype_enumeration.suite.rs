// tests/dtest/color.rs

use dunit::prelude::*;

use crate::subject::datatype_enumeration::Color;

/// Values of the constructors at src/datatype_enumeration.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Color")]
fn constructors() {
    let red = Color::Red;
    expect!(red.is_red() && !red.is_green(), "src/datatype_enumeration.dfy:1:18: Red");
    expect_eq!(
        format!("{red:?}"),
        "Color.Red",
        "src/datatype_enumeration.dfy:1:18: Red, printed",
    );

    let green = Color::Green;
    expect!(
        green.is_green() && !green.is_blue(),
        "src/datatype_enumeration.dfy:1:24: Green",
    );
    expect_eq!(
        format!("{green:?}"),
        "Color.Green",
        "src/datatype_enumeration.dfy:1:24: Green, printed",
    );

    let blue = Color::Blue;
    expect!(
        blue.is_blue() && !blue.is_red(),
        "src/datatype_enumeration.dfy:1:32: Blue",
    );
    expect_eq!(
        format!("{blue:?}"),
        "Color.Blue",
        "src/datatype_enumeration.dfy:1:32: Blue, printed",
    );
}

// tests/dtest/next.rs

use dunit::prelude::*;

use crate::subject::datatype_enumeration::{self, Color};

/// Reaches src/datatype_enumeration.dfy:5:15: case `Red` (block 2 of 4); also block 1.
/// Path: Red.
#[dunit(unit = "Next")]
fn in_case_red() {
    let c = Color::Red;

    let result = datatype_enumeration::next(&c);

    expect_eq!(
        result,
        Color::Green,
        "src/datatype_enumeration.dfy:3:10: Next by Dafny's semantics",
    );
}

/// Reaches src/datatype_enumeration.dfy:6:17: case `Green` (block 3 of 4); also block 1.
/// Path: !Red, Green.
#[dunit(unit = "Next")]
fn in_case_green() {
    let c = Color::Green;

    let result = datatype_enumeration::next(&c);

    expect_eq!(
        result,
        Color::Blue,
        "src/datatype_enumeration.dfy:3:10: Next by Dafny's semantics",
    );
}

/// Reaches src/datatype_enumeration.dfy:7:16: case `Blue` (block 4 of 4); also block 1.
/// Path: !Red, !Green.
#[dunit(unit = "Next")]
fn in_case_blue() {
    let c = Color::Blue;

    let result = datatype_enumeration::next(&c);

    expect_eq!(
        result,
        Color::Red,
        "src/datatype_enumeration.dfy:3:10: Next by Dafny's semantics",
    );
}
