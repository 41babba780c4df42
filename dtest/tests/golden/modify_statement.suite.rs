// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::modify_statement::Cell;

/// An object of the class at src/modify_statement.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/modify_statement.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/modify_statement.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/cell_scramble.rs

use dunit::prelude::*;

use crate::subject::modify_statement::Cell;

/// Reaches src/modify_statement.dfy:7:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Cell.Scramble")]
fn runs() {
    let this = Ref::new(Cell { value: Field::new(int(3)) });

    let before = Snapshot::take();
    Cell::scramble(&this);

    expect!(this.value.get() == 3, "src/modify_statement.dfy:6:13: value == 3");
    expect_frame!(
        before,
        [this],
        [this],
        "src/modify_statement.dfy:5:14: modifies this",
    );
}
