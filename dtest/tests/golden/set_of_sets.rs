use dunit::prelude::*;

/// From src/set_of_sets.dfy:1.
pub fn wrapped(s: &Set<Int>) -> Set<Set<Int>> {
    set![s.clone(), Set::<Int>::new()]
}
