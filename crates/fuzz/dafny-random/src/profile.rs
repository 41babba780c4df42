//! Profiles: the language subsets of random programs.

/// A language subset to draw programs from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Everything that Dafny 4.11 compiles.
    #[default]
    All,
    /// Everything that `--enforce-determinism` permits, as the Rust backend requires: no
    /// nondeterministic choices.
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
    /// Everything, including constructs on which Dafny 4.11's front end and backends are known to
    /// fail, and which would hide other bugs: verbatim strings that end in a backslash, constants
    /// without a type, nested `var x :| …`, and ranges of `forall` statements that bind variables.
    Known,
}

impl Profile {
    /// All profiles.
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

    /// The profile with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}
