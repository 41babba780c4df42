// tests/dtest/revealed.rs

use dunit::prelude::*;

use crate::subject::opaque_function;

/// Reaches src/opaque_function.dfy:7:1: the body is entered (block 1 of 1).
#[dunit(unit = "Revealed")]
fn runs() {
    let r = opaque_function::revealed();

    expect_eq!(
        r,
        int(43),
        "src/opaque_function.dfy:5:8: Revealed by Dafny's semantics",
    );
    expect!(r == 43, "src/opaque_function.dfy:6:11: r == 43");
}

// tests/dtest/secret.rs

use dunit::prelude::*;

use crate::subject::opaque_function;

/// Reaches src/opaque_function.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Secret")]
fn runs() {
    let n = int(3);

    let result = opaque_function::secret(&n);

    expect_eq!(
        result,
        int(45),
        "src/opaque_function.dfy:1:17: Secret by Dafny's semantics",
    );
}
