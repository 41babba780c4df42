use dunit::prelude::*;

/// From src/subset_type_of_sequence.dfy:3.
pub fn last<T: Value>(s: &Seq<T>) -> T {
    s[s.len() - 1].clone()
}
