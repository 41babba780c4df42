use dunit::prelude::*;

/// From src/multiset_update.dfy:1.
pub fn set(m: &Multiset<Int>) -> Multiset<Int> {
    m.update(int(1), int(3))
}
