use dunit::prelude::*;

/// ```dafny
/// requires |r| > 0
/// ```
///
/// From src/type_synonym.dfy:3.
pub fn first(r: &Seq<Int>) -> Int {
    r[0].clone()
}
