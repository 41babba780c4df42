// tests/dtest/counter.rs

use dunit::prelude::*;

use crate::subject::old_in_postcondition::Counter;

/// An object of the class at src/old_in_postcondition.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Counter")]
fn object() {
    let counter = Ref::new(Counter {
        count: Field::new(int(2)),
    });

    expect_eq!(
        to_dafny_string(&counter),
        "_module.Counter",
        "src/old_in_postcondition.dfy:1:7: Counter, printed",
    );
    expect_eq!(
        field_names(&counter),
        ["count"],
        "src/old_in_postcondition.dfy:1:7: Counter, fields that can be assigned",
    );
}

// tests/dtest/counter_tick.rs

use dunit::prelude::*;

use crate::subject::old_in_postcondition::Counter;

/// Reaches src/old_in_postcondition.dfy:8:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Counter.Tick")]
fn runs() {
    let this = Ref::new(Counter {
        count: Field::new(int(3)),
    });

    let before = Snapshot::take();
    let previous = Counter::tick(&this);

    expect_eq!(
        previous,
        int(3),
        "src/old_in_postcondition.dfy:4:10: Tick by Dafny's semantics",
    );
    expect_eq!(
        this.count.get(),
        int(4),
        "src/old_in_postcondition.dfy:4:10: Tick by Dafny's semantics",
    );
    expect!(
        previous == before.old(|| this.count.get()),
        "src/old_in_postcondition.dfy:6:13: previous == old(count)",
    );
    expect!(
        this.count.get() == before.old(|| this.count.get()) + 1,
        "src/old_in_postcondition.dfy:7:13: count == old(count) + 1",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/old_in_postcondition.dfy:5:14: modifies this",
    );
}
