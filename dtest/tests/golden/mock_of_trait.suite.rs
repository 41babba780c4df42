// tests/dtest/late.rs

use dmock::mock;
use dunit::prelude::*;

use crate::subject::mock_of_trait::{self, Clock};

mock! {
    /// A mock of `Clock`.
    #[class("_module.Clock")]
    struct MockClock;

    impl Clock for MockClock {
        fn now(&self) -> Int;
    }
}

/// Reaches src/mock_of_trait.dfy:8:1: the body is entered (block 1 of 1).
#[dunit(unit = "Late")]
fn runs() {
    let clock = MockClock::build().on_now().answers(int(-2)).create_as::<dyn Clock>();
    let deadline = int(-1);

    let before = Snapshot::take();
    let late = mock_of_trait::late(&clock, &deadline);

    expect_eq!(late, false, "src/mock_of_trait.dfy:6:8: Late by Dafny's semantics");
    expect!(
        late == (Clock::now(&*clock) > deadline),
        "src/mock_of_trait.dfy:7:11: late <==> clock.Now() > deadline",
    );
    expect_frame!(
        before,
        [clock],
        [],
        "src/mock_of_trait.dfy:6:8: nothing is modified",
    );
}
