//! Proofs that obligations hold, over the encoding with unconstrained cuts, and claims within
//! bounds.

use super::{MAX_ATTEMPTS, Search};
use crate::api::Bounds;
use crate::session::{Bounded, Proof, Session, Verdict as Query};
use dtest_encode::{self as encode, BoundKind, Fact, Mode, Scope};
use dtest_interp::Resolution;
use dtest_ir::GoalId;
use dtest_smt as smt;
use dtest_sorted::{SortedMap, SortedSet};

impl<'p> Search<'p, '_> {
    /// Opens a session that has all executions within the bounds, and unconstrained ones where
    /// executions are cut.
    ///
    /// # Errors
    /// The kinds of bounds to raise if there is no such encoding.
    pub(super) fn open_proofs(
        &mut self,
        bounds: Bounds,
    ) -> Result<Session<'p>, SortedSet<BoundKind>> {
        let started = dtest_limits::clock::now();
        let encode = |bounds| {
            encode::encode(
                self.program,
                self.procedure.callable,
                &self.type_args,
                bounds,
                Mode::Havoc,
            )
        };
        // A proof remains valid if calls are left out, because their results are unconstrained.
        let havoc = match encode(bounds) {
            Ok(encoding) if encoding.overflows => encode(bounds.rationed()),
            done => done,
        };
        self.found.times.encoding += started.elapsed();
        let encoding = havoc.map_err(|_| SortedSet::new())?;
        if encoding.exhausted {
            self.found.is_exhausted = true;
            return Err(BoundKind::ALL.into_iter().collect());
        }
        self.effort.spent.terms += encoding.terms().work() as u64;
        Ok(Session::new(encoding, self.options))
    }

    /// Tries to prove the obligations of a unit with loops from the invariants: every iteration but
    /// the first is an arbitrary one.
    pub(super) fn prove_by_invariants(&mut self) {
        let has_loops = self.procedure.blocks.iter().any(|b| b.loop_head.is_some());
        if !self.options.prove || !has_loops || self.open().is_empty() || self.is_over() {
            return;
        }
        let bounds = Bounds {
            unroll: 0,
            ..self.options.start
        };
        let Ok(mut session) = self.open_proofs(bounds) else {
            return;
        };
        for goal in self.open() {
            if self.is_over() {
                break;
            }
            let budget = session.brief();
            // Only a proof counts: other results are left to larger bounds.
            if let Proof::Unreachable = session.prove(goal, budget, true)
                && let Some(facts) = session.rests_on(goal)
            {
                self.add_proof(&mut session, goal, facts);
            }
            self.effort.spent.solver += session.take_spent();
        }
        self.close(&session);
    }

    /// Records a proof that rests on `facts`, and searches for an execution that reaches the
    /// obligation.
    pub(super) fn add_proof(&mut self, session: &mut Session<'p>, goal: GoalId, facts: Vec<Fact>) {
        self.found.holds.insert(goal);
        if !facts.is_empty() {
            self.found.rests_on.insert(goal, facts);
        }
        self.search_execution_to(session, goal, None);
    }

    /// Tries to prove that obligations hold. Returns the kinds of bounds that the failed proofs
    /// name.
    pub(super) fn prove(
        &mut self,
        bounds: Bounds,
        is_first: bool,
        goals: &[GoalId],
        budget: fn(&Session<'p>) -> smt::Budget,
    ) -> SortedSet<BoundKind> {
        let mut session = match self.open_proofs(bounds) {
            Ok(session) => session,
            Err(kinds) => return kinds,
        };
        let mut raise = SortedSet::new();
        for goal in goals.iter().copied() {
            if self.is_over() {
                break;
            }
            let budget = budget(&session);
            match session.prove(goal, budget, is_first) {
                Proof::Unreachable => {
                    if let Some(facts) = session.rests_on(goal) {
                        self.add_proof(&mut session, goal, facts);
                    }
                }
                // The bounds of a scope are those of the encoding that was used.
                Proof::Bounded(bounded) => {
                    raise.extend(bounded.kinds.iter().copied());
                    let bounds = session.encoding.bounds();
                    self.found.bounded.insert(goal, bounds, bounded);
                }
                Proof::Stopped(kinds) => raise.extend(kinds),
            }
            self.effort.spent.solver += session.take_spent();
        }
        self.close(&session);
        raise
    }

    /// Tries to find a scope for obligations that are violated only after a cut: inputs with small
    /// integers may be enumerable. Then searches for executions that reach obligations within
    /// their scope.
    pub(super) fn enumerate(&mut self) {
        let mut at: SortedMap<Bounds, Vec<GoalId>> = SortedMap::new();
        // Goals with a known scope only need an execution that reaches the obligation.
        for goal in self.open() {
            let is_known =
                |bounded: &Bounded| bounded.scope.is_some() && self.found.reached.contains(&goal);
            let bounded = self.found.bounded.get(goal);
            let bounded = bounded.filter(|(_, bounded)| !is_known(bounded));
            if let Some((bounds, _)) = bounded
                && !self.found.violations.contains_key(&goal)
            {
                at.entry(*bounds).or_default().push(goal);
            }
        }
        for (bounds, goals) in at {
            let Ok(mut session) = self.open_proofs(bounds) else {
                continue;
            };
            for goal in goals {
                if self.is_over() {
                    break;
                }
                let known = self.found.bounded.get(goal).and_then(|(_, b)| b.scope);
                let budget = session.brief();
                // A scope that is known is not searched for again.
                let scope = known.or_else(|| session.enumerated(goal, budget));
                self.found.bounded.set_scope(goal, scope);
                if let Some(scope) = scope {
                    self.search_execution_to(&mut session, goal, Some(scope));
                }
                self.effort.spent.solver += session.take_spent();
            }
            self.close(&session);
        }
    }

    /// Searches for an execution that reaches an obligation without violating it, from inputs
    /// within a scope or from any. If there is none, the obligation is recorded as not reached: its
    /// condition was never evaluated.
    pub(super) fn search_execution_to(
        &mut self,
        session: &mut Session<'p>,
        goal: GoalId,
        scope: Option<Scope>,
    ) {
        if self.at_once.contains(&goal) {
            self.found.reached.insert(goal);
            return;
        }
        let (place, budget) = (session.place(goal), session.brief());
        for _ in 0..MAX_ATTEMPTS {
            if self.found.reached.contains(&goal) || self.is_over() {
                return;
            }
            match session.reach_place(goal, place, budget) {
                Query::Unreachable => {
                    // Unreachable within bounds is not enough: the proof must hold for the whole
                    // scope.
                    if session.never_reaches(place, scope, budget) {
                        self.found.not_reached.insert(goal, scope);
                    }
                    return;
                }
                Query::Unknown => return,
                // The execution records the obligations that it reaches.
                Query::Model(model) => {
                    if let Some((inputs, guide)) = session.encoding.decode_freely(&model)
                        && self.execute(&inputs, &Resolution::Rule).is_free
                    {
                        self.execute(&inputs, &Resolution::Guided(guide));
                    }
                    session.block(goal, &model);
                }
            }
        }
    }
}
