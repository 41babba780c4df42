// tests/dtest/smallest.rs

use dunit::prelude::*;

use crate::subject::let_such_that;

/// Reaches src/let_such_that.dfy:5:3: the body is entered (block 1 of 1).
#[dunit(unit = "Smallest")]
fn runs() {
    let s = set![int(2), int(3), int(7)];
    require!(!s.is_empty(), "src/let_such_that.dfy:2:12: s != {}");
    require!(
        s.iter().any(|m| s.iter().all(|x| m <= x)),
        "src/let_such_that.dfy:3:12: exists m :: m in s && forall x | x in s :: m <= x",
    );

    let result = let_such_that::smallest(&s);

    expect_eq!(
        result,
        int(2),
        "src/let_such_that.dfy:1:10: Smallest by Dafny's semantics",
    );
}
