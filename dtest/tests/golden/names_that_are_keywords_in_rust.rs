use dunit::prelude::*;

/// From src/names_that_are_keywords_in_rust.dfy:1.
pub fn r#fn(type_: &Int, self_: &Int) -> Int {
    type_ + self_
}
