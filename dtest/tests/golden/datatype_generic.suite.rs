// tests/dtest/option.rs

use dunit::prelude::*;

use crate::subject::datatype_generic::Option;

/// Values of the constructors at src/datatype_generic.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Option")]
fn constructors() {
    let none = Option::<Int>::None;
    expect!(none.is_none() && !none.is_some(), "src/datatype_generic.dfy:1:22: None");
    expect_eq!(
        format!("{none:?}"),
        "Option.None",
        "src/datatype_generic.dfy:1:22: None, printed",
    );

    let some = Option::Some { value: int(2) };
    expect!(some.is_some() && !some.is_none(), "src/datatype_generic.dfy:1:29: Some");
    expect_eq!(*some.value(), int(2), "src/datatype_generic.dfy:1:29: Some.value");
    expect_eq!(
        format!("{some:?}"),
        "Option.Some(2)",
        "src/datatype_generic.dfy:1:29: Some, printed",
    );
}

// tests/dtest/or_else.rs

use dunit::prelude::*;

use crate::subject::datatype_generic::{self, Option};

/// Reaches src/datatype_generic.dfy:4:19: `o.Some?` holds (block 2 of 3); also block 1.
/// Path: o.Some?.
#[dunit(unit = "OrElse")]
fn when_o_some() {
    let o = Option::Some { value: int(3) };
    let default = int(2);

    let result = datatype_generic::or_else(&o, &default);

    expect_eq!(
        result,
        int(3),
        "src/datatype_generic.dfy:3:10: OrElse by Dafny's semantics",
    );
}

/// Reaches src/datatype_generic.dfy:4:32: `o.Some?` does not hold (block 3 of 3); also block 1.
/// Path: !o.Some?.
#[dunit(unit = "OrElse")]
fn unless_o_some() {
    let o = Option::<Int>::None;
    let default = int(3);

    let result = datatype_generic::or_else(&o, &default);

    expect_eq!(
        result,
        int(3),
        "src/datatype_generic.dfy:3:10: OrElse by Dafny's semantics",
    );
}
