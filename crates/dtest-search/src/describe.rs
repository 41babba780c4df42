//! Descriptions in words, from the crates that own what is described.
//!
//! Goals, obligations and names of tests are those of `dtest_ir`, mutations those of
//! `dtest_mutants`, inputs and results those of `dtest_interp`.

pub use dtest_interp::describe::{inputs, results};
pub use dtest_ir::describe::{
    broken, called_at, calls, calls_left_out, condition, inner_name, inner_name_by_call, name,
    never, obligation, one_line, ordinal, path_name, phrase, type_argument,
};
pub use dtest_mutants::describe::{instead, mutation, mutation_name, replacement};
