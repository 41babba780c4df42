//! Executions of Boogie programs.
//!
//! Polikarpova, Furia and West, *To Run What No One Has Run Before* (RV 2013): a procedure is executed with symbolic values; unknown
//! values (inputs, `havoc`, procedures without bodies, elements of maps, functions without definitions) are chosen so that a path is
//! taken. Here an execution follows a model and collects the alternatives; maps are a default and finitely many elements; and every
//! quantified fact that an execution depends on was decided, by instances or by the solver, before the execution is shown.
//!
//! Its interface is the tool's own and changes with it: it is not stable.
#![deny(missing_docs)]
// Not in tests: they print what they have no notation for as it is.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod eval;
mod execution;
mod explore;
mod flow;
mod functions;
mod input_values;
mod machine;
mod model;
mod obligations;
mod proof;
mod quantifiers;
mod show;
mod solve;
mod types;
mod value;
mod world;

pub use execution::{Ending, Execution, Failure, FailureKind, Step, StepKind};
pub use explore::{Explored, Options, explore};
pub use input_values::Given;
pub use machine::Modular;
pub use obligations::{Obligation, Pool, Standing, Verdicts, by_executions, obligations, verdicts};
pub use proof::Proofs;
pub use world::{Limits, Stop};
