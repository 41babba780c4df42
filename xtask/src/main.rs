//! Development tasks of `cargo dtest`: `cargo xtask <task>`.
//!
//! This program does not link Z3, so that it can install Z3 before the programs that need it are
//! built.

mod bench;
mod ci;
mod comments;
mod corpus;
mod declared;
mod demo;
mod editor;
mod extension;
mod fuzz;
mod judge;
mod metadata;
mod mutation;
mod packages;
mod planted;
mod process;
mod scale;
mod translated;
mod weakened;
mod z3;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Development tasks of cargo dtest"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Generate the suites of the fixtures, run them, and show the table
    Demo,
    /// Run the checks that a change must pass: format, lints, tests, the demo
    Ci(ci::Args),
    /// Run the tool on a directory of real Dafny programs and print the results
    Corpus(corpus::Args),
    /// Measure the search, the stages, their growth, and parsing and resolving over directories of
    /// real Dafny programs
    Bench(bench::Args),
    /// Mutate translations and count the mutants that the generated suites kill
    MutationScore(mutation::Args),
    /// Count the mutants of real Dafny programs that their suites kill, on compiled code
    Power(corpus::power::Args),
    /// Count the bugs planted by hand in realistic programs (bench/planted) that the generated
    /// suites catch
    Planted(planted::Args),
    /// Count the weaker versions of verified contracts (bench/weakened) that `spec` reports
    Weakened(weakened::Args),
    /// Compare the verdicts on contracts with those of Dafny's verifier on mutants
    Contracts(corpus::contracts::Args),
    /// Compare answers with those of the official Dafny (`DTEST_DAFNY`)
    Judge(judge::Args),
    /// Run suites against Dafny's Rust of the fixtures
    Official(translated::official::Args),
    /// Run suites against the Rust of a published crate that Dafny wrote
    Shipped(translated::shipped::Args),
    /// Build each crate with the oldest Rust that its manifest names
    RustVersions,
    /// Check dependencies against deny.toml: licences, duplicates, sources
    Deny,
    /// Check the language of doc comments
    Comments,
    /// Package the crates for a registry, in publishing order
    Packages,
    /// Check the extension for VS Code: types, lints, licences, unit tests
    Extension,
    /// Fuzz parser, resolver and interpreter with mutated programs
    Fuzz(fuzz::Args),
    /// Find Z3 or install it
    Z3,
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().task {
        Task::Demo => demo::run(),
        Task::Ci(args) => ci::run(&args),
        Task::Corpus(args) => corpus::run(&args),
        Task::Bench(args) => bench::bench(&args),
        Task::MutationScore(args) => mutation::run(&args),
        Task::Power(args) => corpus::power::run(&args),
        Task::Planted(args) => planted::run(&args),
        Task::Weakened(args) => weakened::run(&args),
        Task::Contracts(args) => corpus::contracts::run(&args),
        Task::Judge(args) => judge::run(&args),
        Task::Official(args) => translated::official::run(&args),
        Task::Shipped(args) => translated::shipped::run(&args),
        Task::RustVersions => declared::rust_versions(declared::Missing::Fails),
        Task::Deny => declared::dependencies(),
        Task::Comments => comments::check(),
        Task::Packages => packages::run(),
        Task::Extension => extension::check(),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Z3 => z3::ensure(),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(PathBuf::from)
        .unwrap_or_default()
}
