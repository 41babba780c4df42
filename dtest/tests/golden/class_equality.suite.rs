// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::class_equality::Cell;

/// An object of the class at src/class_equality.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/class_equality.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/class_equality.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::class_equality::{self, Cell};

/// Reaches src/class_equality.dfy:6:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): a, b.
#[dunit(unit = "Same")]
fn runs() {
    let a = Ref::new(Cell { value: Field::new(int(3)) });
    let b = Ref::new(Cell { value: Field::new(int(2)) });

    let result = class_equality::same(&a, &b);

    expect_eq!(result, false, "src/class_equality.dfy:5:11: Same by Dafny's semantics");
}
