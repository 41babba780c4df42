// tests/dtest/cat.rs

use dunit::prelude::*;

use crate::subject::trait_method::Cat;

/// An object of the class at src/trait_method.dfy:5:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Cat")]
fn object() {
    let cat = Ref::new(Cat {});

    expect_eq!(
        to_dafny_string(&cat),
        "_module.Cat",
        "src/trait_method.dfy:5:7: Cat, printed",
    );
}

// tests/dtest/cat_new.rs

use dunit::prelude::*;

use crate::subject::trait_method::Cat;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/trait_method.dfy:6:18: the body is entered (block 1 of 1).
#[dunit(unit = "Cat._ctor")]
fn runs() {
    let _this = Cat::new();
}

// tests/dtest/cat_noise.rs

use dunit::prelude::*;

use crate::subject::trait_method::{Animal, Cat};

/// Reaches src/trait_method.dfy:9:38: the body is entered (block 1 of 1).
/// Called as a member of the trait `Animal`.
#[dunit(unit = "Cat.Noise")]
fn runs() {
    let this = Cat::new();

    let before = Snapshot::take();
    let s = Animal::noise(&this);

    expect_eq!(s, str("meow"), "src/trait_method.dfy:9:10: Noise by Dafny's semantics");
    expect_frame!(before, [this], [], "src/trait_method.dfy:9:10: nothing is modified");
}
