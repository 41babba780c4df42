//! What random programs are drawn from.

/// Which programs are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Of all of the language that Dafny 4.11 compiles.
    #[default]
    All,
    /// What `--enforce-determinism` lets pass, which the Rust backend asks for: nothing is left open.
    Deterministic,
    /// Many bitvectors.
    Bitvectors,
    /// Many sequences, sets, multisets and maps.
    Collections,
    /// Many datatypes.
    Datatypes,
    /// Many classes, traits and objects.
    Objects,
    /// Many functions, and functions as values.
    Functions,
    /// Also what front end and backends of Dafny 4.11 are known to fall over, which would hide what else is wrong: verbatim strings that end in a backslash,
    /// constants without a type, `var x :| …` within the condition of another one, ranges of `forall` statements that bind something.
    Known,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::All,
        Self::Deterministic,
        Self::Bitvectors,
        Self::Collections,
        Self::Datatypes,
        Self::Objects,
        Self::Functions,
        Self::Known,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Deterministic => "deterministic",
            Self::Bitvectors => "bitvectors",
            Self::Collections => "collections",
            Self::Datatypes => "datatypes",
            Self::Objects => "objects",
            Self::Functions => "functions",
            Self::Known => "known",
        }
    }

    /// The profile of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}
