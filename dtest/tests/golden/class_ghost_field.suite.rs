// tests/dtest/stack.rs

use dunit::prelude::*;

use crate::subject::class_ghost_field::Stack;

/// An object of the class at src/class_ghost_field.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Stack")]
fn object() {
    let stack = Ref::new(Stack {
        top: Field::new(int(2)),
        pushed: Field::new(seq![int(0), int(0)]),
    });

    expect_eq!(
        to_dafny_string(&stack),
        "_module.Stack",
        "src/class_ghost_field.dfy:1:7: Stack, printed",
    );
    expect_eq!(
        field_names(&stack),
        ["top", "pushed"],
        "src/class_ghost_field.dfy:1:7: Stack, fields that can be assigned",
    );
}

// tests/dtest/stack_push.rs

use dunit::prelude::*;

use crate::subject::class_ghost_field::Stack;

/// Reaches src/class_ghost_field.dfy:8:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Stack.Push")]
fn runs() {
    let this = Ref::new(Stack {
        top: Field::new(int(2)),
        pushed: Field::new(Seq::<Int>::new()),
    });
    let x = int(3);

    let before = Snapshot::take();
    Stack::push(&this, &x);

    expect_eq!(
        this.top.get(),
        int(3),
        "src/class_ghost_field.dfy:5:10: Push by Dafny's semantics",
    );
    expect_eq!(
        this.pushed.get(),
        seq![int(3)],
        "src/class_ghost_field.dfy:5:10: Push by Dafny's semantics",
    );
    expect!(
        this.pushed.get() == before.old(|| this.pushed.get()) + seq![x.clone()],
        "src/class_ghost_field.dfy:7:13: pushed == old(pushed) + [x]",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/class_ghost_field.dfy:6:14: modifies this",
    );
}
