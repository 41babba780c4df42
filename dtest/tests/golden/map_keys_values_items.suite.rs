// tests/dtest/parts.rs

use dunit::prelude::*;

use crate::subject::map_keys_values_items;

/// Reaches src/map_keys_values_items.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Parts")]
fn runs() {
    let m = map![int(2) => ch('0'), int(3) => ch('Z'), int(5) => ch('\n')];

    let result = map_keys_values_items::parts(&m);

    expect_eq!(
        result,
        (
            set![int(2), int(3), int(5)],
            set![ch('\n'), ch('0'), ch('Z')],
            set![(int(2), ch('0')), (int(3), ch('Z')), (int(5), ch('\n'))],
        ),
        "src/map_keys_values_items.dfy:1:10: Parts by Dafny's semantics",
    );
}
