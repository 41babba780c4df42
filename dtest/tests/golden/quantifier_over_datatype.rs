use dunit::prelude::*;

/// From src/quantifier_over_datatype.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bit {
    Zero,
    One,
}

impl Bit {
    /// Whether the value was created by `Zero`.
    pub fn is_zero(&self) -> bool {
        matches!(self, Bit::Zero)
    }

    /// Whether the value was created by `One`.
    pub fn is_one(&self) -> bool {
        matches!(self, Bit::One)
    }
}

impl DafnyPrint for Bit {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bit::Zero => fmt_constructor(formatter, "Bit.Zero", &[]),
            Bit::One => fmt_constructor(formatter, "Bit.One", &[]),
        }
    }
}

impl std::fmt::Debug for Bit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Bit {
    fn dafny_default() -> Self {
        Bit::Zero
    }
}

/// From src/quantifier_over_datatype.dfy:3.
pub fn injective(f: &Fun1<Bit, Int>) -> bool {
    [Bit::Zero, Bit::One]
        .into_iter()
        .all(|a| {
            [Bit::Zero, Bit::One].into_iter().all(|b| f.call(&a) != f.call(&b) || a == b)
        })
}
