//! Whole-tool tests: the real binary on small packages, what it says and what it exits with.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod coverage;
mod datatypes;
mod dead;
mod diagnostics;
mod external;
mod lints;
mod own_tests;
mod package;
mod recursion;
mod suite;
mod synthesize;
mod traits;

use package::Package;
