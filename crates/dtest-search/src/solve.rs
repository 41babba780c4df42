//! The search for open goals with the solver: bounds grow until every goal has a test, a proof, or
//! an obstacle that larger bounds do not remove.
//!
//! [`Search::solve`] is the entry point. At each bounds, [`Search::reach_all`] asks for inputs for
//! every open goal, and [`Search::prove`] for a proof that a goal is unreachable, which names the
//! bounds to raise. The hard part is what may be claimed: models count only once the interpreter
//! confirms them, and unreachability only where nothing was cut, left out or resolved by a rule.

use super::api::{Budget, GoalStatus};
use super::resolutions::Resolutions;
use super::session::{self, Session, Verdict};
use super::validate::Candidate;
use super::{Bounds, Search, seeds};
use dtest_encode::{self as encode, BoundKind, Encoding, Mode};
use dtest_interp::Inputs;
use dtest_ir::reason::{Reason, Reasons};
use dtest_ir::{Criterion, GoalId};
use dtest_sorted::{SortedMap, SortedSet};

/// Maximum number of models per goal that are executed in search of an execution that reaches the
/// goal but does not end well.
const MAX_BAD_ENDS: usize = 3;
/// Number of bounds at which all models of a goal may be refuted before larger bounds are skipped.
const MAX_REFUTED: u32 = 2;
/// Maximum number of failed short queries over one encoding. Then the remaining goals are deferred
/// to the long queries; in searches for mutants, which have none, they are given up.
const MAX_FAILED: u32 = 4;
const MAX_FAILED_OF_MUTANTS: u32 = 2;
/// Maximum work of an encoding over which long queries are tried. Over larger encodings, no long
/// query was seen to be answered.
const MAX_HARD: usize = 250_000;

impl<'p> Search<'p> {
    /// Asks the solver, with growing bounds. Returns the reasons why something could not be
    /// encoded.
    pub(super) fn solve(&mut self) -> Reasons {
        let mut bounds = self.bounds;
        let mut refined = false;
        let mut reasons = Reasons::default();
        // If no small input could be followed to its end, larger inputs cannot be followed either.
        let hopeless = self.accepted.is_empty()
            && !self.validator.blocked_goals.is_empty()
            && !self
                .validator
                .blocked
                .as_ref()
                .is_some_and(Reason::is_unanswered);
        let caps = if hopeless { bounds } else { self.options.caps };
        // Bounds of the last complete encoding, to which all results refer.
        let mut searched = None;
        let mut blurred = SortedMap::new();
        let mut undecided = SortedSet::new();
        loop {
            let mut encoding = match self.encode(bounds, Mode::Cut) {
                // Too many calls were followed: the same bounds with rationed calls.
                Ok(encoding) if encoding.overflows && !bounds.is_rationed() => {
                    bounds = bounds.rationed();
                    continue;
                }
                Ok(encoding) => encoding,
                Err(reason) => return Reasons::from_iter([reason]),
            };
            // What is too large at the first bounds may fit into the least ones.
            if encoding.exhausted && searched.is_none() && bounds.is_above_least() {
                bounds = bounds.least();
                continue;
            }
            reasons.extend(encoding.reasons.iter().cloned());
            reasons.extend(encoding.narrowed.iter().cloned());
            self.choices |= encoding.choices;
            // An exhausted encoding is not used. The last complete one determines the results.
            let exhausted = encoding.exhausted;
            if exhausted {
                self.bounds = searched.unwrap_or(bounds);
            } else {
                self.bounds = bounds;
                searched = Some(bounds);
                blurred = std::mem::take(&mut encoding.blurred);
                undecided = self.reach_all(encoding, &blurred);
            }
            // Larger bounds cannot help a goal at which the solver gave up, or whose models were
            // refuted repeatedly.
            let settled = |g: &GoalId| {
                self.gave_up.contains(g) || self.refuted.get(g).is_some_and(|n| *n >= MAX_REFUTED)
            };
            if self.is_over() || self.open().iter().all(settled) {
                break;
            }
            // A proof attempt names the kinds of bounds that stand in its way. Only those are
            // raised.
            let raise = match self.options.prove && !exhausted {
                true => self.prove(bounds, &undecided),
                false => BoundKind::ALL.into_iter().collect(),
            };
            if self.open().is_empty() || self.is_over() {
                break;
            }
            let next = bounds.raised(&raise, &caps);
            if next == bounds && bounds.is_rationed() && !exhausted && !refined {
                // The executions of this round may have added results of calls that rationed calls
                // can use.
                refined = true;
                continue;
            }
            // No larger bounds: nothing more can be found out.
            if next == bounds || exhausted {
                self.enumerate(&self.open());
                self.ended = searched
                    .map(|bounds| (bounds, !exhausted && !hopeless && !bounds.is_rationed()));
                self.give_up(&reasons, &blurred, &undecided);
                break;
            }
            bounds = next;
        }
        // Goals that the budget did not allow to decide.
        for goal in self.open() {
            if reasons.is_empty() && !self.refuted.contains_key(&goal) && self.is_spent() {
                self.status
                    .insert(goal, GoalStatus::OutOfBudget(self.used_up()));
            }
        }
        reasons
    }

    /// Gives each open goal the status of the most specific obstacle. If something was not encoded,
    /// or choices were resolved, nothing is known and the goals stay open.
    fn give_up(
        &mut self,
        reasons: &Reasons,
        blurred: &SortedMap<GoalId, Reason>,
        undecided: &SortedSet<GoalId>,
    ) {
        if !reasons.is_empty() || self.choices {
            return;
        }
        for goal in self.open() {
            let status = if let Some(reason) = blurred.get(&goal) {
                GoalStatus::Unsupported(reason.clone())
            } else if undecided.contains(&goal) {
                GoalStatus::OutOfBudget(self.used_up())
            } else if self.refuted.contains_key(&goal) {
                GoalStatus::NotConfirmed
            } else if let Some(facts) = self.failing.get(&goal) {
                GoalStatus::UnreachableGiven {
                    facts: facts.clone(),
                }
            } else if let Some((bounds, is_highest)) = self.ended {
                self.bounded_status(goal, bounds, is_highest)
            } else {
                GoalStatus::OutOfBudget(Budget::Terms)
            };
            self.status.insert(goal, status);
        }
    }

    /// Searches for open goals that are reached only if choices are resolved differently from the
    /// rule that tests follow.
    pub(super) fn resolve_otherwise(&mut self, reasons: &Reasons) {
        let open = self.open();
        if open.is_empty() || self.is_over() || !(self.choices || self.validator.is_free) {
            return;
        }
        let (program, procedure) = (self.program, self.procedure);
        // The accepted inputs are known to be valid, and a few seeds add variety.
        let known: Vec<_> = self.accepted.iter().map(|t| t.inputs.clone()).collect();
        let few = seeds::seeds(
            program,
            self.validator.interp(),
            procedure,
            &self.type_args,
            8,
        );
        let mut other = Resolutions::new(program, procedure, self.validator.interp(), open);
        // Executions with random resolutions first, then models with free choices.
        other.try_inputs(known.into_iter().chain(few));
        let asked = other.ask(&self.type_args, self.bounds, self.options);
        let reached = other.reached;
        // The cost counts for the unit, although the queries ran in another session.
        self.queries += asked.queries;
        self.times.solver += asked.solver;
        self.effort.spent.solver += asked.spent;
        for goal in reached {
            self.status.insert(goal, GoalStatus::OnlyByChoice);
        }
        // No execution from inputs within the bounds reaches these goals, whatever the choices.
        if let Some((bounds, is_highest)) = self.ended.filter(|_| reasons.is_empty()) {
            let is_known = |g: &GoalId| {
                !self.gave_up.contains(g)
                    && !self.validator.findings.iter().any(|f| f.blocks.contains(g))
            };
            for goal in asked
                .unreachable
                .into_iter()
                .filter(is_known)
                .collect::<Vec<_>>()
            {
                let status = self.bounded_status(goal, bounds, is_highest);
                self.status.entry(goal).or_insert(status);
            }
        }
    }

    /// Encodes the unit and accounts for the cost.
    pub(super) fn encode(&mut self, bounds: Bounds, mode: Mode) -> Result<Encoding<'p>, Reason> {
        let started = dtest_limits::clock::now();
        let (program, unit) = (self.program, self.procedure.callable);
        let pairs = if mode == Mode::Cut && bounds.is_rationed() {
            // Results of calls in executions so far represent the calls that the encoding does not
            // follow.
            self.validator.interp().summarise();
            encode::Pairs::of(self.validator.interp().pairs())
        } else {
            encode::Pairs::default()
        };
        // The cost of one criterion must not depend on the others: goals of inlined blocks are
        // encoded only in their own stage.
        let with_inlined_goals = self
            .stage
            .is_none_or(|criterion| criterion == Criterion::InlinedBlock);
        let encoding = encode::encode_for(
            program,
            unit,
            &self.type_args,
            (bounds, mode),
            pairs,
            with_inlined_goals,
        );
        self.times.encoding += started.elapsed();
        // The cost of building terms counts even if the encoding is not used.
        if let Ok(encoding) = &encoding {
            self.effort.spent.terms += encoding.terms().work() as u64;
        }
        encoding
    }

    /// The encoding at the last bounds, with rationed calls if it would be too large otherwise.
    pub(super) fn cut(&mut self) -> Result<Encoding<'p>, Reason> {
        let encoding = self.encode(self.bounds, Mode::Cut)?;
        if !encoding.overflows || self.bounds.is_rationed() {
            return Ok(encoding);
        }
        self.bounds = self.bounds.rationed();
        self.encode(self.bounds, Mode::Cut)
    }

    /// Asks for inputs for every open goal. The first pass uses short queries only, so that easy
    /// goals are covered before the budget is spent on hard ones. Returns the goals that were not
    /// decided.
    pub(super) fn reach_all(
        &mut self,
        encoding: Encoding<'p>,
        blurred: &SortedMap<GoalId, Reason>,
    ) -> SortedSet<GoalId> {
        let complete = encoding.is_complete();
        let mut session = Session::new(encoding, self.options);
        let mut undecided = SortedSet::new();
        let mut goals = self.open();
        let mut failed = 0;
        // There are many mutants. Those that are not decided by short queries are given up.
        let is_of_mutants = self.stage == Some(Criterion::Mutant);
        let is_easy_only = session.encoding.terms().work() > MAX_HARD || is_of_mutants;
        let most_failed = if is_of_mutants {
            MAX_FAILED_OF_MUTANTS
        } else {
            MAX_FAILED
        };
        for hard in [false, true] {
            // Random changes may cover the remaining goals more cheaply than long queries.
            if hard && !self.mutated && (!goals.is_empty() || !complete) {
                self.mutated = true;
                self.mutate();
            }
            for goal in std::mem::take(&mut goals) {
                if self.covered.contains(&goal) {
                    // A model for an earlier goal reached it.
                    continue;
                }
                if self.is_over() {
                    undecided.insert(goal);
                } else if self.gave_up.contains(&goal)
                    || hard && (is_easy_only || !self.effort.allows_long_queries())
                {
                    self.gave_up.insert(goal);
                    undecided.insert(goal);
                } else if !hard && failed >= most_failed {
                    goals.push(goal);
                } else if self.reach(&mut session, goal, hard) {
                    failed += 1;
                    if hard {
                        self.effort.learn(false);
                        self.gave_up.insert(goal);
                        undecided.insert(goal);
                    } else {
                        goals.push(goal);
                    }
                } else if hard {
                    self.effort.learn(true);
                }
                self.effort.spent.solver += session.take_spent();
            }
        }
        // Goals whose queries were all answered without a model are unreachable over this encoding.
        for goal in self.open() {
            let is_open = undecided.contains(&goal)
                || blurred.contains_key(&goal)
                || self.refuted.contains_key(&goal);
            if is_open || self.failing.contains_key(&goal) {
                continue;
            }
            if complete {
                self.claim(
                    &mut session,
                    goal,
                    "every execution was explored to its end".to_owned(),
                );
            } else {
                self.bounded.insert_enumerated(goal, &session.encoding);
            }
        }
        self.close(&mut session);
        undecided
    }

    /// Sets the status of an unreachable goal: proved, or unreachable under the assumptions that
    /// the proof needs.
    pub(super) fn claim(&mut self, session: &mut Session<'p>, goal: GoalId, why: String) {
        if let Some(facts) = session.rests_on(goal) {
            let status = if facts.is_empty() {
                GoalStatus::UnreachableProved { why }
            } else {
                GoalStatus::UnreachableGiven { facts }
            };
            self.status.insert(goal, status);
        }
    }

    /// Explains a goal that executions reach but that none passes and then ends well within the
    /// bounds, according to the solver. The reason is an assumption of the program (`failing`) or a
    /// violation (`past_findings`).
    pub(super) fn explain_bad_end(&mut self, session: &mut Session<'p>, goal: GoalId) {
        // The result of an earlier encoding is out of date.
        self.failing.remove(&goal);
        if self.is_found(goal) {
            return;
        }
        // If the program's assumptions exclude a good end, they are the explanation.
        let facts = if session.takes_for_granted() {
            session.end_rests_on(goal).unwrap_or_default()
        } else {
            Vec::new()
        };
        if !facts.is_empty() {
            self.failing.insert(goal, facts);
            return;
        }
        // Otherwise some execution violates an obligation. A few models are executed to find it.
        for _ in 0..MAX_BAD_ENDS {
            let Verdict::Model(model) = session.pass_briefly(goal) else {
                return;
            };
            let model = session.smaller_to(goal, model);
            let candidate = session
                .encoding
                .decode(&model)
                .and_then(|inputs| self.validate(session, goal, inputs));
            // An accepted candidate ends well: it does so beyond the bounds.
            if candidate.is_some() || self.is_found(goal) || self.is_over() {
                return;
            }
            session.block(goal, &model);
        }
    }

    /// Whether a violating execution is known to reach a goal, or would reach it if the obligation
    /// were not checked.
    pub(super) fn is_found(&self, goal: GoalId) -> bool {
        self.past_findings.contains_key(&goal)
            || self
                .validator
                .findings
                .iter()
                .any(|f| f.blocks.contains(&goal))
    }

    /// Validates inputs that reach a goal according to the solver, which ignores proof obligations.
    /// If the interpreter stops at a violation before the goal, compiled code reaches the goal past
    /// that finding.
    pub(super) fn validate(
        &mut self,
        session: &Session<'p>,
        goal: GoalId,
        inputs: Inputs,
    ) -> Option<Candidate> {
        self.validator.last = None;
        let candidate = self.validator.validate(inputs);
        // The finding counts as past only if the encoding is exact: otherwise the model may not
        // reach the goal at all.
        if let Some(i) = self
            .validator
            .last
            .filter(|_| session.encoding.reasons.is_empty())
        {
            self.past_findings.entry(goal).or_insert(i);
        }
        candidate
    }

    /// Searches for inputs that reach a goal and as many other open goals as possible, by short
    /// queries or by `hard` ones. Returns whether the solver gave up.
    pub(super) fn reach(&mut self, session: &mut Session<'p>, goal: GoalId, hard: bool) -> bool {
        if self.refuted.get(&goal).is_some_and(|n| *n >= MAX_REFUTED) {
            // Larger inputs are refuted like the smaller ones.
            return false;
        }
        let mut refuted = false;
        for _ in 0..session::MAX_ATTEMPTS {
            match if hard {
                session.reach_hard(goal)
            } else {
                session.reach(goal)
            } {
                Verdict::Unreachable => {
                    self.explain_bad_end(session, goal);
                    return false;
                }
                Verdict::Unknown => return true,
                Verdict::Model(model) => {
                    // The model is grown only towards goals that are still open, and then
                    // simplified without losing any of them.
                    let mut open: Vec<GoalId> = self.open();
                    open.retain(|b| *b != goal);
                    let (must, model) = session.grow(goal, model, &open, &self.graph);
                    let model = session.smaller(&must, model);
                    // A model that cannot be decoded counts as refuted, once for each bounds.
                    let Some(inputs) = session.encoding.decode(&model) else {
                        *self.refuted.entry(goal).or_default() +=
                            u32::from(!std::mem::replace(&mut refuted, true));
                        if session.encoding.is_undecodable() {
                            return false;
                        }
                        session.block(goal, &model);
                        continue;
                    };
                    let started = dtest_limits::clock::now();
                    let candidate = self.validate(session, goal, inputs);
                    self.times.interpreter += started.elapsed();
                    let confirmed = candidate.as_ref().is_some_and(|t| t.covers.contains(&goal));
                    if let Some(candidate) = candidate {
                        self.accept(candidate);
                    }
                    // Only the interpreter's execution counts. Otherwise the model is blocked and
                    // the next one is tried.
                    if confirmed {
                        self.refuted.remove(&goal);
                        return false;
                    }
                    *self.refuted.entry(goal).or_default() +=
                        u32::from(!std::mem::replace(&mut refuted, true));
                    session.block(goal, &model);
                }
            }
        }
        false
    }

    /// Tries to prove that open goals are unreachable. Returns the kinds of bounds that the failed
    /// proofs name.
    pub(super) fn prove(
        &mut self,
        bounds: Bounds,
        undecided: &SortedSet<GoalId>,
    ) -> SortedSet<BoundKind> {
        // Executions that are cut have arbitrary results in this encoding, so that a proof holds
        // for them, too.
        let havoc = match self.encode(bounds, Mode::Havoc) {
            Ok(encoding) if encoding.overflows => self.encode(bounds.rationed(), Mode::Havoc),
            done => done,
        };
        let Ok(encoding) = havoc else {
            return SortedSet::new();
        };
        if encoding.exhausted {
            return BoundKind::ALL.into_iter().collect();
        }
        let mut session = Session::new(encoding, self.options);
        let mut raise = SortedSet::new();
        for goal in self.open() {
            if self.is_over() || undecided.contains(&goal) {
                continue;
            }
            // Short queries: a proof attempt fails far more often than it succeeds.
            let budget = session.brief();
            let proof = session.prove(goal, budget, !self.unproved.contains(&goal));
            self.effort.spent.solver += session.take_spent();
            match proof {
                session::Proof::Unreachable => {
                    let why =
                        format!("no execution reaches it, within the bounds ({bounds}) or beyond");
                    self.claim(&mut session, goal, why);
                }
                session::Proof::Bounded(bounded) => {
                    raise.extend(bounded.kinds.iter().copied());
                    if bounded.gave_up {
                        self.unproved.insert(goal);
                    }
                    self.bounded
                        .insert(goal, session.encoding.bounds(), bounded);
                }
                session::Proof::Stopped(kinds) => raise.extend(kinds),
            }
        }
        self.close(&mut session);
        raise
    }

    pub(super) fn close(&mut self, session: &mut Session<'p>) {
        let stats = session.stats();
        self.queries += stats.queries;
        self.times.solver += stats.time;
        self.effort.spent.solver += session.take_spent();
        if let (Some(all), Some(text)) = (&mut self.transcript, session.transcript()) {
            all.push_str(text);
        }
    }
}
