use dunit::prelude::*;

/// From src/multiset_operators.dfy:1.
pub fn bag(s: &Seq<Int>) -> Multiset<Int> {
    s.to_multiset() + multiset![int(0), int(0)]
}
