use dunit::prelude::*;

/// ```dafny
/// requires |s| > 0
/// ensures r in s
/// ```
///
/// From src/assign_such_that_chooses.dfy:1.
pub fn element(s: &Set<Int>) -> Int {
    such_that(s.iter().cloned(), |_| true)
}
