//! The effect of `:|` on an execution, decided by trying all candidates at every choice of compiled
//! code. Programs that take the elements of a set in any order often have the same result for all
//! orders.

use super::{Execution, Inputs, Interp, Outcome};
use dafny_resolve::typed::CallableId;

/// The limit of executions: all orders of five elements, and a few more.
const MAX_EXECUTIONS: usize = 130;
/// The limit of steps of all executions together.
const MAX_STEPS: u64 = 400_000;

/// The comparison of all resolutions of the choices of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolved {
    /// All resolutions certainly have the same end.
    Alike,
    /// Some resolutions have different ends, or fail.
    Otherwise,
    /// There are choices whose candidates cannot be counted.
    Open,
}

impl Interp<'_> {
    /// Decides whether the unit ends like `execution`, which follows the rule for choices, for
    /// every resolution of `:|` in compiled code. Choices of a function are varied in each call.
    /// This includes resolutions that cannot occur, since a function is deterministic.
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
        // The script is a number whose digits are candidates; it counts through all resolutions.
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
            // Increment the last digit that has further candidates, and drop the digits after it.
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
