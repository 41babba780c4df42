pub mod shelf {
    use dunit::prelude::*;

    /// From src/abstract_type.dfy:8.
    pub fn capacity() -> Int {
        int(12)
    }
}
