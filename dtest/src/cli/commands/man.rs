//! `man`: manual pages, generated from the same definitions as `--help`.

use std::io::{self, Write as _};
use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man;

use super::super::args::Cli;
use super::super::error::CommandResult;
use super::super::files;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;

/// Prints the page of the tool, or writes the pages of the tool and its commands to a directory.
pub fn run(directory: Option<&Path>) -> CommandResult {
    let command = described();
    let done = match directory {
        Some(directory) => pages(directory, &command),
        None => page(&command).and_then(|text| io::stdout().lock().write_all(&text)),
    };
    match done {
        Ok(()) => Ok(ExitCode::Done),
        // A pager may close the pipe before the end of the page.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::Done),
        Err(e) => {
            let message = format!("cannot write the manual pages: {e}");
            Err(Diagnostic::global(MessageId::CliMan, message).into())
        }
    }
}

/// Returns the command line with the names of manual pages: `man cargo-dtest-gen`, the name that
/// `cargo help dtest` looks for.
fn described() -> clap::Command {
    let mut command = Cli::command()
        .name("cargo-dtest")
        .disable_help_subcommand(true);
    command.build();
    command
}

/// Writes `NAME.1` for a command and its subcommands, recursively.
fn pages(directory: &Path, command: &clap::Command) -> io::Result<()> {
    let subcommands = command
        .get_subcommands()
        .filter(|c| !c.is_hide_set())
        .collect::<Vec<_>>();
    for each in std::iter::once(command).chain(subcommands) {
        files::write_bytes(&directory.join(format!("{}.1", name(each))), &page(each)?)?;
    }
    Ok(())
}

/// Returns the name of a command in the name of its page: without spaces.
fn name(command: &clap::Command) -> String {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
        .replace(' ', "-")
}

fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command.clone())
        .title(name(command))
        .render(&mut text)?;
    Ok(text)
}
