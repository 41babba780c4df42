//! Commands; packages, `dtest.toml` and output layout. The only place that touches files, clocks and the terminal.

pub mod args;
mod cache;
mod commands;
pub(crate) mod config;
mod coverage_report;
mod diff;
pub(crate) mod files;
mod header;
pub mod interrupt;
mod layout;
pub mod load;
mod memory;
mod package;
pub mod places;
pub mod project;
mod repeat;
mod scratch;
pub mod settings;
mod shards;
mod terminal;
mod z3;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use crate::exit_code::ExitCode;
use args::{Cli, Command};
pub(crate) use commands::merged;
use terminal::Terminal;

/// Runs the tool with the process's arguments, the program's name first.
pub fn main(mut arguments: Vec<OsString>) -> ExitCode {
    // `cargo dtest …` starts `cargo-dtest dtest …`.
    if arguments.get(1).is_some_and(|a| a == "dtest") {
        arguments.remove(1);
    }
    let after: Vec<String> = arguments.iter().skip(2).map(|a| a.to_string_lossy().into_owned()).collect();
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are no errors; what cannot be printed is lost with the terminal.
            let _ = e.print();
            return if e.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
        }
    };
    match cli.command {
        Command::Cover(args) => with_environment(&args.generated.output.clone(), &after, |e| commands::cover::run(*args, e)),
        Command::Gen(args) => with_environment(&args.output.clone(), &after, |e| commands::generate::run(*args, e)),
        Command::List(args) => with_environment(&args.output.clone(), &after, |e| commands::list::run(args, e)),
        Command::Dead(args) => with_environment(&args.output.clone(), &after, |e| commands::dead::run(&args, e)),
        Command::Check(args) => with_environment(&args.output.clone(), &after, |e| commands::check::run(&args, e)),
        Command::Mutants(args) => with_environment(&args.output.clone(), &after, |e| commands::mutants::run(&args, e)),
        Command::Merge(args) => with_environment(&args.output.clone(), &after, |e| commands::merge::run(&args, e)),
        Command::Run(args) => with_environment(&args.output.clone(), &after, |e| commands::run::run(args, e)),
        Command::Eval(args) => with_environment(&args.output.clone(), &after, |e| commands::eval::run(&args, e)),
        Command::Watch(args) => with_environment(&args.output.clone(), &after, |e| commands::watch::run(&args, e)),
        Command::Explain(args) => with_environment(&args.output.clone(), &after, |e| commands::explain::run(&args, e)),
        Command::Translate(args) => with_environment(&args.output.clone(), &after, |e| commands::translate::run(args, e)),
        Command::Rewrite(args) => with_environment(&args.output.clone(), &after, |e| commands::rewrite::run(&args, e)),
        Command::Fuzz(args) => with_environment(&args.output.clone(), &after, |e| commands::fuzz::run(&args, e)),
        Command::Init(args) => with_environment(&args.output.clone(), &after, |e| commands::init::run(&args, e)),
        Command::Clean(args) => with_environment(&args.output.clone(), &after, |e| commands::clean::run(&args, e)),
        Command::Lsp(_) => crate::lsp::run(),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut <Cli as clap::CommandFactory>::command(), "cargo-dtest", &mut std::io::stdout());
            ExitCode::Done
        }
        Command::Man { directory } => commands::man::run(directory.as_deref()),
    }
}

/// Where a command runs.
struct Environment {
    /// Paths are shown relative to this: the package's root, else the current directory.
    root: PathBuf,
    /// `dtest.toml`.
    config: config::Config,
    /// Where we speak.
    terminal: Terminal,
    /// What followed the command's name.
    arguments: Vec<String>,
}

fn with_environment(output: &args::OutputArgs, arguments: &[String], command: impl FnOnce(&Environment) -> ExitCode) -> ExitCode {
    let here = std::env::current_dir().unwrap_or_default();
    let root = files::package_root(&here).unwrap_or_else(|| here.clone());
    match config::read(&root) {
        Ok(config) => {
            let terminal = Terminal::new(
                output.message_format.or(config.message_format).unwrap_or_default(),
                output.color.or(config.color).unwrap_or_default(),
                output.quiet || config.quiet.unwrap_or(false),
            )
            .explaining(output.explain);
            let environment = Environment { root, config, terminal, arguments: arguments.to_vec() };
            let code = command(&environment);
            environment.terminal.finish();
            code
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::Usage
        }
    }
}
