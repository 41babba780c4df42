//! Configured bounds ([`Asked`]): checks of inputs before an execution, and of executions after it.

use super::api::Asked;
use dtest_interp::{Execution, Inputs};
use dtest_ir::{BlockId, Procedure, Terminator};
use dtest_sorted::SortedMap;
use dtest_value::{Contents, Value};

impl Asked {
    /// Whether every collection and array of the inputs is within the configured size.
    pub(super) fn admits(&self, inputs: &Inputs) -> bool {
        let Some(most) = self.collection.map(|n| n as usize) else {
            return true;
        };
        let fits = |v: &Value| v.within().all(|v| size(v) <= most);
        let contents_fit = |contents: &Contents| match contents {
            Contents::Fields(fields) => fields.values().all(fits),
            Contents::Elements(elements) => {
                elements.dims().iter().all(|n| *n <= most) && elements.iter().flatten().all(fits)
            }
        };
        inputs.args.iter().all(fits)
            && inputs
                .heap
                .objects
                .iter()
                .all(|o| contents_fit(&o.contents))
    }

    /// Whether every loop of the unit stayed within the configured number of iterations.
    pub(super) fn allows(&self, procedure: &Procedure, execution: &Execution) -> bool {
        let Some(most) = self.unroll else { return true };
        // The trace has the edges between blocks, so that an iteration is an edge from the loop
        // head into its body.
        let mut turns: SortedMap<BlockId, u32> = SortedMap::new();
        for (from, to) in &execution.trace {
            let Some(block) = procedure.block(*from).filter(|b| b.loop_head.is_some()) else {
                continue;
            };
            let Terminator::Branch { then, .. } = &block.terminator else {
                continue;
            };
            let turned = turns.entry(*from).or_default();
            // An edge that leaves the loop ends it: its next execution starts to count at zero.
            *turned = if to == then { *turned + 1 } else { 0 };
            if *turned > most {
                return false;
            }
        }
        true
    }
}

/// Number of elements of a collection; 0 for other values.
fn size(v: &Value) -> usize {
    match v {
        Value::Seq(items) => items.len(),
        Value::Set(items) => items.len(),
        Value::Multiset(items) => items.len(),
        Value::Map(pairs) => pairs.len(),
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Tuple(_)
        | Value::Datatype(_)
        | Value::Newtype(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Function(_)
        | Value::Lazy(_) => 0,
    }
}
