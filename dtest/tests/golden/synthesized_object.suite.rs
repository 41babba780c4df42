// tests/dtest/sensor.rs

use dunit::prelude::*;

use crate::subject::synthesized_object::Sensor;

/// An object of the class at src/synthesized_object.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Sensor")]
fn object() {
    let sensor = Ref::new(Sensor { id: int(2) });

    expect_eq!(
        to_dafny_string(&sensor),
        "_module.Sensor",
        "src/synthesized_object.dfy:1:7: Sensor, printed",
    );
    expect_eq!(
        constant_names(&sensor),
        ["id"],
        "src/synthesized_object.dfy:1:7: Sensor, constants",
    );
}

// tests/dtest/use_.rs

use dunit::prelude::*;

use crate::subject::synthesized_object;

/// Reaches src/synthesized_object.dfy:12:37: the body is entered (block 1 of 1).
#[dunit(unit = "Use")]
fn runs() {
    let n = int(3);

    let r = synthesized_object::r#use(&n);

    expect_eq!(r, int(3), "src/synthesized_object.dfy:12:8: Use by Dafny's semantics");
}
