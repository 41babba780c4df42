use dunit::prelude::*;

/// From src/constant_declaration.dfy:1.
pub fn limit() -> Int {
    int(40) + int(2)
}

/// From src/constant_declaration.dfy:3.
pub fn within(n: &Int) -> bool {
    *n <= limit()
}
