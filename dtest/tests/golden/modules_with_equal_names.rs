pub mod a {
    use dunit::prelude::*;

    /// From src/modules_with_equal_names.dfy:2.
    pub fn value() -> Int {
        int(1)
    }
}

pub mod b {
    use dunit::prelude::*;
    use crate::modules_with_equal_names::a;

    /// From src/modules_with_equal_names.dfy:9.
    pub fn value() -> Int {
        a::value() + 1
    }
}
