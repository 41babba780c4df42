// tests/dtest/tagged.rs

use dunit::prelude::*;

use crate::subject::map_comprehension_with_key_term;

/// Reaches src/map_comprehension_with_key_term.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Tagged")]
fn runs() {
    let words = set![str(" "), str("ac"), str("db")];

    let result = map_comprehension_with_key_term::tagged(&words);

    expect_eq!(
        result,
        map![
            (str(" "), true) => int(1),
            (str("ac"), true) => int(2),
            (str("db"), true) => int(2),
        ],
        "src/map_comprehension_with_key_term.dfy:1:10: Tagged by Dafny's semantics",
    );
}
