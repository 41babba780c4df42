use dunit::prelude::*;

/// From src/labelled_block.dfy:1.
pub fn clamped(n: &Int) -> Int {
    let mut r = n.clone();
    'small: {
        if *n <= 10 {
            break 'small;
        }
        r = int(10);
    }
    r
}
