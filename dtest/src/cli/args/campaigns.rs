//! Options of `rewrite` and `fuzz`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, ProgramArgs};
use dafny_random::Profile;
use dafny_rewrite::Mutation;

/// `rewrite`.
#[derive(Debug, Clone, Default, Args)]
pub struct RewriteArgs {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Write to this directory
    #[arg(
        id = "rewrite_out",
        long = "out",
        value_name = "DIR",
        help_heading = "Files"
    )]
    pub out: PathBuf,

    /// Number of mutations per program [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Rewriting")]
    pub order: Option<u32>,

    /// Draw the number of mutations at random for each program, up to this many; high numbers are
    /// rare
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "order", help_heading = "Rewriting")]
    pub max_order: Option<u32>,

    /// Number of programs [default: 1]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Rewriting")]
    pub count: Option<u32>,

    /// Seed: the same seed produces the same programs [default: 0]
    #[arg(
        id = "rewrite_seed",
        long = "seed",
        value_name = "S",
        help_heading = "Rewriting"
    )]
    pub seed: Option<u64>,

    /// Only use these mutations, separated by commas [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = mutation, help_heading = "Rewriting")]
    pub mutations: Vec<Mutation>,

    /// The target version of Dafny. Version 2 has no `for`, `continue`, `expect` or map merge, and
    /// its functions are ghost [default: 4]
    #[arg(long, value_name = "2|4", value_parser = clap::value_parser!(u8).range(2..=4), help_heading = "Dafny")]
    pub dialect: Option<u8>,
}

/// `fuzz`.
#[derive(Debug, Clone, Default, Args)]
pub struct FuzzArgs {
    /// The programs, one per file.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output options.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Use the Dafny files in this directory, each as a separate program
    #[arg(long, value_name = "DIR", help_heading = "Programs")]
    pub from: Vec<PathBuf>,

    /// Generate random programs
    #[arg(long, conflicts_with_all = ["from", "files"], help_heading = "Programs")]
    pub random: bool,

    /// Generate programs with one false claim each, which `--verifier` has to refuse
    #[arg(long, conflicts_with_all = ["from", "files", "random"], requires = "verifier", help_heading = "Programs")]
    pub claims: bool,

    /// Language features of random programs: `all`, only `deterministic` ones, or mainly
    /// `bitvectors`, `collections`, `datatypes`, `objects`, `functions`; `known` also includes
    /// features with known bugs in Dafny 4.11 [default: all]
    #[arg(long, value_name = "NAME", value_parser = profile, requires = "random", help_heading = "Programs")]
    pub profile: Option<Profile>,

    /// Seed of the random programs, the mutations and the order of claims [default: 0]
    #[arg(
        id = "fuzz_seed",
        long = "seed",
        value_name = "S",
        help_heading = "Programs"
    )]
    pub seed: Option<u64>,

    /// Number of equivalent rewritings per program [default: 2]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(0..=10_000), help_heading = "Rewriting")]
    pub rewritten: Option<u32>,

    /// Maximum number of mutations per rewriting; high numbers are rare [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Rewriting")]
    pub max_order: Option<u32>,

    /// Only use these mutations, separated by commas [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = mutation, help_heading = "Rewriting")]
    pub mutations: Vec<Mutation>,

    /// The target version of Dafny. Version 2 has no `for`, `continue`, `expect` or map merge, and
    /// its functions are ghost [default: 4]
    #[arg(long, value_name = "2|4", value_parser = clap::value_parser!(u8).range(2..=4), help_heading = "Dafny")]
    pub dialect: Option<u8>,

    /// A verifier, as a command line in which `{}` stands for the Dafny file: 'dafny verify {}'
    #[arg(long, value_name = "CMD", help_heading = "Tools")]
    pub verifier: Option<String>,

    /// An earlier version of the verifier, as a command line: only regressions are reported, that
    /// is, disagreements about programs on which the two versions have different verdicts
    #[arg(
        long,
        value_name = "CMD",
        requires = "verifier",
        help_heading = "Tools"
    )]
    pub compare: Option<String>,

    /// A command line that compiles and runs the program: 'dafny run --no-verify --target cs
    /// {options} {}', where `{options}` stands for the options that a random program needs. Can be
    /// given several times
    #[arg(long, value_name = "CMD", help_heading = "Tools")]
    pub compiler: Vec<String>,

    /// Time limit of a tool for one program, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400), help_heading = "Tools")]
    pub tool_time: Option<u64>,

    /// Time limit of the whole campaign in seconds, with reduction; tools that run end first
    /// [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), help_heading = "Campaign")]
    pub max_time: Option<u64>,

    /// Maximum number of programs in this run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Campaign")]
    pub rounds: Option<u64>,

    /// Programs tested in parallel [default: number of processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Campaign")]
    pub jobs: Option<u32>,

    /// Time limit for reducing a disagreement after the search, in seconds; 0 disables reduction
    /// [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=86_400), help_heading = "Campaign")]
    pub reduce_time: Option<u64>,

    /// Memory limit of the process in MiB, including Z3 [default: 2048]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..=1_048_576), help_heading = "Campaign")]
    pub max_memory: Option<u64>,

    /// Known bugs, which are counted but not reported: on each line of the file an issue's address
    /// and a regular expression for the text of a disagreement, `class: message`
    #[arg(long, value_name = "FILE", help_heading = "Campaign")]
    pub known: Option<PathBuf>,

    /// Write results and disagreements to this directory, which must be new or empty
    #[arg(
        id = "fuzz_out",
        long = "out",
        value_name = "DIR",
        help_heading = "Campaign"
    )]
    pub out: Option<PathBuf>,

    /// Continue the campaign in this directory, with its options; `--max-time`, `--rounds` and
    /// `--jobs` apply to this run
    #[arg(long, value_name = "DIR", conflicts_with_all = ["fuzz_out", "from", "files", "random", "fuzz_seed"], help_heading = "Campaign")]
    pub resume: Option<PathBuf>,

    /// Reduce the programs of the disagreements of the campaign in this directory, with its options;
    /// `--max-time` and `--reduce-time` apply to this run
    #[arg(long, value_name = "DIR", conflicts_with_all = ["fuzz_out", "from", "files", "random", "claims", "fuzz_seed", "resume"], help_heading = "Campaign")]
    pub reduce: Option<PathBuf>,

    /// Print a bug report about a disagreement, in the form of Dafny's issues: a directory of a
    /// campaign, such as `found/unsound-1`
    #[arg(long, value_name = "DIR", conflicts_with_all = ["fuzz_out", "from", "files", "random", "claims", "fuzz_seed", "resume", "reduce"], help_heading = "Campaign")]
    pub report: Option<PathBuf>,
}

fn mutation(name: &str) -> Result<Mutation, UnknownName> {
    Mutation::named(name).ok_or(UnknownName::Mutation)
}

fn profile(name: &str) -> Result<Profile, UnknownName> {
    Profile::named(name).ok_or(UnknownName::Profile)
}

/// A name in the value of an option that names nothing.
#[derive(Debug)]
enum UnknownName {
    Mutation,
    Profile,
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, known): (&str, Vec<&str>) = match self {
            Self::Mutation => ("mutation", Mutation::ALL.iter().map(|m| m.name()).collect()),
            Self::Profile => ("profile", Profile::ALL.map(Profile::name).to_vec()),
        };
        write!(f, "unknown {what}; the {what}s are {}", known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
