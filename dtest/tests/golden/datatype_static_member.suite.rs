// tests/dtest/unit.rs

use dunit::prelude::*;

use crate::subject::datatype_static_member::Unit;

/// Values of the constructors at src/datatype_static_member.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Unit")]
fn constructors() {
    let unit = Unit::Unit { n: int(2) };
    expect!(unit.is_unit(), "src/datatype_static_member.dfy:1:17: Unit");
    expect_eq!(*unit.n(), int(2), "src/datatype_static_member.dfy:1:17: Unit.n");
    expect_eq!(
        format!("{unit:?}"),
        "2",
        "src/datatype_static_member.dfy:1:17: Unit, printed",
    );
}

// tests/dtest/unit_zero.rs

use dunit::prelude::*;

use crate::subject::datatype_static_member::Unit;

/// Reaches src/datatype_static_member.dfy:3:5: the body is entered (block 1 of 1).
#[dunit(unit = "Unit.Zero")]
fn runs() {
    let result = Unit::zero();

    expect_eq!(
        result,
        Unit::Unit { n: int(0) },
        "src/datatype_static_member.dfy:2:19: Zero by Dafny's semantics",
    );
}
