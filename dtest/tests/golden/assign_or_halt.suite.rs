// tests/dtest/open.rs

use dunit::prelude::*;

use crate::subject::assign_or_halt::{self, Status};

/// Reaches src/assign_or_halt.dfy:8:22: `path == ""` holds (block 2 of 3); also block 1.
/// Path: path == "".
#[dunit(unit = "Open")]
fn when_path_is_empty() {
    let path = str("");

    let result = assign_or_halt::open(&path);

    expect_eq!(
        result,
        Status::Failed {
            error: str("no path"),
        },
        "src/assign_or_halt.dfy:7:10: Open by Dafny's semantics",
    );
}

/// Reaches src/assign_or_halt.dfy:8:45: `path == ""` does not hold (block 3 of 3); also block 1.
/// Path: path != "".
#[dunit(unit = "Open")]
fn when_path_is_not_empty() {
    let path = str("a0Z");

    let result = assign_or_halt::open(&path);

    expect_eq!(
        result,
        Status::Done,
        "src/assign_or_halt.dfy:7:10: Open by Dafny's semantics",
    );
}

// tests/dtest/status.rs

use dunit::prelude::*;

use crate::subject::assign_or_halt::Status;

/// Values of the constructors at src/assign_or_halt.dfy:2:10: discriminators, fields, printed form.
#[dunit(unit = "Status")]
fn constructors() {
    let done = Status::Done;
    expect!(done.is_done() && !done.is_failed(), "src/assign_or_halt.dfy:2:19: Done");
    expect_eq!(
        format!("{done:?}"),
        "Status.Done",
        "src/assign_or_halt.dfy:2:19: Done, printed",
    );

    let failed = Status::Failed { error: str(" ") };
    expect!(
        failed.is_failed() && !failed.is_done(),
        "src/assign_or_halt.dfy:2:26: Failed",
    );
    expect_eq!(*failed.error(), str(" "), "src/assign_or_halt.dfy:2:26: Failed.error");
    expect_eq!(
        format!("{failed:?}"),
        "Status.Failed(\" \")",
        "src/assign_or_halt.dfy:2:26: Failed, printed",
    );
}

// tests/dtest/status_is_failure.rs

use dunit::prelude::*;

use crate::subject::assign_or_halt::Status;

/// Reaches src/assign_or_halt.dfy:3:27: the body is entered (block 1 of 1).
#[dunit(unit = "Status.IsFailure")]
fn runs() {
    let this = Status::Done;

    let result = this.is_failure();

    expect_eq!(
        result,
        false,
        "src/assign_or_halt.dfy:3:13: IsFailure by Dafny's semantics",
    );
}

/// Kills a mutant that survives the other tests of `Status.IsFailure`: `IsFailure` has no effect and returns `false` (src/assign_or_halt.dfy:3:13).
/// Reaches src/assign_or_halt.dfy:3:27: the body is entered (block 1 of 1).
#[dunit(unit = "Status.IsFailure")]
fn kills_a_default_value() {
    let this = Status::Failed {
        error: str("0Z\n"),
    };

    let result = this.is_failure();

    expect_eq!(
        result,
        true,
        "src/assign_or_halt.dfy:3:13: IsFailure by Dafny's semantics",
    );
}

// tests/dtest/status_propagate_failure.rs

use dunit::prelude::*;

use crate::subject::assign_or_halt::Status;

/// Reaches src/assign_or_halt.dfy:4:58: the body is entered (block 1 of 1).
#[dunit(unit = "Status.PropagateFailure")]
fn runs() {
    let this = Status::Failed {
        error: str("0Z\n"),
    };
    require!(this.is_failed(), "src/assign_or_halt.dfy:4:48: Failed?");

    let result = this.propagate_failure();

    expect_eq!(
        result,
        Status::Failed {
            error: str("0Z\n"),
        },
        "src/assign_or_halt.dfy:4:12: PropagateFailure by Dafny's semantics",
    );
}

// tests/dtest/use_.rs

use dunit::prelude::*;

use crate::subject::assign_or_halt;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/assign_or_halt.dfy:11:26: the body is entered (block 1 of 1).
#[dunit(unit = "Use")]
fn runs() {
    let path = str("0Z\n");

    assign_or_halt::r#use(&path);
}

/// Kills a mutant that survives the other tests of `Use`: `Use` has no effect and returns a default value (src/assign_or_halt.dfy:11:8).
/// Reaches src/assign_or_halt.dfy:11:26: the body is entered (block 1 of 1).
#[dunit(unit = "Use")]
fn kills_a_default_value() {
    let path = str("");

    let halt = halted(|| assign_or_halt::r#use(&path));

    expect_eq!(
        halt.map(|h| h.location),
        Some(String::from("src/assign_or_halt.dfy(12,2)")),
        "the `expect` that fails",
    );
}
