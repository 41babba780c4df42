use dunit::prelude::*;

/// From src/halt_always.dfy:1.
pub fn fail(_code: &Int) {
    if true {
        halt("not supported", "src/halt_always.dfy(2,2)");
    }
}
