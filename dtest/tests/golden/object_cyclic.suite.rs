// tests/dtest/node.rs

use dunit::prelude::*;

use crate::subject::object_cyclic::Node;

/// An object of the class at src/object_cyclic.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Node")]
fn object() {
    let next_of_node = Ref::new(Node {
        next: Field::new(<Ref<Node>>::null()),
    });
    let node = Ref::new(Node {
        next: Field::new(next_of_node.clone()),
    });

    expect_eq!(
        to_dafny_string(&node),
        "_module.Node",
        "src/object_cyclic.dfy:1:7: Node, printed",
    );
    expect_eq!(
        field_names(&node),
        ["next"],
        "src/object_cyclic.dfy:1:7: Node, fields that can be assigned",
    );
}

// tests/dtest/node_loops.rs

use dunit::prelude::*;

use crate::subject::object_cyclic::Node;

/// Reaches src/object_cyclic.dfy:7:5: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Node.Loops")]
fn runs() {
    let this = Ref::new(Node {
        next: Field::new(<Ref<Node>>::null()),
    });

    let result = Node::loops(&this);

    expect_eq!(result, false, "src/object_cyclic.dfy:4:13: Loops by Dafny's semantics");
}
