use dunit::prelude::*;

/// From src/quantifier_exists.dfy:1.
pub fn has_zero(s: &Seq<Int>) -> bool {
    exists_in(0, s.len(), |i| s[i] == 0)
}
