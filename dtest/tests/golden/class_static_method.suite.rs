// tests/dtest/maths.rs

use dunit::prelude::*;

use crate::subject::class_static_method::Maths;

/// An object of the class at src/class_static_method.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Maths")]
fn object() {
    let maths = Ref::new(Maths {});

    expect_eq!(
        to_dafny_string(&maths),
        "_module.Maths",
        "src/class_static_method.dfy:1:7: Maths, printed",
    );
}

// tests/dtest/maths_square.rs

use dunit::prelude::*;

use crate::subject::class_static_method::Maths;

/// Reaches src/class_static_method.dfy:2:49: the body is entered (block 1 of 1).
#[dunit(unit = "Maths.Square")]
fn runs() {
    let n = int(3);

    let r = Maths::square(&n);

    expect_eq!(
        r,
        int(9),
        "src/class_static_method.dfy:2:17: Square by Dafny's semantics",
    );
}
