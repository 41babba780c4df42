use dunit::prelude::*;

/// From src/break_levels.dfy:1.
pub fn pairs(n: &Int) -> Int {
    let mut count = int(0);
    'outer: for i in range(0, n.clone()) {
        for j in range(0, n.clone()) {
            if &i + &j == 2 {
                break 'outer;
            }
            count += 1;
        }
    }
    count
}
