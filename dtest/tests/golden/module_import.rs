pub mod client {
    use dunit::prelude::*;
    use crate::module_import::library;

    /// From src/module_import.dfy:10.
    pub fn four(n: &Int) -> Int {
        library::twice(&library::twice(n))
    }
}

pub mod library {
    use dunit::prelude::*;

    /// From src/module_import.dfy:2.
    pub fn twice(n: &Int) -> Int {
        2 * n
    }
}
