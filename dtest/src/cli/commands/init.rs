//! `init`: a commented `dtest.toml`, and the dependencies that generated code needs.

use super::super::args::InitArgs;
use super::super::{Environment, config, files, package};
use crate::exit_code::ExitCode;
use dafny_syntax::diagnostic::Diagnostic;

/// Runs the command.
pub fn run(args: &InitArgs, env: &Environment) -> ExitCode {
    let path = env.root.join(config::FILE);
    if path.exists() {
        env.terminal.note(&format!(
            "{} already exists, and was not changed",
            config::FILE
        ));
    } else if let Err(e) = files::write_atomically(&path, &config::template()) {
        env.terminal.diagnostic(Diagnostic::global(
            "cli/cannot-write",
            format!("cannot write {}: {e}", path.display()),
        ));
        return ExitCode::Usage;
    } else {
        env.terminal.note(&format!("wrote {}", config::FILE));
    }
    let runtime = args.runtime.as_deref();
    match package::prepare(
        &package::Home::at(env.root.clone()),
        runtime,
        package::Mocks::Unused,
    ) {
        Ok(done) => {
            done.iter().for_each(|d| env.terminal.note(d));
            ExitCode::Done
        }
        Err(message) => {
            env.terminal
                .diagnostic(Diagnostic::global("cli/package", message));
            ExitCode::Usage
        }
    }
}
