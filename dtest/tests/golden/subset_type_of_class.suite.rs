// tests/dtest/is_leaf.rs

use dunit::prelude::*;

use crate::subject::subset_type_of_class::{self, Node};

/// Reaches src/subset_type_of_class.dfy:15:1: the body is entered (block 1 of 1).
#[dunit(unit = "IsLeaf")]
fn runs() {
    let l = Node::new(true);
    require!(!l.is_null() && l.leaf, "src/subset_type_of_class.dfy:13:15: l is a Leaf");

    let before = Snapshot::take();
    let r = subset_type_of_class::is_leaf(&l);

    expect_eq!(
        r,
        true,
        "src/subset_type_of_class.dfy:13:8: IsLeaf by Dafny's semantics",
    );
    expect!(r, "src/subset_type_of_class.dfy:14:11: r");
    expect_frame!(
        before,
        [l],
        [],
        "src/subset_type_of_class.dfy:13:8: nothing is modified",
    );
}

// tests/dtest/node.rs

use dunit::prelude::*;

use crate::subject::subset_type_of_class::Node;

/// An object of the class at src/subset_type_of_class.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Node")]
fn object() {
    let node = Ref::new(Node { leaf: true });

    expect_eq!(
        to_dafny_string(&node),
        "_module.Node",
        "src/subset_type_of_class.dfy:1:7: Node, printed",
    );
    expect_eq!(
        constant_names(&node),
        ["leaf"],
        "src/subset_type_of_class.dfy:1:7: Node, constants",
    );
}

// tests/dtest/node_new.rs

use dunit::prelude::*;

use crate::subject::subset_type_of_class::Node;

/// Reaches src/subset_type_of_class.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Node._ctor")]
fn runs() {
    let leaf = false;

    let this = Node::new(leaf);

    expect_eq!(
        this.leaf,
        false,
        "src/subset_type_of_class.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(this.leaf == leaf, "src/subset_type_of_class.dfy:5:13: this.leaf == leaf");
}
