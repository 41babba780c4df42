use dunit::prelude::*;

/// From src/cardinality.dfy:1.
pub fn sizes(s: &Set<Int>, m: &Map<Int, Int>, b: &Multiset<Int>) -> Int {
    s.len() + m.len() + b.len()
}
