// tests/dtest/element.rs

use dunit::prelude::*;

use crate::subject::assign_such_that_chooses;

/// Reaches src/assign_such_that_chooses.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "Element")]
fn runs() {
    let s = set![int(3)];
    require!(!s.is_empty(), "src/assign_such_that_chooses.dfy:2:12: |s| > 0");

    let r = assign_such_that_chooses::element(&s);

    expect_eq!(
        r,
        int(3),
        "src/assign_such_that_chooses.dfy:1:8: Element by Dafny's semantics",
    );
    expect!(s.contains(&r), "src/assign_such_that_chooses.dfy:3:11: r in s");
}
