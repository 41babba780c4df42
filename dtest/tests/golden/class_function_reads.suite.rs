// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::class_function_reads::Cell;

/// An object of the class at src/class_function_reads.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/class_function_reads.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/class_function_reads.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/cell_next.rs

use dunit::prelude::*;

use crate::subject::class_function_reads::Cell;

/// Reaches src/class_function_reads.dfy:7:5: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Cell.Next")]
fn runs() {
    let this = Ref::new(Cell { value: Field::new(int(3)) });

    let result = Cell::next(&this);

    expect_eq!(
        result,
        int(4),
        "src/class_function_reads.dfy:4:12: Next by Dafny's semantics",
    );
}
