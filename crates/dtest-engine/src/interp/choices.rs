//! Whether it makes a difference what `:|` chooses: all candidates are taken, one after the other, wherever compiled code chooses on the way.
//! Programs that take the elements of a set in any order often come to the same end.

use super::{Execution, Inputs, Interp, Outcome};
use dafny_resolve::typed::CallableId;

/// Executions, at most: all orders of five elements, and a few more.
const MAX_EXECUTIONS: usize = 130;
/// Steps for all of them.
const MAX_STEPS: u64 = 400_000;

/// What all resolutions of the choices of an execution come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolved {
    /// The same end, for sure.
    Alike,
    /// Different ends, or some that fail.
    Otherwise,
    /// More is left open than candidates that can be counted.
    Open,
}

impl Interp<'_> {
    /// Whether the unit ends as it does in `execution`, which follows the rule for choices, whatever compiled code chooses by `:|`. What a
    /// function chooses is taken to be free in each call; it is not, so that more is tried than may happen.
    pub fn resolved(&self, unit: CallableId, inputs: &Inputs, execution: &Execution) -> Resolved {
        let is_plain = |e: &Execution| {
            let is_known = e.unknown.is_empty() && e.unknown_contents.is_empty() && !e.guessed;
            matches!(e.outcome, Outcome::Returned(_))
                && is_known
                && !e.linked
                && e.answers.is_empty()
        };
        if !is_plain(execution) {
            return Resolved::Open;
        }
        let mut script: Vec<u32> = Vec::new();
        let mut left = MAX_STEPS;
        for _ in 0..MAX_EXECUTIONS {
            let Some((other, counts)) = self.run_listed(unit, inputs, &script, left) else {
                return Resolved::Open;
            };
            left = left.saturating_sub(other.steps);
            if !other.determined
                || matches!(
                    other.outcome,
                    Outcome::OutOfFuel(_) | Outcome::Unsupported(_)
                )
            {
                return Resolved::Open;
            }
            if !is_plain(&other) || !self.end_alike(unit, inputs, execution, &other) {
                return Resolved::Otherwise;
            }
            script.resize(counts.len(), 0);
            let may_be_more = |(taken, count): (&u32, &u32)| taken + 1 < *count;
            let Some(last) = script.iter().zip(&counts).rposition(may_be_more) else {
                return Resolved::Alike;
            };
            script.truncate(last + 1);
            script.last_mut().into_iter().for_each(|taken| *taken += 1);
        }
        Resolved::Open
    }
}
