use dunit::prelude::*;

/// From src/tail_recursion_accumulator.dfy:1.
pub fn length(s: &Seq<Char>) -> Int {
    let mut s = s.clone();
    let mut total: Int = int(0);
    loop {
        if s.is_empty() {
            return total;
        }
        total += int(1);
        s = s.skip(1);
    }
}
