// tests/dtest/forest.rs

use dunit::prelude::*;

use crate::subject::datatype_mutually_recursive::{Forest, Tree};

/// Values of the constructors at src/datatype_mutually_recursive.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Forest")]
fn constructors() {
    let empty = Forest::Empty;
    expect!(
        empty.is_empty() && !empty.is_trees(),
        "src/datatype_mutually_recursive.dfy:1:19: Empty",
    );
    expect_eq!(
        format!("{empty:?}"),
        "Forest.Empty",
        "src/datatype_mutually_recursive.dfy:1:19: Empty, printed",
    );

    let trees = Forest::Trees {
        first: Rc::new(Tree::Tree {
            value: int(2),
            children: Rc::new(Forest::Empty),
        }),
        rest: Rc::new(Forest::Trees {
            first: Rc::new(Tree::Tree {
                value: int(2),
                children: Rc::new(Forest::Empty),
            }),
            rest: Rc::new(Forest::Empty),
        }),
    };
    expect!(
        trees.is_trees() && !trees.is_empty(),
        "src/datatype_mutually_recursive.dfy:1:27: Trees",
    );
    expect_eq!(
        *trees.first(),
        Tree::Tree {
            value: int(2),
            children: Rc::new(Forest::Empty),
        },
        "src/datatype_mutually_recursive.dfy:1:27: Trees.first",
    );
    expect_eq!(
        *trees.rest(),
        Forest::Trees {
            first: Rc::new(Tree::Tree {
                value: int(2),
                children: Rc::new(Forest::Empty),
            }),
            rest: Rc::new(Forest::Empty),
        },
        "src/datatype_mutually_recursive.dfy:1:27: Trees.rest",
    );
    expect_eq!(
        format!("{trees:?}"),
        "Forest.Trees(Tree.Tree(2, Forest.Empty), Forest.Trees(Tree.Tree(2, Forest.Empty), Forest.Empty))",
        "src/datatype_mutually_recursive.dfy:1:27: Trees, printed",
    );
}

// tests/dtest/tree.rs

use dunit::prelude::*;

use crate::subject::datatype_mutually_recursive::{Forest, Tree};

/// Values of the constructors at src/datatype_mutually_recursive.dfy:2:10: discriminators, fields, printed form.
#[dunit(unit = "Tree")]
fn constructors() {
    let tree = Tree::Tree {
        value: int(2),
        children: Rc::new(Forest::Trees {
            first: Rc::new(Tree::Tree {
                value: int(2),
                children: Rc::new(Forest::Empty),
            }),
            rest: Rc::new(Forest::Empty),
        }),
    };
    expect!(tree.is_tree(), "src/datatype_mutually_recursive.dfy:2:17: Tree");
    expect_eq!(
        *tree.value(),
        int(2),
        "src/datatype_mutually_recursive.dfy:2:17: Tree.value",
    );
    expect_eq!(
        *tree.children(),
        Forest::Trees {
            first: Rc::new(Tree::Tree {
                value: int(2),
                children: Rc::new(Forest::Empty),
            }),
            rest: Rc::new(Forest::Empty),
        },
        "src/datatype_mutually_recursive.dfy:2:17: Tree.children",
    );
    expect_eq!(
        format!("{tree:?}"),
        "Tree.Tree(2, Forest.Trees(Tree.Tree(2, Forest.Empty), Forest.Empty))",
        "src/datatype_mutually_recursive.dfy:2:17: Tree, printed",
    );
}

// tests/dtest/values.rs

use dunit::prelude::*;

use crate::subject::datatype_mutually_recursive::{self, Forest, Tree};

/// Reaches src/datatype_mutually_recursive.dfy:6:17: case `Empty` (block 2 of 3); also block 1.
/// Path: Empty.
#[dunit(unit = "Values")]
fn in_case_empty() {
    let f = Forest::Empty;

    let result = datatype_mutually_recursive::values(&f);

    expect_eq!(
        result,
        int(0),
        "src/datatype_mutually_recursive.dfy:4:10: Values by Dafny's semantics",
    );
}

/// Reaches src/datatype_mutually_recursive.dfy:7:26: case `Trees(t, rest)` (block 3 of 3); also block 1.
/// Path: !Empty.
#[dunit(unit = "Values")]
fn in_case_trees_t_rest() {
    let f = Forest::Trees {
        first: Rc::new(Tree::Tree {
            value: int(5),
            children: Rc::new(Forest::Empty),
        }),
        rest: Rc::new(Forest::Trees {
            first: Rc::new(Tree::Tree {
                value: int(2),
                children: Rc::new(Forest::Empty),
            }),
            rest: Rc::new(Forest::Empty),
        }),
    };

    let result = datatype_mutually_recursive::values(&f);

    expect_eq!(
        result,
        int(7),
        "src/datatype_mutually_recursive.dfy:4:10: Values by Dafny's semantics",
    );
}
