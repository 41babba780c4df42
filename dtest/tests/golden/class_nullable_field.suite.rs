// tests/dtest/node.rs

use dunit::prelude::*;

use crate::subject::class_nullable_field::Node;

/// An object of the class at src/class_nullable_field.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Node")]
fn object() {
    let next_of_node = Ref::new(Node {
        value: Field::new(int(2)),
        next: Field::new(<Ref<Node>>::null()),
    });
    let node = Ref::new(Node {
        value: Field::new(int(2)),
        next: Field::new(next_of_node.clone()),
    });

    expect_eq!(
        to_dafny_string(&node),
        "_module.Node",
        "src/class_nullable_field.dfy:1:7: Node, printed",
    );
    expect_eq!(
        field_names(&node),
        ["value", "next"],
        "src/class_nullable_field.dfy:1:7: Node, fields that can be assigned",
    );
}

// tests/dtest/node_second.rs

use dunit::prelude::*;

use crate::subject::class_nullable_field::Node;

/// Reaches src/class_nullable_field.dfy:7:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): next_of_this, this.
#[dunit(unit = "Node.Second")]
fn runs() {
    let next_of_this = Ref::new(Node {
        value: Field::new(int(2)),
        next: Field::new(<Ref<Node>>::null()),
    });
    let this = Ref::new(Node {
        value: Field::new(int(3)),
        next: Field::new(next_of_this.clone()),
    });
    require!(
        !this.next.get().is_null(),
        "src/class_nullable_field.dfy:6:14: next != null",
    );

    let before = Snapshot::take();
    let r = Node::second(&this);

    expect_eq!(
        r,
        int(2),
        "src/class_nullable_field.dfy:5:10: Second by Dafny's semantics",
    );
    expect_frame!(
        before,
        [this, next_of_this],
        [],
        "src/class_nullable_field.dfy:5:10: nothing is modified",
    );
}
