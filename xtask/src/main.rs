//! Development tasks of `cargo dtest`: `cargo xtask <task>`.
//!
//! This program links no Z3, so that it can install it before anything that does is built.

mod bench;
mod ci;
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
    /// Everything that a change must pass: format, lints, tests, the demo
    Ci(ci::Args),
    /// Run the tool over a folder of real Dafny programs and print what it did
    Corpus(corpus::Args),
    /// Measure the search, the stages, how both grow, and parsing and resolving over folders of real Dafny programs
    Bench(bench::Args),
    /// Put bugs into translations and count those that the generated suites catch
    MutationScore(mutation::Args),
    /// Count the mistakes in real Dafny programs that their suites notice, as compiled code says
    Power(corpus::power::Args),
    /// Count the bugs planted by hand in realistic programs (bench/planted) that the generated suites catch
    Planted(planted::Args),
    /// Hold what is said of contracts to verdicts of Dafny's verifier on mutants
    Contracts(corpus::contracts::Args),
    /// Compare answers with those of the official Dafny (`DTEST_DAFNY`)
    Judge(judge::Args),
    /// Build each crate with the oldest Rust that its manifest names
    RustVersions,
    /// Hold dependencies to deny.toml: licences, duplicates, sources
    Deny,
    /// Pack the crates as a registry takes them, in the order in which they are published
    Packages,
    /// Check the extension for VS Code: types, lints, licences, unit tests
    Extension,
    /// Feed parser, resolver and interpreter changed programs
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
        Task::Contracts(args) => corpus::contracts::run(&args),
        Task::Judge(args) => judge::run(&args),
        Task::RustVersions => declared::rust_versions(declared::Missing::Fails),
        Task::Deny => declared::dependencies(),
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
