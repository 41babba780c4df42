// tests/dtest/coin.rs

use dunit::prelude::*;

use crate::subject::trait_upcast::Coin;

/// An object of the class at src/trait_upcast.dfy:5:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Coin")]
fn object() {
    let coin = Ref::new(Coin {});

    expect_eq!(
        to_dafny_string(&coin),
        "_module.Coin",
        "src/trait_upcast.dfy:5:7: Coin, printed",
    );
}

// tests/dtest/coin_new.rs

use dunit::prelude::*;

use crate::subject::trait_upcast::Coin;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/trait_upcast.dfy:6:18: the body is entered (block 1 of 1).
#[dunit(unit = "Coin._ctor")]
fn runs() {
    let _this = Coin::new();
}

// tests/dtest/coin_value.rs

use dunit::prelude::*;

use crate::subject::trait_upcast::{Coin, Valued};

/// Reaches src/trait_upcast.dfy:10:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Valued`.
#[dunit(unit = "Coin.Value")]
fn runs() {
    let this = Coin::new();

    let result = Valued::value(&this);

    expect_eq!(result, int(5), "src/trait_upcast.dfy:9:12: Value by Dafny's semantics");
}

// tests/dtest/total.rs

use dunit::prelude::*;

use crate::subject::trait_upcast::{self, Coin};

/// Reaches src/trait_upcast.dfy:14:40: the body is entered (block 1 of 1).
#[dunit(unit = "Total")]
fn runs() {
    let c = Coin::new();

    let before = Snapshot::take();
    let r = trait_upcast::total(&c);

    expect_eq!(r, int(10), "src/trait_upcast.dfy:14:8: Total by Dafny's semantics");
    expect_frame!(before, [c], [], "src/trait_upcast.dfy:14:8: nothing is modified");
}
