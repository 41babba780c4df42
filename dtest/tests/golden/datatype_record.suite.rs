// tests/dtest/mirrored.rs

use dunit::prelude::*;

use crate::subject::datatype_record::{self, Point};

/// Reaches src/datatype_record.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Mirrored")]
fn runs() {
    let p = Point::Point {
        x: int(3),
        y: int(2),
    };

    let result = datatype_record::mirrored(&p);

    expect_eq!(
        result,
        Point::Point {
            x: int(2),
            y: int(3),
        },
        "src/datatype_record.dfy:3:10: Mirrored by Dafny's semantics",
    );
}

// tests/dtest/point.rs

use dunit::prelude::*;

use crate::subject::datatype_record::Point;

/// Values of the constructors at src/datatype_record.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Point")]
fn constructors() {
    let point = Point::Point {
        x: int(2),
        y: int(3),
    };
    expect!(point.is_point(), "src/datatype_record.dfy:1:18: Point");
    expect_eq!(*point.x(), int(2), "src/datatype_record.dfy:1:18: Point.x");
    expect_eq!(*point.y(), int(3), "src/datatype_record.dfy:1:18: Point.y");
    expect_eq!(
        format!("{point:?}"),
        "Point.Point(2, 3)",
        "src/datatype_record.dfy:1:18: Point, printed",
    );
}
