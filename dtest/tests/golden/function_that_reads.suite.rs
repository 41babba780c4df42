// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::function_that_reads::Cell;

/// An object of the class at src/function_that_reads.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/function_that_reads.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/function_that_reads.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/reader.rs

use dunit::prelude::*;

use crate::subject::function_that_reads::{self, Cell};

/// Reaches src/function_that_reads.dfy:7:1: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): c.
#[dunit(unit = "Reader")]
fn runs() {
    let c = Ref::new(Cell { value: Field::new(int(3)) });

    let before = Snapshot::take();
    let r = function_that_reads::reader(&c);

    expect_eq!(
        r,
        int(3),
        "src/function_that_reads.dfy:5:8: Reader by Dafny's semantics",
    );
    expect!(r == c.value.get(), "src/function_that_reads.dfy:6:11: r == c.value");
    expect_frame!(
        before,
        [c],
        [],
        "src/function_that_reads.dfy:5:8: nothing is modified",
    );
}
