// tests/dtest/next.rs

use dunit::prelude::*;

use crate::subject::failure_propagated_expression::{self, Option};

/// Reaches src/failure_propagated_expression.dfy:12:12: `Positive(n)` is a failure (block 2 of 3); also block 1.
/// Path: Positive(n).
#[dunit(unit = "Next")]
fn when_positive_n_fails() {
    let n = int(0);

    let result = failure_propagated_expression::next(&n);

    expect_eq!(
        result,
        Option::None,
        "src/failure_propagated_expression.dfy:11:10: Next by Dafny's semantics",
    );
}

/// Reaches src/failure_propagated_expression.dfy:13:3: `Positive(n)` is not a failure (block 3 of 3); also block 1.
/// Path: !(Positive(n)).
#[dunit(unit = "Next")]
fn when_positive_n_succeeds() {
    let n = int(3);

    let result = failure_propagated_expression::next(&n);

    expect_eq!(
        result,
        Option::Some { value: int(4) },
        "src/failure_propagated_expression.dfy:11:10: Next by Dafny's semantics",
    );
}

// tests/dtest/option.rs

use dunit::prelude::*;

use crate::subject::failure_propagated_expression::Option;

/// Values of the constructors at src/failure_propagated_expression.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Option")]
fn constructors() {
    let none = Option::None;
    expect!(
        none.is_none() && !none.is_some(),
        "src/failure_propagated_expression.dfy:1:19: None",
    );
    expect_eq!(
        format!("{none:?}"),
        "Option.None",
        "src/failure_propagated_expression.dfy:1:19: None, printed",
    );

    let some = Option::Some { value: int(2) };
    expect!(
        some.is_some() && !some.is_none(),
        "src/failure_propagated_expression.dfy:1:26: Some",
    );
    expect_eq!(
        *some.value(),
        int(2),
        "src/failure_propagated_expression.dfy:1:26: Some.value",
    );
    expect_eq!(
        format!("{some:?}"),
        "Option.Some(2)",
        "src/failure_propagated_expression.dfy:1:26: Some, printed",
    );
}

// tests/dtest/option_extract.rs

use dunit::prelude::*;

use crate::subject::failure_propagated_expression::Option;

/// Reaches src/failure_propagated_expression.dfy:4:44: the body is entered (block 1 of 1).
#[dunit(unit = "Option.Extract")]
fn runs() {
    let this = Option::Some { value: int(3) };
    require!(this.is_some(), "src/failure_propagated_expression.dfy:4:36: Some?");

    let result = this.extract();

    expect_eq!(
        result,
        int(3),
        "src/failure_propagated_expression.dfy:4:12: Extract by Dafny's semantics",
    );
}

// tests/dtest/option_is_failure.rs

use dunit::prelude::*;

use crate::subject::failure_propagated_expression::Option;

/// Reaches src/failure_propagated_expression.dfy:2:27: the body is entered (block 1 of 1).
#[dunit(unit = "Option.IsFailure")]
fn runs() {
    let this = Option::None;

    let result = this.is_failure();

    expect_eq!(
        result,
        true,
        "src/failure_propagated_expression.dfy:2:13: IsFailure by Dafny's semantics",
    );
}

// tests/dtest/option_propagate_failure.rs

use dunit::prelude::*;

use crate::subject::failure_propagated_expression::Option;

/// Reaches src/failure_propagated_expression.dfy:3:56: the body is entered (block 1 of 1).
#[dunit(unit = "Option.PropagateFailure")]
fn runs() {
    let this = Option::None;
    require!(this.is_none(), "src/failure_propagated_expression.dfy:3:48: None?");

    let result = this.propagate_failure();

    expect_eq!(
        result,
        Option::None,
        "src/failure_propagated_expression.dfy:3:12: PropagateFailure by Dafny's semantics",
    );
}

// tests/dtest/positive.rs

use dunit::prelude::*;

use crate::subject::failure_propagated_expression::{self, Option};

/// Reaches src/failure_propagated_expression.dfy:8:17: `n > 0` holds (block 2 of 3); also block 1.
/// Path: n > 0.
#[dunit(unit = "Positive")]
fn when_n_is_greater_than_0() {
    let n = int(1);

    let result = failure_propagated_expression::positive(&n);

    expect_eq!(
        result,
        Option::Some { value: int(1) },
        "src/failure_propagated_expression.dfy:7:10: Positive by Dafny's semantics",
    );
}

/// Reaches src/failure_propagated_expression.dfy:8:30: `n > 0` does not hold (block 3 of 3); also block 1.
/// Path: n <= 0.
#[dunit(unit = "Positive")]
fn when_n_is_at_most_0() {
    let n = int(0);

    let result = failure_propagated_expression::positive(&n);

    expect_eq!(
        result,
        Option::None,
        "src/failure_propagated_expression.dfy:7:10: Positive by Dafny's semantics",
    );
}
