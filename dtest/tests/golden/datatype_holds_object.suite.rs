// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::datatype_holds_object::Cell;

/// An object of the class at src/datatype_holds_object.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/datatype_holds_object.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/datatype_holds_object.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/holder.rs

use dunit::prelude::*;

use crate::subject::datatype_holds_object::{Cell, Holder};

/// Values of the constructors at src/datatype_holds_object.dfy:5:10: discriminators, fields, printed form.
#[dunit(unit = "Holder")]
fn constructors() {
    let cell0 = Ref::new(Cell { value: Field::new(int(2)) });
    let holder = Holder::Holder {
        cell: cell0.clone(),
    };
    expect!(holder.is_holder(), "src/datatype_holds_object.dfy:5:19: Holder");
}

// tests/dtest/read.rs

use dunit::prelude::*;

use crate::subject::datatype_holds_object::{self, Cell, Holder};

/// Reaches src/datatype_holds_object.dfy:7:41: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): cell0.
#[dunit(unit = "Read")]
fn runs() {
    let cell0 = Ref::new(Cell { value: Field::new(int(3)) });
    let h = Holder::Holder {
        cell: cell0.clone(),
    };

    let before = Snapshot::take();
    let r = datatype_holds_object::read(&h);

    expect_eq!(
        r,
        int(3),
        "src/datatype_holds_object.dfy:7:8: Read by Dafny's semantics",
    );
    expect_frame!(
        before,
        [cell0],
        [],
        "src/datatype_holds_object.dfy:7:8: nothing is modified",
    );
}
