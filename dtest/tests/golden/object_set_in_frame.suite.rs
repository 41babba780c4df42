// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::object_set_in_frame::Cell;

/// An object of the class at src/object_set_in_frame.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/object_set_in_frame.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/object_set_in_frame.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/clear.rs

use dunit::prelude::*;

use crate::subject::object_set_in_frame::{self, Cell};

/// Reaches src/object_set_in_frame.dfy:8:1: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): cell0, cell1, cell2.
#[dunit(unit = "Clear")]
fn runs() {
    let cell0 = Ref::new(Cell { value: Field::new(int(2)) });
    let cell1 = Ref::new(Cell { value: Field::new(int(3)) });
    let cell2 = Ref::new(Cell { value: Field::new(int(7)) });
    let cells = set![cell0.clone(), cell1.clone(), cell2.clone()];

    let before = Snapshot::take();
    object_set_in_frame::clear(&cells);

    expect_eq!(
        cell0.value.get(),
        int(0),
        "src/object_set_in_frame.dfy:5:8: Clear by Dafny's semantics",
    );
    expect_eq!(
        cell1.value.get(),
        int(0),
        "src/object_set_in_frame.dfy:5:8: Clear by Dafny's semantics",
    );
    expect_eq!(
        cell2.value.get(),
        int(0),
        "src/object_set_in_frame.dfy:5:8: Clear by Dafny's semantics",
    );
    expect!(
        cells.iter().all(|c| c.value.get() == 0),
        "src/object_set_in_frame.dfy:7:11: forall c | c in cells :: c.value == 0",
    );
    expect_frame!(
        before,
        [cell0, cell1, cell2],
        [cells],
        "src/object_set_in_frame.dfy:6:12: modifies cells",
    );
}
