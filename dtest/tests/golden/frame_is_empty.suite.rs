// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::frame_is_empty::Cell;

/// An object of the class at src/frame_is_empty.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/frame_is_empty.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/frame_is_empty.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/look.rs

use dunit::prelude::*;

use crate::subject::frame_is_empty::{self, Cell};

/// Reaches src/frame_is_empty.dfy:5:39: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): c.
#[dunit(unit = "Look")]
fn runs() {
    let c = Ref::new(Cell { value: Field::new(int(3)) });

    let before = Snapshot::take();
    let r = frame_is_empty::look(&c);

    expect_eq!(r, int(3), "src/frame_is_empty.dfy:5:8: Look by Dafny's semantics");
    expect_frame!(before, [c], [], "src/frame_is_empty.dfy:5:8: nothing is modified");
}
