use dunit::prelude::*;

/// From src/lambda_in_collection.dfy:1.
pub fn steps() -> Seq<Fun1<Int, Int>> {
    seq![Fun1::new(|x: &Int| x + 1), Fun1::new(|x: &Int| 2 * x)]
}

/// From src/lambda_in_collection.dfy:5.
pub fn run(n: &Int) -> Int {
    steps()[1].call(&steps()[0].call(n))
}
