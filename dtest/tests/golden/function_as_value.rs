use dunit::prelude::*;

/// From src/function_as_value.dfy:1.
pub fn apply(f: &Fun1<Int, Int>, n: &Int) -> Int {
    f.call(&f.call(n))
}

/// From src/function_as_value.dfy:5.
pub fn increment(n: &Int) -> Int {
    n + 1
}

/// From src/function_as_value.dfy:9.
pub fn twice(n: &Int) -> Int {
    apply(&Fun1::new(|a: &Int| increment(a)), n)
}
