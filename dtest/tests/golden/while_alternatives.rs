use dunit::prelude::*;

/// ```dafny
/// requires a > 0 && b > 0
/// ```
///
/// From src/while_alternatives.dfy:1.
pub fn gcd(a: &Int, b: &Int) -> Int {
    let mut x = a.clone();
    let mut y = b.clone();
    loop {
        if x > y {
            x -= &y;
        } else if y > x {
            y -= &x;
        } else {
            break;
        }
    }
    x
}
