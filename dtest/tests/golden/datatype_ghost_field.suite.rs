// tests/dtest/box_.rs

use dunit::prelude::*;

use crate::subject::datatype_ghost_field::Box;

/// Values of the constructors at src/datatype_ghost_field.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Box")]
fn constructors() {
    let r#box = Box::Box { value: int(2) };
    expect!(r#box.is_box(), "src/datatype_ghost_field.dfy:1:16: Box");
    expect_eq!(*r#box.value(), int(2), "src/datatype_ghost_field.dfy:1:16: Box.value");
    expect_eq!(
        format!("{box:?}"),
        "2",
        "src/datatype_ghost_field.dfy:1:16: Box, printed",
    );
}

// tests/dtest/opened.rs

use dunit::prelude::*;

use crate::subject::datatype_ghost_field::{self, Box};

/// Reaches src/datatype_ghost_field.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Opened")]
fn runs() {
    let b = Box::Box { value: int(7) };

    let result = datatype_ghost_field::opened(&b);

    expect_eq!(
        result,
        int(7),
        "src/datatype_ghost_field.dfy:3:10: Opened by Dafny's semantics",
    );
}
