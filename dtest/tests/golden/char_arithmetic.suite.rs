// tests/dtest/next.rs

use dunit::prelude::*;

use crate::subject::char_arithmetic;

/// Reaches src/char_arithmetic.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Next")]
fn runs() {
    let c = ch('a');
    require!(
        ch('a') <= c && c < ch('z'),
        "src/char_arithmetic.dfy:2:12: 'a' <= c < 'z'",
    );

    let result = char_arithmetic::next(c);

    expect_eq!(
        result,
        ch('b'),
        "src/char_arithmetic.dfy:1:10: Next by Dafny's semantics",
    );
}
