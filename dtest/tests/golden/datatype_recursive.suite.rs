// tests/dtest/size.rs

use dunit::prelude::*;

use crate::subject::datatype_recursive::{self, Tree};

/// Reaches src/datatype_recursive.dfy:5:16: case `Leaf` (block 2 of 3); also block 1.
/// Path: Leaf.
#[dunit(unit = "Size")]
fn in_case_leaf() {
    let t = Tree::Leaf;

    let result = datatype_recursive::size(&t);

    expect_eq!(
        result,
        int(0),
        "src/datatype_recursive.dfy:3:10: Size by Dafny's semantics",
    );
    expect!(0 <= result, "src/datatype_recursive.dfy:3:10: the result is a nat");
}

/// Reaches src/datatype_recursive.dfy:6:25: case `Node(l, _, r)` (block 3 of 3); also block 1.
/// Path: !Leaf.
#[dunit(unit = "Size")]
fn in_case_node_l_any_r() {
    let t = Tree::Node {
        left: Rc::new(Tree::Node {
            left: Rc::new(Tree::Leaf),
            value: int(0),
            right: Rc::new(Tree::Node {
                left: Rc::new(Tree::Leaf),
                value: int(0),
                right: Rc::new(Tree::Leaf),
            }),
        }),
        value: int(3),
        right: Rc::new(Tree::Node {
            left: Rc::new(Tree::Node {
                left: Rc::new(Tree::Node {
                    left: Rc::new(Tree::Leaf),
                    value: int(1),
                    right: Rc::new(Tree::Leaf),
                }),
                value: int(0),
                right: Rc::new(Tree::Leaf),
            }),
            value: int(-1),
            right: Rc::new(Tree::Leaf),
        }),
    };

    let result = datatype_recursive::size(&t);

    expect_eq!(
        result,
        int(6),
        "src/datatype_recursive.dfy:3:10: Size by Dafny's semantics",
    );
    expect!(0 <= result, "src/datatype_recursive.dfy:3:10: the result is a nat");
}

// tests/dtest/tree.rs

use dunit::prelude::*;

use crate::subject::datatype_recursive::Tree;

/// Values of the constructors at src/datatype_recursive.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Tree")]
fn constructors() {
    let leaf = Tree::Leaf;
    expect!(leaf.is_leaf() && !leaf.is_node(), "src/datatype_recursive.dfy:1:17: Leaf");
    expect_eq!(
        format!("{leaf:?}"),
        "Tree.Leaf",
        "src/datatype_recursive.dfy:1:17: Leaf, printed",
    );

    let node = Tree::Node {
        left: Rc::new(Tree::Node {
            left: Rc::new(Tree::Node {
                left: Rc::new(Tree::Leaf),
                value: int(1),
                right: Rc::new(Tree::Leaf),
            }),
            value: int(0),
            right: Rc::new(Tree::Leaf),
        }),
        value: int(3),
        right: Rc::new(Tree::Node {
            left: Rc::new(Tree::Leaf),
            value: int(1),
            right: Rc::new(Tree::Leaf),
        }),
    };
    expect!(node.is_node() && !node.is_leaf(), "src/datatype_recursive.dfy:1:24: Node");
    expect_eq!(
        *node.left(),
        Tree::Node {
            left: Rc::new(Tree::Node {
                left: Rc::new(Tree::Leaf),
                value: int(1),
                right: Rc::new(Tree::Leaf),
            }),
            value: int(0),
            right: Rc::new(Tree::Leaf),
        },
        "src/datatype_recursive.dfy:1:24: Node.left",
    );
    expect_eq!(*node.value(), int(3), "src/datatype_recursive.dfy:1:24: Node.value");
    expect_eq!(
        *node.right(),
        Tree::Node {
            left: Rc::new(Tree::Leaf),
            value: int(1),
            right: Rc::new(Tree::Leaf),
        },
        "src/datatype_recursive.dfy:1:24: Node.right",
    );
    expect_eq!(
        format!("{node:?}"),
        "Tree.Node(Tree.Node(Tree.Node(Tree.Leaf, 1, Tree.Leaf), 0, Tree.Leaf), 3, Tree.Node(Tree.Leaf, 1, Tree.Leaf))",
        "src/datatype_recursive.dfy:1:24: Node, printed",
    );
}
