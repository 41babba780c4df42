// tests/dtest/bit.rs

use dunit::prelude::*;

use crate::subject::quantifier_over_datatype::Bit;

/// Values of the constructors at src/quantifier_over_datatype.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Bit")]
fn constructors() {
    let zero = Bit::Zero;
    expect!(
        zero.is_zero() && !zero.is_one(),
        "src/quantifier_over_datatype.dfy:1:16: Zero",
    );
    expect_eq!(
        format!("{zero:?}"),
        "Bit.Zero",
        "src/quantifier_over_datatype.dfy:1:16: Zero, printed",
    );

    let one = Bit::One;
    expect!(
        one.is_one() && !one.is_zero(),
        "src/quantifier_over_datatype.dfy:1:23: One",
    );
    expect_eq!(
        format!("{one:?}"),
        "Bit.One",
        "src/quantifier_over_datatype.dfy:1:23: One, printed",
    );
}

// tests/dtest/injective.rs

use dunit::prelude::*;

use crate::subject::quantifier_over_datatype::{self, Bit};

/// Reaches src/quantifier_over_datatype.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Injective")]
fn runs() {
    let f = Fun1::table([(Bit::One, int(5))], int(0));

    let result = quantifier_over_datatype::injective(&f);

    expect_eq!(
        result,
        true,
        "src/quantifier_over_datatype.dfy:3:11: Injective by Dafny's semantics",
    );
}
