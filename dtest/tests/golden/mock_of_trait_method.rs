use dunit::prelude::*;

/// From src/mock_of_trait_method.dfy:1.
pub trait Door: Dynamic {
    fn open(&self, a0: &Int) -> bool;
}

/// From src/mock_of_trait_method.dfy:6.
pub fn enter(door: &Dyn<dyn Door>) -> Int {
    let ok = door.open(&int(1));
    if ok {
        return int(1);
    }
    int(0)
}
