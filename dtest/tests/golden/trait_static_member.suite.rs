// tests/dtest/factory_default.rs

use dunit::prelude::*;

use crate::subject::trait_static_member::Factory;

/// Reaches src/trait_static_member.dfy:3:5: the body is entered (block 1 of 1).
#[dunit(unit = "Factory.Default")]
fn runs() {
    let result = <dyn Factory>::default();

    expect_eq!(
        result,
        int(3),
        "src/trait_static_member.dfy:2:19: Default by Dafny's semantics",
    );
}

// tests/dtest/made.rs

use dunit::prelude::*;

use crate::subject::trait_static_member;

/// Reaches src/trait_static_member.dfy:8:3: the body is entered (block 1 of 1).
#[dunit(unit = "Made")]
fn runs() {
    let result = trait_static_member::made();

    expect_eq!(
        result,
        int(3),
        "src/trait_static_member.dfy:7:10: Made by Dafny's semantics",
    );
}
