use dunit::prelude::*;

/// From src/equality_of_collections.dfy:1.
pub fn same(a: &Seq<Int>, b: &Multiset<Int>) -> bool {
    a.to_multiset() == *b
}
