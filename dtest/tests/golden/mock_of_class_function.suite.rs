// tests/dtest/dice.rs

use dunit::prelude::*;

use crate::subject::mock_of_class_function::Dice;

/// An object of the class at src/mock_of_class_function.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Dice")]
fn object() {
    let dice = Ref::new(Dice {});

    expect_eq!(
        to_dafny_string(&dice),
        "_module.Dice",
        "src/mock_of_class_function.dfy:1:7: Dice, printed",
    );
}

// tests/dtest/wins.rs

use dunit::prelude::*;

use crate::subject::mock_of_class_function::{self, Dice};

/// Reaches src/mock_of_class_function.dfy:6:42: the body is entered (block 1 of 1).
/// No Rust is linked to `Dice.Roll`, which has no postcondition: a stub returns any value. A postcondition limits it to results that can occur.
/// Created field by field (no calls were found that create it): d.
#[dunit(unit = "Wins")]
fn runs() {
    let d = Ref::new(Dice {});
    stub!("Dice.Roll", [d.clone(), int(1)] => int(3));
    stub!("Dice.Roll", [d.clone(), int(0)] => int(3));

    let before = Snapshot::take();
    let won = mock_of_class_function::wins(&d);

    expect_eq!(
        won,
        false,
        "src/mock_of_class_function.dfy:6:8: Wins by Dafny's semantics",
    );
    expect_frame!(
        before,
        [d],
        [],
        "src/mock_of_class_function.dfy:6:8: nothing is modified",
    );
}
