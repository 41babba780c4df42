// tests/dtest/letter.rs

use dunit::prelude::*;

use crate::subject::char_comparison;

/// Reaches src/char_comparison.dfy:2:15: `'a' <= c` holds, so the next operand is evaluated (block 2 of 4); also block 1.
/// Path: 'a' <= c.
#[dunit(unit = "Letter")]
fn when_a_is_at_most_c() {
    let c = ch('a');

    let result = char_comparison::letter(c);

    expect_eq!(
        result,
        true,
        "src/char_comparison.dfy:1:11: Letter by Dafny's semantics",
    );
}

/// Reaches src/char_comparison.dfy:2:34: `'A' <= c` holds, so the next operand is evaluated (block 4 of 4); also blocks 1, 3.
/// Path: !('a' <= c <= 'z'), 'A' <= c.
#[dunit(unit = "Letter")]
fn when_a_is_at_most_c_2() {
    let c = ch('A');

    let result = char_comparison::letter(c);

    expect_eq!(
        result,
        true,
        "src/char_comparison.dfy:1:11: Letter by Dafny's semantics",
    );
}
