use dunit::prelude::*;

/// From src/map_lookup.dfy:1.
pub fn price(prices: &Map<Seq<Char>, Int>, item: &Seq<Char>) -> Int {
    if prices.contains(item) { prices[item].clone() } else { int(0) }
}
