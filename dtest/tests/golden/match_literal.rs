use dunit::prelude::*;

/// From src/match_literal.dfy:1.
pub fn digit(s: &Seq<Char>) -> Int {
    match s {
        value if *value == str("one") => int(1),
        value_2 if *value_2 == str("two") => int(2),
        _ => int(0),
    }
}
