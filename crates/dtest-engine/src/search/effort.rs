//! The budget of a unit, in measures that are the same on every machine.
//!
//! Three things cost time: terms that are built and handed to the solver, the solver's own
//! resources, and instructions of the interpreter. [`Spent`] counts them; its sum is in points. The
//! weights are chosen so that a point takes about half a microsecond of a present-day core for each
//! of the three. The clock ([`Options::timeout`]) is only a safety net: if it stops the search
//! first, results depend on the machine.

use super::api::Options;

/// Interpreter instructions per point.
const INSTRUCTIONS: u64 = 10;
/// Number of goals whose long queries may fail before long queries are given up: at the start, and
/// after a long query was answered. After that many failures, further long queries rarely succeed.
const PATIENCE: u32 = 1;
const MORE_PATIENCE: u32 = 3;

/// The budget of a unit that does not share it, in points.
pub fn most(options: &Options) -> u64 {
    u64::from(options.rlimit) * u64::from(options.queries)
}

/// Cost of the work on a unit so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Spent {
    /// Terms built.
    pub terms: u64,
    /// Resources of the solver.
    pub solver: u64,
    /// Instructions of the interpreter.
    pub instructions: u64,
}

impl Spent {
    /// The total in points.
    pub fn points(&self) -> u64 {
        self.terms + self.solver + self.instructions / INSTRUCTIONS
    }
}

/// The budget account of one unit.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    pub(super) spent: Spent,
    limit: u64,
    patience: u32,
}

impl Effort {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            spent: Spent::default(),
            limit: most(options) / u64::from(options.part.max(1)),
            patience: PATIENCE,
        }
    }

    /// Points spent so far. `steps` are those of the current interpreter, which `spent` does not
    /// include yet.
    pub(super) fn points(&self, steps: u64) -> u64 {
        self.spent.points() + steps / INSTRUCTIONS
    }

    /// Grants a full budget again, whatever was spent before.
    pub(super) fn renew(&mut self, options: &Options, steps: u64) {
        let begun = self.points(steps);
        *self = Self {
            spent: self.spent,
            limit: Self::new(options).limit.saturating_add(begun),
            patience: PATIENCE,
        };
    }

    /// Whether the budget is exhausted, with the `steps` of the current interpreter.
    pub(super) fn is_spent(&self, steps: u64) -> bool {
        self.points(steps) >= self.limit
    }

    /// The number of interpreter instructions that one of `parts` equal shares of the budget pays
    /// for.
    pub(super) fn instructions_of_part(&self, parts: u64) -> u64 {
        (self.limit / parts.max(1)).saturating_mul(INSTRUCTIONS)
    }

    /// Whether long queries are still allowed.
    pub(super) fn is_patient(&self) -> bool {
        self.patience > 0
    }

    /// Records the result of a long query: a success renews the patience, a failure uses one unit
    /// of it.
    pub(super) fn learn(&mut self, helped: bool) {
        self.patience = if helped {
            MORE_PATIENCE
        } else {
            self.patience.saturating_sub(1)
        };
    }
}
