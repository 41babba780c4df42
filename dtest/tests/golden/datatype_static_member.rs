use dunit::prelude::*;

/// From src/datatype_static_member.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    Unit { n: Int },
}

impl Unit {
    /// Whether the value was created by `Unit`.
    pub fn is_unit(&self) -> bool {
        matches!(self, Unit::Unit { .. })
    }

    /// The field `n`.
    pub fn n(&self) -> &Int {
        match self {
            Unit::Unit { n } => n,
        }
    }
}

impl DafnyPrint for Unit {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unit::Unit { n } => DafnyPrint::fmt_dafny(n, formatter),
        }
    }
}

impl std::fmt::Debug for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Unit {
    fn dafny_default() -> Self {
        Unit::Unit {
            n: DafnyDefault::dafny_default(),
        }
    }
}

impl Unit {
    /// From src/datatype_static_member.dfy:2.
    pub fn zero() -> Unit {
        Unit::Unit { n: int(0) }
    }
}
