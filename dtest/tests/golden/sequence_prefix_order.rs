use dunit::prelude::*;

/// From src/sequence_prefix_order.dfy:1.
pub fn starts(s: &Seq<Char>, t: &Seq<Char>) -> bool {
    s.is_prefix_of(t) && s != t
}
