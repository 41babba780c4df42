// tests/dtest/origin.rs

use dunit::prelude::*;

use crate::subject::class_without_constructor;

/// Reaches src/class_without_constructor.dfy:8:1: the body is entered (block 1 of 1).
#[dunit(unit = "Origin")]
fn runs() {
    let before = Snapshot::take();
    let p = class_without_constructor::origin();

    expect_eq!(
        p.x.get(),
        int(0),
        "src/class_without_constructor.dfy:6:8: Origin by Dafny's semantics",
    );
    expect_eq!(
        p.y.get(),
        int(0),
        "src/class_without_constructor.dfy:6:8: Origin by Dafny's semantics",
    );
    expect!(
        before.is_fresh(p.identity()),
        "src/class_without_constructor.dfy:7:11: fresh(p)",
    );
}

// tests/dtest/point.rs

use dunit::prelude::*;

use crate::subject::class_without_constructor::Point;

/// An object of the class at src/class_without_constructor.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Point")]
fn object() {
    let point = Ref::new(Point {
        x: Field::new(int(2)),
        y: Field::new(int(3)),
    });

    expect_eq!(
        to_dafny_string(&point),
        "_module.Point",
        "src/class_without_constructor.dfy:1:7: Point, printed",
    );
    expect_eq!(
        field_names(&point),
        ["x", "y"],
        "src/class_without_constructor.dfy:1:7: Point, fields that can be assigned",
    );
}
