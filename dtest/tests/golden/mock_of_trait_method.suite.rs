// tests/dtest/enter.rs

use dmock::mock;
use dunit::prelude::*;

use crate::subject::mock_of_trait_method::{self, Door};

mock! {
    /// A mock of `Door`.
    #[class("_module.Door")]
    struct MockDoor;

    impl Door for MockDoor {
        fn open(&self, a0: &Int) -> bool;
    }
}

/// Reaches src/mock_of_trait_method.dfy:10:9: `ok` holds (block 2 of 3); also block 1.
/// Path: ok.
#[dunit(unit = "Enter")]
fn when_ok() {
    let door = MockDoor::build()
        .on_open(int(1))
        .answers_once(true)
        .create_as::<dyn Door>();

    let before = Snapshot::take();
    let tries = mock_of_trait_method::enter(&door);

    expect_eq!(
        tries,
        int(1),
        "src/mock_of_trait_method.dfy:6:8: Enter by Dafny's semantics",
    );
    expect_frame!(
        before,
        [door],
        [door],
        "src/mock_of_trait_method.dfy:7:12: modifies door",
    );
}

/// Reaches src/mock_of_trait_method.dfy:12:4: `ok` does not hold (block 3 of 3); also block 1.
/// Path: !ok.
#[dunit(unit = "Enter")]
fn unless_ok() {
    let door = MockDoor::build()
        .on_open(int(1))
        .answers_once(false)
        .create_as::<dyn Door>();

    let before = Snapshot::take();
    let tries = mock_of_trait_method::enter(&door);

    expect_eq!(
        tries,
        int(0),
        "src/mock_of_trait_method.dfy:6:8: Enter by Dafny's semantics",
    );
    expect_frame!(
        before,
        [door],
        [door],
        "src/mock_of_trait_method.dfy:7:12: modifies door",
    );
}
