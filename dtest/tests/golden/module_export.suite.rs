// tests/dtest/client/sum.rs

use dunit::prelude::*;

use crate::subject::module_export::client;

/// Reaches src/module_export.dfy:19:5: the body is entered (block 1 of 1).
#[dunit(unit = "Client.Sum")]
fn runs() {
    let result = client::sum();

    expect_eq!(result, int(3), "src/module_export.dfy:18:12: Sum by Dafny's semantics");
}

// tests/dtest/library/hidden.rs

use dunit::prelude::*;

use crate::subject::module_export::library;

/// Reaches src/module_export.dfy:7:5: the body is entered (block 1 of 1).
#[dunit(unit = "Library.Hidden")]
fn runs() {
    let result = library::hidden();

    expect_eq!(
        result,
        int(1),
        "src/module_export.dfy:6:12: Hidden by Dafny's semantics",
    );
}

// tests/dtest/library/shown_.rs

use dunit::prelude::*;

use crate::subject::module_export::library;

/// Reaches src/module_export.dfy:11:5: the body is entered (block 1 of 1).
#[dunit(unit = "Library.Shown")]
fn runs() {
    let result = library::shown_();

    expect_eq!(
        result,
        int(2),
        "src/module_export.dfy:10:12: Shown by Dafny's semantics",
    );
}
