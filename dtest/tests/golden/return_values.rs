use dunit::prelude::*;

/// From src/return_values.dfy:1.
pub fn classify(n: &Int) -> (Seq<Char>, Int) {
    if *n < 0 {
        return (str("negative"), int(-1));
    }
    (str("other"), int(1))
}
