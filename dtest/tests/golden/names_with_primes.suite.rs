// tests/dtest/next_prime.rs

use dunit::prelude::*;

use crate::subject::names_with_primes;

/// Reaches src/names_with_primes.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Next'")]
fn runs() {
    let x = int(3);
    let x_prime = int(2);
    let y_q = int(7);

    let result = names_with_primes::next_prime(&x, &x_prime, &y_q);

    expect_eq!(
        result,
        int(12),
        "src/names_with_primes.dfy:1:10: Next' by Dafny's semantics",
    );
}
