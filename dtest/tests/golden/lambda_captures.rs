use dunit::prelude::*;

/// From src/lambda_captures.dfy:1.
pub fn adder(n: &Int) -> Fun1<Int, Int> {
    let n = n.clone();
    Fun1::new(move |x: &Int| x + &n)
}

/// From src/lambda_captures.dfy:5.
pub fn added(n: &Int) -> Int {
    adder(n).call(&int(10))
}
