use dunit::prelude::*;

/// From src/failure_propagated_expression.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Option {
    None,
    Some { value: Int },
}

impl Option {
    /// Whether the value was created by `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, Option::None)
    }

    /// Whether the value was created by `Some`.
    pub fn is_some(&self) -> bool {
        matches!(self, Option::Some { .. })
    }

    /// The field `value`.
    pub fn value(&self) -> &Int {
        match self {
            Option::Some { value } => value,
            _ => panic!("the value has no `value`"),
        }
    }
}

impl DafnyPrint for Option {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Option::None => fmt_constructor(formatter, "Option.None", &[]),
            Option::Some { value } => fmt_constructor(formatter, "Option.Some", &[value]),
        }
    }
}

impl std::fmt::Debug for Option {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Option {
    fn dafny_default() -> Self {
        Option::None
    }
}

impl Option {
    /// From src/failure_propagated_expression.dfy:2.
    pub fn is_failure(&self) -> bool {
        self.is_none()
    }

    /// ```dafny
    /// requires None?
    /// ```
    ///
    /// From src/failure_propagated_expression.dfy:3.
    pub fn propagate_failure(&self) -> Option {
        Option::None
    }

    /// ```dafny
    /// requires Some?
    /// ```
    ///
    /// From src/failure_propagated_expression.dfy:4.
    pub fn extract(&self) -> Int {
        self.value().clone()
    }
}

/// From src/failure_propagated_expression.dfy:7.
pub fn positive(n: &Int) -> Option {
    if *n > 0 { Option::Some { value: n.clone() } } else { Option::None }
}

/// From src/failure_propagated_expression.dfy:11.
pub fn next(n: &Int) -> Option {
    let outcome = positive(n);
    if outcome.is_failure() {
        outcome.propagate_failure()
    } else {
        let m = outcome.extract();
        Option::Some { value: &m + 1 }
    }
}
