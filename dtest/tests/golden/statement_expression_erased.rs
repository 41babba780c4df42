use dunit::prelude::*;

/// From src/statement_expression_erased.dfy:6.
pub fn same(n: &Int) -> Int {
    n.clone()
}
