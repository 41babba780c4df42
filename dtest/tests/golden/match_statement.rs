use dunit::prelude::*;

/// From src/match_statement.dfy:1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    Add { n: Int },
    Clear,
}

impl Command {
    /// Whether the value was created by `Add`.
    pub fn is_add(&self) -> bool {
        matches!(self, Command::Add { .. })
    }

    /// Whether the value was created by `Clear`.
    pub fn is_clear(&self) -> bool {
        matches!(self, Command::Clear)
    }

    /// The field `n`.
    pub fn n(&self) -> &Int {
        match self {
            Command::Add { n } => n,
            _ => panic!("the value has no `n`"),
        }
    }
}

impl DafnyPrint for Command {
    fn fmt_dafny(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Command::Add { n } => fmt_constructor(formatter, "Command.Add", &[n]),
            Command::Clear => fmt_constructor(formatter, "Command.Clear", &[]),
        }
    }
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        DafnyPrint::fmt_dafny(self, f)
    }
}

impl DafnyDefault for Command {
    fn dafny_default() -> Self {
        Command::Add {
            n: DafnyDefault::dafny_default(),
        }
    }
}

/// From src/match_statement.dfy:3.
pub fn run(total: &Int, c: &Command) -> Int {
    match c {
        Command::Add { n } => total + n,
        Command::Clear => int(0),
    }
}
