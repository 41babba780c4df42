use dunit::prelude::*;

/// From src/type_parameter_default.dfy:1.
pub fn fresh<T: Value + DafnyDefault>(default_t: &T) -> T {
    default_t.clone()
}

/// From src/type_parameter_default.dfy:5.
pub fn number() -> Int {
    let x = fresh::<Int>(&int(0));
    0 * &x
}
