//! `init`: a commented `dtest.toml`, and the dependencies that generated code needs.

mod from;

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
    let mut text = config::template();
    if let Some(command) = &args.from {
        let keys = from::keys(command, &env.root)?;
        if path.exists() {
            let message = format!("{} already exists, and was not changed", config::FILE);
            let help = format!("the keys that it needs:\n{}", keys.text.trim_end());
            return Err(Diagnostic::global(MessageId::CliInitFrom, message)
                .with_help(help)
                .into());
        }
        keys.notes.iter().for_each(|note| env.terminal.note(note));
        // Keys come before the first table.
        let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
        text = format!("# As in `{command}`.\n{}\n{text}", keys.text);
    }
    if path.exists() {
        env.terminal.note(&format!(
            "{} already exists, and was not changed",
            config::FILE
        ));
    } else if let Err(source) = files::write_atomically(&path, &text) {
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
