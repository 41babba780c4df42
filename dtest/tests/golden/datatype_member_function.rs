use dunit::prelude::*;

/// From src/datatype_member_function.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Money {
    Money { cents: Int },
}

impl Money {
    /// Whether the value was created by `Money`.
    pub fn is_money(&self) -> bool {
        matches!(self, Money::Money { .. })
    }

    /// The field `cents`.
    pub fn cents(&self) -> &Int {
        match self {
            Money::Money { cents } => cents,
        }
    }
}

impl DafnyPrint for Money {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Money::Money { cents } => fmt_constructor(formatter, "Money.Money", &[cents]),
        }
    }
}

impl std::fmt::Debug for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Money {
    fn dafny_default() -> Self {
        Money::Money {
            cents: DafnyDefault::dafny_default(),
        }
    }
}

impl Money {
    /// From src/datatype_member_function.dfy:2.
    pub fn whole(&self) -> Int {
        self.cents() / 100
    }

    /// From src/datatype_member_function.dfy:4.
    pub fn plus(&self, other: &Money) -> Money {
        Money::Money {
            cents: self.cents() + other.cents(),
        }
    }
}
