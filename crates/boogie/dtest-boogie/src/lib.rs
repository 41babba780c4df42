//! Executions of Boogie programs.
//!
//! Polikarpova, Furia and West, *To Run What No One Has Run Before* (RV 2013): a procedure is
//! executed with symbolic values. Unknown values (inputs, `havoc`, procedures without bodies,
//! elements of maps, functions without definitions) are chosen so that a path is taken. Here an
//! execution follows a model and collects the alternative branches; a map is a default with
//! finitely many elements; and every quantified fact that an execution depends on is decided, by
//! instances or by the solver, before the execution is reported.
//!
//! Key functions: `explore`, which enumerates executions; the proofs of obligations in `proof`. Key
//! types: `World` (values, facts and terms), `Machine` (one path at a time), `Execution`.
//!
//! The interface belongs to the tool and changes with it: it is not stable.
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
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
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
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
