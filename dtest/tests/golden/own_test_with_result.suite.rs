// tests/dtest/outcome.rs

use dunit::prelude::*;

use crate::subject::own_test_with_result::Outcome;

/// Values of the constructors at src/own_test_with_result.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Outcome")]
fn constructors() {
    let pass = Outcome::Pass;
    expect!(
        pass.is_pass() && !pass.is_fail(),
        "src/own_test_with_result.dfy:1:20: Pass",
    );
    expect_eq!(
        format!("{pass:?}"),
        "Outcome.Pass",
        "src/own_test_with_result.dfy:1:20: Pass, printed",
    );

    let fail = Outcome::Fail { error: str(" ") };
    expect!(
        fail.is_fail() && !fail.is_pass(),
        "src/own_test_with_result.dfy:1:27: Fail",
    );
    expect_eq!(
        *fail.error(),
        str(" "),
        "src/own_test_with_result.dfy:1:27: Fail.error",
    );
    expect_eq!(
        format!("{fail:?}"),
        "Outcome.Fail(\" \")",
        "src/own_test_with_result.dfy:1:27: Fail, printed",
    );
}

// tests/dtest/outcome_is_failure.rs

use dunit::prelude::*;

use crate::subject::own_test_with_result::Outcome;

/// Reaches src/own_test_with_result.dfy:2:27: the body is entered (block 1 of 1).
#[dunit(unit = "Outcome.IsFailure")]
fn runs() {
    let this = Outcome::Pass;

    let result = this.is_failure();

    expect_eq!(
        result,
        false,
        "src/own_test_with_result.dfy:2:13: IsFailure by Dafny's semantics",
    );
}

// tests/dtest/outcome_propagate_failure.rs

use dunit::prelude::*;

use crate::subject::own_test_with_result::Outcome;

/// Reaches src/own_test_with_result.dfy:3:57: the body is entered (block 1 of 1).
#[dunit(unit = "Outcome.PropagateFailure")]
fn runs() {
    let this = Outcome::Fail {
        error: str("0Z\n"),
    };
    require!(this.is_fail(), "src/own_test_with_result.dfy:3:49: Fail?");

    let result = this.propagate_failure();

    expect_eq!(
        result,
        Outcome::Fail {
            error: str("0Z\n"),
        },
        "src/own_test_with_result.dfy:3:12: PropagateFailure by Dafny's semantics",
    );
}

// tests/dtest/reports.rs

use dunit::prelude::*;

use crate::spec;

/// The program's own test, at src/own_test_with_result.dfy:6:16.
#[dunit(unit = "Reports")]
fn passes() {
    let result = spec::own_test_with_result::reports();
    expect!(
        !result.is_failure(),
        "src/own_test_with_result.dfy:6:16: Reports returns no failure",
    );
}

// tests/dtest/spec.rs

//! Specification functions and tests of the program, which only this suite calls.

pub mod own_test_with_result {
    use dunit::prelude::*;
    use crate::subject;
    /// From src/own_test_with_result.dfy:6.
    pub fn reports() -> subject::own_test_with_result::Outcome {
        subject::own_test_with_result::Outcome::Pass
    }
}
