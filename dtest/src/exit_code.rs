//! The exit codes of `cargo dtest`, a stable interface for scripts.

/// The exit code of the process. If several apply, the first in this order is used: `Bug`, `Usage`,
/// `Z3`, `Program`, `Findings`, `Stale`, `Gate`, `NothingGenerated`, `Done`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum ExitCode {
    /// Nothing failed.
    Done = 0,
    /// Wrong command line, `dtest.toml` or path; or a hand-written `lib.rs` lacks needed modules.
    Usage = 1,
    /// The Dafny program has syntax or resolution errors.
    Program = 2,
    /// `--check`: the files on disk are out of date.
    Stale = 3,
    /// No test could be generated.
    NothingGenerated = 4,
    /// A gate such as `--fail-under` failed.
    Gate = 5,
    /// Z3 is missing or its version is not supported.
    Z3 = 6,
    /// The Dafny program violates a contract, an assertion or a well-formedness condition.
    Findings = 7,
    /// An internal error.
    Bug = 70,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
