// tests/dtest/is_zero.rs

use dunit::prelude::*;

use crate::subject::match_int_literal;

/// Reaches src/match_int_literal.dfy:3:13: case `0` (block 2 of 3); also block 1.
/// Path: 0.
#[dunit(unit = "IsZero")]
fn in_case_0() {
    let n = int(0);

    let result = match_int_literal::is_zero(&n);

    expect_eq!(
        result,
        true,
        "src/match_int_literal.dfy:1:10: IsZero by Dafny's semantics",
    );
}

/// Reaches src/match_int_literal.dfy:4:13: case `_` (block 3 of 3); also block 1.
/// Path: !0.
#[dunit(unit = "IsZero")]
fn otherwise() {
    let n = int(3);

    let result = match_int_literal::is_zero(&n);

    expect_eq!(
        result,
        false,
        "src/match_int_literal.dfy:1:10: IsZero by Dafny's semantics",
    );
}
