use dunit::prelude::*;

/// From src/sequence_membership.dfy:1.
pub fn vowel(c: Char) -> bool {
    str("aeiou").contains(&c)
}
