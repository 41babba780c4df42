// tests/dtest/round.rs

use dunit::prelude::*;

use crate::subject::datatype_discriminator::{self, Shape};

/// Reaches src/datatype_discriminator.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Round")]
fn runs() {
    let s = Shape::Circle { radius: int(3) };

    let result = datatype_discriminator::round(&s);

    expect_eq!(
        result,
        true,
        "src/datatype_discriminator.dfy:3:11: Round by Dafny's semantics",
    );
}

// tests/dtest/shape.rs

use dunit::prelude::*;

use crate::subject::datatype_discriminator::Shape;

/// Values of the constructors at src/datatype_discriminator.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Shape")]
fn constructors() {
    let circle = Shape::Circle { radius: int(2) };
    expect!(
        circle.is_circle() && !circle.is_square(),
        "src/datatype_discriminator.dfy:1:18: Circle",
    );
    expect_eq!(
        *circle.radius(),
        int(2),
        "src/datatype_discriminator.dfy:1:18: Circle.radius",
    );
    expect_eq!(
        format!("{circle:?}"),
        "Shape.Circle(2)",
        "src/datatype_discriminator.dfy:1:18: Circle, printed",
    );

    let square = Shape::Square { side: int(2) };
    expect!(
        square.is_square() && !square.is_circle(),
        "src/datatype_discriminator.dfy:1:40: Square",
    );
    expect_eq!(
        *square.side(),
        int(2),
        "src/datatype_discriminator.dfy:1:40: Square.side",
    );
    expect_eq!(
        format!("{square:?}"),
        "Shape.Square(2)",
        "src/datatype_discriminator.dfy:1:40: Square, printed",
    );
}
