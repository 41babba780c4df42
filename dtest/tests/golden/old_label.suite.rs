// tests/dtest/counter.rs

use dunit::prelude::*;

use crate::subject::old_label::Counter;

/// An object of the class at src/old_label.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Counter")]
fn object() {
    let counter = Ref::new(Counter {
        count: Field::new(int(2)),
    });

    expect_eq!(
        to_dafny_string(&counter),
        "_module.Counter",
        "src/old_label.dfy:1:7: Counter, printed",
    );
    expect_eq!(
        field_names(&counter),
        ["count"],
        "src/old_label.dfy:1:7: Counter, fields that can be assigned",
    );
}

// tests/dtest/counter_twice.rs

use dunit::prelude::*;

use crate::subject::old_label::Counter;

/// Reaches src/old_label.dfy:6:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Counter.Twice")]
fn runs() {
    let this = Ref::new(Counter {
        count: Field::new(int(3)),
    });

    let before = Snapshot::take();
    Counter::twice(&this);

    expect_eq!(
        this.count.get(),
        int(5),
        "src/old_label.dfy:4:10: Twice by Dafny's semantics",
    );
    expect_frame!(before, [this], [this], "src/old_label.dfy:5:14: modifies this");
}
