use dunit::prelude::*;

/// From src/tail_recursion.dfy:1.
pub fn count(n: &Int, acc: &Int) -> Int {
    let mut n = n.clone();
    let mut acc = acc.clone();
    loop {
        if n == 0 {
            return acc;
        }
        n -= 1;
        acc += 2;
    }
}
