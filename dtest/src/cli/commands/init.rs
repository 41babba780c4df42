//! `init`: a commented `dtest.toml`, and the dependencies that generated code needs.

use super::super::args::InitArgs;
use super::super::error::CommandResult;
use super::super::files::FileError;
use super::super::{Environment, config, files, package};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;

/// Runs the command.
pub fn run(args: &InitArgs, env: &Environment) -> CommandResult {
    let path = env.root.join(config::FILE);
    if path.exists() {
        env.terminal.note(&format!(
            "{} already exists, and was not changed",
            config::FILE
        ));
    } else if let Err(source) = files::write_atomically(&path, &config::template()) {
        return Err(FileError::Write { path, source }.into());
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
            Ok(ExitCode::Done)
        }
        Err(e) => Err(Diagnostic::global(MessageId::CliPackage, e.to_string()).into()),
    }
}
