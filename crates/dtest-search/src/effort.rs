//! The budget of a unit, in measures that are the same on every machine.
//!
//! Three things cost time: terms that are built and handed to the solver, the solver's own
//! resources, and instructions of the interpreter. [`Spent`] counts them; its sum is in points. The
//! weights are chosen so that a point takes about half a microsecond of a present-day core for each
//! of the three. The clock ([`Options::timeout`]) is only a safety net: if it stops the search
//! first, results depend on the machine.

use std::time::{Duration, Instant};

use super::api::Options;
use dtest_smt::ThreadClock;

/// Interpreter instructions per point.
const INSTRUCTIONS_PER_POINT: u64 = 10;
/// Number of goals whose long queries may fail before long queries are given up: at the start, and
/// after a long query was answered. After that many failures, further long queries rarely succeed.
const MAX_FAILED_LONG: u32 = 1;
const MAX_FAILED_LONG_AFTER_SUCCESS: u32 = 3;

/// The budget of a unit that does not share it, in points.
pub fn most(options: &Options) -> u64 {
    u64::from(options.rlimit) * u64::from(options.queries)
}

/// The end of the time of a unit: its processor time, which does not depend on the load of the
/// machine, and the end of the whole run.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) clock: ThreadClock,
    pub(super) timeout: Duration,
    pub(super) until: Option<Instant>,
}

impl End {
    /// Whether the time is over.
    pub(super) fn is_past(&self) -> bool {
        let is_after = |end| dtest_limits::clock::now() >= end;
        self.clock.is_past(self.timeout) || self.until.is_some_and(is_after)
    }

    /// The remaining time.
    pub(super) fn left(&self) -> Duration {
        let of_unit = self.clock.left(self.timeout).unwrap_or_default();
        let of_run = self
            .until
            .map(|end| end.saturating_duration_since(dtest_limits::clock::now()));
        of_run.map_or(of_unit, |run| run.min(of_unit))
    }
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
        self.terms + self.solver + self.instructions / INSTRUCTIONS_PER_POINT
    }
}

/// The budget account of one unit.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    pub(super) spent: Spent,
    limit: u64,
    failures_left: u32,
}

impl Effort {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            spent: Spent::default(),
            limit: most(options) / u64::from(options.part.max(1)),
            failures_left: MAX_FAILED_LONG,
        }
    }

    /// Points spent so far. `steps` are those of the current interpreter, which `spent` does not
    /// include yet.
    pub(super) fn points(&self, steps: u64) -> u64 {
        self.spent.points() + steps / INSTRUCTIONS_PER_POINT
    }

    /// Grants a full budget again, whatever was spent before.
    pub(super) fn renew(&mut self, options: &Options, steps: u64) {
        let begun = self.points(steps);
        *self = Self {
            spent: self.spent,
            limit: Self::new(options).limit.saturating_add(begun),
            failures_left: MAX_FAILED_LONG,
        };
    }

    /// Whether the budget is exhausted, with the `steps` of the current interpreter.
    pub(super) fn is_spent(&self, steps: u64) -> bool {
        self.points(steps) >= self.limit
    }

    /// The number of interpreter instructions that one of `parts` equal shares of the budget pays
    /// for.
    pub(super) fn instructions_of_part(&self, parts: u64) -> u64 {
        (self.limit / parts.max(1)).saturating_mul(INSTRUCTIONS_PER_POINT)
    }

    /// Whether long queries are still allowed.
    pub(super) fn allows_long_queries(&self) -> bool {
        self.failures_left > 0
    }

    /// Records the result of a long query. A success restores the number of failures that are
    /// allowed, a failure uses one of it.
    pub(super) fn learn(&mut self, helped: bool) {
        self.failures_left = if helped {
            MAX_FAILED_LONG_AFTER_SUCCESS
        } else {
            self.failures_left.saturating_sub(1)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::End;
    use dtest_smt::ThreadClock;
    use std::time::Duration;

    #[test]
    fn the_time_of_a_unit_ends_with_its_processor_time_or_with_the_run() {
        let end = |millis, until| End {
            clock: ThreadClock::start(),
            timeout: Duration::from_millis(millis),
            until,
        };
        let now = dtest_limits::clock::now();
        assert!(end(0, None).is_past() && end(0, None).left().is_zero());
        assert!(!end(60_000, None).is_past());
        assert!(end(60_000, Some(now)).is_past());
        assert!(end(60_000, Some(now)).left().is_zero());
        let later = now + Duration::from_secs(30);
        assert!(end(60_000, Some(later)).left() <= Duration::from_secs(30));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn waiting_for_a_processor_is_not_the_time_of_a_unit() {
        let end = End {
            clock: ThreadClock::start(),
            timeout: Duration::from_millis(30),
            until: None,
        };
        std::thread::sleep(Duration::from_millis(60));
        assert!(!end.is_past());
    }
}
