//! `merge`: combines the results of the shards of one search into a suite and a report.

use super::super::args::{Command, GenArgs, MergeArgs};
use super::super::config::Given;
use super::super::shards::Shards;
use super::super::{Environment, cache, z3};
use super::generate;
use crate::exit_code::ExitCode;
use dafny_syntax::diagnostic::Diagnostic;

/// Runs the command: `gen` with the arguments of the shards, with the result of every unit already
/// known.
pub fn run(args: &MergeArgs, env: &Environment) -> ExitCode {
    match merged(args, env) {
        Ok((gen_args, given, shards)) => generate::run_with(gen_args, &given, Some(shards), env),
        Err((diagnostic, code)) => {
            env.terminal.diagnostic(diagnostic);
            code
        }
    }
}

fn merged(
    args: &MergeArgs,
    env: &Environment,
) -> Result<(GenArgs, Given, Shards), (Diagnostic, ExitCode)> {
    let versions = cache::versions(&z3::check().map_err(|d| (d, ExitCode::Z3))?);
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
    let shards = Shards::read(&args.parts, &versions, same).map_err(|d| (d, ExitCode::Usage))?;
    let arguments = shards
        .arguments
        .iter()
        .chain(&args.options)
        .cloned()
        .collect();
    let (gen_args, given) = parse(arguments, env)
        .map_err(|message| (Diagnostic::global("cli/merge", message), ExitCode::Usage))?;
    Ok((gen_args, given, shards))
}

/// Parses the arguments of a shard as arguments of `gen`, without the options that only shards
/// have. Also returns the set of options that the arguments contain.
fn parse(arguments: Vec<String>, env: &Environment) -> Result<(GenArgs, Given), String> {
    let line = ["cargo-dtest".to_owned(), "gen".to_owned()]
        .into_iter()
        .chain(arguments);
    let line = env
        .config
        .complete(line, &env.root)
        .map_err(|e| e.to_string())?;
    let Command::Gen(mut args) = line.cli.command else {
        return Err("the reports do not contain the options of `gen`".into());
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
