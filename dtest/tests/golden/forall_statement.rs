use dunit::prelude::*;

/// ```dafny
/// ensures forall i | 0 <= i < a.Length :: a[i] == i
/// ```
///
/// From src/forall_statement.dfy:1.
pub fn fill(a: &Array<Int>) {
    let mut updates = std::vec::Vec::new();
    for i in range(0, a.len()) {
        updates.push((a.clone(), i.clone(), i.clone()));
    }
    for (array, index, value) in updates {
        array.set(index, value);
    }
}
