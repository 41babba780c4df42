//! Tests of specifications, without an implementation.
//!
//! [`examine`] answers questions about the contract of one callable: do inputs satisfy the
//! precondition, is there a result for each of them, is there only one, and does each clause
//! contribute? Every question becomes a *question lemma* ([`questions`]): a callable that the source
//! does not have, whose parameters are the inputs and the alternative results, whose preconditions
//! are clauses of the contract, and whose obligation is the negated question. The search for
//! violations ([`dtest_search::check`]) then refutes it by an execution, which is an example, or
//! proves it, for all inputs or within bounds.
//!
//! Neither an example nor a claim is made in any other way, so both are as sound as those of
//! `check`.
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod answers;
mod assumptions;
mod candidates;
mod cases;
mod contract;
mod difference;
mod examine;
mod examples;
mod existence;
mod frame;
mod grids;
mod ids;
mod import;
mod mutants;
mod pins;
mod questions;
mod recorded;
mod reference;
mod same;
mod shape;
mod states;
mod substitution;
#[cfg(test)]
mod tests;
mod tried;
mod values;
mod variants;

pub use answers::{
    Certainty, ClauseAnswer, ClauseKind, Completeness, Contribution, Equivalence, Example,
    Implementable, Named, Satisfiable, Specification,
};
pub use assumptions::{
    Assumption, AssumptionKind, Dependents, Evidence, Subject, assumptions, evidence,
};
pub use candidates::{Candidate, candidates};
pub use cases::{Case, CaseTruth, CaseVariable, CaseVerdict, case_variables, judge};
pub use contract::Undecided;
pub use difference::{Difference, Found, Versions};
pub use examine::examine;
pub use mutants::{ContractMutant, Effect, mutants};
pub use recorded::{RecordedCase, recorded_cases};
pub use reference::{ReferenceAnswer, judge_reference};
pub use states::{
    StateCase, StateError, StateValue, ValueName, has_states, judge_states, names_instead_of,
    value_name,
};
pub use variants::{Change, Strength};
