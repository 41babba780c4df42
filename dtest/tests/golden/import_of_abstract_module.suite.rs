// tests/dtest/ten/limit.rs

use dunit::prelude::*;

use crate::subject::import_of_abstract_module::ten;

/// Reaches src/import_of_abstract_module.dfy:15:5: the body is entered (block 1 of 1).
#[dunit(unit = "Ten.Limit")]
fn runs() {
    let result = ten::limit();

    expect_eq!(
        result,
        int(10),
        "src/import_of_abstract_module.dfy:14:12: Limit by Dafny's semantics",
    );
    expect!(
        0 <= result,
        "src/import_of_abstract_module.dfy:14:12: the result is a nat",
    );
}

// tests/dtest/tens/twice.rs

use dunit::prelude::*;

use crate::subject::import_of_abstract_module::tens;

/// Reaches src/import_of_abstract_module.dfy:9:5: the body is entered (block 1 of 1).
#[dunit(unit = "Tens.Twice")]
fn runs() {
    let result = tens::twice();

    expect_eq!(
        result,
        int(20),
        "src/import_of_abstract_module.dfy:8:12: Twice by Dafny's semantics",
    );
    expect!(0 <= result, "src/import_of_abstract_module.dfy:8:12: the result is a nat");
}
