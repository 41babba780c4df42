// tests/dtest/figure.rs

use dunit::prelude::*;

use crate::subject::datatype_shared_field::Figure;

/// Values of the constructors at src/datatype_shared_field.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Figure")]
fn constructors() {
    let dot = Figure::Dot { x: int(2) };
    expect!(dot.is_dot() && !dot.is_bar(), "src/datatype_shared_field.dfy:1:19: Dot");
    expect_eq!(*dot.x(), int(2), "src/datatype_shared_field.dfy:1:19: Dot.x");
    expect_eq!(
        format!("{dot:?}"),
        "Figure.Dot(2)",
        "src/datatype_shared_field.dfy:1:19: Dot, printed",
    );

    let bar = Figure::Bar {
        x: int(2),
        length: int(3),
    };
    expect!(bar.is_bar() && !bar.is_dot(), "src/datatype_shared_field.dfy:1:33: Bar");
    expect_eq!(*bar.x(), int(2), "src/datatype_shared_field.dfy:1:33: Bar.x");
    expect_eq!(*bar.length(), int(3), "src/datatype_shared_field.dfy:1:33: Bar.length");
    expect_eq!(
        format!("{bar:?}"),
        "Figure.Bar(2, 3)",
        "src/datatype_shared_field.dfy:1:33: Bar, printed",
    );
}

// tests/dtest/shifted.rs

use dunit::prelude::*;

use crate::subject::datatype_shared_field::{self, Figure};

/// Reaches src/datatype_shared_field.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Shifted")]
fn runs() {
    let f = Figure::Dot { x: int(3) };

    let result = datatype_shared_field::shifted(&f);

    expect_eq!(
        result,
        int(4),
        "src/datatype_shared_field.dfy:3:10: Shifted by Dafny's semantics",
    );
}
