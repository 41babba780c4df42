use dunit::prelude::*;

/// From src/multiset_intersection.dfy:1.
pub fn shared(a: &Multiset<Int>, b: &Multiset<Int>) -> Multiset<Int> {
    a * b - multiset![int(1)]
}
