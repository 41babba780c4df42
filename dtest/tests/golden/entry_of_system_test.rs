use dunit::prelude::*;

/// From src/entry_of_system_test.dfy:2.
pub fn double(n: &Int) -> Int {
    2 * n
}

/// From src/entry_of_system_test.dfy:6.
pub fn main() {
    dafny_print!(double(&int(4)), Text(&str("\n")));
}
