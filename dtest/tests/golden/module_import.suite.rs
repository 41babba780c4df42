// tests/dtest/client/four.rs

use dunit::prelude::*;

use crate::subject::module_import::client;

/// Reaches src/module_import.dfy:11:5: the body is entered (block 1 of 1).
#[dunit(unit = "Client.Four")]
fn runs() {
    let n = int(3);

    let result = client::four(&n);

    expect_eq!(
        result,
        int(12),
        "src/module_import.dfy:10:12: Four by Dafny's semantics",
    );
}

// tests/dtest/library/twice.rs

use dunit::prelude::*;

use crate::subject::module_import::library;

/// Reaches src/module_import.dfy:3:5: the body is entered (block 1 of 1).
#[dunit(unit = "Library.Twice")]
fn runs() {
    let n = int(3);

    let result = library::twice(&n);

    expect_eq!(
        result,
        int(6),
        "src/module_import.dfy:2:12: Twice by Dafny's semantics",
    );
}
