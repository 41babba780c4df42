use dunit::prelude::*;

/// From src/mock_of_trait.dfy:1.
pub trait Clock: Dynamic {
    fn now(&self) -> Int;
}

/// ```dafny
/// ensures late <==> clock.Now() > deadline
/// ```
///
/// From src/mock_of_trait.dfy:6.
pub fn late(clock: &Dyn<dyn Clock>, deadline: &Int) -> bool {
    clock.now() > *deadline
}
