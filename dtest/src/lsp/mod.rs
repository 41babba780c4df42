//! `lsp`: a language server on standard input and output.
//!
//! One thread ([`server`]) reads the client's messages, keeps the documents and answers; it never
//! waits for anything else. Another thread ([`worker`]) parses and resolves the programs of open
//! documents, always from the newest texts. Questions wait for it, and are answered from the last
//! good state while the text has syntax errors. Searches for violations and dead blocks are child
//! processes of the engine ([`runs`]), which are killed when their program changes. The meaning of
//! programs belongs to `dafny-ide`.

mod actions;
mod answers;
mod commands;
mod documents;
mod error;
mod findings;
mod fixes;
mod programs;
mod runs;
mod server;
#[cfg(test)]
mod tests;
mod transport;
mod worker;

use error::ServerError;
use lsp_server::Connection;
use transport::Transport;

use crate::cli::interrupt;
use crate::exit_code::ExitCode;

/// Serves the client on standard input and output until it shuts down or disappears.
pub fn run() -> ExitCode {
    let served = Transport::stdio()
        .map_err(ServerError::Thread)
        .and_then(|transport| {
            let served = server::serve(Connection {
                sender: transport.sender.clone(),
                receiver: transport.receiver.clone(),
            });
            interrupt::end_others();
            // An error in the client's messages is the cause of later errors, so it takes
            // precedence.
            transport.close().map_err(ServerError::from).and(served)
        });
    match served {
        Ok(()) => ExitCode::Done,
        // The client shows the standard error of a server that ends.
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::Usage
        }
    }
}
