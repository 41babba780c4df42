use dunit::prelude::*;

/// From src/map_comprehension_with_key_term.dfy:1.
pub fn tagged(words: &Set<Seq<Char>>) -> Map<(Seq<Char>, bool), Int> {
    Map::from_iter(
        words.iter().filter(|&w| !w.is_empty()).map(|w| ((w.clone(), true), w.len())),
    )
}
