use dunit::prelude::*;

/// From src/type_parameter_equality.dfy:1.
pub fn position<T: Value>(s: &Seq<T>, x: &T) -> Int {
    if !s.is_empty() && s[0] == *x { int(0) } else { int(-1) }
}
