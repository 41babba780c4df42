//! The errors that end a command: [`ExpectedError`].
//!
//! Commands return errors and print none of them. [`super::main`] prints the error and exits with
//! its code. A command that works on several programs shows the error of one and continues with the
//! next ([`super::Environment::settle`]).

use std::fmt;

use super::files::FileError;
use super::terminal::Terminal;
use super::z3::UnsupportedVersion;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;

/// The result of a command: the exit code of a run that is complete, or the error that ended it.
pub type CommandResult = Result<ExitCode, ExpectedError>;

/// An error that ends a command, and that its user can act on.
#[derive(Debug)]
pub enum ExpectedError {
    /// The command line, `dtest.toml` or a named file cannot be used.
    Usage(Vec<Diagnostic>),
    /// A file of the user's package, or one to be generated, cannot be read or written.
    File(FileError),
    /// Z3 cannot be used.
    Solver(UnsupportedVersion),
    /// A program has errors, in the order in which they are to be shown.
    Program {
        /// The errors, and the warnings beside them.
        diagnostics: Vec<Diagnostic>,
        /// The texts that the errors point to.
        sources: Box<SourceMap>,
    },
    /// Programs have errors. They were shown program by program, because each has its own texts.
    Programs,
    /// The run cannot establish what it was asked to.
    Gate(Box<Diagnostic>),
    /// An internal error that affects one program.
    Internal(Box<Diagnostic>),
}

impl ExpectedError {
    /// The exit code of a process that ends with this error.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) | Self::File(_) => ExitCode::Usage,
            Self::Solver(_) => ExitCode::Z3,
            Self::Program { .. } | Self::Programs => ExitCode::Program,
            Self::Gate(_) => ExitCode::Gate,
            Self::Internal(_) => ExitCode::Bug,
        }
    }

    /// Shows the error.
    pub fn show(&self, terminal: &Terminal) {
        match self {
            Self::Program {
                diagnostics,
                sources,
            } => terminal.refusal(diagnostics, sources),
            Self::Usage(_)
            | Self::File(_)
            | Self::Solver(_)
            | Self::Programs
            | Self::Gate(_)
            | Self::Internal(_) => self
                .diagnostics()
                .into_iter()
                .for_each(|d| terminal.diagnostic(d)),
        }
    }

    /// The messages of the error.
    fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Usage(diagnostics) | Self::Program { diagnostics, .. } => diagnostics.clone(),
            Self::File(error) => vec![Diagnostic::global(
                MessageId::CliCannotWrite,
                error.to_string(),
            )],
            Self::Solver(error) => vec![error.diagnostic()],
            Self::Programs => Vec::new(),
            Self::Gate(diagnostic) | Self::Internal(diagnostic) => vec![(**diagnostic).clone()],
        }
    }
}

impl fmt::Display for ExpectedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Programs = self {
            return f.write_str("the programs have errors");
        }
        for (i, diagnostic) in self.diagnostics().iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", diagnostic.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for ExpectedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Solver(error) => Some(error),
            Self::Usage(_)
            | Self::Program { .. }
            | Self::Programs
            | Self::Gate(_)
            | Self::Internal(_) => None,
        }
    }
}

impl From<Diagnostic> for ExpectedError {
    /// Most messages without a program are about the command line.
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Usage(vec![diagnostic])
    }
}

impl From<FileError> for ExpectedError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<UnsupportedVersion> for ExpectedError {
    fn from(error: UnsupportedVersion) -> Self {
        Self::Solver(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_follows_from_the_kind_of_error() {
        let message = || Diagnostic::global("cli/filter", "a message");
        let program = ExpectedError::Program {
            diagnostics: vec![message(), message()],
            sources: Box::default(),
        };
        assert_eq!(program.to_string(), "a message\na message");
        assert_eq!(program.exit_code(), ExitCode::Program);
        assert_eq!(ExpectedError::from(message()).exit_code(), ExitCode::Usage);
        let internal = ExpectedError::Internal(Box::new(message()));
        assert_eq!(internal.exit_code(), ExitCode::Bug);
    }

    #[test]
    fn a_file_that_cannot_be_written_names_its_cause() {
        use std::error::Error as _;
        let cause = std::io::Error::other("the disk is full");
        let error = ExpectedError::from(FileError::Write {
            path: "a/b".into(),
            source: cause,
        });
        assert_eq!(error.to_string(), "cannot write a/b: the disk is full");
        let file = error.source().expect("the file");
        assert_eq!(
            file.source().map(ToString::to_string).as_deref(),
            Some("the disk is full")
        );
    }
}
