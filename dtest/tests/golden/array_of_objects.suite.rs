// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::array_of_objects::Cell;

/// An object of the class at src/array_of_objects.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/array_of_objects.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/array_of_objects.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/first.rs

use dunit::prelude::*;

use crate::subject::array_of_objects::{self, Cell};

/// Reaches src/array_of_objects.dfy:7:1: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): cell0, cell1, cell2.
#[dunit(unit = "First")]
fn runs() {
    let cell0 = Ref::new(Cell { value: Field::new(int(3)) });
    let cell1 = Ref::new(Cell { value: Field::new(int(2)) });
    let cell2 = Ref::new(Cell { value: Field::new(int(7)) });
    let a = Array::<Ref<Cell>>::of([cell0.clone(), cell1.clone(), cell2.clone()]);
    require!(!a.is_empty(), "src/array_of_objects.dfy:6:12: a.Length > 0");

    let before = Snapshot::take();
    let r = array_of_objects::first(&a);

    expect_eq!(r, int(3), "src/array_of_objects.dfy:5:8: First by Dafny's semantics");
    expect_eq!(
        a.to_seq(),
        seq![cell0.clone(), cell1.clone(), cell2.clone()],
        "src/array_of_objects.dfy:5:8: First by Dafny's semantics",
    );
    expect_frame!(
        before,
        [a, cell0, cell1, cell2],
        [],
        "src/array_of_objects.dfy:5:8: nothing is modified",
    );
}
