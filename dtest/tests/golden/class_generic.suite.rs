// tests/dtest/box_.rs

use dunit::prelude::*;

use crate::subject::class_generic::Box;

/// An object of the class at src/class_generic.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Box")]
fn object() {
    let r#box = Ref::new(Box { content: Field::new(int(2)) });

    expect_eq!(
        to_dafny_string(&r#box),
        "_module.Box",
        "src/class_generic.dfy:1:7: Box, printed",
    );
    expect_eq!(
        field_names(&r#box),
        ["content"],
        "src/class_generic.dfy:1:7: Box, fields that can be assigned",
    );
}

// tests/dtest/box_new.rs

use dunit::prelude::*;

use crate::subject::class_generic::Box;

/// Reaches src/class_generic.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Box._ctor")]
fn runs() {
    let content = int(3);

    let this = Box::<Int>::new(&content);

    expect_eq!(
        this.content.get(),
        int(3),
        "src/class_generic.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.content.get() == content,
        "src/class_generic.dfy:5:13: this.content == content",
    );
}

// tests/dtest/box_swap.rs

use dunit::prelude::*;

use crate::subject::class_generic::Box;

/// Reaches src/class_generic.dfy:13:3: the body is entered (block 1 of 1).
#[dunit(unit = "Box.Swap")]
fn runs() {
    let this = Box::<Int>::new(&int(2));
    let other = int(3);

    let before = Snapshot::take();
    let previous = Box::<Int>::swap(&this, &other);

    expect_eq!(
        previous,
        int(2),
        "src/class_generic.dfy:10:10: Swap by Dafny's semantics",
    );
    expect_eq!(
        this.content.get(),
        int(3),
        "src/class_generic.dfy:10:10: Swap by Dafny's semantics",
    );
    expect!(
        this.content.get() == other && previous == before.old(|| this.content.get()),
        "src/class_generic.dfy:12:13: content == other && previous == old(content)",
    );
    expect_frame!(before, [this], [this], "src/class_generic.dfy:11:14: modifies this");
}
