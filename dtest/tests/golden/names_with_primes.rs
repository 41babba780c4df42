use dunit::prelude::*;

/// From src/names_with_primes.dfy:1.
pub fn next_prime(x: &Int, x_prime: &Int, y_q: &Int) -> Int {
    x + x_prime + y_q
}
