//! `init`: a commented `dtest.toml`, and the dependencies that generated code needs.

mod from;
mod official;

use super::super::args::{Convention, InitArgs};
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
    let is_official = args.convention == Some(Convention::Dafny);
    let found = match &args.from {
        Some(command) => {
            let keys = from::keys(command, &env.root)?;
            let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
            Some((keys, format!("As in `{command}`.")))
        }
        None if is_official => {
            let keys = official::keys(&env.root)?;
            Some((keys, "Tests of what `dafny translate rs` wrote.".to_owned()))
        }
        None => None,
    };
    if let Some((keys, title)) = found {
        if path.exists() {
            let message = format!("{} already exists, and was not changed", config::FILE);
            let help = format!("the keys that it needs:\n{}", keys.text.trim_end());
            return Err(Diagnostic::global(MessageId::CliInitFrom, message)
                .with_help(help)
                .into());
        }
        keys.notes.iter().for_each(|note| env.terminal.note(note));
        // Keys come before the first table.
        text = format!("# {title}\n{}\n{text}", keys.text);
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
        if is_official {
            package::Users::Tests
        } else {
            package::Users::Library
        },
    ) {
        Ok(done) => {
            done.iter().for_each(|d| env.terminal.note(d));
            Ok(ExitCode::Done)
        }
        Err(e) => Err(Diagnostic::global(MessageId::CliPackage, e.to_string()).into()),
    }
}
