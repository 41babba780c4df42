//! The command line: commands, packages, `dtest.toml` and the layout of generated files. Only this
//! module touches files, clocks and the terminal.

mod accepted;
mod against;
pub mod args;
mod cache;
pub(crate) mod commands;
pub mod config;
mod coverage_report;
mod diff;
mod doo;
pub(crate) mod error;
pub(crate) mod external;
pub(crate) mod files;
mod header;
pub mod interrupt;
pub mod isolate;
mod layout;
pub mod load;
pub(crate) mod memory;
mod models;
mod package;
pub mod places;
pub mod project;
mod repeat;
mod revision;
mod scratch;
pub mod settings;
mod shards;
mod spellings;
pub(crate) mod terminal;
pub(crate) mod z3;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use crate::boogie::command as boogie;
use crate::exit_code::ExitCode;
use crate::fuzz::command as fuzz;
use args::{Cli, Command};
use config::Line;
use error::CommandResult;
use terminal::Terminal;

/// Runs the tool with the arguments of the process, the name of the program first.
pub fn main(mut arguments: Vec<OsString>) -> ExitCode {
    isolate::take_up();
    // `cargo dtest …` starts `cargo-dtest dtest …`.
    if arguments.get(1).is_some_and(|a| a == "dtest") {
        arguments.remove(1);
    }
    let arguments = spellings::unified(arguments);
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(e) => return unparsed(&e),
    };
    let here = std::env::current_dir().unwrap_or_default();
    let root = files::package_root(&here).unwrap_or(here);
    let config = match (config::read(&root), cli.command.output()) {
        (Ok(config), _) => config,
        // The language server reads the file itself and reports its errors to the editor.
        (Err(_), None) => config::Config::default(),
        (Err(refused), Some(output)) => {
            let terminal = Terminal::of(output);
            terminal.diagnostics(&[refused.diagnostic], &refused.sources);
            terminal.finish();
            return ExitCode::Usage;
        }
    };
    let Line { cli, given } = match config.complete(&arguments, &root) {
        Ok(line) => line,
        Err(e) => return unparsed(&e),
    };
    let terminal = cli.command.output().map(Terminal::of).unwrap_or_default();
    let arguments = arguments
        .iter()
        .skip(2)
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    let environment = Environment {
        root,
        config,
        given,
        terminal,
        arguments,
    };
    let code = environment.settle(run(cli.command, &environment));
    environment.terminal.finish();
    code
}

/// Shows why the command line cannot be parsed. Requests for help and version are not errors.
fn unparsed(error: &clap::Error) -> ExitCode {
    // If printing fails, the terminal is gone.
    let _ = error.print();
    if error.use_stderr() {
        ExitCode::Usage
    } else {
        ExitCode::Done
    }
}

fn run(command: Command, env: &Environment) -> CommandResult {
    if let Some(command) = boogie::Command::of(&command) {
        return boogie::run(&command, env);
    }
    match command {
        Command::Cover(args) => commands::cover::run(*args, env),
        Command::Gen(args) => commands::generate::run(*args, env),
        Command::List(args) => commands::list::run(args, env),
        Command::Dead(args) => commands::dead::run(&args, env),
        Command::Check(args) => commands::check::run(&args, env),
        Command::Spec(args) => commands::spec::run(&args, env),
        Command::Mutants(args) => commands::mutants::run(&args, env),
        Command::Merge(args) => commands::merge::run(&args, env),
        Command::Run(args) => commands::run::run(args, env),
        Command::Eval(args) => commands::eval::run(&args, env),
        Command::Watch(args) => commands::watch::run(&args, env),
        Command::Explain(args) => commands::explain::run(&args, env),
        Command::Translate(args) => commands::translate::run(args, env),
        Command::Rewrite(args) => commands::rewrite::run(&args, env),
        Command::Fuzz(args) => fuzz::run(&args, env),
        Command::Init(args) => commands::init::run(&args, env),
        Command::Clean(args) => commands::clean::run(&args, env),
        Command::Lsp(_) => Ok(crate::lsp::run()),
        Command::Completions { shell } => {
            clap_complete::generate(
                shell,
                &mut <Cli as clap::CommandFactory>::command(),
                "cargo-dtest",
                &mut std::io::stdout(),
            );
            Ok(ExitCode::Done)
        }
        Command::Man { directory } => commands::man::run(directory.as_deref()),
    }
}

/// The environment of a command.
pub(crate) struct Environment {
    /// Paths are shown relative to this directory: the root of the package, or else the current
    /// directory.
    pub(crate) root: PathBuf,
    /// The contents of `dtest.toml`.
    pub(crate) config: config::Config,
    /// The options that are set by the command line or the environment rather than the file.
    pub(crate) given: config::Given,
    /// The terminal.
    pub(crate) terminal: Terminal,
    /// The arguments after the name of the command.
    pub(crate) arguments: Vec<String>,
}

impl Environment {
    /// Shows the error of a command, or of a part of it, and returns the exit code.
    pub(crate) fn settle(&self, result: CommandResult) -> ExitCode {
        result.unwrap_or_else(|error| {
            error.show(&self.terminal);
            error.exit_code()
        })
    }
}
