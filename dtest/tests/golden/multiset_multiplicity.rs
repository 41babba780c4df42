use dunit::prelude::*;

/// From src/multiset_multiplicity.dfy:1.
pub fn count(m: &Multiset<Char>) -> Int {
    m.count(&ch('a'))
}
