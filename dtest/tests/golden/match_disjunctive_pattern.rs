use dunit::prelude::*;

/// From src/match_disjunctive_pattern.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Day {
    Mon,
    Tue,
    Sat,
    Sun,
}

impl Day {
    /// Whether the value was created by `Mon`.
    pub fn is_mon(&self) -> bool {
        matches!(self, Day::Mon)
    }

    /// Whether the value was created by `Tue`.
    pub fn is_tue(&self) -> bool {
        matches!(self, Day::Tue)
    }

    /// Whether the value was created by `Sat`.
    pub fn is_sat(&self) -> bool {
        matches!(self, Day::Sat)
    }

    /// Whether the value was created by `Sun`.
    pub fn is_sun(&self) -> bool {
        matches!(self, Day::Sun)
    }
}

impl DafnyPrint for Day {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Day::Mon => fmt_constructor(formatter, "Day.Mon", &[]),
            Day::Tue => fmt_constructor(formatter, "Day.Tue", &[]),
            Day::Sat => fmt_constructor(formatter, "Day.Sat", &[]),
            Day::Sun => fmt_constructor(formatter, "Day.Sun", &[]),
        }
    }
}

impl std::fmt::Debug for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Day {
    fn dafny_default() -> Self {
        Day::Mon
    }
}

/// From src/match_disjunctive_pattern.dfy:3.
pub fn free(d: &Day) -> bool {
    match d {
        Day::Sat | Day::Sun => true,
        Day::Mon | Day::Tue => false,
    }
}
