use dunit::prelude::*;

/// From src/datatype_recursive.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tree {
    Leaf,
    Node { left: Rc<Tree>, value: Int, right: Rc<Tree> },
}

impl Tree {
    /// Whether the value was created by `Leaf`.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Tree::Leaf)
    }

    /// Whether the value was created by `Node`.
    pub fn is_node(&self) -> bool {
        matches!(self, Tree::Node { .. })
    }

    /// The field `left`.
    pub fn left(&self) -> &Tree {
        match self {
            Tree::Node { left, .. } => left,
            _ => panic!("the value has no `left`"),
        }
    }

    /// The field `value`.
    pub fn value(&self) -> &Int {
        match self {
            Tree::Node { value, .. } => value,
            _ => panic!("the value has no `value`"),
        }
    }

    /// The field `right`.
    pub fn right(&self) -> &Tree {
        match self {
            Tree::Node { right, .. } => right,
            _ => panic!("the value has no `right`"),
        }
    }
}

impl DafnyPrint for Tree {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tree::Leaf => fmt_constructor(formatter, "Tree.Leaf", &[]),
            Tree::Node { left, value, right } => {
                fmt_constructor(formatter, "Tree.Node", &[left, value, right])
            }
        }
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Tree {
    fn dafny_default() -> Self {
        Tree::Leaf
    }
}

/// From src/datatype_recursive.dfy:3.
pub fn size(t: &Tree) -> Int {
    match t {
        Tree::Leaf => int(0),
        Tree::Node { left: l, right: r, .. } => {
            let l = &**l;
            let r = &**r;
            size(l) + 1 + size(r)
        }
    }
}
