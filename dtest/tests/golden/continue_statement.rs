use dunit::prelude::*;

/// From src/continue_statement.dfy:1.
pub fn odds(n: &Int) -> Int {
    let mut count = int(0);
    for i in range(0, n.clone()) {
        if &i % 2 == 0 {
            continue;
        }
        count += 1;
    }
    count
}
