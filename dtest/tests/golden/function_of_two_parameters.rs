use dunit::prelude::*;

/// From src/function_of_two_parameters.dfy:1.
pub fn combine(f: &Fun2<Int, Int, Int>) -> Int {
    f.call(&int(1), &int(2))
}

/// From src/function_of_two_parameters.dfy:5.
pub fn sum() -> Int {
    combine(&Fun2::new(|a: &Int, b: &Int| a + b))
}
