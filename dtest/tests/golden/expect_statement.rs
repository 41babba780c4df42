use dunit::prelude::*;

/// From src/expect_statement.dfy:1.
pub fn root(n: &Int) -> Int {
    if *n < 0 {
        halt("negative", "src/expect_statement.dfy(2,2)");
    }
    n.clone()
}
