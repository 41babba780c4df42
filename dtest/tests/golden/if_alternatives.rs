use dunit::prelude::*;

/// ```dafny
/// ensures n == 0 ==> s == 0
/// ```
///
/// From src/if_alternatives.dfy:1.
pub fn sign(n: &Int) -> Int {
    if *n < 0 {
        int(-1)
    } else if *n == 0 {
        int(0)
    } else if *n > 0 {
        int(1)
    } else {
        unreachable!("no case applies")
    }
}
