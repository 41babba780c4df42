use dunit::prelude::*;

/// ```dafny
/// ensures r < 0 <==> a < b
/// ensures r == 0 <==> a == b
/// ```
///
/// From src/postcondition_by_cases.dfy:1.
pub fn compare(a: &Int, b: &Int) -> Int {
    if a < b { int(-1) } else if a == b { int(0) } else { int(1) }
}
