// tests/dtest/flat.rs

use dunit::prelude::*;

use crate::subject::nested_collections;

/// Reaches src/nested_collections.dfy:2:20: `"a" in m` holds (block 2 of 3); also block 1.
/// Path: "a" in m.
#[dunit(unit = "Flat")]
fn when_a_is_in_m() {
    let m = map![
        str(" ") => seq![set![int(2), int(3)]],
        str("a")
            => seq![
                set![int(5), int(7), int(13)],
                Set::<Int>::new(),
                set![int(11)],
            ],
        str("aa") => seq![Set::<Int>::new(), Set::<Int>::new()],
    ];

    let result = nested_collections::flat(&m);

    expect_eq!(
        result,
        seq![set![int(5), int(7), int(13)], Set::<Int>::new(), set![int(11)]],
        "src/nested_collections.dfy:1:10: Flat by Dafny's semantics",
    );
}

/// Reaches src/nested_collections.dfy:2:32: `"a" in m` does not hold (block 3 of 3); also block 1.
/// Path: "a" !in m.
#[dunit(unit = "Flat")]
fn when_a_is_not_in_m() {
    let m = map![
        str(" ") => seq![set![int(2), int(3)]],
        str("aa") => seq![Set::<Int>::new(), Set::<Int>::new()],
        str("ab") => seq![Set::<Int>::new(), set![int(7)]],
    ];

    let result = nested_collections::flat(&m);

    expect_eq!(
        result,
        seq![Set::<Int>::new()],
        "src/nested_collections.dfy:1:10: Flat by Dafny's semantics",
    );
}
