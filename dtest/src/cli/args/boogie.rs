//! Executions of Boogie programs.

use crate::cli::places::Place;
use clap::Args;

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
