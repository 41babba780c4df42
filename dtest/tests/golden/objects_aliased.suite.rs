// tests/dtest/cell.rs

use dunit::prelude::*;

use crate::subject::objects_aliased::Cell;

/// An object of the class at src/objects_aliased.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cell")]
fn object() {
    let cell = Ref::new(Cell { value: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&cell),
        "_module.Cell",
        "src/objects_aliased.dfy:1:7: Cell, printed",
    );
    expect_eq!(
        field_names(&cell),
        ["value"],
        "src/objects_aliased.dfy:1:7: Cell, fields that can be assigned",
    );
}

// tests/dtest/move_.rs

use dunit::prelude::*;

use crate::subject::objects_aliased::{self, Cell};

/// Reaches src/objects_aliased.dfy:11:17: `from == to` holds (block 2 of 3); also block 1.
/// Path: from == to.
/// Created field by field (no calls were found that create it): from.
#[dunit(unit = "Move")]
fn when_from_is_to() {
    let from = Ref::new(Cell { value: Field::new(int(3)) });
    let to = from.clone();
    require!(from.value.get() > 0, "src/objects_aliased.dfy:6:12: from.value > 0");

    let before = Snapshot::take();
    objects_aliased::r#move(&from, &to);

    expect_eq!(
        from.value.get(),
        int(3),
        "src/objects_aliased.dfy:5:8: Move by Dafny's semantics",
    );
    expect_frame!(
        before,
        [from],
        [from, to],
        "src/objects_aliased.dfy:7:12: modifies from, to",
    );
    expect_prints!("same\n", "src/objects_aliased.dfy:5:8: what Move prints");
}

/// Reaches src/objects_aliased.dfy:13:4: `from == to` does not hold (block 3 of 3); also block 1.
/// Path: from != to.
/// Created field by field (no calls were found that create it): from, to.
#[dunit(unit = "Move")]
fn when_from_is_not_to() {
    let from = Ref::new(Cell { value: Field::new(int(5)) });
    let to = Ref::new(Cell { value: Field::new(int(2)) });
    require!(from.value.get() > 0, "src/objects_aliased.dfy:6:12: from.value > 0");

    let before = Snapshot::take();
    objects_aliased::r#move(&from, &to);

    expect_eq!(
        from.value.get(),
        int(4),
        "src/objects_aliased.dfy:5:8: Move by Dafny's semantics",
    );
    expect_eq!(
        to.value.get(),
        int(3),
        "src/objects_aliased.dfy:5:8: Move by Dafny's semantics",
    );
    expect_frame!(
        before,
        [from, to],
        [from, to],
        "src/objects_aliased.dfy:7:12: modifies from, to",
    );
    expect_prints!("", "src/objects_aliased.dfy:5:8: what Move prints");
}
