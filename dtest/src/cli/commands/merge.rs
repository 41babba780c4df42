//! `merge`: combines the results of the shards of one search into a suite and a report.

use std::fmt;

use super::super::args::{Command, GenArgs, MergeArgs};
use super::super::config::Given;
use super::super::error::{CommandResult, ExpectedError};
use super::super::shards::Shards;
use super::super::{Environment, cache, z3};
use super::generate;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;

/// Runs the command: `gen` with the arguments of the shards, with the result of every unit already
/// known.
pub fn run(args: &MergeArgs, env: &Environment) -> CommandResult {
    let (gen_args, given, shards) = merged(args, env)?;
    generate::run_with(gen_args, &given, Some(shards), env)
}

fn merged(args: &MergeArgs, env: &Environment) -> Result<(GenArgs, Given, Shards), ExpectedError> {
    let versions = cache::versions(&z3::check()?);
    // Shards of one search differ only in `--shard`, `--report` and the output options, so these
    // are ignored when their arguments are compared.
    let same = |a: &[String], b: &[String]| {
        let search = |arguments: &[String]| {
            parse(arguments.to_vec(), env)
                .map(|(args, _)| format!("{args:?}"))
                .ok()
        };
        search(a) == search(b)
    };
    let shards = Shards::read(&args.parts, &versions, same)?;
    let arguments = shards
        .arguments
        .iter()
        .chain(&args.options)
        .cloned()
        .collect();
    let (gen_args, given) = parse(arguments, env)
        .map_err(|e| Diagnostic::global(MessageId::CliMerge, e.to_string()))?;
    Ok((gen_args, given, shards))
}

/// The reason why the arguments of a shard are not those of `gen`.
enum MergeError {
    /// They cannot be parsed.
    Arguments(clap::Error),
    /// They name another command.
    NoGen,
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(e) => e.fmt(f),
            Self::NoGen => f.write_str("the reports do not contain the options of `gen`"),
        }
    }
}

/// Parses the arguments of a shard as arguments of `gen`, without the options that only shards
/// have. Also returns the set of options that the arguments contain.
fn parse(arguments: Vec<String>, env: &Environment) -> Result<(GenArgs, Given), MergeError> {
    let line = ["cargo-dtest".to_owned(), "gen".to_owned()]
        .into_iter()
        .chain(arguments);
    let line = env
        .config
        .complete(line, &env.root)
        .map_err(MergeError::Arguments)?;
    let Command::Gen(mut args) = line.cli.command else {
        return Err(MergeError::NoGen);
    };
    (
        args.search.shard,
        args.search.report,
        args.search.limits.jobs,
        args.search.limits.max_memory,
    ) = (None, None, None, None);
    args.kept.retry = false;
    args.output = Default::default();
    Ok((*args, line.given))
}
