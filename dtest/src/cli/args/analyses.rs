//! `check`, `dead`, `mutants` and `spec`.

use std::path::PathBuf;

use super::{KeptArgs, LimitArgs, OutputArgs, ProgramArgs, Strength, criterion, percent};
use crate::cli::places::Place;
use crate::pipeline::Shard;
use clap::{Args, ValueEnum, ValueHint};
use dtest_ir::Criterion;

/// Findings that do not fail: those that `allow` lists in `dtest.toml`, and those of a baseline.
#[derive(Debug, Clone, Default, Args)]
pub struct AcceptedArgs {
    /// Fail only on findings that this file, written by `--write-baseline`, does not contain
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub baseline: Option<PathBuf>,

    /// Write the present findings to this file, which later runs take as `--baseline`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub write_baseline: Option<PathBuf>,

    /// Print the key of each finding, for `allow` in dtest.toml
    #[arg(long, help_heading = "Output")]
    pub show_keys: bool,

    /// Also show findings that are allowed or in the baseline
    #[arg(long, help_heading = "Output")]
    pub show_allowed: bool,
}

/// `check`.
#[derive(Debug, Clone, Default, Args)]
pub struct CheckArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The cache.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// Select the results that make the exit code nonzero: violated obligations (7), also those that
    /// the specifications do not imply (5), also undecided obligations (5), or none [default:
    /// violated]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub fail_on: Option<CheckFailOn>,

    /// Accepted findings.
    #[command(flatten)]
    pub accepted: AcceptedArgs,

    /// Also show obligations that are proved or undecided
    #[arg(long, help_heading = "Output")]
    pub all: bool,

    /// Print every execution explored, one per path, with its outcome, instead of searching for
    /// violations
    #[arg(long, help_heading = "Executions")]
    pub executions: bool,

    /// Abstract these methods and functions, given by their Dafny paths, by their contracts, as the
    /// verifier does. An obligation that is violated only then shows a contract that is too weak
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Specifications"
    )]
    pub by_contract: Vec<String>,

    /// Abstract the loops at these places by their invariants
    #[arg(long, value_name = "FILE:LINE", help_heading = "Specifications")]
    pub by_invariant: Vec<Place>,

    /// Abstract all methods, constructors, opaque functions and loops
    #[arg(long, help_heading = "Specifications")]
    pub modular: bool,

    /// Print for every `expect` whether an execution can halt there, instead of searching for
    /// violations
    #[arg(long, help_heading = "Executions", conflicts_with = "executions")]
    pub halts: bool,

    /// Only check units affected by this unified diff: their code, their contracts or their
    /// dependencies
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub in_diff: Option<PathBuf>,

    /// Check only one of N equal parts of the units; every part has its own report and exit code
    #[arg(long, value_name = "K/N", help_heading = "Search")]
    pub shard: Option<Shard>,

    /// Only check this method, function or lemma, given by its Dafny path
    #[arg(
        id = "check_entry",
        long = "entry",
        value_name = "NAME",
        help_heading = "Search"
    )]
    pub entry: Vec<String>,

    /// With `--executions`: the order of exploration [default: generational]
    #[arg(
        long,
        value_enum,
        value_name = "ORDER",
        requires = "executions",
        help_heading = "Executions"
    )]
    pub strategy: Option<StrategyArg>,

    /// With `--executions`: number of leading branches of an execution to negate [default: 32]
    #[arg(long, value_name = "N", requires = "executions", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Executions")]
    pub depth: Option<u32>,

    /// Maximum iterations of a nondeterministic loop (`while *`) [default: as for other loops]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub unroll_choice: Option<u32>,

    /// Also print each violation as a Dafny method with `{:test}`, on standard output
    #[arg(long, help_heading = "Output")]
    pub dafny: bool,

    /// Write the translation, and a Rust test for each violation to `tests/violations` of the
    /// package; the test fails until the program is fixed
    #[arg(long, help_heading = "Output", conflicts_with_all = ["executions", "halts"])]
    pub write: bool,

    /// With `--write`: the package to write to [default: the package of the current directory]
    #[arg(long, value_name = "DIR", requires = "write", help_heading = "Files")]
    pub out: Option<PathBuf>,

    /// With `--write`: take the run-time library `dunit` from this path instead of the registry
    #[arg(
        long,
        value_name = "PATH",
        env = "DTEST_RUNTIME",
        help_heading = "Files"
    )]
    pub runtime: Option<PathBuf>,

    /// Show every step of violating executions instead of only the calls and the last iterations
    #[arg(long, help_heading = "Output")]
    pub trace: bool,

    /// Only check the obligations at this place, and show all results
    #[arg(long, value_name = "FILE:LINE[:COL]", help_heading = "Search")]
    pub at: Vec<Place>,

    /// Only check the obligations for which Dafny's verifier reports errors in this file, which
    /// contains its output; `-` reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub from_dafny: Option<PathBuf>,

    /// Run Dafny's verifier on the program, and only check the obligations for which it reports
    /// errors: a command such as `dafny verify`. The files stand for `{}`, or follow the command
    #[arg(
        long,
        value_name = "COMMAND",
        conflicts_with_all = ["from_dafny", "stdin", "each"],
        help_heading = "Search"
    )]
    pub dafny_command: Option<String>,

    /// Only include units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `--strategy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    /// Depth first: the last branch is negated first
    Depth,
    /// Breadth first: the first branch is negated first
    Breadth,
    /// By generations: all branches of an execution before those of its successors
    Generational,
}

/// `--fail-on` of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum CheckFailOn {
    /// Violated obligations
    #[default]
    Violated,
    /// Also obligations that the specifications of callees and loops do not imply
    NotImplied,
    /// Also undecided obligations
    NotDecided,
    /// Nothing
    None,
}

/// `dead`.
#[derive(Debug, Clone, Default, Args)]
pub struct DeadArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The cache.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// Select the dead blocks that make the exit code 5 unless they are allowed: proved dead
    /// blocks, any dead block, or none [default: proved]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub fail_on: Option<FailOn>,

    /// Accepted findings.
    #[command(flatten)]
    pub accepted: AcceptedArgs,

    /// Only include units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Only look at this method or function, given by its Dafny path: blocks of it and of its
    /// callees that no call of it reaches
    #[arg(
        id = "dead_entry",
        long = "entry",
        value_name = "NAME",
        help_heading = "Search"
    )]
    pub entry: Vec<String>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `mutants`.
#[derive(Debug, Clone, Default, Args)]
pub struct MutantsArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The cache.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// Accepted findings.
    #[command(flatten)]
    pub accepted: AcceptedArgs,

    /// Stop at the first unit with a mutant that survives and is not accepted, and exit with 5
    #[arg(long, help_heading = "Output", conflicts_with_all = ["contracts", "compile", "write_baseline"])]
    pub fail_fast: bool,

    /// Test contracts instead of the suite: report the contracts that allow mutants, weakest first
    #[arg(long, help_heading = "Output", conflicts_with_all = ["mutants_fail_under", "baseline", "write_baseline"])]
    pub contracts: bool,

    /// Compile this many mutants and run the suite on each with `cargo test`; exit with 5 if a
    /// result differs from the interpreter's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Output", conflicts_with = "contracts")]
    pub compile: Option<u32>,

    /// With `--compile`: take the run-time library `dunit` from this path instead of the registry
    #[arg(
        long,
        value_name = "PATH",
        env = "DTEST_RUNTIME",
        help_heading = "Files"
    )]
    pub runtime: Option<PathBuf>,

    /// Exit with 5 if less than this percentage of the mutants is killed
    #[arg(id = "mutants_fail_under", long = "fail-under", value_name = "PERCENT", value_parser = percent, help_heading = "Output")]
    pub fail_under: Option<f64>,

    /// Only include units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Only mutate this method or function and its callees, and use system tests of it
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,

    /// Only mutate code that this unified diff changes
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub in_diff: Option<PathBuf>,

    /// Only mutate one of N equal parts of the units; every part has its own report and exit code
    #[arg(long, value_name = "K/N", help_heading = "Search")]
    pub shard: Option<Shard>,

    /// Coverage criteria of the suite, one or several [default: block]
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', value_parser = criterion(), help_heading = "Search")]
    pub coverage: Vec<Criterion>,

    /// Generate only tests that cover the goals, or also tests that kill surviving mutants
    /// [default: mutants]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Search")]
    pub strength: Option<Strength>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `spec`.
#[derive(Debug, Clone, Default, Args)]
pub struct SpecArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Report how the contracts differ from those of an older version: a revision of git, or a file
    /// or directory
    #[arg(
        id = "spec_diff",
        long = "diff",
        value_name = "REV|PATH",
        conflicts_with_all = ["stdin", "each", "spec_allow", "spec_fail_under"],
        help_heading = "Output"
    )]
    pub diff: Option<String>,

    /// Judge the cases of this JSON file: inputs and results that contracts have to accept or reject
    #[arg(id = "spec_cases", long = "cases", value_name = "FILE", conflicts_with_all = ["spec_diff", "each"], help_heading = "Output")]
    pub cases: Vec<PathBuf>,

    /// Judge the calls that the `{:test}` methods of the program make: contracts have to accept their
    /// inputs, and the results of the bodies
    #[arg(
        id = "spec_test_cases",
        long = "test-cases",
        conflicts_with = "spec_diff",
        help_heading = "Output"
    )]
    pub test_cases: bool,

    /// Also change each clause in one place: report parts that make no difference, and stronger
    /// clauses that the body satisfies
    #[arg(
        id = "spec_mutants",
        long = "mutants",
        conflicts_with = "spec_diff",
        help_heading = "Output"
    )]
    pub mutants: bool,

    /// Also report postconditions that the body satisfies and that reject results which the contract
    /// accepts
    #[arg(
        id = "spec_suggest",
        long = "suggest",
        conflicts_with = "spec_diff",
        help_heading = "Output"
    )]
    pub suggest: bool,

    /// List the assumptions that the program trusts instead: axioms, `assume`, code and proofs that are
    /// missing, each with the evidence of executions and what depends on it
    #[arg(
        id = "spec_assumptions",
        long = "assumptions",
        conflicts_with_all = ["spec_diff", "spec_cases", "spec_test_cases", "spec_mutants", "spec_suggest", "spec_fail_under"],
        help_heading = "Output"
    )]
    pub assumptions: bool,

    /// Also show what is determined, undecided or idle, and an example of what each clause rejects
    #[arg(id = "spec_all", long = "all", help_heading = "Output")]
    pub all: bool,

    /// The contract of this unit, given by its Dafny path, deliberately leaves results open
    #[arg(
        id = "spec_allow",
        long = "allow",
        value_name = "NAME",
        help_heading = "Output"
    )]
    pub allow: Vec<String>,

    /// Select the results that make the exit code 7: contracts that are contradictory or cannot be
    /// implemented, also those that leave results open, or none [default: faulty]
    #[arg(
        id = "spec_fail_on",
        long = "fail-on",
        value_enum,
        value_name = "WHAT",
        help_heading = "Output"
    )]
    pub fail_on: Option<SpecFailOn>,

    /// Exit with 5 if the mean score of the contracts is less than this percentage
    #[arg(id = "spec_fail_under", long = "fail-under", value_name = "PERCENT", value_parser = percent, help_heading = "Output")]
    pub fail_under: Option<f64>,

    /// Only include units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `--fail-on` of `spec`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SpecFailOn {
    /// Contracts that are contradictory or cannot be implemented, refuted assumptions
    #[default]
    Faulty,
    /// Also contracts that leave results open, and assumptions that are not proved
    Open,
    /// Nothing
    None,
}

/// `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FailOn {
    /// Blocks that are proved to be unreachable
    #[default]
    Proved,
    /// Also blocks that are reached only after a failed assertion, or not within the bounds
    Any,
    /// Nothing
    None,
}
