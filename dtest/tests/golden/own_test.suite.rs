// tests/dtest/spec.rs

//! Specification functions and tests of the program, which only this suite calls.

pub mod own_test {
    use dunit::prelude::*;
    use crate::subject;
    /// From src/own_test.dfy:5.
    pub fn square_of_three() {
        if subject::own_test::square(&int(3)) != 9 {
            halt("expectation violation", "src/own_test.dfy(6,2)");
        }
    }
}

// tests/dtest/square.rs

use dunit::prelude::*;

use crate::subject::own_test;

/// Reaches src/own_test.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Square")]
fn runs() {
    let n = int(3);

    let result = own_test::square(&n);

    expect_eq!(result, int(9), "src/own_test.dfy:1:10: Square by Dafny's semantics");
}

// tests/dtest/square_of_three.rs

use dunit::prelude::*;

use crate::spec;

/// The program's own test, at src/own_test.dfy:5:16.
#[dunit(unit = "SquareOfThree")]
fn passes() {
    spec::own_test::square_of_three();
}
