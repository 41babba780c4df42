use dunit::prelude::*;

/// From src/match_binds_whole.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    Nil,
    Cons { head: Int, tail: Rc<List> },
}

impl List {
    /// Whether the value was created by `Nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, List::Nil)
    }

    /// Whether the value was created by `Cons`.
    pub fn is_cons(&self) -> bool {
        matches!(self, List::Cons { .. })
    }

    /// The field `head`.
    pub fn head(&self) -> &Int {
        match self {
            List::Cons { head, .. } => head,
            _ => panic!("the value has no `head`"),
        }
    }

    /// The field `tail`.
    pub fn tail(&self) -> &List {
        match self {
            List::Cons { tail, .. } => tail,
            _ => panic!("the value has no `tail`"),
        }
    }
}

impl DafnyPrint for List {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            List::Nil => fmt_constructor(formatter, "List.Nil", &[]),
            List::Cons { head, tail } => {
                fmt_constructor(formatter, "List.Cons", &[head, tail])
            }
        }
    }
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for List {
    fn dafny_default() -> Self {
        List::Nil
    }
}

/// From src/match_binds_whole.dfy:3.
pub fn second(l: &List) -> List {
    match l {
        List::Nil => List::Nil,
        List::Cons { tail: rest, .. } => {
            let rest = &**rest;
            rest.clone()
        }
    }
}
