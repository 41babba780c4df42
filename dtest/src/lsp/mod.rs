//! `lsp`: a language server on standard input and output.
//!
//! One thread ([`server`]) reads what the client says, keeps the documents and answers; it never waits for anything else. Another
//! ([`worker`]) parses and resolves the programs that open documents belong to, always from the newest texts; questions wait for it, and
//! are answered from the last good state where the text is broken. Searches for violations and dead blocks are child processes of our own
//! engine ([`runs`]), which are killed when what they look at has changed. What a program means is the business of `dafny-ide`.

mod actions;
mod answers;
mod documents;
mod findings;
mod fixes;
mod programs;
mod runs;
mod server;
#[cfg(test)]
mod tests;
mod transport;
mod worker;

use lsp_server::Connection;
use transport::Transport;

use crate::cli::interrupt;
use crate::exit_code::ExitCode;

/// Serves the client on standard input and output until it says that it is done, or is gone.
pub fn run() -> ExitCode {
    let served = Transport::stdio()
        .map_err(|e| format!("cannot start a thread: {e}"))
        .and_then(|transport| {
            let served = server::serve(Connection {
                sender: transport.sender.clone(),
                receiver: transport.receiver.clone(),
            });
            interrupt::end_others();
            // What the client sent is the cause of what followed.
            transport.close().and(served)
        });
    match served {
        Ok(()) => ExitCode::Done,
        // What the client gets to see of a server that cannot go on.
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::Usage
        }
    }
}
