//! The command-line interface, declared with clap.
//!
//! [`Cli`] is the parsed command line, [`Command`] lists the commands, and each command has a
//! struct of options (`GenArgs`, `CheckArgs`, …). Doc comments of fields are the texts of `--help`.
//!
//! Every option is declared here and nowhere else: [`super::config`] derives the keys of
//! `dtest.toml` from the ids of the options. An option that shares its name with an option of `gen`
//! but has another meaning therefore needs an id of its own.

mod analyses;
mod boogie;
mod campaigns;
mod output;
mod program;
mod search;

pub use analyses::{
    AcceptedArgs, CheckArgs, CheckFailOn, DeadArgs, FailOn, MutantsArgs, SpecArgs, SpecFailOn,
    StrategyArg,
};
pub use boogie::BoogieArgs;
pub use campaigns::{FuzzArgs, RewriteArgs};
pub use output::{Color, MessageFormat, OutputArgs};
pub use program::{
    DafnyArgs, DafnyVersion, GeneralTraits, Language, ProgramArgs, StandardLibraries,
};
use search::criterion;
pub use search::{CacheArgs, KeptArgs, LimitArgs, Minimize, SearchArgs, Strength};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use dtest_emit::dafny::Target;
use dtest_ir::Criterion;

/// Tests for Dafny programs, in Rust.
#[derive(Debug, Parser)]
#[command(
    name = "cargo dtest",
    bin_name = "cargo dtest",
    version,
    max_term_width = 100,
    propagate_version = true
)]
#[command(about = "Reads Dafny programs and writes test suites that run with `cargo test`")]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Generate the test suite, and the translation that it tests
    Gen(Box<GenArgs>),
    /// List units and goals, and unsupported constructs with reasons, without searching
    List(ListArgs),
    /// Find dead code: blocks that no input reaches, with the strength of the claim and the reasons
    Dead(Box<DeadArgs>),
    /// Find executions that violate the program's specification: assertions, contracts, invariants,
    /// well-formedness
    Check(Box<CheckArgs>),
    /// Test the specification itself: contracts that are contradictory, that no code can implement,
    /// or that accept different results
    Spec(Box<SpecArgs>),
    /// Run mutation testing and report surviving mutants
    Mutants(Box<MutantsArgs>),
    /// Measure coverage: run the suite on an instrumented copy and show which goals it reaches
    Cover(Box<CoverArgs>),
    /// Merge the results of the shards of one search
    Merge(MergeArgs),
    /// Run `Main` in the interpreter
    Run(RunArgs),
    /// Evaluate an expression in the program's scope, ghost functions included; without one, read
    /// expressions interactively
    Eval(EvalArgs),
    /// Repeat `gen`, `check` or another command after each change of the program, and show the
    /// differences
    Watch(WatchArgs),
    /// Explain a message, with an example and what to do
    Explain(ExplainArgs),
    /// Translate Dafny to Rust, without tests
    Translate(TranslateArgs),
    /// Write programs that are equivalent to this one, to test verifiers and compilers
    Rewrite(RewriteArgs),
    /// Differential fuzzing: compare verifiers, compilers and this tool on programs, and on
    /// equivalent rewritings of them
    Fuzz(Box<FuzzArgs>),
    /// Write a commented dtest.toml and the dependencies that generated code needs
    Init(InitArgs),
    /// Remove the generated files and the cache
    Clean(CleanArgs),
    /// Run the language server (LSP on standard input and output)
    Lsp(LspArgs),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands to a directory
    Man {
        /// The directory, which is created if needed: `cargo-dtest.1`, `cargo-dtest-gen.1`, …
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
}

impl Command {
    /// Returns the output options, or `None` for commands that print no messages.
    pub fn output(&self) -> Option<&OutputArgs> {
        match self {
            Self::Gen(args) => Some(&args.output),
            Self::List(args) => Some(&args.output),
            Self::Dead(args) => Some(&args.output),
            Self::Check(args) => Some(&args.output),
            Self::Spec(args) => Some(&args.output),
            Self::Mutants(args) => Some(&args.output),
            Self::Cover(args) => Some(&args.generated.output),
            Self::Merge(args) => Some(&args.output),
            Self::Run(args) => Some(&args.output),
            Self::Eval(args) => Some(&args.output),
            Self::Watch(args) => Some(&args.output),
            Self::Explain(args) => Some(&args.output),
            Self::Translate(args) => Some(&args.output),
            Self::Rewrite(args) => Some(&args.output),
            Self::Fuzz(args) => Some(&args.output),
            Self::Init(args) => Some(&args.output),
            Self::Clean(args) => Some(&args.output),
            Self::Lsp(_) | Self::Completions { .. } | Self::Man { .. } => None,
        }
    }
}

/// `gen`.
#[derive(Debug, Clone, Default, Args)]
pub struct GenArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Search options.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The cache.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// Test existing Rust code at this path (`crate::shop`) instead of a translation. Its items
    /// must have the names and types that `cargo dtest translate` gives them
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    pub against: Option<String>,

    /// The names and types of the code of `--against`
    #[arg(long, value_enum, value_name = "CONVENTION", help_heading = "Files")]
    pub convention: Option<Convention>,

    /// Write up to N scenario tests for each class: sequences of calls on one object
    #[arg(long, value_name = "N", help_heading = "Files")]
    pub scenarios: Option<u32>,

    /// The language of the tests. With `dafny` and `vectors`, no Rust is written: `--out` is the
    /// directory of the `*.tests.dfy` or `*.vectors.jsonl` files
    #[arg(long, value_enum, value_name = "LANGUAGE", help_heading = "Files")]
    pub emit: Option<Emit>,

    /// With `--emit dafny`: leave out tests that are known to fail on these backends of Dafny
    /// 4.11.0, with the reason in a comment
    #[arg(
        long,
        value_enum,
        value_name = "TARGETS",
        value_delimiter = ',',
        help_heading = "Files"
    )]
    pub target: Vec<DafnyTarget>,

    /// With `--emit dafny`: run the tests with Dafny on these backends, and print a table
    #[arg(
        long,
        value_enum,
        value_name = "TARGETS",
        value_delimiter = ',',
        help_heading = "Files"
    )]
    pub run: Vec<DafnyTarget>,

    /// Write to the package in this directory, which is created if needed
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: Option<PathBuf>,

    /// Take the run-time library `dunit` from this path instead of the registry
    #[arg(
        long,
        value_name = "PATH",
        env = "DTEST_RUNTIME",
        help_heading = "Files"
    )]
    pub runtime: Option<PathBuf>,

    /// Write nothing; if files on disk are stale, print the differences and exit with 3
    #[arg(long, help_heading = "Files")]
    pub check: bool,

    /// Write a failing test for each violation
    #[arg(long, help_heading = "Files")]
    pub keep_failing: bool,

    /// Write a coverage report to this directory: HTML of the sources with goals and tests, and
    /// `lcov.info`
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub coverage_report: Option<PathBuf>,

    /// Exit with 5 if less than this percentage of the goals is settled: covered, or unreachable
    /// (proved, or at the maximum bounds)
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Output")]
    pub fail_under: Option<f64>,

    /// Exit with 5 if a test is unchecked: it compares no result and no state, and executes no
    /// clause
    #[arg(long, help_heading = "Output")]
    pub fail_unchecked: bool,
}

/// `--convention`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Convention {
    /// As `cargo dtest translate` writes them
    #[default]
    Dtest,
    /// As `dafny translate rs` of Dafny 4.11 writes them
    Dafny,
}

/// `--emit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Emit {
    /// A Rust suite against the translation
    #[default]
    Rust,
    /// `{:test}` methods for `dafny test`, on every backend
    Dafny,
    /// Test vectors in JSON Lines, for code in any language
    Vectors,
}

/// The backends of Dafny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DafnyTarget {
    /// C#
    Cs,
    /// Python
    Py,
    /// JavaScript
    Js,
    /// Java
    Java,
    /// Go
    Go,
    /// Rust
    Rs,
}

impl From<DafnyTarget> for Target {
    fn from(target: DafnyTarget) -> Self {
        match target {
            DafnyTarget::Cs => Self::Cs,
            DafnyTarget::Py => Self::Py,
            DafnyTarget::Js => Self::Js,
            DafnyTarget::Java => Self::Java,
            DafnyTarget::Go => Self::Go,
            DafnyTarget::Rs => Self::Rs,
        }
    }
}

/// `cover`.
#[derive(Debug, Clone, Default, Args)]
pub struct CoverArgs {
    /// Options of `gen`.
    #[command(flatten)]
    pub generated: GenArgs,
    /// Arguments of `cargo test`
    #[arg(last = true)]
    pub cargo: Vec<String>,
}

/// `list`.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Only include units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,
    /// Show the goals of system tests of this method or function: its own goals and those of its
    /// callees
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,
    /// Coverage criteria, one or several [default: block]
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', value_parser = criterion(), help_heading = "Search")]
    pub coverage: Vec<Criterion>,
    /// With goals per call: maximum number of activations of one callable in a call chain [default:
    /// 1]
    #[arg(long, value_name = "N", help_heading = "Search", value_parser = clap::value_parser!(u32).range(1..))]
    pub inline: Option<u32>,
}

/// `merge`.
#[derive(Debug, Clone, Default, Args)]
pub struct MergeArgs {
    /// The reports written by `gen --shard`, one for every shard
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Options of `gen` in addition to those of the shards
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

/// `run`.
#[derive(Debug, Clone, Default, Args)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Repeat the executions in this file, written by `check --message-format json` (for Boogie
    /// programs, also by `run`), instead of running `Main`
    #[arg(long, value_name = "FILE", help_heading = "Executions")]
    pub replay: Option<PathBuf>,
    /// Run the `{:test}` methods of the named files instead of `Main`. A failing test does not stop
    /// the others
    #[arg(long, conflicts_with = "replay", help_heading = "Tests")]
    pub test: bool,
    /// With `--test`: only run tests whose path matches this regular expression
    #[arg(
        long = "filter",
        value_name = "REGEX",
        requires = "test",
        help_heading = "Tests"
    )]
    pub test_filter: Option<String>,
    /// With `--replay`, or for a Boogie program: show every step
    #[arg(long, help_heading = "Executions")]
    pub trace: bool,
    /// Maximum number of interpreter steps
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub fuel: Option<u64>,
    /// Options for Boogie programs (`*.bpl`).
    #[command(flatten)]
    pub boogie: BoogieArgs,
    /// Arguments of the Dafny program
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// `eval`.
#[derive(Debug, Clone, Default, Args)]
pub struct EvalArgs {
    /// The expression; without it, expressions are read from standard input, one per line
    #[arg(value_name = "EXPR")]
    pub expression: Option<String>,
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Maximum number of interpreter steps
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200_000_000,
        help_heading = "Search"
    )]
    pub fuel: u64,
}

/// `lsp`.
#[derive(Debug, Clone, Default, Args)]
pub struct LspArgs {
    /// Communicate over standard input and output. Always on; accepted because editors pass it
    #[arg(long)]
    pub stdio: bool,
}

/// `watch`.
#[derive(Debug, Clone, Default, Args)]
pub struct WatchArgs {
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Stop after this many repetitions [default: never]
    #[arg(long, value_name = "N")]
    pub times: Option<u32>,
    /// The command, with its options: `gen`, `check`, `dead`, `list`, `mutants` or `run` [default:
    /// gen]
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<String>,
}

/// `explain`.
#[derive(Debug, Clone, Default, Args)]
pub struct ExplainArgs {
    /// The id that a message shows in brackets (`check/violated`), or the part before the slash;
    /// without it, list all ids
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `translate`.
#[derive(Debug, Clone, Default, Args)]
pub struct TranslateArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Write to the package in this directory, which is created if needed
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: Option<PathBuf>,
    /// Take the run-time library `dunit` from this path instead of the registry
    #[arg(
        long,
        value_name = "PATH",
        env = "DTEST_RUNTIME",
        help_heading = "Files"
    )]
    pub runtime: Option<PathBuf>,
    /// Print to standard output instead of writing files
    #[arg(long, help_heading = "Files")]
    pub stdout: bool,
}

/// `init`.
#[derive(Debug, Clone, Default, Args)]
pub struct InitArgs {
    /// Set the keys of dtest.toml as this command line of Dafny does: `'dafny translate rs …'`, or
    /// the path of a makefile with a recipe that runs Dafny
    #[arg(long, value_name = "COMMAND", help_heading = "Files")]
    pub from: Option<String>,

    /// With `dafny`: look for what `dafny translate rs` wrote, and for the Dafny sources, and set
    /// the keys of dtest.toml for tests of it
    #[arg(
        long,
        value_enum,
        value_name = "CONVENTION",
        conflicts_with = "from",
        help_heading = "Files"
    )]
    pub convention: Option<Convention>,

    /// Take the run-time library `dunit` from this path instead of the registry
    #[arg(
        long,
        value_name = "PATH",
        env = "DTEST_RUNTIME",
        help_heading = "Files"
    )]
    pub runtime: Option<PathBuf>,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `clean`.
#[derive(Debug, Clone, Default, Args)]
pub struct CleanArgs {
    /// The directory that was passed to `gen --out`
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: Option<PathBuf>,
    /// The cache.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn percent(text: &str) -> Result<f64, NoPercentage> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(p) if (0.0..=100.0).contains(&p) => Ok(p),
        Ok(_) | Err(_) => Err(NoPercentage),
    }
}

/// A text that is not a percentage.
#[derive(Debug)]
struct NoPercentage;

impl std::fmt::Display for NoPercentage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("must be a number from 0 to 100")
    }
}

impl std::error::Error for NoPercentage {}
