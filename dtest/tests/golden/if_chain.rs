use dunit::prelude::*;

/// From src/if_chain.dfy:1.
pub fn size(n: &Int) -> Seq<Char> {
    if *n < 10 { str("small") } else if *n < 100 { str("medium") } else { str("large") }
}
