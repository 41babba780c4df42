// tests/dtest/doubled.rs

use dunit::prelude::*;

use crate::subject::failure_propagated::{self, Result};

/// Reaches src/failure_propagated.dfy:12:3: `Parse(s)` is a failure (block 2 of 3); also block 1.
/// Path: Parse(s).
#[dunit(unit = "Doubled")]
fn when_parse_s_fails() {
    let s = str("0Z\n");

    let r = failure_propagated::doubled(&s);

    expect_eq!(
        r,
        Result::Failure {
            error: str("bad"),
        },
        "src/failure_propagated.dfy:11:8: Doubled by Dafny's semantics",
    );
}

/// Reaches src/failure_propagated.dfy:12:21: `Parse(s)` is not a failure (block 3 of 3); also block 1.
/// Path: !(Parse(s)).
#[dunit(unit = "Doubled")]
fn when_parse_s_succeeds() {
    let s = str("1");

    let r = failure_propagated::doubled(&s);

    expect_eq!(
        r,
        Result::Success { value: int(2) },
        "src/failure_propagated.dfy:11:8: Doubled by Dafny's semantics",
    );
}

// tests/dtest/parse.rs

use dunit::prelude::*;

use crate::subject::failure_propagated::{self, Result};

/// Reaches src/failure_propagated.dfy:8:20: `s == "1"` holds (block 2 of 3); also block 1.
/// Path: s == "1".
#[dunit(unit = "Parse")]
fn when_s_is_1() {
    let s = str("1");

    let result = failure_propagated::parse(&s);

    expect_eq!(
        result,
        Result::Success { value: int(1) },
        "src/failure_propagated.dfy:7:10: Parse by Dafny's semantics",
    );
}

/// Reaches src/failure_propagated.dfy:8:36: `s == "1"` does not hold (block 3 of 3); also block 1.
/// Path: s != "1".
#[dunit(unit = "Parse")]
fn when_s_is_not_1() {
    let s = str("0Z\n");

    let result = failure_propagated::parse(&s);

    expect_eq!(
        result,
        Result::Failure {
            error: str("bad"),
        },
        "src/failure_propagated.dfy:7:10: Parse by Dafny's semantics",
    );
}

// tests/dtest/result.rs

use dunit::prelude::*;

use crate::subject::failure_propagated::Result;

/// Values of the constructors at src/failure_propagated.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Result")]
fn constructors() {
    let success = Result::Success { value: int(2) };
    expect!(
        success.is_success() && !success.is_failure_(),
        "src/failure_propagated.dfy:1:19: Success",
    );
    expect_eq!(
        *success.value(),
        int(2),
        "src/failure_propagated.dfy:1:19: Success.value",
    );
    expect_eq!(
        format!("{success:?}"),
        "Result.Success(2)",
        "src/failure_propagated.dfy:1:19: Success, printed",
    );

    let failure = Result::Failure { error: str(" ") };
    expect!(
        failure.is_failure_() && !failure.is_success(),
        "src/failure_propagated.dfy:1:41: Failure",
    );
    expect_eq!(
        *failure.error(),
        str(" "),
        "src/failure_propagated.dfy:1:41: Failure.error",
    );
    expect_eq!(
        format!("{failure:?}"),
        "Result.Failure(\" \")",
        "src/failure_propagated.dfy:1:41: Failure, printed",
    );
}

// tests/dtest/result_extract.rs

use dunit::prelude::*;

use crate::subject::failure_propagated::Result;

/// Reaches src/failure_propagated.dfy:4:47: the body is entered (block 1 of 1).
#[dunit(unit = "Result.Extract")]
fn runs() {
    let this = Result::Success { value: int(3) };
    require!(this.is_success(), "src/failure_propagated.dfy:4:36: Success?");

    let result = this.extract();

    expect_eq!(
        result,
        int(3),
        "src/failure_propagated.dfy:4:12: Extract by Dafny's semantics",
    );
}

// tests/dtest/result_is_failure.rs

use dunit::prelude::*;

use crate::subject::failure_propagated::Result;

/// Reaches src/failure_propagated.dfy:2:27: the body is entered (block 1 of 1).
#[dunit(unit = "Result.IsFailure")]
fn runs() {
    let this = Result::Success { value: int(3) };

    let result = this.is_failure();

    expect_eq!(
        result,
        false,
        "src/failure_propagated.dfy:2:13: IsFailure by Dafny's semantics",
    );
}

// tests/dtest/result_propagate_failure.rs

use dunit::prelude::*;

use crate::subject::failure_propagated::Result;

/// Reaches src/failure_propagated.dfy:3:59: the body is entered (block 1 of 1).
#[dunit(unit = "Result.PropagateFailure")]
fn runs() {
    let this = Result::Failure {
        error: str("0Z\n"),
    };
    require!(this.is_failure_(), "src/failure_propagated.dfy:3:48: Failure?");

    let result = this.propagate_failure();

    expect_eq!(
        result,
        Result::Failure {
            error: str("0Z\n"),
        },
        "src/failure_propagated.dfy:3:12: PropagateFailure by Dafny's semantics",
    );
}
