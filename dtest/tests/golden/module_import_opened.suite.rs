// tests/dtest/client/length.rs

use dunit::prelude::*;

use crate::subject::module_import_opened::client;
use crate::subject::module_import_opened::shapes::Shape;

/// Reaches src/module_import_opened.dfy:9:21: `s.Line?` holds (block 2 of 3); also block 1.
/// Path: s.Line?.
#[dunit(unit = "Client.Length")]
fn when_s_line() {
    let s = Shape::Line { length: int(3) };

    let result = client::length(&s);

    expect_eq!(
        result,
        int(3),
        "src/module_import_opened.dfy:8:12: Length by Dafny's semantics",
    );
}

/// Reaches src/module_import_opened.dfy:9:35: `s.Line?` does not hold (block 3 of 3); also block 1.
/// Path: !s.Line?.
#[dunit(unit = "Client.Length")]
fn unless_s_line() {
    let s = Shape::Dot;

    let result = client::length(&s);

    expect_eq!(
        result,
        int(0),
        "src/module_import_opened.dfy:8:12: Length by Dafny's semantics",
    );
}

// tests/dtest/shapes/shape.rs

use dunit::prelude::*;

use crate::subject::module_import_opened::shapes::Shape;

/// Values of the constructors at src/module_import_opened.dfy:2:12: discriminators, fields, printed form.
#[dunit(unit = "Shapes.Shape")]
fn constructors() {
    let dot = Shape::Dot;
    expect!(dot.is_dot() && !dot.is_line(), "src/module_import_opened.dfy:2:20: Dot");
    expect_eq!(
        format!("{dot:?}"),
        "Shapes.Shape.Dot",
        "src/module_import_opened.dfy:2:20: Dot, printed",
    );

    let line = Shape::Line { length: int(2) };
    expect!(
        line.is_line() && !line.is_dot(),
        "src/module_import_opened.dfy:2:26: Line",
    );
    expect_eq!(
        *line.length(),
        int(2),
        "src/module_import_opened.dfy:2:26: Line.length",
    );
    expect_eq!(
        format!("{line:?}"),
        "Shapes.Shape.Line(2)",
        "src/module_import_opened.dfy:2:26: Line, printed",
    );
}
