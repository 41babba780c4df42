//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::places::Place;
use crate::pipeline::Shard;
use dafny_random::Profile;
use dafny_rewrite::Mutation;
use dtest_engine::ir::Criterion;

/// Tests for Dafny programs, in Rust.
#[derive(Debug, Parser)]
#[command(name = "cargo dtest", bin_name = "cargo dtest", version, max_term_width = 100, propagate_version = true)]
#[command(about = "Reads Dafny programs and writes test suites that run with `cargo test`")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the suite and the translation that it runs against
    Gen(Box<GenArgs>),
    /// List units and goals, and what would be skipped with the reason, without solving
    List(ListArgs),
    /// Find blocks that no input reaches, and say how sure that is and why
    Dead(Box<DeadArgs>),
    /// Find executions that break what the program promises: assertions, contracts, invariants, well-formedness
    Check(Box<CheckArgs>),
    /// Change the program in one place after the other, and say which changes the suite does not notice
    Mutants(Box<MutantsArgs>),
    /// Run the suite on a copy with probes, and show which goals it really enters
    Cover(Box<CoverArgs>),
    /// Put together what the shards of one search found
    Merge(MergeArgs),
    /// Run `Main` in the interpreter
    Run(RunArgs),
    /// Evaluate an expression in the program's scope, ghost functions included; without one, ask for expressions
    Eval(EvalArgs),
    /// Do `gen`, `check` or another command again after each change of the program, and show what is different then
    Watch(WatchArgs),
    /// Say what a message means, with an example, and what to do
    Explain(ExplainArgs),
    /// Translate Dafny to Rust only
    Translate(TranslateArgs),
    /// Write programs that mean the same as this one, for trying verifiers and compilers
    Rewrite(RewriteArgs),
    /// Hold those against each other that should agree on programs and on programs that mean the same
    Fuzz(Box<FuzzArgs>),
    /// Write a commented dtest.toml and the dependencies that generated code needs
    Init(InitArgs),
    /// Remove the generated files, and what is kept between runs
    Clean(CleanArgs),
    /// Serve an editor: the Language Server Protocol on standard input and output
    Lsp(LspArgs),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands to a directory
    Man {
        /// The directory, which is made where there is none: `cargo-dtest.1`, `cargo-dtest-gen.1`, …
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
}

/// Which program, and how Dafny is to be read. Common to all commands.
#[derive(Debug, Clone, Default, Args)]
pub struct ProgramArgs {
    /// Dafny files, directories, one `dfyconfig.toml` or globs [default: src/**/*.dfy of the package]
    pub files: Vec<String>,

    /// Make units of included files too
    #[arg(long, help_heading = "Program")]
    pub included: bool,

    /// Take every file as a program of its own, rather than all as one, with a package for each below `--out DIR`
    #[arg(long, help_heading = "Program")]
    pub each: bool,

    /// The meaning of `function`: ghost in 3, compiled in 4
    #[arg(long, value_name = "3|4", value_parser = clap::value_parser!(u8).range(3..=4), env = "DTEST_FUNCTION_SYNTAX", help_heading = "Dafny")]
    pub function_syntax: Option<u8>,

    /// Whether a range of quantified variables belongs to one variable (4) or to all (3) [default: as the function syntax]
    #[arg(long, value_name = "3|4", value_parser = clap::value_parser!(u8).range(3..=4), help_heading = "Dafny")]
    pub quantifier_syntax: Option<u8>,

    /// Whether `char` is a Unicode scalar value, or a UTF-16 code unit
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", env = "DTEST_UNICODE_CHAR", help_heading = "Dafny")]
    pub unicode_char: Option<bool>,

    /// Allow reading variables of auto-initialisable types before they are assigned
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub relax_definite_assignment: Option<bool>,

    /// Refuse statements whose outcome Dafny leaves open
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub enforce_determinism: Option<bool>,

    /// Methods may say what they read
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub reads_clauses_on_methods: Option<bool>,

    /// Dafny's newer type inference
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub type_system_refresh: Option<bool>,

    /// Newtypes over every base type
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Dafny")]
    pub general_newtypes: Option<bool>,

    /// What a trait is, and which types may extend it
    #[arg(long, value_name = "KIND", value_enum, help_heading = "Dafny")]
    pub general_traits: Option<GeneralTraits>,

    /// A library: Dafny source, a directory or a project file that the program uses and that gets no tests
    #[arg(long, value_name = "FILE", help_heading = "Program")]
    pub library: Vec<PathBuf>,

    /// Dafny's standard libraries: the folder of their source, which is not part of this tool
    #[arg(long, value_name = "DIR", env = "DTEST_STANDARD_LIBRARIES", help_heading = "Program")]
    pub standard_libraries: Option<PathBuf>,

    /// Write a builder of mocks for this class, named by its Dafny path (`*`: every class): tests by hand make objects with it whose
    /// functions answer as they say (`dmock`). Tests that are generated do not need it
    #[arg(long, value_name = "CLASS", help_heading = "Program")]
    pub mock: Vec<String>,
}

/// `--general-traits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeneralTraits {
    /// Every trait is a reference type, which classes and traits may extend (Dafny's default)
    Legacy,
    /// A trait is a reference type only where it extends `object`; all types with members but newtypes may extend traits
    Datatype,
    /// The same, and newtypes may extend traits too
    Full,
}

/// How we speak. Common to all commands.
#[derive(Debug, Clone, Default, Args)]
pub struct OutputArgs {
    /// Say at the end what the messages mean, with examples, and what to do (as `explain ID` does)
    #[arg(long, help_heading = "Output")]
    pub explain: bool,

    /// How messages and the report are written
    #[arg(long, value_enum, value_name = "FORMAT", env = "DTEST_MESSAGE_FORMAT", help_heading = "Output")]
    pub message_format: Option<MessageFormat>,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", env = "CARGO_TERM_COLOR", help_heading = "Output")]
    pub color: Option<Color>,

    /// No progress and no summary
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// Formats of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageFormat {
    /// With the source line
    #[default]
    Human,
    /// A line each
    Short,
    /// A JSON object a line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// One SARIF 2.1.0 log, on standard output
    Sarif,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// Search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is kept between runs.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// Run the suite against Rust code that is there already, at this path (`crate::shop`): items with the names and types that
    /// `cargo dtest translate` gives them. No translation is written
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    pub against: Option<String>,

    /// Write into this directory; where it holds no package, one is made
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: Option<PathBuf>,

    /// Take the run-time library `dunit` from this path instead of the registry
    #[arg(long, value_name = "PATH", env = "DTEST_RUNTIME", help_heading = "Files")]
    pub runtime: Option<PathBuf>,

    /// Write nothing; exit with 3 and print the difference where files on disk are stale
    #[arg(long, help_heading = "Files")]
    pub check: bool,

    /// Write a failing test for each finding
    #[arg(long, help_heading = "Files")]
    pub keep_failing: bool,

    /// Write what is covered, by which test, and what is not and why: HTML of the sources, and `lcov.info`
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub coverage_report: Option<PathBuf>,

    /// Exit with 5 where less than this share of the goals is settled: covered, or unreachable (proved, or at the highest bounds)
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Output")]
    pub fail_under: Option<f64>,

    /// Exit with 5 where a test is unchecked: it compares no result and no state, and executes no clause
    #[arg(long, help_heading = "Output")]
    pub fail_unchecked: bool,
}

/// `cover`.
#[derive(Debug, Clone, Default, Args)]
pub struct CoverArgs {
    /// What is generated, as by `gen` with the same options.
    #[command(flatten)]
    pub generated: GenArgs,
    /// Arguments of `cargo test`
    #[arg(last = true)]
    pub cargo: Vec<String>,
}

/// What is kept between runs.
#[derive(Debug, Clone, Default, Args)]
pub struct CacheArgs {
    /// Keep results between runs in this directory [default: target/dtest/cache]
    #[arg(long, value_name = "DIR", env = "DTEST_CACHE_DIR", help_heading = "Files")]
    pub cache_dir: Option<PathBuf>,
}

/// What is kept between runs, and used.
#[derive(Debug, Clone, Default, Args)]
pub struct KeptArgs {
    /// Where.
    #[command(flatten)]
    pub cache: CacheArgs,

    /// Search every unit anew, and keep nothing for later runs
    #[arg(long, help_heading = "Files")]
    pub no_cache: bool,

    /// Search again the units that the clock stopped in an earlier run, which else keep what was found until then
    #[arg(long, help_heading = "Search")]
    pub retry: bool,
}

/// Limits of a search.
#[derive(Debug, Clone, Default, Args)]
pub struct LimitArgs {
    /// Most iterations of a loop [default: grows from 2 to 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub unroll: Option<u32>,

    /// Deepest recursion and nesting of calls [default: grows from 2 to 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Search")]
    pub inline: Option<u32>,

    /// Most elements of a collection; beyond 32, nesting of datatypes and objects of a class grow along [default: grows from
    /// 2 to 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub max_size: Option<u32>,

    /// Z3's resource limit for one query
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4_294_967_295), help_heading = "Search")]
    pub rlimit: Option<u64>,

    /// Seconds for one unit, as a safety net behind the resource limit
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), help_heading = "Search")]
    pub timeout: Option<u64>,

    /// MiB that the whole process may hold, Z3 included: units that need more are given up [default: 2048]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..=1_048_576), help_heading = "Search")]
    pub max_memory: Option<u64>,

    /// Units worked on at the same time [default: number of processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Search")]
    pub jobs: Option<u32>,

    /// Seed of every random choice
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub seed: Option<u64>,
}

/// Options of the search.
#[derive(Debug, Clone, Default, Args)]
pub struct SearchArgs {
    /// Only units whose path matches this regular expression; tests of others that are there stay as they are
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Test the program through this method or function alone, named by its Dafny path: tests of it that cover what it calls too
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,

    /// What to cover, one or several of: block, branch, inlined-block, path, boundary, mcdc, spec [default: block]
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', help_heading = "Search")]
    pub coverage: Vec<Criterion>,

    /// With `--coverage path`: most paths of one unit; what is left open is counted [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Search")]
    pub max_paths: Option<u32>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// How few tests: close to the least at little cost, or proved to be the least within the bounds
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Search")]
    pub minimize: Option<Minimize>,

    /// What the suite is to notice: tests that cover the goals, or also tests for mistakes that these let pass [default: mutants]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Search")]
    pub strength: Option<Strength>,

    /// Only units that this unified diff touches: their code, their contracts or what they reach; other tests stay as they are
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub in_diff: Option<PathBuf>,

    /// Search only one of N equal parts of the units, and write no suite: `cargo dtest merge` does
    #[arg(long, value_name = "K/N", help_heading = "Search")]
    pub shard: Option<Shard>,

    /// With `--shard`: where to write what was found [default: dtest-shard-K-of-N.json]
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = "Search")]
    pub report: Option<PathBuf>,

    /// Write every solver query into this directory
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    pub smt_log: Option<PathBuf>,
}

/// `--strength`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// Tests that cover the goals, chosen with mistakes in mind
    Coverage,
    /// Also tests for mistakes that the others let pass
    Mutants,
}

/// `--minimize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Minimize {
    /// Close to the least at little cost
    Greedy,
    /// Proved to be the least within the bounds
    Optimal,
}

/// `list`.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Only units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,
    /// Show the goals of tests through this method or function: its own and those of what it calls
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,
    /// What to cover, one or several of: block, branch, inlined-block, path, boundary, mcdc, spec [default: block]
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', help_heading = "Search")]
    pub coverage: Vec<Criterion>,
    /// How many activations of one callable a chain of calls may have whose blocks are goals for each call [default: 1]
    #[arg(long, value_name = "N", help_heading = "Search", value_parser = clap::value_parser!(u32).range(1..))]
    pub inline: Option<u32>,
}

/// `merge`.
#[derive(Debug, Clone, Default, Args)]
pub struct MergeArgs {
    /// What `gen --shard` wrote, for every shard
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Options of `gen` beside those that the shards were given
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

/// `run`.
#[derive(Debug, Clone, Default, Args)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Repeat the executions in this file, which `check --message-format json` wrote (of Boogie programs, also `run`), instead of running `Main`
    #[arg(long, value_name = "FILE", help_heading = "Executions")]
    pub replay: Option<PathBuf>,
    /// With `--replay`, or of a Boogie program: show every step
    #[arg(long, help_heading = "Executions")]
    pub trace: bool,
    /// Steps of the interpreter before it gives up
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub fuel: Option<u64>,
    /// Of Boogie programs (`*.bpl`).
    #[command(flatten)]
    pub boogie: BoogieArgs,
    /// Arguments of the Dafny program
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// `eval`.
#[derive(Debug, Clone, Default, Args)]
pub struct EvalArgs {
    /// The expression; without it, one a line is read from standard input
    #[arg(value_name = "EXPR")]
    pub expression: Option<String>,
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Steps of the interpreter before it gives up
    #[arg(long, value_name = "N", default_value_t = 200_000_000, help_heading = "Search")]
    pub fuel: u64,
}

/// `lsp`.
#[derive(Debug, Clone, Default, Args)]
pub struct LspArgs {
    /// On standard input and output, which is the only way there is; some editors say so
    #[arg(long)]
    pub stdio: bool,
}

/// `watch`.
#[derive(Debug, Clone, Default, Args)]
pub struct WatchArgs {
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// End after so many times [default: never]
    #[arg(long, value_name = "N")]
    pub times: Option<u32>,
    /// What to do, with its options: `gen`, `check`, `dead`, `list`, `mutants` or `run` [default: gen]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// `explain`.
#[derive(Debug, Clone, Default, Args)]
pub struct ExplainArgs {
    /// What messages have in brackets (`check/violated`), or the part before the slash; without it, all that there are
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Executions of Boogie programs.
#[derive(Debug, Clone, Default, Args)]
pub struct BoogieArgs {
    /// Execute this procedure of a Boogie program [default: Main, or the only one]
    #[arg(long, value_name = "NAME", help_heading = "Executions of Boogie programs")]
    pub entry: Option<String>,

    /// Most executions that are tried
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=10_000_000), help_heading = "Executions of Boogie programs")]
    pub executions: u32,

    /// Most executions that are shown
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Executions of Boogie programs")]
    pub show: u32,

    /// Show executions that break a promise
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub failing: bool,

    /// Show executions that keep every promise
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub passing: bool,

    /// Show where paths end that no execution takes
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub infeasible: bool,

    /// Show each broken promise once, and how many executions break it
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub summary: bool,

    /// Show numbers as the solver gives them, not the smallest ones
    #[arg(long, help_heading = "Executions of Boogie programs")]
    pub no_minimize: bool,

    /// Know these procedures by their contracts alone, though they have bodies
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Executions of Boogie programs")]
    pub by_contract: Vec<String>,

    /// Know the loops at these places by their invariants alone
    #[arg(long, value_name = "FILE:LINE", help_heading = "Executions of Boogie programs")]
    pub by_invariant: Vec<Place>,

    /// Most executions of one path, from different inputs
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Executions of Boogie programs")]
    pub solutions: u32,

    /// Most statements of one execution
    #[arg(long, value_name = "N", default_value_t = 1_000_000, help_heading = "Executions of Boogie programs")]
    pub steps: u32,

    /// Most calls around a call
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=10_000), help_heading = "Executions of Boogie programs")]
    pub recursion: u32,

    /// Most rounds of one loop
    #[arg(long, value_name = "N", default_value_t = 1_000, help_heading = "Executions of Boogie programs")]
    pub rounds: u32,

    /// Most times that recursive definitions and axioms are unfolded for one path
    #[arg(long, value_name = "N", default_value_t = 2_000, help_heading = "Executions of Boogie programs")]
    pub unfoldings: u32,

    /// Most effort, in millions of points of about half a microsecond: terms, looks at expressions, resources of the solver
    #[arg(long, value_name = "N", default_value_t = 1_200, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Executions of Boogie programs")]
    pub effort: u32,
}

/// `translate`.
#[derive(Debug, Clone, Default, Args)]
pub struct TranslateArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Write into this directory; where it holds no package, one is made
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: Option<PathBuf>,
    /// Take the run-time library `dunit` from this path instead of the registry
    #[arg(long, value_name = "PATH", env = "DTEST_RUNTIME", help_heading = "Files")]
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
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is kept between runs.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// What makes the exit code other than 0: promises that an execution breaks (7), also those that are not decided (5), nothing
    /// [default: violated]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub fail_on: Option<CheckFailOn>,

    /// Show the promises that hold or are not decided too
    #[arg(long, help_heading = "Output")]
    pub all: bool,

    /// Print every execution that is tried, one a path, with how it ends, instead of looking for what is broken
    #[arg(long, help_heading = "Executions")]
    pub executions: bool,

    /// Know these methods and functions by their contracts alone, named by their Dafny paths, as the verifier does: what breaks only then shows a
    /// contract that is too weak
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Specifications")]
    pub by_contract: Vec<String>,

    /// Know the loops at these places by their invariants alone
    #[arg(long, value_name = "FILE:LINE", help_heading = "Specifications")]
    pub by_invariant: Vec<Place>,

    /// The same for all methods, constructors, opaque functions and loops
    #[arg(long, help_heading = "Specifications")]
    pub modular: bool,

    /// Print for every `expect` whether an execution can halt there, instead of looking for what is broken: that is no promise
    #[arg(long, help_heading = "Executions", conflicts_with = "executions")]
    pub halts: bool,

    /// Only units that this unified diff touches: their code, their contracts or what they reach
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub in_diff: Option<PathBuf>,

    /// Only one of N equal parts of the units; every part has a report and an exit code of its own
    #[arg(long, value_name = "K/N", help_heading = "Search")]
    pub shard: Option<Shard>,

    /// Only this method, function or lemma, named by its Dafny path
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,

    /// With `--executions`: in which order [default: generational]
    #[arg(long, value_enum, value_name = "ORDER", requires = "executions", help_heading = "Executions")]
    pub strategy: Option<StrategyArg>,

    /// With `--executions`: how many of the first branches of an execution are turned round [default: 32]
    #[arg(long, value_name = "N", requires = "executions", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Executions")]
    pub depth: Option<u32>,

    /// Most rounds of a loop that may end by choice (`while *`) [default: as other loops]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub unroll_choice: Option<u32>,

    /// Print each violation as a Dafny method with `{:test}` too, on standard output
    #[arg(long, help_heading = "Output")]
    pub dafny: bool,

    /// Write a Rust test for each violation to `tests/violations` of the package, with the translation: it fails until the program is mended
    #[arg(long, help_heading = "Output", conflicts_with_all = ["executions", "halts"])]
    pub write: bool,

    /// With `--write`: the package to write to [default: the one around the current directory]
    #[arg(long, value_name = "DIR", requires = "write", help_heading = "Files")]
    pub out: Option<PathBuf>,

    /// With `--write`: take the run-time library `dunit` from this path instead of the registry
    #[arg(long, value_name = "PATH", env = "DTEST_RUNTIME", help_heading = "Files")]
    pub runtime: Option<PathBuf>,

    /// Show every step of the executions that break promises, not only the calls and the last iterations
    #[arg(long, help_heading = "Output")]
    pub trace: bool,

    /// Only the promises at this place, whatever is said of them is shown
    #[arg(long, value_name = "FILE:LINE[:COL]", help_heading = "Search")]
    pub at: Vec<Place>,

    /// Only the promises of which Dafny's verifier reported errors in this file, as it printed them; `-` reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub from_dafny: Option<PathBuf>,

    /// Only units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `--strategy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyArg {
    /// The last branch is turned round first, and what follows from that before all else
    Depth,
    /// The first branch is turned round first, and what follows from that before all else
    Breadth,
    /// All that follow from an execution before what follows from those
    Generational,
}

/// `--fail-on` of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckFailOn {
    /// Promises that an execution breaks
    #[default]
    Violated,
    /// Also those of which nothing is known
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
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is kept between runs.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// What makes the exit code 5, unless it is allowed: dead blocks that are proved, any dead block, none [default: proved]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output")]
    pub fail_on: Option<FailOn>,

    /// Show what is allowed too
    #[arg(long, help_heading = "Output")]
    pub show_allowed: bool,

    /// Only units whose path matches this regular expression
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
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is kept between runs.
    #[command(flatten)]
    pub kept: KeptArgs,

    /// Whether contracts notice the mutants, without tests: which of them say too little, those of most mutants first
    #[arg(long, help_heading = "Output", conflicts_with = "fail_under")]
    pub contracts: bool,

    /// Compile so many of the mutants, and run the suite on each as `cargo test` does: 5 is the exit code where that and the interpreter differ
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Output", conflicts_with = "contracts")]
    pub compile: Option<u32>,

    /// Take the run-time library `dunit` from this path instead of the registry, for `--compile`
    #[arg(long, value_name = "PATH", env = "DTEST_RUNTIME", help_heading = "Files")]
    pub runtime: Option<PathBuf>,

    /// Exit with 5 where less than this share of the mutants is killed
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Output")]
    pub fail_under: Option<f64>,

    /// Only units whose path matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "Search")]
    pub filter: Option<String>,

    /// Mutants of this method or function and of what it calls, on tests that call it alone
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub entry: Vec<String>,

    /// Only mutants of text that this unified diff changes
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub in_diff: Option<PathBuf>,

    /// Only mutants of one of N equal parts of the units; every part has a report and an exit code of its own
    #[arg(long, value_name = "K/N", help_heading = "Search")]
    pub shard: Option<Shard>,

    /// What the suite covers, one or several of: block, branch, inlined-block, path, boundary, mcdc, spec [default: block]
    #[arg(long, value_name = "CRITERIA", value_delimiter = ',', help_heading = "Search")]
    pub coverage: Vec<Criterion>,

    /// What the suite is to notice: tests that cover the goals, or also tests for mistakes that these let pass [default: mutants]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Search")]
    pub strength: Option<Strength>,

    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Blocks of which it is proved that nothing reaches them
    #[default]
    Proved,
    /// Also those that only a failed assertion leads to, or that nothing reaches within the bounds
    Any,
    /// Nothing
    None,
}

/// `rewrite`.
#[derive(Debug, Clone, Default, Args)]
pub struct RewriteArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Write into this directory
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: PathBuf,

    /// How many mutations make one program [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Rewriting")]
    pub order: Option<u32>,

    /// Draw how many for each program, at most so many; high orders are drawn seldom
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "order", help_heading = "Rewriting")]
    pub max_order: Option<u32>,

    /// How many programs [default: 1]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Rewriting")]
    pub count: Option<u32>,

    /// What is drawn: the same seed gives the same programs [default: 0]
    #[arg(long, value_name = "S", help_heading = "Rewriting")]
    pub seed: Option<u64>,

    /// Only these mutations, by their names, with commas between them [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = mutation, help_heading = "Rewriting")]
    pub mutations: Vec<Mutation>,

    /// For which Dafny: 2 has no `for`, `continue`, `expect` and no merge of maps, and its functions are ghost [default: 4]
    #[arg(long, value_name = "2|4", value_parser = clap::value_parser!(u8).range(2..=4), help_heading = "Dafny")]
    pub dialect: Option<u8>,
}

/// `fuzz`.
#[derive(Debug, Clone, Default, Args)]
pub struct FuzzArgs {
    /// The programs, each file one of its own.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Take the Dafny files in this directory, each as a program of its own
    #[arg(long, value_name = "DIR", help_heading = "Programs")]
    pub from: Vec<PathBuf>,

    /// Draw programs
    #[arg(long, conflicts_with_all = ["from", "files"], help_heading = "Programs")]
    pub random: bool,

    /// Of what programs are drawn: `all` of the language, what is `deterministic`, or much of `bitvectors`, `collections`, `datatypes`, `objects`,
    /// `functions`; `known` has what Dafny 4.11 falls over besides [default: all]
    #[arg(long, value_name = "NAME", value_parser = profile, requires = "random", help_heading = "Programs")]
    pub profile: Option<Profile>,

    /// What is drawn: the first random program, the mutations [default: 0]
    #[arg(long, value_name = "S", help_heading = "Programs")]
    pub seed: Option<u64>,

    /// How many programs that mean the same are made of one [default: 2]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(0..=10_000), help_heading = "Rewriting")]
    pub rewritten: Option<u32>,

    /// Most mutations of one of them; high orders are drawn seldom [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Rewriting")]
    pub max_order: Option<u32>,

    /// Only these mutations, by their names, with commas between them [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = mutation, help_heading = "Rewriting")]
    pub mutations: Vec<Mutation>,

    /// For which Dafny programs are rewritten: 2 has no `for`, `continue`, `expect` and no merge of maps, and its functions are ghost [default: 4]
    #[arg(long, value_name = "2|4", value_parser = clap::value_parser!(u8).range(2..=4), help_heading = "Dafny")]
    pub dialect: Option<u8>,

    /// A verifier, as a command line in which `{}` stands for the Dafny file: 'dafny verify {}'
    #[arg(long, value_name = "CMD", help_heading = "Tools")]
    pub verifier: Option<String>,

    /// A compiler that runs what it compiles: 'dafny run --no-verify --target cs {options} {}', where `{options}` stands for the options that a
    /// random program needs. May be given several times
    #[arg(long, value_name = "CMD", help_heading = "Tools")]
    pub compiler: Vec<String>,

    /// Seconds that a tool may take for one program [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400), help_heading = "Tools")]
    pub tool_time: Option<u64>,

    /// Seconds after which no program is begun [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), help_heading = "Campaign")]
    pub max_time: Option<u64>,

    /// Most programs of this run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Campaign")]
    pub rounds: Option<u64>,

    /// Programs worked on at the same time [default: number of processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Campaign")]
    pub jobs: Option<u32>,

    /// Seconds for which a disagreement is made smaller, 0: not at all [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=86_400), help_heading = "Campaign")]
    pub reduce_time: Option<u64>,

    /// MiB that the whole process may hold, Z3 included [default: 2048]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..=1_048_576), help_heading = "Campaign")]
    pub max_memory: Option<u64>,

    /// Write results and disagreements into this directory, which is new or empty
    #[arg(long, value_name = "DIR", help_heading = "Campaign")]
    pub out: Option<PathBuf>,

    /// Go on with the campaign in this directory, as it was started; `--max-time`, `--rounds` and `--jobs` are those of this run
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "from", "files", "random", "seed"], help_heading = "Campaign")]
    pub resume: Option<PathBuf>,
}

/// `init`.
#[derive(Debug, Clone, Default, Args)]
pub struct InitArgs {
    /// Take the run-time library `dunit` from this path instead of the registry
    #[arg(long, value_name = "PATH", env = "DTEST_RUNTIME", help_heading = "Files")]
    pub runtime: Option<PathBuf>,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `clean`.
#[derive(Debug, Clone, Default, Args)]
pub struct CleanArgs {
    /// Where `gen --out` wrote
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub out: Option<PathBuf>,
    /// What is kept between runs.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn mutation(name: &str) -> Result<Mutation, String> {
    let known = || Mutation::ALL.iter().map(|m| m.name()).collect::<Vec<_>>().join(", ");
    Mutation::named(name).ok_or_else(|| format!("the mutations are {}", known()))
}

fn profile(name: &str) -> Result<Profile, String> {
    let known = || Profile::ALL.map(Profile::name).join(", ");
    Profile::named(name).ok_or_else(|| format!("the profiles are {}", known()))
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(p) if (0.0..=100.0).contains(&p) => Ok(p),
        Ok(_) | Err(_) => Err("a number from 0 to 100".into()),
    }
}
