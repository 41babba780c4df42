//! Whole-tool tests: the real binary on small packages, its messages and exit codes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accepted;
mod agreement;
mod boogie;
mod book;
mod browser;
mod cache;
mod check;
mod check_obligations;
mod choices;
mod claims;
mod contracts;
mod cover;
mod coverage;
mod coverage_pages;
mod coverage_report;
mod dafny_options;
mod dafny_suites;
mod dafny_tests;
mod datatypes;
mod dead;
mod delfy;
mod diagnostics;
mod each;
mod executions;
mod external;
mod filters;
mod first_hour;
mod fuzz;
mod in_diff;
mod inputs;
#[cfg(target_os = "linux")]
mod interrupt;
mod isolation;
mod junit;
mod lints;
#[cfg(unix)]
mod lsp;
#[cfg(unix)]
mod lsp_neovim;
mod modular;
mod mutants;
mod names;
mod not_implied;
mod official;
mod oracles;
mod own_tests;
mod package;
mod parts;
mod recursion;
#[cfg(unix)]
mod replay;
mod resources;
mod rewrite;
mod scenarios;
mod shards;
mod spec;
mod suite;
mod synthesize;
mod system;
mod terminal;
mod traces;
mod traits;
mod vectors;
mod violations;
mod workflow;
mod written;

use package::Package;
