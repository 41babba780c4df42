// tests/dtest/fresh.rs

use dunit::prelude::*;

use crate::subject::type_parameter_default;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/type_parameter_default.dfy:1:37: the body is entered (block 1 of 1).
#[dunit(unit = "Fresh")]
fn runs() {
    let _t = type_parameter_default::fresh::<Int>(&int(0));
}

// tests/dtest/number.rs

use dunit::prelude::*;

use crate::subject::type_parameter_default;

/// Reaches src/type_parameter_default.dfy:5:34: the body is entered (block 1 of 1).
#[dunit(unit = "Number")]
fn runs() {
    let n = type_parameter_default::number();

    expect!(0 <= n, "src/type_parameter_default.dfy:5:26: n is a nat");
}
