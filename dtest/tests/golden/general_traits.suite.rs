// tests/dtest/square.rs

use dunit::prelude::*;

use crate::subject::general_traits::Square;

/// Values of the constructors at src/general_traits.dfy:6:10: discriminators, fields, printed form.
#[dunit(unit = "Square")]
fn constructors() {
    let square = Square::Square { side: int(2) };
    expect!(square.is_square(), "src/general_traits.dfy:6:33: Square");
    expect_eq!(*square.side(), int(2), "src/general_traits.dfy:6:33: Square.side");
    expect_eq!(
        format!("{square:?}"),
        "Square.Square(2)",
        "src/general_traits.dfy:6:33: Square, printed",
    );
}

// tests/dtest/square_area.rs

use dunit::prelude::*;

use crate::subject::general_traits::{Shape, Square};

/// Reaches src/general_traits.dfy:8:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Shape`.
#[dunit(unit = "Square.Area")]
fn runs() {
    let this = Square::Square { side: int(3) };

    let result = Shape::area(&this);

    expect_eq!(
        result,
        int(9),
        "src/general_traits.dfy:7:12: Area by Dafny's semantics",
    );
}
