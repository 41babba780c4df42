pub mod client {
    use dunit::prelude::*;
    use crate::module_functor::numbers;

    /// From src/module_functor.dfy:16.
    pub fn before(a: &Int, b: &Int) -> bool {
        numbers::less(a, b)
    }
}

pub mod numbers {
    use dunit::prelude::*;

    /// From src/module_functor.dfy:8.
    pub fn less(a: &Int, b: &Int) -> bool {
        a < b
    }
}
