use dunit::prelude::*;

/// ```dafny
/// ensures r == n + 2
/// ```
///
/// From src/least_predicate_is_ghost.dfy:5.
pub fn next(n: &Int) -> Int {
    n + 2
}
