use dunit::prelude::*;

/// From src/datatype_mutually_recursive.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Forest {
    Empty,
    Trees { first: Rc<Tree>, rest: Rc<Forest> },
}

impl Forest {
    /// Whether the value was created by `Empty`.
    pub fn is_empty(&self) -> bool {
        matches!(self, Forest::Empty)
    }

    /// Whether the value was created by `Trees`.
    pub fn is_trees(&self) -> bool {
        matches!(self, Forest::Trees { .. })
    }

    /// The field `first`.
    pub fn first(&self) -> &Tree {
        match self {
            Forest::Trees { first, .. } => first,
            _ => panic!("the value has no `first`"),
        }
    }

    /// The field `rest`.
    pub fn rest(&self) -> &Forest {
        match self {
            Forest::Trees { rest, .. } => rest,
            _ => panic!("the value has no `rest`"),
        }
    }
}

impl DafnyPrint for Forest {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Forest::Empty => fmt_constructor(formatter, "Forest.Empty", &[]),
            Forest::Trees { first, rest } => {
                fmt_constructor(formatter, "Forest.Trees", &[first, rest])
            }
        }
    }
}

impl std::fmt::Debug for Forest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Forest {
    fn dafny_default() -> Self {
        Forest::Empty
    }
}

/// From src/datatype_mutually_recursive.dfy:2.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tree {
    Tree { value: Int, children: Rc<Forest> },
}

impl Tree {
    /// Whether the value was created by `Tree`.
    pub fn is_tree(&self) -> bool {
        matches!(self, Tree::Tree { .. })
    }

    /// The field `value`.
    pub fn value(&self) -> &Int {
        match self {
            Tree::Tree { value, .. } => value,
        }
    }

    /// The field `children`.
    pub fn children(&self) -> &Forest {
        match self {
            Tree::Tree { children, .. } => children,
        }
    }
}

impl DafnyPrint for Tree {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tree::Tree { value, children } => {
                fmt_constructor(formatter, "Tree.Tree", &[value, children])
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
        Tree::Tree {
            value: DafnyDefault::dafny_default(),
            children: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_mutually_recursive.dfy:4.
pub fn values(f: &Forest) -> Int {
    let mut f = f.clone();
    let mut total: Int = int(0);
    loop {
        match &f {
            Forest::Empty => {
                return total;
            }
            Forest::Trees { first: t, rest } => {
                let t = &**t;
                let rest = &**rest;
                total += t.value();
                f = rest.clone();
            }
        }
    }
}
