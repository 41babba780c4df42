use dunit::prelude::*;

/// ```dafny
/// ensures fresh(m) && m.Length0 == n && m.Length1 == n
/// ```
///
/// From src/two_dimensional_array_new.dfy:1.
pub fn identity(n: &Int) -> Array2<Int> {
    let init = Fun2::new(|i: &Int, j: &Int| if i == j { int(1) } else { int(0) });
    Array2::init_with([n.clone(), n.clone()], |[i0, i1]| init.call(i0, i1))
}
