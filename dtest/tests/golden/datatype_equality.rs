use dunit::prelude::*;

/// From src/datatype_equality.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Number { n: Int },
    Name { s: Seq<Char> },
}

impl Key {
    /// Whether the value was created by `Number`.
    pub fn is_number(&self) -> bool {
        matches!(self, Key::Number { .. })
    }

    /// Whether the value was created by `Name`.
    pub fn is_name(&self) -> bool {
        matches!(self, Key::Name { .. })
    }

    /// The field `n`.
    pub fn n(&self) -> &Int {
        match self {
            Key::Number { n } => n,
            _ => panic!("the value has no `n`"),
        }
    }

    /// The field `s`.
    pub fn s(&self) -> &Seq<Char> {
        match self {
            Key::Name { s } => s,
            _ => panic!("the value has no `s`"),
        }
    }
}

impl DafnyPrint for Key {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Key::Number { n } => fmt_constructor(formatter, "Key.Number", &[n]),
            Key::Name { s } => fmt_constructor(formatter, "Key.Name", &[&Quoted(s)]),
        }
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Key {
    fn dafny_default() -> Self {
        Key::Number {
            n: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_equality.dfy:3.
pub fn same(a: &Key, b: &Key) -> bool {
    a == b
}
