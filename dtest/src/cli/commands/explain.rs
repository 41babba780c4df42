//! `explain`: the meaning of a message, with an example and a remedy.

use super::super::Environment;
use super::super::args::{ExplainArgs, MessageFormat};
use super::super::error::CommandResult;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::report::explain;
use dafny_source::diagnostic::Diagnostic;

/// Runs the command.
pub fn run(args: &ExplainArgs, env: &Environment) -> CommandResult {
    let Some(wanted) = &args.id else {
        explain::all().for_each(|e| show(&e, &format!("{:32}{}\n", e.id, e.means), env));
        return Ok(ExitCode::Done);
    };
    // Accepts the id as messages show it: `error[check/violated]`.
    let wanted = wanted
        .rsplit_once('[')
        .map_or(wanted.as_str(), |(_, id)| id)
        .trim_end_matches(']');
    let found = explain::of(wanted);
    if found.is_empty() {
        let like = explain::like(wanted);
        let help = match like.as_slice() {
            [] => "run `cargo dtest explain` to list all ids".to_owned(),
            ids => format!("the ids of this group are {}", ids.join(", ")),
        };
        return Err(Diagnostic::global(
            MessageId::CliUnknownId,
            format!("no message has the id `{wanted}`"),
        )
        .with_help(help)
        .into());
    }
    for (i, e) in found.iter().enumerate() {
        show(
            e,
            &format!("{}{}", if i == 0 { "" } else { "\n" }, e.text()),
            env,
        );
    }
    Ok(ExitCode::Done)
}

fn show(e: &explain::Explanation, text: &str, env: &Environment) {
    let json = || serde_json::to_string(e).unwrap_or_default() + "\n";
    env.terminal
        .result(&if env.terminal.format == MessageFormat::Json {
            json()
        } else {
            text.to_owned()
        });
}
