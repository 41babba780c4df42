// tests/dtest/switch.rs

use dunit::prelude::*;

use crate::subject::class_field_frame::Switch;

/// An object of the class at src/class_field_frame.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Switch")]
fn object() {
    let switch = Ref::new(Switch {
        on: Field::new(true),
        count: Field::new(int(5)),
    });

    expect_eq!(
        to_dafny_string(&switch),
        "_module.Switch",
        "src/class_field_frame.dfy:1:7: Switch, printed",
    );
    expect_eq!(
        field_names(&switch),
        ["on", "count"],
        "src/class_field_frame.dfy:1:7: Switch, fields that can be assigned",
    );
}

// tests/dtest/switch_toggle.rs

use dunit::prelude::*;

use crate::subject::class_field_frame::Switch;

/// Reaches src/class_field_frame.dfy:8:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Switch.Toggle")]
fn runs() {
    let this = Ref::new(Switch {
        on: Field::new(false),
        count: Field::new(int(3)),
    });

    let before = Snapshot::take();
    Switch::toggle(&this);

    expect_eq!(
        this.on.get(),
        true,
        "src/class_field_frame.dfy:5:10: Toggle by Dafny's semantics",
    );
    expect!(
        this.on.get() == !before.old(|| this.on.get()),
        "src/class_field_frame.dfy:7:13: on == !old(on)",
    );
    expect_frame!(
        before,
        [this],
        [(this, "on")],
        "src/class_field_frame.dfy:6:14: modifies this`on",
    );
}
