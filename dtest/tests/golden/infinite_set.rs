use dunit::prelude::*;

/// From src/infinite_set.dfy:1.
pub fn naturals() -> ISet<Int> {
    set![int(1), int(2)]
}

/// From src/infinite_set.dfy:5.
pub fn is_in(n: &Int) -> bool {
    naturals().contains(n)
}
