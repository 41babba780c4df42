use dunit::prelude::*;

/// From src/assign_or_halt.dfy:2.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Done,
    Failed { error: Seq<Char> },
}

impl Status {
    /// Whether the value was created by `Done`.
    pub fn is_done(&self) -> bool {
        matches!(self, Status::Done)
    }

    /// Whether the value was created by `Failed`.
    pub fn is_failed(&self) -> bool {
        matches!(self, Status::Failed { .. })
    }

    /// The field `error`.
    pub fn error(&self) -> &Seq<Char> {
        match self {
            Status::Failed { error } => error,
            _ => panic!("the value has no `error`"),
        }
    }
}

impl DafnyPrint for Status {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Status::Done => fmt_constructor(formatter, "Status.Done", &[]),
            Status::Failed { error } => {
                fmt_constructor(formatter, "Status.Failed", &[&Quoted(error)])
            }
        }
    }
}

impl std::fmt::Debug for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Status {
    fn dafny_default() -> Self {
        Status::Done
    }
}

impl Status {
    /// From src/assign_or_halt.dfy:3.
    pub fn is_failure(&self) -> bool {
        self.is_failed()
    }

    /// ```dafny
    /// requires Failed?
    /// ```
    ///
    /// From src/assign_or_halt.dfy:4.
    pub fn propagate_failure(&self) -> Status {
        self.clone()
    }
}

/// From src/assign_or_halt.dfy:7.
pub fn open(path: &Seq<Char>) -> Status {
    if path.is_empty() {
        Status::Failed {
            error: str("no path"),
        }
    } else {
        Status::Done
    }
}

/// From src/assign_or_halt.dfy:11.
pub fn r#use(path: &Seq<Char>) {
    let outcome = open(path);
    if outcome.is_failure() {
        halt(to_dafny_string(&outcome), "src/assign_or_halt.dfy(12,2)");
    }
}
