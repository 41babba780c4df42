use dunit::prelude::*;

/// ```dafny
/// requires rows.Length == 1 && rows[0].Length == 1
/// ```
///
/// From src/array_of_arrays.dfy:1.
pub fn cell(rows: &Array<Array<Int>>) -> Int {
    rows.get(0).get(0)
}
