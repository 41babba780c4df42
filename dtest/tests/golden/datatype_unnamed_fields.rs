use dunit::prelude::*;

/// From src/datatype_unnamed_fields.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    Pair { _0: Int, _1: bool },
}

impl Pair {
    /// Whether the value was created by `Pair`.
    pub fn is_pair(&self) -> bool {
        matches!(self, Pair::Pair { .. })
    }

    /// The field `0`.
    pub fn _0(&self) -> &Int {
        match self {
            Pair::Pair { _0, .. } => _0,
        }
    }

    /// The field `1`.
    pub fn _1(&self) -> bool {
        match self {
            Pair::Pair { _1, .. } => *_1,
        }
    }
}

impl DafnyPrint for Pair {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pair::Pair { _0, _1 } => fmt_constructor(formatter, "Pair.Pair", &[_0, _1]),
        }
    }
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Pair {
    fn dafny_default() -> Self {
        Pair::Pair {
            _0: DafnyDefault::dafny_default(),
            _1: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/datatype_unnamed_fields.dfy:3.
pub fn left(p: &Pair) -> Int {
    match p {
        Pair::Pair { _0: n, .. } => n.clone(),
    }
}
