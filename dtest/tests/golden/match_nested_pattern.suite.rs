// tests/dtest/expr.rs

use dunit::prelude::*;

use crate::subject::match_nested_pattern::Expr;

/// Values of the constructors at src/match_nested_pattern.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Expr")]
fn constructors() {
    let num = Expr::Num { n: int(2) };
    expect!(num.is_num() && !num.is_neg(), "src/match_nested_pattern.dfy:1:17: Num");
    expect_eq!(*num.n(), int(2), "src/match_nested_pattern.dfy:1:17: Num.n");
    expect_eq!(
        format!("{num:?}"),
        "Expr.Num(2)",
        "src/match_nested_pattern.dfy:1:17: Num, printed",
    );

    let neg = Expr::Neg {
        e: Rc::new(Expr::Num { n: int(2) }),
    };
    expect!(neg.is_neg() && !neg.is_num(), "src/match_nested_pattern.dfy:1:31: Neg");
    expect_eq!(
        *neg.e(),
        Expr::Num { n: int(2) },
        "src/match_nested_pattern.dfy:1:31: Neg.e",
    );
    expect_eq!(
        format!("{neg:?}"),
        "Expr.Neg(Expr.Num(2))",
        "src/match_nested_pattern.dfy:1:31: Neg, printed",
    );
}

// tests/dtest/simplified.rs

use dunit::prelude::*;

use crate::subject::match_nested_pattern::{self, Expr};

/// Reaches src/match_nested_pattern.dfy:5:27: case `Neg(Neg(inner))` (block 2 of 4); also block 1.
/// Path: Neg(Neg(inner)).
#[dunit(unit = "Simplified")]
fn in_case_neg_neg_inner() {
    let e = Expr::Neg {
        e: Rc::new(Expr::Neg {
            e: Rc::new(Expr::Num { n: int(3) }),
        }),
    };

    let result = match_nested_pattern::simplified(&e);

    expect_eq!(
        result,
        Expr::Num { n: int(3) },
        "src/match_nested_pattern.dfy:3:10: Simplified by Dafny's semantics",
    );
}

/// Reaches src/match_nested_pattern.dfy:6:23: case `Neg(Num(n))` (block 3 of 4); also block 1.
/// Path: !(Neg(Neg(inner))), Neg(Num(n)).
#[dunit(unit = "Simplified")]
fn in_case_neg_num_n() {
    let e = Expr::Neg {
        e: Rc::new(Expr::Num { n: int(3) }),
    };

    let result = match_nested_pattern::simplified(&e);

    expect_eq!(
        result,
        Expr::Num { n: int(-3) },
        "src/match_nested_pattern.dfy:3:10: Simplified by Dafny's semantics",
    );
}

/// Reaches src/match_nested_pattern.dfy:7:18: case `Num(_)` (block 4 of 4); also block 1.
/// Path: !(Neg(Neg(inner))), !(Neg(Num(n))).
#[dunit(unit = "Simplified")]
fn in_case_num_any() {
    let e = Expr::Num { n: int(3) };

    let result = match_nested_pattern::simplified(&e);

    expect_eq!(
        result,
        Expr::Num { n: int(3) },
        "src/match_nested_pattern.dfy:3:10: Simplified by Dafny's semantics",
    );
}
