pub mod implementation {
    use dunit::prelude::*;

    /// From src/module_refinement.dfy:10.
    pub fn limit() -> Int {
        int(21)
    }

    /// From src/module_refinement.dfy:4.
    pub fn doubled() -> Int {
        2 * limit()
    }
}
