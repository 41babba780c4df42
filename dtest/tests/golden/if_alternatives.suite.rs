// tests/dtest/sign.rs

use dunit::prelude::*;

use crate::subject::if_alternatives;

/// Reaches src/if_alternatives.dfy:5:17: alternative `n < 0` (block 2 of 4); also block 1.
/// Path: n < 0.
#[dunit(unit = "Sign")]
fn when_n_is_less_than_0() {
    let n = int(-1);

    let s = if_alternatives::sign(&n);

    expect_eq!(s, int(-1), "src/if_alternatives.dfy:1:8: Sign by Dafny's semantics");
    expect!(n != 0 || s == 0, "src/if_alternatives.dfy:2:11: n == 0 ==> s == 0");
}

/// Reaches src/if_alternatives.dfy:6:18: alternative `n == 0` (block 3 of 4); also block 1.
/// Path: n >= 0, n == 0.
#[dunit(unit = "Sign")]
fn when_n_is_0() {
    let n = int(0);

    let s = if_alternatives::sign(&n);

    expect_eq!(s, int(0), "src/if_alternatives.dfy:1:8: Sign by Dafny's semantics");
    expect!(n != 0 || s == 0, "src/if_alternatives.dfy:2:11: n == 0 ==> s == 0");
}

/// Reaches src/if_alternatives.dfy:7:17: alternative `n > 0` (block 4 of 4); also block 1.
/// Path: n >= 0, n != 0, n > 0.
#[dunit(unit = "Sign")]
fn when_n_is_greater_than_0() {
    let n = int(1);

    let s = if_alternatives::sign(&n);

    expect_eq!(s, int(1), "src/if_alternatives.dfy:1:8: Sign by Dafny's semantics");
    expect!(n != 0 || s == 0, "src/if_alternatives.dfy:2:11: n == 0 ==> s == 0");
}
