pub mod client {
    use dunit::prelude::*;
    use crate::module_export::library;

    /// From src/module_export.dfy:18.
    pub fn sum() -> Int {
        library::hidden() + library::shown_()
    }
}

pub mod library {
    use dunit::prelude::*;

    /// From src/module_export.dfy:6.
    pub fn hidden() -> Int {
        int(1)
    }

    /// From src/module_export.dfy:10.
    pub fn shown_() -> Int {
        int(2)
    }
}
