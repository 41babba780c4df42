// tests/dtest/shift.rs

use dunit::prelude::*;

use crate::subject::bitvector_shift;

/// Reaches src/bitvector_shift.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Shift")]
fn runs() {
    let a = Bv::<32>::from(3_527_980_773_i64);
    let n = int(3);
    require!(0 <= n, "src/bitvector_shift.dfy:1:25: n is a nat");
    require!(n <= 32, "src/bitvector_shift.dfy:2:12: n <= 32");

    let result = bitvector_shift::shift(&a, &n);

    expect_eq!(
        result,
        Bv::<32>::from(2_588_784_636_i64),
        "src/bitvector_shift.dfy:1:10: Shift by Dafny's semantics",
    );
}
