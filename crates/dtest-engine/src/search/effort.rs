//! What a unit may cost, in measures that are the same on every machine.
//!
//! Three things cost time: terms that are made (and handed to the solver), the solver's own steps, and instructions of the
//! interpreter. Their weights are such that a point is about half a microsecond of a present-day core in each. The clock only
//! stands behind this ([`Options::timeout`]): where it strikes first, results depend on the machine.

use super::api::Options;

/// Instructions of the interpreter for a point.
const INSTRUCTIONS: u64 = 10;
/// Goals of a unit at which more than short queries may fail, in the beginning and where such queries have helped; by then
/// they are unlikely to help.
const PATIENCE: u32 = 1;
const MORE_PATIENCE: u32 = 3;

/// What a unit may cost by itself, in points.
pub fn most(options: &Options) -> u64 {
    u64::from(options.rlimit) * u64::from(options.queries)
}

/// What was spent on a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Spent {
    /// Terms made.
    pub terms: u64,
    /// The solver's resources.
    pub solver: u64,
    /// Instructions of the interpreter.
    pub instructions: u64,
}

impl Spent {
    /// The sum, in points.
    pub fn points(&self) -> u64 {
        self.terms + self.solver + self.instructions / INSTRUCTIONS
    }
}

/// The account of one unit.
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

    /// What was spent, with what the interpreter at hand has done, in points.
    pub(super) fn points(&self, steps: u64) -> u64 {
        self.spent.points() + steps / INSTRUCTIONS
    }

    /// As much again, whatever was spent.
    pub(super) fn renew(&mut self, options: &Options, steps: u64) {
        let begun = self.points(steps);
        *self = Self {
            spent: self.spent,
            limit: Self::new(options).limit.saturating_add(begun),
            patience: PATIENCE,
        };
    }

    /// Whether nothing is left, with what the interpreter at hand has done.
    pub(super) fn is_spent(&self, steps: u64) -> bool {
        self.points(steps) >= self.limit
    }

    /// Instructions of the interpreter that cost one of so many equal parts of what the unit may.
    pub(super) fn instructions_of_part(&self, parts: u64) -> u64 {
        (self.limit / parts.max(1)).saturating_mul(INSTRUCTIONS)
    }

    /// Whether a query may take longer than a short one.
    pub(super) fn is_patient(&self) -> bool {
        self.patience > 0
    }

    /// Longer queries have helped, or they have not.
    pub(super) fn learn(&mut self, helped: bool) {
        self.patience = if helped {
            MORE_PATIENCE
        } else {
            self.patience.saturating_sub(1)
        };
    }
}
