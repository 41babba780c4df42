use dunit::prelude::*;

/// From src/let_pattern.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    Pair { a: Int, b: Int },
}

impl Pair {
    /// Whether the value was created by `Pair`.
    pub fn is_pair(&self) -> bool {
        matches!(self, Pair::Pair { .. })
    }

    /// The field `a`.
    pub fn a(&self) -> &Int {
        match self {
            Pair::Pair { a, .. } => a,
        }
    }

    /// The field `b`.
    pub fn b(&self) -> &Int {
        match self {
            Pair::Pair { b, .. } => b,
        }
    }
}

impl DafnyPrint for Pair {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pair::Pair { a, b } => fmt_constructor(formatter, "Pair.Pair", &[a, b]),
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
            a: DafnyDefault::dafny_default(),
            b: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/let_pattern.dfy:3.
pub fn sum(p: &Pair) -> Int {
    let Pair::Pair { a: x, b: y } = p;
    x + y
}
