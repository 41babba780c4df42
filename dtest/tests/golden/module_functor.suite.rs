// tests/dtest/client/before.rs

use dunit::prelude::*;

use crate::subject::module_functor::client;

/// Reaches src/module_functor.dfy:17:5: the body is entered (block 1 of 1).
#[dunit(unit = "Client.Before")]
fn runs() {
    let a = int(3);
    let b = int(2);

    let result = client::before(&a, &b);

    expect_eq!(
        result,
        false,
        "src/module_functor.dfy:16:13: Before by Dafny's semantics",
    );
}

// tests/dtest/numbers/less.rs

use dunit::prelude::*;

use crate::subject::module_functor::numbers;

/// Reaches src/module_functor.dfy:9:5: the body is entered (block 1 of 1).
#[dunit(unit = "Numbers.Less")]
fn runs() {
    let a = int(2);
    let b = int(2);

    let result = numbers::less(&a, &b);

    expect_eq!(result, false, "src/module_functor.dfy:8:13: Less by Dafny's semantics");
}
