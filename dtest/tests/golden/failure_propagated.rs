use dunit::prelude::*;

/// From src/failure_propagated.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Result {
    Success { value: Int },
    Failure { error: Seq<Char> },
}

impl Result {
    /// Whether the value was created by `Success`.
    pub fn is_success(&self) -> bool {
        matches!(self, Result::Success { .. })
    }

    /// Whether the value was created by `Failure`.
    pub fn is_failure_(&self) -> bool {
        matches!(self, Result::Failure { .. })
    }

    /// The field `value`.
    pub fn value(&self) -> &Int {
        match self {
            Result::Success { value } => value,
            _ => panic!("the value has no `value`"),
        }
    }

    /// The field `error`.
    pub fn error(&self) -> &Seq<Char> {
        match self {
            Result::Failure { error } => error,
            _ => panic!("the value has no `error`"),
        }
    }
}

impl DafnyPrint for Result {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Result::Success { value } => {
                fmt_constructor(formatter, "Result.Success", &[value])
            }
            Result::Failure { error } => {
                fmt_constructor(formatter, "Result.Failure", &[&Quoted(error)])
            }
        }
    }
}

impl std::fmt::Debug for Result {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Result {
    fn dafny_default() -> Self {
        Result::Success {
            value: DafnyDefault::dafny_default(),
        }
    }
}

impl Result {
    /// From src/failure_propagated.dfy:2.
    pub fn is_failure(&self) -> bool {
        self.is_failure_()
    }

    /// ```dafny
    /// requires Failure?
    /// ```
    ///
    /// From src/failure_propagated.dfy:3.
    pub fn propagate_failure(&self) -> Result {
        self.clone()
    }

    /// ```dafny
    /// requires Success?
    /// ```
    ///
    /// From src/failure_propagated.dfy:4.
    pub fn extract(&self) -> Int {
        self.value().clone()
    }
}

/// From src/failure_propagated.dfy:7.
pub fn parse(s: &Seq<Char>) -> Result {
    if *s == str("1") {
        Result::Success { value: int(1) }
    } else {
        Result::Failure {
            error: str("bad"),
        }
    }
}

/// From src/failure_propagated.dfy:11.
pub fn doubled(s: &Seq<Char>) -> Result {
    let outcome = parse(s);
    if outcome.is_failure() {
        return outcome.propagate_failure();
    }
    let n = outcome.extract();
    Result::Success { value: 2 * &n }
}
