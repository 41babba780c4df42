// tests/dtest/spec.rs

//! Specification functions and tests of the program, which only this suite calls.

pub mod ghost_function_in_contract {
    use dunit::prelude::*;
    /// Specification only: executed by tests, not part of the program.
    ///
    /// From src/ghost_function_in_contract.dfy:1.
    pub fn double(n: &Int) -> Int {
        2 * n
    }
}

// tests/dtest/twice.rs

use dunit::prelude::*;

use crate::spec;
use crate::subject::ghost_function_in_contract;

/// Reaches src/ghost_function_in_contract.dfy:7:1: the body is entered (block 1 of 1).
#[dunit(unit = "Twice")]
fn runs() {
    let n = int(3);

    let r = ghost_function_in_contract::twice(&n);

    expect_eq!(
        r,
        int(6),
        "src/ghost_function_in_contract.dfy:5:8: Twice by Dafny's semantics",
    );
    expect!(
        r == spec::ghost_function_in_contract::double(&n),
        "src/ghost_function_in_contract.dfy:6:11: r == Double(n)",
    );
}
