use dunit::prelude::*;

/// From src/set_of_tuples.dfy:1.
pub fn pairs(n: &Int) -> Set<(Int, Int)> {
    let mut elements = std::vec::Vec::new();
    for i in range(0, n - 1) {
        for j in range(&i + 1, n) {
            if 0 <= i && i < j && j < *n {
                elements.push((i.clone(), j));
            }
        }
    }
    Set::from_iter(elements)
}
