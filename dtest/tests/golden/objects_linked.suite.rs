// tests/dtest/node.rs

use dunit::prelude::*;

use crate::subject::objects_linked::Node;

/// An object of the class at src/objects_linked.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
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
        "src/objects_linked.dfy:1:7: Node, printed",
    );
    expect_eq!(
        field_names(&node),
        ["value", "next"],
        "src/objects_linked.dfy:1:7: Node, fields that can be assigned",
    );
}

// tests/dtest/sum.rs

use dunit::prelude::*;

use crate::subject::objects_linked::{self, Node};

/// Reaches src/objects_linked.dfy:8:21: `n.next != null` holds (block 2 of 3); also block 1.
/// Path: n.next != null.
/// Created field by field (no calls were found that create it): next_of_n, n.
#[dunit(unit = "Sum")]
fn when_n_next_is_not_null() {
    let next_of_n = Ref::new(Node {
        value: Field::new(int(2)),
        next: Field::new(<Ref<Node>>::null()),
    });
    let n = Ref::new(Node {
        value: Field::new(int(3)),
        next: Field::new(next_of_n.clone()),
    });

    let before = Snapshot::take();
    let r = objects_linked::sum(&n);

    expect_eq!(r, int(5), "src/objects_linked.dfy:6:8: Sum by Dafny's semantics");
    expect_frame!(
        before,
        [n, next_of_n],
        [],
        "src/objects_linked.dfy:6:8: nothing is modified",
    );
}

/// Reaches src/objects_linked.dfy:10:4: `n.next != null` does not hold (block 3 of 3); also block 1.
/// Path: n.next == null.
/// Created field by field (no calls were found that create it): n.
#[dunit(unit = "Sum")]
fn when_n_next_is_null() {
    let n = Ref::new(Node {
        value: Field::new(int(3)),
        next: Field::new(<Ref<Node>>::null()),
    });

    let before = Snapshot::take();
    let r = objects_linked::sum(&n);

    expect_eq!(r, int(3), "src/objects_linked.dfy:6:8: Sum by Dafny's semantics");
    expect_frame!(before, [n], [], "src/objects_linked.dfy:6:8: nothing is modified");
}
