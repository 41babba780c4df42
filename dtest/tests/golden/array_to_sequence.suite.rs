// tests/dtest/tail.rs

use dunit::prelude::*;

use crate::subject::array_to_sequence;

/// Reaches src/array_to_sequence.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Tail")]
fn runs() {
    let a = Array::<Char>::of([ch('a'), ch('0'), ch('Z')]);
    require!(!a.is_empty(), "src/array_to_sequence.dfy:2:12: a.Length > 0");

    let before = Snapshot::take();
    let s = array_to_sequence::tail(&a);

    expect_eq!(
        s,
        str("0Z"),
        "src/array_to_sequence.dfy:1:8: Tail by Dafny's semantics",
    );
    expect_eq!(
        a.to_seq(),
        str("a0Z"),
        "src/array_to_sequence.dfy:1:8: Tail by Dafny's semantics",
    );
    expect_frame!(
        before,
        [a],
        [],
        "src/array_to_sequence.dfy:1:8: nothing is modified",
    );
}
