pub mod ten {
    use dunit::prelude::*;

    /// From src/import_of_abstract_module.dfy:14.
    pub fn limit() -> Int {
        int(10)
    }
}

pub mod tens {
    use dunit::prelude::*;
    use crate::import_of_abstract_module::ten;

    /// From src/import_of_abstract_module.dfy:8.
    pub fn twice() -> Int {
        2 * ten::limit()
    }
}
