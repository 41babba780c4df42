// tests/dtest/counter.rs

use dunit::prelude::*;

use crate::subject::object_state_by_calls::Counter;

/// An object of the class at src/object_state_by_calls.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Counter")]
fn object() {
    let counter = Ref::new(Counter {
        count: Field::new(int(3)),
    });

    expect_eq!(
        to_dafny_string(&counter),
        "_module.Counter",
        "src/object_state_by_calls.dfy:1:7: Counter, printed",
    );
    expect_eq!(
        field_names(&counter),
        ["count"],
        "src/object_state_by_calls.dfy:1:7: Counter, fields that can be assigned",
    );
}

// tests/dtest/counter_is_two.rs

use dunit::prelude::*;

use crate::subject::object_state_by_calls::Counter;

/// Reaches src/object_state_by_calls.dfy:20:24: `count == 2` holds (block 2 of 3); also block 1.
/// Path: count == 2.
#[dunit(unit = "Counter.IsTwo")]
fn when_count_is_2() {
    let this = Counter::new();
    Counter::tick(&this);
    Counter::tick(&this);

    let result = Counter::is_two(&this);

    expect_eq!(
        result,
        true,
        "src/object_state_by_calls.dfy:17:13: IsTwo by Dafny's semantics",
    );
}

/// Reaches src/object_state_by_calls.dfy:20:34: `count == 2` does not hold (block 3 of 3); also block 1.
/// Path: count != 2.
#[dunit(unit = "Counter.IsTwo")]
fn when_count_is_not_2() {
    let this = Counter::new();
    Counter::tick(&this);
    Counter::tick(&this);
    Counter::tick(&this);

    let result = Counter::is_two(&this);

    expect_eq!(
        result,
        false,
        "src/object_state_by_calls.dfy:17:13: IsTwo by Dafny's semantics",
    );
}

// tests/dtest/counter_new.rs

use dunit::prelude::*;

use crate::subject::object_state_by_calls::Counter;

/// Reaches src/object_state_by_calls.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Counter._ctor")]
fn runs() {
    let this = Counter::new();

    expect_eq!(
        this.count.get(),
        int(0),
        "src/object_state_by_calls.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(this.count.get() == 0, "src/object_state_by_calls.dfy:5:13: count == 0");
}

// tests/dtest/counter_tick.rs

use dunit::prelude::*;

use crate::subject::object_state_by_calls::Counter;

/// Reaches src/object_state_by_calls.dfy:13:3: the body is entered (block 1 of 1).
#[dunit(unit = "Counter.Tick")]
fn runs() {
    let this = Counter::new();
    Counter::tick(&this);
    Counter::tick(&this);
    Counter::tick(&this);

    let before = Snapshot::take();
    Counter::tick(&this);

    expect_eq!(
        this.count.get(),
        int(4),
        "src/object_state_by_calls.dfy:10:10: Tick by Dafny's semantics",
    );
    expect!(
        this.count.get() == before.old(|| this.count.get()) + 1,
        "src/object_state_by_calls.dfy:12:13: count == old(count) + 1",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/object_state_by_calls.dfy:11:14: modifies this",
    );
}
