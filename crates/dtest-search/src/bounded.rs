//! Claims *within bounds*: a goal is unreachable from the inputs of a scope if each execution from
//! them was followed to its end.
//!
//! [`AllBounded`] collects the results, and [`Search::bounded_status`] turns them into statuses.
//! The distinction that matters: bounds on inputs make a claim about these inputs; a cut of an
//! execution makes a claim impossible.

use super::Search;
use super::api::GoalStatus;
use super::session::{Bounded, Session};
use dtest_encode::{Bounds, Encoding, Mode, Scope};
use dtest_ir::GoalId;
use dtest_ir::reason::Cut;
use dtest_sorted::{SortedMap, SortedSet};

/// Results for goals that executions reach only by crossing a bound.
#[derive(Debug, Default)]
pub(super) struct AllBounded(SortedMap<GoalId, (Bounds, Bounded)>);

impl AllBounded {
    /// Adds the result at some bounds. A result with a scope is not replaced by one at larger
    /// bounds without a scope.
    pub(super) fn insert(&mut self, goal: GoalId, bounds: Bounds, bounded: Bounded) {
        let known = self.0.get(&goal);
        // A result without a scope is only better than nothing.
        let says_less =
            bounded.scope.is_none() && known.is_some_and(|(_, known)| known.scope.is_some());
        if !says_less {
            self.0.insert(goal, (bounds, bounded));
        }
    }

    /// Records that a goal is unreachable from all inputs within the bounds, if the encoding has
    /// all of their executions.
    pub(super) fn insert_enumerated(&mut self, goal: GoalId, encoding: &Encoding<'_>) {
        if let Some(scope) = encoding.scope() {
            let (kinds, gave_up) = (encoding.crossed.clone(), false);
            let scope = Some(scope);
            self.insert(
                goal,
                encoding.bounds(),
                Bounded {
                    kinds,
                    scope,
                    gave_up,
                },
            );
        }
    }

    /// The result for a goal, with the bounds at which it was found.
    pub(super) fn get(&self, goal: GoalId) -> Option<&(Bounds, Bounded)> {
        self.0.get(&goal)
    }

    /// Removes a goal that some execution reaches.
    pub(super) fn remove(&mut self, goal: GoalId) {
        self.0.remove(&goal);
    }

    /// All results.
    pub(super) fn iter(&self) -> impl Iterator<Item = (GoalId, &(Bounds, Bounded))> {
        self.0.iter().map(|(goal, known)| (*goal, known))
    }

    /// Sets the scope from which a goal is known to be unreachable.
    pub(super) fn set_scope(&mut self, goal: GoalId, scope: Option<Scope>) {
        if let Some((_, bounded)) = self.0.get_mut(&goal) {
            bounded.scope = scope;
        }
    }

    /// The goals without a scope although no execution within the bounds reaches them, grouped by
    /// these bounds.
    pub(super) fn cut(&self, goals: &[GoalId]) -> SortedMap<Bounds, Vec<GoalId>> {
        let mut at: SortedMap<Bounds, Vec<GoalId>> = SortedMap::new();
        for goal in goals {
            if let Some((bounds, bounded)) = self.0.get(goal)
                && bounded.scope.is_none()
            {
                at.entry(*bounds).or_default().push(*goal);
            }
        }
        at
    }
}

impl<'p> Search<'p> {
    /// Tries to find a scope for goals that executions reach only if they are cut: inputs with
    /// small integers may be enumerable.
    pub(super) fn enumerate(&mut self, goals: &[GoalId]) {
        // Each group shares one encoding at its bounds.
        for (bounds, goals) in self.bounded.cut(goals) {
            let Ok(encoding) = self.encode(bounds, Mode::Havoc) else {
                continue;
            };
            if encoding.exhausted {
                continue;
            }
            let mut session = Session::new(encoding, self.options);
            for goal in goals {
                if self.is_over() {
                    break;
                }
                let budget = session.brief();
                let scope = session.enumerated(goal, budget);
                self.bounded.set_scope(goal, scope);
            }
            self.close(&mut session);
        }
    }

    /// The status of a goal that no execution was found to reach within the bounds. `is_highest`
    /// means that no larger bounds will be tried.
    pub(super) fn bounded_status(
        &self,
        goal: GoalId,
        bounds: Bounds,
        is_highest: bool,
    ) -> GoalStatus {
        match self.bounded.get(goal) {
            Some((at, bounded)) => match bounded.scope {
                // A claim about small integers says nothing about all inputs within the highest
                // bounds.
                Some(scope) if is_highest && *at == bounds && scope.numbers.is_none() => {
                    GoalStatus::UnreachableAtCaps { scope }
                }
                Some(scope) => GoalStatus::UnreachableWithinBounds { scope },
                None => GoalStatus::Cut(Cut::at(at, &bounded.kinds)),
            },
            None => GoalStatus::Cut(Cut::at(&bounds, &SortedSet::new())),
        }
    }
}
