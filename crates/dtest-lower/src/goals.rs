//! The goals of the procedure being lowered that are not blocks.

use std::collections::HashMap;

use dafny_source::Span;
use dtest_ir::{Goal, GoalReason};
use dtest_sorted::SortedMap;

use super::obligations::ObligationKey;
use super::probes::Decisions;

/// The goals of probes, and what is known about the place of the next probe.
#[derive(Default)]
pub(super) struct Goals<'p> {
    /// The goals of the probes of the current procedure.
    pub(super) probes: Vec<Goal>,
    /// The probes of obligations, if obligations are goals.
    obligations: SortedMap<ObligationKey, u32>,
    /// The decision that contains the current condition.
    pub(super) decision: Decisions<'p>,
    /// The patterns of cases of `match` expressions, by the place of the case's body.
    case_bodies: HashMap<Span, Span>,
}

impl Goals<'_> {
    /// Adds the goal of a probe, and returns the number of the probe.
    pub(super) fn add(&mut self, reason: GoalReason, span: Span) -> u32 {
        self.probes.push(Goal { reason, span });
        self.probes.len() as u32 - 1
    }

    /// Returns the probe of an obligation. The same obligation may be lowered several times; all
    /// copies share one probe.
    pub(super) fn obligation(&mut self, key: ObligationKey) -> u32 {
        let (obligation, span, clause) = key;
        if let Some(probe) = self.obligations.get(&key) {
            return *probe;
        }
        let probe = self.add(GoalReason::Broken { obligation, clause }, span);
        self.obligations.insert(key, probe);
        probe
    }

    /// Records that the body of a case has this span.
    pub(super) fn add_case(&mut self, body: Span, pattern: Span) {
        self.case_bodies.insert(body, pattern);
    }

    /// Returns the pattern of the case whose body has this span.
    pub(super) fn pattern_of(&self, body: Span) -> Option<Span> {
        self.case_bodies.get(&body).copied()
    }

    /// Returns the goals of a finished procedure, and resets them for the next one.
    pub(super) fn take(&mut self) -> Vec<Goal> {
        self.obligations = SortedMap::new();
        std::mem::take(&mut self.probes)
    }
}
