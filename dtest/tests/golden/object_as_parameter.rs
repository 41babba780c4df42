use dunit::prelude::*;

/// From src/object_as_parameter.dfy:1.
pub fn same(a: &AnyObject, b: &AnyObject) -> bool {
    a == b
}
