// tests/dtest/shape_doubled.rs

use dunit::prelude::*;

use crate::subject::trait_default_body::{Shape, Square};

/// Reaches src/trait_default_body.dfy:5:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Shape`.
#[dunit(unit = "Shape.Doubled")]
fn runs() {
    let square0 = Square::new(&int(3));
    let this = upcast::<dyn Shape, _>(&square0);

    let result = Shape::doubled(&*this);

    expect_eq!(
        result,
        int(18),
        "src/trait_default_body.dfy:4:12: Doubled by Dafny's semantics",
    );
}

// tests/dtest/square.rs

use dunit::prelude::*;

use crate::subject::trait_default_body::Square;

/// An object of the class at src/trait_default_body.dfy:9:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Square")]
fn object() {
    let square = Ref::new(Square { side: int(2) });

    expect_eq!(
        to_dafny_string(&square),
        "_module.Square",
        "src/trait_default_body.dfy:9:7: Square, printed",
    );
    expect_eq!(
        constant_names(&square),
        ["side"],
        "src/trait_default_body.dfy:9:7: Square, constants",
    );
}

// tests/dtest/square_area.rs

use dunit::prelude::*;

use crate::subject::trait_default_body::{Shape, Square};

/// Reaches src/trait_default_body.dfy:19:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Shape`.
#[dunit(unit = "Square.Area")]
fn runs() {
    let this = Square::new(&int(3));

    let result = Shape::area(&this);

    expect_eq!(
        result,
        int(9),
        "src/trait_default_body.dfy:18:12: Area by Dafny's semantics",
    );
}

// tests/dtest/square_new.rs

use dunit::prelude::*;

use crate::subject::trait_default_body::Square;

/// Reaches src/trait_default_body.dfy:14:3: the body is entered (block 1 of 1).
#[dunit(unit = "Square._ctor")]
fn runs() {
    let side = int(3);

    let this = Square::new(&side);

    expect_eq!(
        this.side,
        int(3),
        "src/trait_default_body.dfy:12:3: _ctor by Dafny's semantics",
    );
    expect!(this.side == side, "src/trait_default_body.dfy:13:13: this.side == side");
}
