use dunit::prelude::*;

/// From src/by_method.dfy:1.
pub fn sum(s: &Seq<Int>) -> Int {
    let mut total = int(0);
    let mut i = s.len();
    while i > 0 {
        i -= 1;
        total = &s[&i] + &total;
    }
    total
}
