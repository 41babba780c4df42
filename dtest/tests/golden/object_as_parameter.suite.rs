// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::object_as_parameter;

/// Reaches src/object_as_parameter.dfy:1:53: the body is entered (block 1 of 1).
#[dunit(unit = "Same")]
fn runs() {
    let array0 = Array::<Int>::of([int(2), int(3), int(5)]);
    let a = upcast::<dyn Dynamic, _>(&array0);
    let array1 = Array::<Int>::of([int(7), int(13), int(11)]);
    let b = upcast::<dyn Dynamic, _>(&array1);

    let before = Snapshot::take();
    let r = object_as_parameter::same(&a, &b);

    expect_eq!(r, false, "src/object_as_parameter.dfy:1:8: Same by Dafny's semantics");
    expect_eq!(
        array0.to_seq(),
        seq![int(2), int(3), int(5)],
        "src/object_as_parameter.dfy:1:8: Same by Dafny's semantics",
    );
    expect_eq!(
        array1.to_seq(),
        seq![int(7), int(13), int(11)],
        "src/object_as_parameter.dfy:1:8: Same by Dafny's semantics",
    );
    expect_frame!(
        before,
        [array0, array1],
        [],
        "src/object_as_parameter.dfy:1:8: nothing is modified",
    );
}
