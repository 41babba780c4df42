// tests/dtest/either.rs

use dunit::prelude::*;

use crate::subject::datatype_two_type_parameters::Either;

/// Values of the constructors at src/datatype_two_type_parameters.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Either")]
fn constructors() {
    let left = Either::<Int, Int>::Left {
        a: int(2),
    };
    expect!(
        left.is_left() && !left.is_right(),
        "src/datatype_two_type_parameters.dfy:1:25: Left",
    );
    expect_eq!(*left.a(), int(2), "src/datatype_two_type_parameters.dfy:1:25: Left.a");
    expect_eq!(
        format!("{left:?}"),
        "Either.Left(2)",
        "src/datatype_two_type_parameters.dfy:1:25: Left, printed",
    );

    let right = Either::<Int, Int>::Right {
        b: int(2),
    };
    expect!(
        right.is_right() && !right.is_left(),
        "src/datatype_two_type_parameters.dfy:1:38: Right",
    );
    expect_eq!(
        *right.b(),
        int(2),
        "src/datatype_two_type_parameters.dfy:1:38: Right.b",
    );
    expect_eq!(
        format!("{right:?}"),
        "Either.Right(2)",
        "src/datatype_two_type_parameters.dfy:1:38: Right, printed",
    );
}

// tests/dtest/flip.rs

use dunit::prelude::*;

use crate::subject::datatype_two_type_parameters::{self, Either};

/// Reaches src/datatype_two_type_parameters.dfy:5:19: case `Left(a)` (block 2 of 3); also block 1.
/// Path: Left(a).
#[dunit(unit = "Flip")]
fn in_case_left_a() {
    let e = Either::<Int, Int>::Left {
        a: int(3),
    };

    let result = datatype_two_type_parameters::flip(&e);

    expect_eq!(
        result,
        Either::<Int, Int>::Right {
            b: int(3),
        },
        "src/datatype_two_type_parameters.dfy:3:10: Flip by Dafny's semantics",
    );
}

/// Reaches src/datatype_two_type_parameters.dfy:6:20: case `Right(b)` (block 3 of 3); also block 1.
/// Path: !(Left(a)).
#[dunit(unit = "Flip")]
fn in_case_right_b() {
    let e = Either::<Int, Int>::Right {
        b: int(3),
    };

    let result = datatype_two_type_parameters::flip(&e);

    expect_eq!(
        result,
        Either::<Int, Int>::Left {
            a: int(3),
        },
        "src/datatype_two_type_parameters.dfy:3:10: Flip by Dafny's semantics",
    );
}
