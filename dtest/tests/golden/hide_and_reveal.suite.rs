// tests/dtest/secret.rs

use dunit::prelude::*;

use crate::subject::hide_and_reveal;

/// Reaches src/hide_and_reveal.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Secret")]
fn runs() {
    let n = int(3);

    let result = hide_and_reveal::secret(&n);

    expect_eq!(
        result,
        int(6),
        "src/hide_and_reveal.dfy:1:10: Secret by Dafny's semantics",
    );
}

// tests/dtest/use_.rs

use dunit::prelude::*;

use crate::subject::hide_and_reveal;

/// Reaches src/hide_and_reveal.dfy:5:59: the body is entered (block 1 of 1).
#[dunit(unit = "Use")]
fn runs() {
    let n = int(3);

    let r = hide_and_reveal::r#use(&n);

    expect_eq!(r, int(6), "src/hide_and_reveal.dfy:5:30: Use by Dafny's semantics");
}
