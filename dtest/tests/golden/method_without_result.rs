use dunit::prelude::*;

/// From src/method_without_result.dfy:1.
pub fn nothing(n: &Int) {
    let _m = n + 1;
}
