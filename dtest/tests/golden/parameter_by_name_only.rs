use dunit::prelude::*;

/// From src/parameter_by_name_only.dfy:1.
pub fn price(cents: &Int, discount: &Int) -> Int {
    cents - discount
}

/// From src/parameter_by_name_only.dfy:5.
pub fn sale() -> Int {
    price(&int(100), &int(20))
}
