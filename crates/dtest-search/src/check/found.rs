//! The results of a check so far, and the verdicts that follow from them.

use super::{Verdict, Violation};
use crate::api::{Bounds, Times};
use crate::bounded::AllBounded;
use dtest_encode::{BoundKind, Fact, Scope};
use dtest_interp::Inputs;
use dtest_ir::GoalId;
use dtest_ir::reason::{Cut, OpenReason, Reasons, Unsettled};
use dtest_sorted::{SortedMap, SortedSet};

/// The results so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) violations: SortedMap<GoalId, Violation>,
    pub(super) others: Vec<Violation>,
    pub(super) holds: SortedSet<GoalId>,
    /// The assumptions of proofs that have some.
    pub(super) rests_on: SortedMap<GoalId, Vec<Fact>>,
    /// Results for obligations that executions violate only after crossing a bound, with the
    /// largest bounds of each.
    pub(super) bounded: AllBounded,
    /// Obligations that no execution reaches, with the scope of inputs for which that is known;
    /// `None` for all inputs.
    pub(super) not_reached: SortedMap<GoalId, Option<Scope>>,
    pub(super) refuted: SortedMap<GoalId, u32>,
    /// Obligations that are violated only from inputs that are not known to be valid, or under
    /// other doubts.
    pub(super) doubtful: SortedMap<GoalId, OpenReason>,
    /// Obligations on which the solver gave up, with the bounds.
    pub(super) gave_up: SortedMap<GoalId, Bounds>,
    /// The subset of them on which the clock stopped the solver.
    pub(super) stopped: SortedSet<GoalId>,
    /// Inputs of executions that made nondeterministic choices.
    pub(super) inputs: Vec<Inputs>,
    /// Obligations that some execution reaches and satisfies.
    pub(super) reached: SortedSet<GoalId>,
    /// Constructs that could not be encoded or executed.
    pub(super) reasons: Reasons,
    /// Whether an encoding was too large.
    pub(super) is_exhausted: bool,
    pub(super) endless: u32,
    pub(super) executions: u64,
    pub(super) queries: u64,
    pub(super) times: Times,
}

impl Found {
    /// Adds a violation of an obligation of another declaration. One without assumptions replaces
    /// one with assumptions.
    pub(super) fn add_elsewhere(&mut self, violation: Violation) {
        // The same violation is found on many inputs. It is identified by location, kind and
        // clause.
        let identity = |v: &Violation| (v.failure.span, v.failure.kind, v.failure.clause);
        let known = self
            .others
            .iter_mut()
            .find(|v| identity(v) == identity(&violation));
        match known {
            Some(known) if violation.is_certain() && !known.is_certain() => *known = violation,
            Some(_) => {}
            None => self.others.push(violation),
        }
    }

    /// Adds the violations of a separate search, and its cost.
    pub(super) fn add(&mut self, other: Self) {
        self.violations = other.violations;
        for violation in other.others {
            self.add_elsewhere(violation);
        }
        self.executions += other.executions;
        self.queries += other.queries;
        self.times.interpreter += other.times.interpreter;
        self.times.encoding += other.times.encoding;
        self.times.solver += other.times.solver;
    }
}

/// The claim that an obligation holds within bounds. `None` if not all executions were followed, or
/// none is known to reach it.
pub(super) fn within(found: &Found, goal: GoalId, caps: &Bounds) -> Option<Verdict> {
    let (bounds, bounded) = found.bounded.get(goal)?;
    // Unsupported constructs and doubts exclude a claim.
    let is_clear = found.reasons.is_empty() && !found.doubtful.contains_key(&goal);
    let scope = bounded
        .scope
        .filter(|_| is_clear && found.reached.contains(&goal))?;
    let is_at_cap = |kind: &BoundKind| bounds.of(*kind) >= caps.of(*kind);
    Some(Verdict::HoldsWithin {
        scope,
        bounds: *bounds,
        raise: bounded.kinds.iter().copied().filter(is_at_cap).collect(),
        gave_up: bounded.gave_up || found.is_exhausted || found.gave_up.contains_key(&goal),
    })
}

pub(super) fn why_open(found: &Found, goal: GoalId, stopped: Option<Unsettled>) -> OpenReason {
    if let Some(doubt) = found.doubtful.get(&goal) {
        return doubt.clone();
    }
    if let Some(reason) = found.reasons.first() {
        return OpenReason::Unsupported(reason.clone());
    }
    if let Some((bounds, bounded)) = found.bounded.get(goal) {
        return match bounded.scope {
            Some(scope) => OpenReason::NotReached(scope),
            None => OpenReason::Cut(Cut::at(bounds, &bounded.kinds)),
        };
    }
    OpenReason::Search(match stopped {
        _ if found.stopped.contains(&goal) => Unsettled::SolverStopped,
        _ if found.gave_up.contains_key(&goal) => Unsettled::SolverGaveUp,
        Some(stopped) => stopped,
        None if found.refuted.contains_key(&goal) => Unsettled::Unconfirmed,
        None => Unsettled::NotBroken,
    })
}
