use dunit::prelude::*;

/// From src/let_expression.dfy:1.
pub fn area(w: &Int, h: &Int) -> Int {
    let a = w * h;
    let value = &a + 1;
    let value_2 = &a - 1;
    let b = &value;
    let c = &value_2;
    b * c
}
