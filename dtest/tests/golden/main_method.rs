use dunit::prelude::*;

/// From src/main_method.dfy:1.
pub fn main() {
    dafny_print!(Text(&str("started\n")));
}
