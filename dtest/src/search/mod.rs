//! Goals × solver × interpreter → test cases.
//!
//! Every model of the solver is a proposal: it is decoded, checked against types and preconditions and run by
//! the interpreter, and what the interpreter saw is what counts as covered.

mod api;

pub use api::*;

use crate::ir;
use crate::typed::CallableId;

/// Finds inputs of `unit` that reach its goals.
pub fn search_unit(program: &ir::Program, unit: CallableId, options: &Options) -> UnitResult {
    let _ = options;
    UnitResult::unsupported(program, unit, "not built yet")
}
