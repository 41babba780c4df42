// tests/dtest/node.rs

use dunit::prelude::*;

use crate::subject::fresh_in_postcondition::Node;

/// An object of the class at src/fresh_in_postcondition.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
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
        "src/fresh_in_postcondition.dfy:1:7: Node, printed",
    );
    expect_eq!(
        field_names(&node),
        ["next"],
        "src/fresh_in_postcondition.dfy:1:7: Node, fields that can be assigned",
    );
}

// tests/dtest/node_extend.rs

use dunit::prelude::*;

use crate::subject::fresh_in_postcondition::Node;

/// Reaches src/fresh_in_postcondition.dfy:13:3: the body is entered (block 1 of 1).
#[dunit(unit = "Node.Extend")]
fn runs() {
    let this = Node::new();

    let before = Snapshot::take();
    Node::extend(&this);

    let next_of_this = this.next.get();
    expect_eq!(
        next_of_this.next.get(),
        <Ref<Node>>::null(),
        "src/fresh_in_postcondition.dfy:10:10: Extend by Dafny's semantics",
    );
    expect_distinct!(
        [this, next_of_this],
        "src/fresh_in_postcondition.dfy:10:10: Extend by Dafny's semantics",
    );
    expect!(
        !this.next.get().is_null() && before.is_fresh(this.next.get().identity()),
        "src/fresh_in_postcondition.dfy:12:13: next != null && fresh(next)",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/fresh_in_postcondition.dfy:11:14: modifies this",
    );
}

// tests/dtest/node_new.rs

use dunit::prelude::*;

use crate::subject::fresh_in_postcondition::Node;

/// Reaches src/fresh_in_postcondition.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Node._ctor")]
fn runs() {
    let this = Node::new();

    expect_eq!(
        this.next.get(),
        <Ref<Node>>::null(),
        "src/fresh_in_postcondition.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.next.get().is_null(),
        "src/fresh_in_postcondition.dfy:5:13: next == null",
    );
}
