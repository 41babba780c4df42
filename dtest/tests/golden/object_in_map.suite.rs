// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::object_in_map::Cell;

/// An object of the class at src/object_in_map.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/object_in_map.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/object_in_map.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/lookup.rs

use dunit::prelude::*;

use crate::subject::object_in_map::{self, Cell};

/// Reaches src/object_in_map.dfy:7:1: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): cell0, cell1, cell2.
#[dunit(unit = "Lookup")]
fn runs() {
    let cell0 = Ref::new(Cell { value: Field::new(int(7)) });
    let cell1 = Ref::new(Cell { value: Field::new(int(2)) });
    let cell2 = Ref::new(Cell { value: Field::new(int(3)) });
    let m = map![
        int(1) => cell0.clone(),
        int(2) => cell1.clone(),
        int(3) => cell2.clone(),
    ];
    require!(m.contains(&int(1)), "src/object_in_map.dfy:6:12: 1 in m");

    let before = Snapshot::take();
    let r = object_in_map::lookup(&m);

    expect_eq!(r, int(7), "src/object_in_map.dfy:5:8: Lookup by Dafny's semantics");
    expect_frame!(
        before,
        [cell2, cell1, cell0],
        [],
        "src/object_in_map.dfy:5:8: nothing is modified",
    );
}
