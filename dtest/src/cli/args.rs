//! The command-line interface, declared with clap.
//!
//! [`Cli`] is the parsed command line, [`Command`] lists the commands, and each command has a
//! struct of options (`GenArgs`, `CheckArgs`, …). Doc comments of fields are the texts of `--help`.
//!
//! Every option is declared here and nowhere else: [`super::config`] derives the keys of
//! `dtest.toml` from the ids of the options. An option that shares its name with an option of `gen`
//! but has another meaning therefore needs an id of its own.

mod campaigns;

use dtest_emit::dafny::Target;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

pub use campaigns::{FuzzArgs, RewriteArgs};

use super::places::Place;
use crate::pipeline::Shard;
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

/// The program and the options of the Dafny front end, common to all commands.
#[derive(Debug, Clone, Default, Args)]
pub struct ProgramArgs {
    /// Dafny files, directories, one `dfyconfig.toml` or globs [default: src/**/*.dfy of the
    /// package]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub files: Vec<String>,

    /// Include units of included files
    #[arg(long, help_heading = "Program")]
    pub included: bool,

    /// Treat every file as a separate program and write one package for each below `--out DIR`
    #[arg(long, help_heading = "Program")]
    pub each: bool,

    /// The options of the Dafny front end.
    #[command(flatten)]
    pub dafny: DafnyArgs,

    /// Generate a mock builder (`dmock`) for this class, given by its Dafny path (`*`: every
    /// class), for hand-written tests with stubbed functions. Generated tests do not need it
    #[arg(long, value_name = "CLASS", help_heading = "Program")]
    pub mock: Vec<String>,
}

/// The options of the Dafny front end. Project files can set them too.
#[derive(Debug, Clone, Default, Args)]
pub struct DafnyArgs {
    /// The meaning of `function`: ghost in version 3, compiled in version 4
    #[arg(long, value_name = "3|4", value_parser = clap::value_parser!(u8).range(3..=4), env = "DTEST_FUNCTION_SYNTAX", help_heading = "Dafny")]
    pub function_syntax: Option<u8>,

    /// Scope of a quantifier's range: the variable that it follows (4) or all variables (3)
    /// [default: 4]
    #[arg(long, value_name = "3|4", value_parser = clap::value_parser!(u8).range(3..=4), help_heading = "Dafny")]
    pub quantifier_syntax: Option<u8>,

    /// Characters are Unicode scalar values (`true`) or UTF-16 code units (`false`)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", env = "DTEST_UNICODE_CHAR", help_heading = "Dafny")]
    pub unicode_char: Option<bool>,

    /// Allow reading variables of auto-initialisable types before they are assigned
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub relax_definite_assignment: Option<bool>,

    /// Reject nondeterministic statements
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub enforce_determinism: Option<bool>,

    /// Allow `reads` clauses on methods
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub reads_clauses_on_methods: Option<bool>,

    /// Use Dafny's newer type inference
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub type_system_refresh: Option<bool>,

    /// Allow newtypes over every base type
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub general_newtypes: Option<bool>,

    /// Select which traits are reference types, and which types may extend them
    #[arg(long, value_name = "KIND", value_enum, help_heading = "Dafny")]
    pub general_traits: Option<GeneralTraits>,

    /// A library that the program uses, without tests: Dafny source, a directory or a project file
    #[arg(long, value_name = "FILE", help_heading = "Program")]
    pub library: Vec<PathBuf>,

    /// The directory with the sources of Dafny's standard libraries, which are not part of this
    /// tool
    #[arg(
        long,
        value_name = "DIR",
        env = "DTEST_STANDARD_LIBRARIES",
        help_heading = "Program"
    )]
    pub standard_libraries: Option<PathBuf>,
}

/// `--general-traits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GeneralTraits {
    /// Every trait is a reference type; only classes and traits may extend it (Dafny's default)
    Legacy,
    /// A trait is a reference type only if it extends `object`; all types with members except
    /// newtypes may extend traits
    Datatype,
    /// As `datatype`, and newtypes may extend traits too
    Full,
}

/// Output options, common to all commands.
#[derive(Debug, Clone, Default, Args)]
pub struct OutputArgs {
    /// Explain the messages at the end, as `explain ID` does
    #[arg(long, help_heading = "Output")]
    pub explain: bool,

    /// The format of messages and of the report
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        env = "DTEST_MESSAGE_FORMAT",
        help_heading = "Output"
    )]
    pub message_format: Option<MessageFormat>,

    /// When to use colours
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        env = "CARGO_TERM_COLOR",
        help_heading = "Output"
    )]
    pub color: Option<Color>,

    /// Do not show progress and the summary
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// The format of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum MessageFormat {
    /// With source lines
    #[default]
    Human,
    /// One line per message
    Short,
    /// One JSON object per line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// One SARIF 2.1.0 log, on standard output
    Sarif,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
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

    /// Write up to N scenario tests for each class: sequences of calls on one object
    #[arg(long, value_name = "N", help_heading = "Files")]
    pub scenarios: Option<u32>,

    /// The language of the tests. With `dafny`, no Rust is written: `--out` is the directory of the
    /// `*.tests.dfy` files
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

/// `--emit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Emit {
    /// A Rust suite against the translation
    #[default]
    Rust,
    /// `{:test}` methods for `dafny test`, on every backend
    Dafny,
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

/// Executions of Boogie programs.
#[derive(Debug, Clone, Default, Args)]
pub struct BoogieArgs {
    /// Execute this procedure of a Boogie program [default: Main, or the only one]
    #[arg(
        id = "boogie_entry",
        long = "entry",
        value_name = "NAME",
        help_heading = "Executions of Boogie programs"
    )]
    pub entry: Option<String>,

    /// Maximum number of executions to explore
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=10_000_000), help_heading = "Executions of Boogie programs")]
    pub executions: u32,

    /// Maximum number of executions to show
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        help_heading = "Executions of Boogie programs"
    )]
    pub show: u32,

    /// Show executions that violate an obligation
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub failing: bool,

    /// Show executions that violate no obligation
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub passing: bool,

    /// Show where infeasible paths end
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub infeasible: bool,

    /// Show each violated obligation once, with the number of executions that violate it
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub summary: bool,

    /// Show numbers as the solver returns them instead of minimizing them
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub no_minimize: bool,

    /// Abstract these procedures by their contracts, even if they have bodies
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Executions of Boogie programs"
    )]
    pub by_contract: Vec<String>,

    /// Abstract the loops at these places by their invariants
    #[arg(
        long,
        value_name = "FILE:LINE",
        help_heading = "Executions of Boogie programs"
    )]
    pub by_invariant: Vec<Place>,

    /// Maximum number of executions per path, from different inputs
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Executions of Boogie programs")]
    pub solutions: u32,

    /// Maximum number of statements per execution
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000,
        help_heading = "Executions of Boogie programs"
    )]
    pub steps: u32,

    /// Maximum call depth
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=10_000), help_heading = "Executions of Boogie programs")]
    pub recursion: u32,

    /// Maximum loop iterations
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000,
        help_heading = "Executions of Boogie programs"
    )]
    pub rounds: u32,

    /// Maximum number of unfoldings of recursive definitions and axioms per path
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2_000,
        help_heading = "Executions of Boogie programs"
    )]
    pub unfoldings: u32,

    /// Budget in millions of points (about half a microsecond each) for terms, evaluation of
    /// expressions and solver resources
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Executions of Boogie programs")]
    pub effort: u32,
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

    /// Select the results that make the exit code nonzero: violated obligations (7), also undecided
    /// obligations (5), or none [default: violated]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub fail_on: Option<CheckFailOn>,

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

    /// Also show allowed dead blocks
    #[arg(long, help_heading = "Output")]
    pub show_allowed: bool,

    /// Only include units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

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

    /// Test contracts instead of the suite: report the contracts that allow mutants, weakest first
    #[arg(long, help_heading = "Output", conflicts_with = "mutants_fail_under")]
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

/// `init`.
#[derive(Debug, Clone, Default, Args)]
pub struct InitArgs {
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

fn criterion() -> impl TypedValueParser<Value = Criterion> {
    PossibleValuesParser::new(Criterion::ALL.map(|(_, name)| name))
        .try_map(|name| Criterion::named(&name).ok_or("not a coverage criterion"))
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
