// tests/dtest/left.rs

use dunit::prelude::*;

use crate::subject::datatype_unnamed_fields::{self, Pair};

/// Reaches src/datatype_unnamed_fields.dfy:5:22: case `Pair(n, _)` (block 2 of 2); also block 1.
#[dunit(unit = "Left")]
fn in_case_pair_n_any() {
    let p = Pair::Pair {
        _0: int(3),
        _1: false,
    };

    let result = datatype_unnamed_fields::left(&p);

    expect_eq!(
        result,
        int(3),
        "src/datatype_unnamed_fields.dfy:3:10: Left by Dafny's semantics",
    );
}

// tests/dtest/pair.rs

use dunit::prelude::*;

use crate::subject::datatype_unnamed_fields::Pair;

/// Values of the constructors at src/datatype_unnamed_fields.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Pair")]
fn constructors() {
    let pair = Pair::Pair {
        _0: int(2),
        _1: false,
    };
    expect!(pair.is_pair(), "src/datatype_unnamed_fields.dfy:1:17: Pair");
    expect_eq!(*pair._0(), int(2), "src/datatype_unnamed_fields.dfy:1:17: Pair.0");
    expect_eq!(pair._1(), false, "src/datatype_unnamed_fields.dfy:1:17: Pair.1");
    expect_eq!(
        format!("{pair:?}"),
        "Pair.Pair(2, false)",
        "src/datatype_unnamed_fields.dfy:1:17: Pair, printed",
    );

    let pair_2 = Pair::Pair { _0: int(3), _1: true };
    expect!(pair_2.is_pair(), "src/datatype_unnamed_fields.dfy:1:17: Pair");
    expect_eq!(*pair_2._0(), int(3), "src/datatype_unnamed_fields.dfy:1:17: Pair.0");
    expect_eq!(pair_2._1(), true, "src/datatype_unnamed_fields.dfy:1:17: Pair.1");
    expect_eq!(
        format!("{pair_2:?}"),
        "Pair.Pair(3, true)",
        "src/datatype_unnamed_fields.dfy:1:17: Pair, printed",
    );
}
