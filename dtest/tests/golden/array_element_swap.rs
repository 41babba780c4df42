use dunit::prelude::*;

/// ```dafny
/// requires a.Length == 2
/// ensures a[0] == old(a[1]) && a[1] == old(a[0])
/// ```
///
/// From src/array_element_swap.dfy:1.
pub fn swap(a: &Array<Int>) {
    let value = a.get(1);
    let value_2 = a.get(0);
    a.set(0, value);
    a.set(1, value_2);
}
