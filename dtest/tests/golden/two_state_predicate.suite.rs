// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::two_state_predicate::Cell;

/// An object of the class at src/two_state_predicate.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/two_state_predicate.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/two_state_predicate.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/cell_grow.rs

use dunit::prelude::*;

use crate::subject::two_state_predicate::Cell;

/// Reaches src/two_state_predicate.dfy:8:47: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Cell.Grow")]
fn runs() {
    let this = Ref::new(Cell { value: Field::new(int(3)) });

    let before = Snapshot::take();
    Cell::grow(&this);

    expect_eq!(
        this.value.get(),
        int(4),
        "src/two_state_predicate.dfy:8:10: Grow by Dafny's semantics",
    );
    expect!(
        before.old(|| this.value.get()) < this.value.get(),
        "src/two_state_predicate.dfy:8:39: Grown()",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/two_state_predicate.dfy:8:26: modifies this",
    );
}
