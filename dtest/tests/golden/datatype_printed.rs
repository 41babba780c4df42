use dunit::prelude::*;

/// From src/datatype_printed.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Item { name: Seq<Char>, count: Int },
}

impl Item {
    /// Whether the value was created by `Item`.
    pub fn is_item(&self) -> bool {
        matches!(self, Item::Item { .. })
    }

    /// The field `name`.
    pub fn name(&self) -> &Seq<Char> {
        match self {
            Item::Item { name, .. } => name,
        }
    }

    /// The field `count`.
    pub fn count(&self) -> &Int {
        match self {
            Item::Item { count, .. } => count,
        }
    }
}

impl DafnyPrint for Item {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Item::Item { name, count } => {
                fmt_constructor(formatter, "Item.Item", &[&Quoted(name), count])
            }
        }
    }
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Item {
    fn dafny_default() -> Self {
        Item::Item {
            name: DafnyDefault::dafny_default(),
            count: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_printed.dfy:3.
pub fn show(i: &Item) {
    dafny_print!(*i, Text(&str("\n")));
}
