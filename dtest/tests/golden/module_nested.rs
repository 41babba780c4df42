pub mod outer {
    use dunit::prelude::*;

    /// From src/module_nested.dfy:8.
    pub fn two() -> Int {
        inner::one() + 1
    }

    pub mod inner {
        use dunit::prelude::*;

        /// From src/module_nested.dfy:3.
        pub fn one() -> Int {
            int(1)
        }
    }
}
