use dunit::prelude::*;

/// From src/own_test_with_result.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Pass,
    Fail { error: Seq<Char> },
}

impl Outcome {
    /// Whether the value was created by `Pass`.
    pub fn is_pass(&self) -> bool {
        matches!(self, Outcome::Pass)
    }

    /// Whether the value was created by `Fail`.
    pub fn is_fail(&self) -> bool {
        matches!(self, Outcome::Fail { .. })
    }

    /// The field `error`.
    pub fn error(&self) -> &Seq<Char> {
        match self {
            Outcome::Fail { error } => error,
            _ => panic!("the value has no `error`"),
        }
    }
}

impl DafnyPrint for Outcome {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Pass => fmt_constructor(formatter, "Outcome.Pass", &[]),
            Outcome::Fail { error } => {
                fmt_constructor(formatter, "Outcome.Fail", &[&Quoted(error)])
            }
        }
    }
}

impl std::fmt::Debug for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Outcome {
    fn dafny_default() -> Self {
        Outcome::Pass
    }
}

impl Outcome {
    /// From src/own_test_with_result.dfy:2.
    pub fn is_failure(&self) -> bool {
        self.is_fail()
    }

    /// ```dafny
    /// requires Fail?
    /// ```
    ///
    /// From src/own_test_with_result.dfy:3.
    pub fn propagate_failure(&self) -> Outcome {
        self.clone()
    }
}
