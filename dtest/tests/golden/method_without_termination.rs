use dunit::prelude::*;

/// From src/method_without_termination.dfy:1.
pub fn r#loop(n: &Int) -> Int {
    let mut n = n.clone();
    loop {
        if n == 0 {
            return int(0);
        }
        n -= 1;
    }
}
