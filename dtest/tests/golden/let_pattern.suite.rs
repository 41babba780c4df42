// tests/dtest/pair.rs

use dunit::prelude::*;

use crate::subject::let_pattern::Pair;

/// Values of the constructors at src/let_pattern.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Pair")]
fn constructors() {
    let pair = Pair::Pair { a: int(2), b: int(3) };
    expect!(pair.is_pair(), "src/let_pattern.dfy:1:17: Pair");
    expect_eq!(*pair.a(), int(2), "src/let_pattern.dfy:1:17: Pair.a");
    expect_eq!(*pair.b(), int(3), "src/let_pattern.dfy:1:17: Pair.b");
    expect_eq!(
        format!("{pair:?}"),
        "Pair.Pair(2, 3)",
        "src/let_pattern.dfy:1:17: Pair, printed",
    );
}

// tests/dtest/sum.rs

use dunit::prelude::*;

use crate::subject::let_pattern::{self, Pair};

/// Reaches src/let_pattern.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Sum")]
fn runs() {
    let p = Pair::Pair { a: int(3), b: int(2) };

    let result = let_pattern::sum(&p);

    expect_eq!(result, int(5), "src/let_pattern.dfy:3:10: Sum by Dafny's semantics");
}
