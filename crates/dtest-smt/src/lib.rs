//! Typed terms (Bool, Int, Real, bitvectors), and the solver behind one interface.
//!
//! Terms are hash-consed and simplified when they are created ([`Terms`]), sort-checked, evaluated
//! under an assignment without the solver ([`Evaluator`]), printed as SMT-LIB ([`Transcript`]), and
//! passed to Z3 ([`Solver`]). Formulas with quantifiers are passed as text ([`Script`]). Only this
//! module depends on Z3.
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod clock;
mod copy;
mod degree;
mod eval;
mod fold;
mod pieces;
mod print;
mod script;
mod solver;
mod term;
#[cfg(test)]
mod tests;

pub use clock::ThreadClock;
pub use copy::Renaming;
pub use eval::{Assignment, Evaluator};
pub use print::Transcript;
pub use script::Script;
pub use solver::{
    Answer, Budget, Solver, SolverStats, available_version, limit_memory, try_with_fresh_context,
    with_fresh_context,
};
pub use term::{BvOp, Const, Node, Sort, Term, Terms};
