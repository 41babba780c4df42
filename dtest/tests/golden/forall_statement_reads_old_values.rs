use dunit::prelude::*;

/// ```dafny
/// requires a.Length > 0
/// ```
///
/// From src/forall_statement_reads_old_values.dfy:1.
pub fn rotate(a: &Array<Int>) {
    let mut updates = std::vec::Vec::new();
    for i in range(0, a.len()) {
        updates.push((a.clone(), i.clone(), a.get((&i + 1) % a.len())));
    }
    for (array, index, value) in updates {
        array.set(index, value);
    }
}
