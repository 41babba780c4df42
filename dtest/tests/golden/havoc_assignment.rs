use dunit::prelude::*;

/// ```dafny
/// ensures r || !r
/// ```
///
/// From src/havoc_assignment.dfy:1.
pub fn arbitrary() -> bool {
    false
}
