use dunit::prelude::*;

/// From src/set_comprehension_term.dfy:1.
pub fn lengths(words: &Set<Seq<Char>>) -> Set<Int> {
    Set::from_iter(words.iter().map(|w| w.len()))
}
