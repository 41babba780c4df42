//! The errors of the language server: those that end it, and those that answer a request.

use std::{fmt, io};

/// An error that ends the server.
#[derive(Debug)]
pub enum ServerError {
    /// A thread cannot be started.
    Thread(io::Error),
    /// The client violates the protocol while the connection is initialized.
    Initialize(lsp_server::ProtocolError),
    /// The client exited without the request `shutdown`.
    ExitWithoutShutdown,
    /// The thread that resolves programs has ended.
    ResolverEnded,
    /// The input of the client cannot be read as messages.
    Transport(TransportError),
}

/// A reason why the next message of the client cannot be found in its input.
#[derive(Debug)]
pub enum TransportError {
    /// Reading failed.
    Read(io::Error),
    /// The input ended within a message.
    CutMessage {
        /// The number of bytes that were read.
        read: usize,
        /// The announced length.
        length: u64,
    },
    /// The input ended within this header.
    CutHeader(String),
    /// This header has no name.
    Header(String),
    /// This header announces no length, or one above the maximum.
    Length {
        /// The header.
        header: String,
        /// The maximum length in bytes.
        max: u64,
    },
    /// A message has no header `Content-Length`.
    NoLength,
}

/// The reason why a request has no result; the client shows it to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// The program of the document is not resolved yet.
    NotResolved,
    /// The program has syntax errors.
    SyntaxErrors,
    /// A document changed while the request was answered.
    Changed,
    /// The rename would change the meaning of the program, for this reason.
    Rename(String),
    /// The arguments of a command are malformed.
    Arguments(ArgumentError),
    /// The client cancelled the request.
    Cancelled,
    /// A child process cannot be started.
    Start {
        /// The process, as the subject of a sentence.
        process: &'static str,
        /// The cause.
        cause: String,
    },
    /// The file does not belong to a Cargo package, so tests have no place.
    NoPackage,
    /// The document does not belong to the program that is searched.
    NoDocument,
    /// No obligation is at the position.
    NoObligation,
    /// A child process ended without a result, with this output.
    Search(String),
}

/// The reason why the arguments of a command are malformed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentError {
    /// `dtest.explain` needs the id of a message.
    NoId,
    /// No message has this id.
    UnknownId(String),
    /// The first argument of this command must be the URI of a file.
    NoFile(String),
    /// The second argument of this command must be the name of a unit.
    NoUnit(String),
    /// `dtest.executionAt` needs a position.
    NoPosition,
    /// No command has this name.
    UnknownCommand(String),
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread(e) => write!(f, "cannot start a thread: {e}"),
            Self::Initialize(e) => e.fmt(f),
            Self::ExitWithoutShutdown => f.write_str("the client exited without `shutdown`"),
            Self::ResolverEnded => f.write_str("the resolver thread has ended"),
            Self::Transport(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Thread(e) => Some(e),
            Self::Initialize(e) => Some(e),
            Self::Transport(e) => Some(e),
            Self::ExitWithoutShutdown | Self::ResolverEnded => None,
        }
    }
}

impl From<TransportError> for ServerError {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(e) => write!(f, "cannot read from the client: {e}"),
            Self::CutMessage { read, length } => write!(
                f,
                "the input ended after {read} of the {length} bytes of a message"
            ),
            Self::CutHeader(header) => write!(f, "a header of the client is cut off: {header}"),
            Self::Header(header) => write!(f, "a header of the client is malformed: {header}"),
            Self::Length { header, max } => write!(
                f,
                "a message of the client has no usable length: {header} (at most {max})"
            ),
            Self::NoLength => f.write_str("a message of the client has no `Content-Length`"),
        }
    }
}

impl std::error::Error for TransportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(e) => Some(e),
            Self::CutMessage { .. }
            | Self::CutHeader(_)
            | Self::Header(_)
            | Self::Length { .. }
            | Self::NoLength => None,
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotResolved => f.write_str("the program is not resolved yet"),
            Self::SyntaxErrors => f.write_str(
                "the program has syntax errors, so names cannot be resolved reliably",
            ),
            Self::Changed => f.write_str("the text has changed in the meantime"),
            Self::Rename(reason) => f.write_str(reason),
            Self::Arguments(e) => e.fmt(f),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Start { process, cause } => write!(f, "{process} cannot be started: {cause}"),
            Self::NoPackage => f.write_str(
                "this file is not in a Cargo package, which is needed to write tests: create one with `cargo init` and `cargo dtest init`",
            ),
            Self::NoDocument => f.write_str("the document is not part of its program"),
            Self::NoObligation => {
                f.write_str("there is no obligation here that an execution could break")
            }
            Self::Search(output) => f.write_str(output),
        }
    }
}

impl std::error::Error for RequestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Arguments(e) => Some(e),
            Self::NotResolved
            | Self::SyntaxErrors
            | Self::Changed
            | Self::Rename(_)
            | Self::Cancelled
            | Self::Start { .. }
            | Self::NoPackage
            | Self::NoDocument
            | Self::NoObligation
            | Self::Search(_) => None,
        }
    }
}

impl From<ArgumentError> for RequestError {
    fn from(error: ArgumentError) -> Self {
        Self::Arguments(error)
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoId => f.write_str("`dtest.explain` takes the id of a message"),
            Self::UnknownId(id) => write!(f, "no message has the id `{id}`"),
            Self::NoFile(command) => write!(
                f,
                "the first argument of `{command}` must be the URI of a file"
            ),
            Self::NoUnit(command) => write!(
                f,
                "the second argument of `{command}` must be the name of a unit"
            ),
            Self::NoPosition => {
                f.write_str("`dtest.executionAt` takes a line and a column, both from 0")
            }
            Self::UnknownCommand(command) => write!(f, "unknown command `{command}`"),
        }
    }
}

impl std::error::Error for ArgumentError {}
