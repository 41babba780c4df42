use dunit::prelude::*;

/// From src/function_table_as_input.dfy:1.
pub fn both(f: &Fun1<bool, Int>) -> Int {
    f.call(&true) + f.call(&false)
}
