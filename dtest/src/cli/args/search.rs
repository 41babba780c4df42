//! The search for tests: goals, limits and the cache.

use std::path::PathBuf;

use crate::pipeline::Shard;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use dtest_ir::Criterion;

/// The cache.
#[derive(Debug, Clone, Default, Args)]
pub struct CacheArgs {
    /// Directory for cached results [default: target/dtest/cache]
    #[arg(
        long,
        value_name = "DIR",
        env = "DTEST_CACHE_DIR",
        help_heading = "Files"
    )]
    pub cache_dir: Option<PathBuf>,
}

/// The cache and the options that control its use.
#[derive(Debug, Clone, Default, Args)]
pub struct KeptArgs {
    /// The cache directory.
    #[command(flatten)]
    pub cache: CacheArgs,

    /// Search every unit again, and do not write to the cache
    #[arg(long, help_heading = "Files")]
    pub no_cache: bool,

    /// Search units again that ran out of time in an earlier run, instead of using their partial
    /// results
    #[arg(long, help_heading = "Search")]
    pub retry: bool,
}

/// Limits of a search.
#[derive(Debug, Clone, Default, Args)]
pub struct LimitArgs {
    /// Maximum loop iterations [default: grows from 2 to 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub unroll: Option<u32>,

    /// Maximum depth of calls and recursion [default: grows from 2 to 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Search")]
    pub inline: Option<u32>,

    /// Maximum number of elements of a collection; beyond 32, the depth of datatypes and the number
    /// of objects of a class grow as well [default: grows from 2 to 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub max_size: Option<u32>,

    /// Z3's resource limit for one query
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4_294_967_295), help_heading = "Search")]
    pub rlimit: Option<u64>,

    /// Time limit for one unit in seconds, a safety net behind the resource limit
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), env = "DTEST_TIMEOUT", help_heading = "Search")]
    pub timeout: Option<u64>,

    /// Memory limit of the process in MiB, including Z3; units that need more are abandoned
    /// [default: 2048]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..=1_048_576), help_heading = "Search")]
    pub max_memory: Option<u64>,

    /// Units searched in parallel [default: number of processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Search")]
    pub jobs: Option<u32>,

    /// Seed of all random choices
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub seed: Option<u64>,
}

/// Options of the search.
#[derive(Debug, Clone, Default, Args)]
pub struct SearchArgs {
    /// Only search units whose path matches this regular expression. On the command line, existing
    /// tests of other units stay unchanged
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Test only this method or function, given by its Dafny path, and cover its callees too
    /// (system tests)
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,

    /// Coverage criteria, one or several [default: block]
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', value_parser = criterion(), help_heading = "Search")]
    pub coverage: Vec<Criterion>,

    /// With `--coverage path`: maximum number of paths per unit; the others are only counted
    /// [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Search")]
    pub max_paths: Option<u32>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Minimize the number of tests: with a fast heuristic, or to a proved minimum within the
    /// bounds
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Search")]
    pub minimize: Option<Minimize>,

    /// Generate only tests that cover the goals, or also tests that kill surviving mutants
    /// [default: mutants]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Search")]
    pub strength: Option<Strength>,

    /// Time limit of the whole run in seconds, shared equally among the units. The output then
    /// depends on the machine if the limit stops a unit
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), help_heading = "Search")]
    pub max_time: Option<u64>,

    /// Only include units affected by this unified diff: their code, their contracts or their
    /// dependencies; other tests stay unchanged
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub in_diff: Option<PathBuf>,

    /// Search only one of N equal parts of the units, and write a report for `cargo dtest merge`
    /// instead of a suite
    #[arg(long, value_name = "K/N", help_heading = "Search")]
    pub shard: Option<Shard>,

    /// With `--shard`: the file of the report [default: dtest-shard-K-of-N.json]
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = "Search")]
    pub report: Option<PathBuf>,

    /// Write every solver query to this directory
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    pub smt_log: Option<PathBuf>,
}

/// `--strength`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Strength {
    /// Tests that cover the goals, chosen to kill many mutants
    Coverage,
    /// Also tests that kill mutants that survive the other tests
    Mutants,
}

/// `--minimize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Minimize {
    /// By a fast heuristic
    Greedy,
    /// To a proved minimum within the bounds
    Optimal,
}

pub(super) fn criterion() -> impl TypedValueParser<Value = Criterion> {
    PossibleValuesParser::new(Criterion::ALL.map(|(_, name)| name))
        .try_map(|name| Criterion::named(&name).ok_or("not a coverage criterion"))
}
