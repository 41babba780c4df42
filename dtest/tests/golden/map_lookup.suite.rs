// tests/dtest/price.rs

use dunit::prelude::*;

use crate::subject::map_lookup;

/// Reaches src/map_lookup.dfy:2:26: `item in prices` holds (block 2 of 3); also block 1.
/// Path: item in prices.
#[dunit(unit = "Price")]
fn when_item_is_in_prices() {
    let prices = map![str("") => int(7), str(" ") => int(2), str("aa") => int(3)];
    let item = str("");

    let result = map_lookup::price(&prices, &item);

    expect_eq!(result, int(7), "src/map_lookup.dfy:1:10: Price by Dafny's semantics");
}

/// Reaches src/map_lookup.dfy:2:44: `item in prices` does not hold (block 3 of 3); also block 1.
/// Path: item !in prices.
#[dunit(unit = "Price")]
fn when_item_is_not_in_prices() {
    let prices = map![
        str(" ") => int(2),
        str("aa") => int(3),
        str("ab") => int(5),
    ];
    let item = str("0Z\n");

    let result = map_lookup::price(&prices, &item);

    expect_eq!(result, int(0), "src/map_lookup.dfy:1:10: Price by Dafny's semantics");
}
