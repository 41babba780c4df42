//! Dead code: the blocks of a unit that no input reaches, the certainty of that, and the reason.
//!
//! [`dead_unit`] is the entry point. Only reachability matters here: an execution that reaches a
//! block counts however it ends, and tests are neither minimized nor simplified. With growing
//! bounds, goals that no small input reaches are searched for over the cut encoding. For those
//! without a model, a proof is tried over the encoding with unconstrained cuts
//! ([`dtest_encode::Mode::Havoc`]), which otherwise returns the bounds to raise. The remaining
//! goals are tried once more under every proof obligation of the unit as an assumption of its own,
//! as a deductive verifier would: loops by their invariants, recursion by postconditions. The facts
//! that a claim depends on come from an unsat core ([`explain`]). An execution always takes
//! precedence over a proof.

mod explain;
mod fails;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::CHOICES;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::api::{Bounds, Minimize, Options, Times};
use super::bounded::AllBounded;
use super::graph::Graph;
use super::resolutions::Resolutions;
use super::session::{self, Session, Verdict as Query};
use super::{seeds, type_arguments};
use dafny_resolve::typed::{CallableId, Literal, Type};
use dafny_source::{Name, Span};
use dtest_encode::{self as encode, BoundKind, Fact, Mode, Scope};
use dtest_interp::{Failure, Inputs, Interp, Limits, Outcome, Truth};
use dtest_ir::reason::{Cut, OpenReason, Reason, Reasons, Stopped, Unsettled};
use dtest_ir::{self as ir, Decision, ExprKind, GoalId, GoalReason, StmtKind, Terminator};
use dtest_smt::{self as smt, ThreadClock};
use dtest_sorted::{SortedMap, SortedSet};

/// The certainty that a block is dead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strength {
    /// Proved, for executions of any length from inputs of any size.
    Proved,
    /// Reached only after a violation of an obligation. The facts of the claim name the
    /// obligations.
    GivenAssertions,
    /// Reached only if an assumption of the program is false, possibly after a violation of an
    /// obligation, too. The facts of the claim name both.
    GivenAssumptions,
    /// Not reached from inputs within these bounds. Each execution was followed to its end.
    WithinBounds {
        /// The bounds of the inputs.
        scope: Scope,
        /// The bounds of the encoding.
        bounds: Bounds,
        /// The bounds that a proof depends on. Empty if the reason is that type parameters are
        /// instantiated with `bool`.
        raise: SortedSet<BoundKind>,
    },
}

impl Strength {
    /// The certainty of a claim that depends on these facts.
    fn given(facts: &[Fact]) -> Self {
        if facts.iter().any(|f| f.is_assumed()) {
            Self::GivenAssumptions
        } else if facts.iter().any(|f| f.is_obligation()) {
            Self::GivenAssertions
        } else {
            Self::Proved
        }
    }
}

/// The reason why a block is dead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The control-flow graph has no path to it.
    NoPath,
    /// Every path to it passes another dead goal.
    Inside(GoalId),
    /// A minimal set of facts that together exclude every execution to it. Empty if the condition
    /// is constant.
    Facts(Vec<Fact>),
    /// The solver found no reason.
    Unknown,
}

/// The result for a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Some execution reaches it.
    Reached,
    /// Only executions reach it that resolve a nondeterministic choice differently from the rule
    /// for choices.
    OnlyByChoice,
    /// No execution reaches it.
    Dead {
        /// The certainty.
        strength: Strength,
        /// The reason.
        cause: Cause,
    },
    /// Executions reach it, and each of them violates an obligation before or after it: no
    /// execution that ends well passes.
    AlwaysFails {
        /// Obligations of which each execution violates at least one.
        obligations: Vec<Fact>,
        /// Violations that were observed.
        seen: Vec<Failure>,
        /// The outermost goal with the same verdict that encloses this one.
        inside: Option<GoalId>,
    },
    /// Every observed execution to it violates an obligation, but it was not proved that all of
    /// them do.
    OnlyByFinding {
        /// The first observed violation.
        failure: Failure,
        /// The nearest goal with the same verdict that encloses this one.
        inside: Option<GoalId>,
    },
    /// Undecided, for this reason.
    Open(OpenReason),
}

/// The result for a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeadResult {
    /// The unit.
    pub unit: CallableId,
    /// Every goal, in order.
    pub goals: Vec<(GoalId, Verdict)>,
    /// Remarks for the user, as sentences.
    pub notes: Vec<Name>,
    /// Queries to the solver.
    pub queries: u64,
    /// Wall-clock times by stage.
    pub times: Times,
    /// Whether the clock stopped the search ([`Options::timeout`]): another run may find more.
    pub timed_out: bool,
}

impl DeadResult {
    /// A result in which every goal is open for the same reason.
    pub fn unsupported(program: &ir::Program, unit: CallableId, reason: &Reason) -> Self {
        let goals = program
            .goals(unit)
            .into_iter()
            .map(|(g, _)| (g, Verdict::Open(OpenReason::LeftOut(reason.clone()))))
            .collect();
        Self {
            unit,
            goals,
            notes: Vec::new(),
            queries: 0,
            times: Times::default(),
            timed_out: false,
        }
    }
}

/// Maximum number of models of a goal per bounds that the interpreter may refute.
const MAX_ATTEMPTS: usize = 4;
/// Number of bounds at which all models of a goal may be refuted.
const MAX_REFUTED: u32 = 2;

/// Maximum number of inputs that are kept for other resolutions of choices.
const MAX_INPUTS: usize = 24;

/// Number of executions without an end after which no more small inputs are executed.
const MAX_ENDLESS: u32 = 3;

/// Searches for dead goals of `unit`. Runs on the calling thread, with a solver context of its own.
pub fn dead_unit(program: &ir::Program, unit: CallableId, options: &Options) -> DeadResult {
    let Some(procedure) = program.procedures.get(&unit) else {
        return DeadResult::unsupported(program, unit, &Stopped::NoBody.into());
    };
    let options = &options.for_unit(program, procedure);
    let type_args = match type_arguments(program, unit) {
        Ok(type_args) => type_args,
        Err(reason) => return DeadResult::unsupported(program, unit, &reason),
    };
    // Small inputs need no solver. Often they reach every goal.
    let mut found = Found::default();
    {
        let mut search = Search::new(program, procedure, &type_args, options, &mut found);
        search.try_seeds(options.seeds as usize);
        if search.open().is_empty() && search.found.failing().is_empty() {
            return search.finish();
        }
    }
    // The search borrows an interpreter, which does not cross into the solver's context. The
    // results do.
    smt::with_fresh_context(|| {
        let mut found = found;
        let mut search = Search::new(program, procedure, &type_args, options, &mut found);
        search.run();
        search.finish()
    })
}

/// The size of an encoding.
enum Size {
    Fits,
    /// A call tree that is too large to follow all calls.
    Overflows,
    /// Too many terms, or a unit that cannot be encoded.
    Exhausted,
}

/// The results so far.
#[derive(Debug, Default)]
struct Found {
    reached: SortedSet<GoalId>,
    /// Goals on executions that are not known to violate an obligation.
    fine: SortedSet<GoalId>,
    /// The violations of executions that reached a goal.
    broken: SortedMap<GoalId, Vec<Failure>>,
    /// Goals for which it is proved that executions that reach them violate one of these
    /// obligations.
    fails: SortedMap<GoalId, Vec<Fact>>,
    /// Goals that were reached only by other resolutions of choices.
    by_choice: SortedSet<GoalId>,
    /// Whether some execution made a nondeterministic choice.
    is_free: bool,
    /// The first inputs of such executions.
    inputs: Vec<Inputs>,
    /// Goals that were reached only from inputs that are not known to be valid, with the reason.
    doubtful: SortedMap<GoalId, OpenReason>,
    dead: SortedMap<GoalId, (Strength, Cause)>,
    /// Results for goals that executions reach only by crossing a bound, with the largest bounds of
    /// each.
    bounded: AllBounded,
    /// The bounds at which a goal was proved dead.
    proved_at: SortedMap<GoalId, Bounds>,
    refuted: SortedMap<GoalId, u32>,
    /// Number of executions that did not end within the limits.
    endless: u32,
    gave_up: SortedSet<GoalId>,
    /// Constructs that could not be encoded or executed.
    reasons: Reasons,
    queries: u64,
    times: Times,
}

struct Search<'p, 'a> {
    program: &'p ir::Program,
    procedure: &'p ir::Procedure,
    type_args: &'a [Type],
    options: &'a Options,
    graph: Graph,
    interp: Interp<'p>,
    /// Locations of the program's assumptions.
    assumptions: SortedSet<Span>,
    /// Goals without code: the exits of `while true` loops.
    idle: SortedSet<GoalId>,
    found: &'a mut Found,
    start: Instant,
    /// The safety net: the processor time, so that the load of the machine makes no difference.
    clock: ThreadClock,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(
        program: &'p ir::Program,
        procedure: &'p ir::Procedure,
        type_args: &'a [Type],
        options: &'a Options,
        found: &'a mut Found,
    ) -> Self {
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        let graph = Graph::new(program, procedure);
        let interp = Interp::new(program, limits);
        let (assumptions, idle) = (assumptions(program), idle(procedure));
        Self {
            program,
            procedure,
            type_args,
            options,
            graph,
            interp,
            assumptions,
            idle,
            found,
            start: dtest_limits::clock::now(),
            clock: ThreadClock::start(),
        }
    }

    fn is_late(&self) -> bool {
        dtest_limits::memory::is_short() || self.clock.is_past(self.options.timeout)
    }

    /// Goals without a result, in reverse topological order.
    fn open(&self) -> Vec<GoalId> {
        let found = &self.found;
        let settled = |g: &GoalId| {
            found.reached.contains(g)
                || found.by_choice.contains(g)
                || found.dead.contains_key(g)
                || self.idle.contains(g)
        };
        self.graph
            .goals_from_the_end()
            .filter(|g| !settled(g))
            .collect()
    }

    fn run(&mut self) {
        // Blocks without a path need no search.
        self.orphans();
        if self.open().is_empty() {
            return self.always_failing();
        }
        self.grow();
        if !self.open().is_empty() {
            self.try_seeds(self.options.enumerate as usize);
        }
        // The search for tests reaches goals in more ways than this search.
        self.search_for_tests();
        self.resolve_otherwise();
        self.enumerate();
        // Violations and reasons depend on all results, so that they come last.
        self.always_failing();
        self.explain();
    }

    /// Searches for goals that are reached only if choices are resolved differently.
    fn resolve_otherwise(&mut self) {
        if !self.found.is_free || self.is_late() {
            return;
        }
        let mut open: SortedSet<GoalId> = self.open().into_iter().collect();
        // Proved goals are included: an execution takes precedence over a proof.
        open.extend(self.found.dead.keys());
        let mut other = Resolutions::new(self.program, self.procedure, &self.interp, open);
        other.try_inputs(self.found.inputs.iter().cloned());
        // The solver is not asked for goals that are proved.
        other.open.retain(|g| !self.found.dead.contains_key(g));
        // The first bounds are cheap; slightly larger ones may be needed for the choices.
        for bounds in [
            self.options.start,
            self.options
                .start
                .raised(&BoundKind::ALL.into_iter().collect(), &self.options.caps),
        ] {
            let asked = other.ask(self.type_args, bounds, self.options);
            self.found.queries += asked.queries;
            self.found.times.solver += asked.solver;
        }
        // A goal that another choice reaches is not dead.
        for goal in other.reached {
            self.found.dead.remove(&goal);
            self.found.bounded.remove(goal);
            self.found.by_choice.insert(goal);
        }
    }

    /// Records blocks that no path of the graph leads to.
    fn orphans(&mut self) {
        let on_a_path = self.graph.on_a_path();
        for goal in self.open() {
            if self
                .graph
                .place(goal)
                .is_some_and(|b| !on_a_path.contains(&b))
            {
                self.found
                    .dead
                    .insert(goal, (Strength::Proved, Cause::NoPath));
            }
        }
    }

    fn try_seeds(&mut self, count: usize) {
        for inputs in seeds::seeds(
            self.program,
            &self.interp,
            self.procedure,
            self.type_args,
            count,
        ) {
            // Failing goals need executions that end well, so that more seeds are worthwhile.
            let is_enough = self.open().is_empty() && self.found.failing().is_empty();
            if is_enough || self.is_late() || self.found.endless >= MAX_ENDLESS {
                break;
            }
            self.execute(inputs);
        }
    }

    /// Executes the inputs that the search for tests finds, which also changes known inputs. So a
    /// goal that `gen` covers is never reported as dead.
    fn search_for_tests(&mut self) {
        if self.open().is_empty() || self.is_late() {
            return;
        }
        let options = Options {
            minimize: Minimize::Greedy,
            strength: super::api::Strength::Coverage,
            prove: false,
            transcript: false,
            ..self.options.clone()
        };
        // Only the inputs matter: they are executed again below.
        let tests = super::search_unit(self.program, self.procedure.callable, &options);
        self.found.queries += tests.queries;
        self.found.times.interpreter += tests.times.interpreter;
        self.found.times.encoding += tests.times.encoding;
        self.found.times.solver += tests.times.solver;
        let findings = tests.findings.into_iter().map(|f| f.inputs);
        for inputs in tests.tests.into_iter().map(|t| t.inputs).chain(findings) {
            self.execute(inputs);
        }
    }

    /// Records the goals that an execution reaches, however it ends. Returns these goals.
    fn execute(&mut self, inputs: Inputs) -> Vec<GoalId> {
        let started = dtest_limits::clock::now();
        let unit = self.procedure.callable;
        // Inputs that are not valid show nothing.
        let verdict = self.interp.check_inputs(unit, &inputs).verdict();
        if verdict.is_false() || !self.options.asked.admits(&inputs) {
            self.found.times.interpreter += started.elapsed();
            return Vec::new();
        }
        let execution = self.interp.run(unit, &inputs);
        let blocks = execution.visited.iter().map(|b| GoalId::Block(*b));
        let goals: Vec<GoalId> = blocks
            .chain(execution.shown.iter().map(|i| GoalId::Probe(*i)))
            .collect();
        self.note_obligations(&inputs, &execution, &goals);
        self.found.times.interpreter += started.elapsed();
        // Inputs of executions with choices are kept for other resolutions.
        if !execution.deterministic {
            self.found.is_free = true;
            if self.found.inputs.len() < MAX_INPUTS {
                self.found.inputs.push(inputs);
            }
        }
        match &execution.outcome {
            Outcome::Unsupported(reason) => {
                self.found.reasons.insert(reason.clone());
            }
            Outcome::OutOfFuel(_) => self.found.endless += 1,
            Outcome::Returned(_)
            | Outcome::Failed(_)
            | Outcome::Halted { .. }
            | Outcome::Infeasible(_) => {}
        }
        let doubt = match verdict {
            Truth::Unknown(reason) => Some(OpenReason::ReachedFromUndecided(reason.clone())),
            // Compiled code does not check proof obligations, so that a violation on the way is no
            // reason for doubt. An undecided assumption is.
            Truth::True | Truth::False => {
                let undecided = execution
                    .unknown
                    .iter()
                    .find(|(span, _)| self.assumptions.contains(span));
                undecided.map(|(_, reason)| OpenReason::Assumption(reason.clone()))
            }
        };
        for goal in &goals {
            match &doubt {
                None => {
                    self.found.reached.insert(*goal);
                    // An execution takes precedence over a proof.
                    self.found.dead.remove(goal);
                }
                Some(doubt) => {
                    self.found
                        .doubtful
                        .entry(*goal)
                        .or_insert_with(|| doubt.clone());
                }
            }
        }
        goals
    }

    /// Searches with growing bounds.
    fn grow(&mut self) {
        let mut bounds = self.options.start;
        let mut first = true;
        loop {
            let exhausted = match self.look_for(bounds) {
                Size::Overflows => {
                    bounds = bounds.rationed();
                    continue;
                }
                Size::Exhausted => true,
                Size::Fits => false,
            };
            if self.open().is_empty() || self.is_late() {
                // All goals are decided, or the time is over.
                return;
            }
            let raise = if self.options.prove && !exhausted {
                self.prove(bounds)
            } else {
                BoundKind::ALL.into_iter().collect()
            };
            // Contracts and invariants replace cut calls and loops here, so that larger bounds add
            // little.
            if std::mem::take(&mut first) {
                self.prove_given_assertions(bounds);
            }
            // Larger bounds cannot help a goal at which the solver gave up, or whose models were
            // refuted repeatedly.
            let settled = |g: &GoalId| {
                self.found.gave_up.contains(g)
                    || self.found.refuted.get(g).is_some_and(|n| *n >= MAX_REFUTED)
            };
            let next = bounds.raised(&raise, &self.options.caps);
            if next == bounds || exhausted || self.is_late() || self.open().iter().all(settled) {
                return;
            }
            bounds = next;
        }
    }

    /// Searches for executions that reach open goals, unless the encoding is too large.
    fn look_for(&mut self, bounds: Bounds) -> Size {
        let started = dtest_limits::clock::now();
        let cut = encode::encode(
            self.program,
            self.procedure.callable,
            self.type_args,
            bounds,
            Mode::Cut,
        );
        self.found.times.encoding += started.elapsed();
        let mut session = match cut {
            Ok(encoding) if encoding.overflows && !bounds.is_rationed() => return Size::Overflows,
            // The solver would take long even to read it.
            Ok(encoding) if encoding.exhausted => {
                self.found.reasons.extend(encoding.reasons.iter().cloned());
                return Size::Exhausted;
            }
            Ok(encoding) => Session::new(encoding, self.options),
            Err(reason) => {
                self.found.reasons.insert(reason);
                return Size::Exhausted;
            }
        };
        let e = &session.encoding;
        let all_seen = e.is_complete();
        self.found.reasons.extend(e.reasons.iter().cloned());
        // An earlier model may have reached the goal in the meantime.
        for goal in self.open() {
            let refuted = self
                .found
                .refuted
                .get(&goal)
                .is_some_and(|n| *n >= MAX_REFUTED);
            if self.is_late()
                || refuted
                || self.found.reached.contains(&goal)
                || self.found.gave_up.contains(&goal)
            {
                continue;
            }
            let mut tries = 0;
            // The search stops at the first model that is confirmed.
            loop {
                match session.pass(goal) {
                    Query::Unreachable => {
                        if all_seen && tries == 0 {
                            // Every execution was followed to its end.
                            self.claim(&mut session, goal, bounds);
                        } else if tries == 0 {
                            self.found
                                .bounded
                                .insert_enumerated(goal, &session.encoding);
                        }
                        break;
                    }
                    Query::Unknown => {
                        self.found.gave_up.insert(goal);
                        break;
                    }
                    Query::Model(model) => {
                        let model = session.smaller_to(goal, model);
                        let Some(inputs) = session.encoding.decode(&model) else {
                            // Undecodable models are refuted, at most a few of them per bounds.
                            tries += 1;
                            if session.encoding.is_undecodable() || tries >= MAX_ATTEMPTS {
                                *self.found.refuted.entry(goal).or_default() += 1;
                                break;
                            }
                            session.block(goal, &model);
                            continue;
                        };
                        if self.execute(inputs).contains(&goal) {
                            break;
                        }
                        tries += 1;
                        if tries >= MAX_ATTEMPTS {
                            *self.found.refuted.entry(goal).or_default() += 1;
                            break;
                        }
                        session.block(goal, &model);
                    }
                }
            }
        }
        self.close(&session);
        Size::Fits
    }

    /// Opens a session that has all executions within the bounds, and unconstrained ones where
    /// executions are cut.
    ///
    /// # Errors
    /// The kinds of bounds to raise if there is no such encoding.
    fn open_proofs(&mut self, bounds: Bounds) -> Result<Session<'p>, SortedSet<BoundKind>> {
        let started = dtest_limits::clock::now();
        let encode = |bounds| {
            encode::encode(
                self.program,
                self.procedure.callable,
                self.type_args,
                bounds,
                Mode::Havoc,
            )
        };
        // The encoding must have every execution.
        let havoc = match encode(bounds) {
            // Calls that are left out are unconstrained, so that a proof remains sound.
            Ok(encoding) if encoding.overflows => encode(bounds.rationed()),
            done => done,
        };
        self.found.times.encoding += started.elapsed();
        let encoding = havoc.map_err(|_| SortedSet::new())?;
        if encoding.exhausted {
            return Err(BoundKind::ALL.into_iter().collect());
        }
        Ok(Session::new(encoding, self.options))
    }

    /// Tries to prove that open goals are dead. Returns the kinds of bounds that the failed proofs
    /// name.
    fn prove(&mut self, bounds: Bounds) -> SortedSet<BoundKind> {
        let mut session = match self.open_proofs(bounds) {
            Ok(session) => session,
            Err(kinds) => return kinds,
        };
        let mut raise = SortedSet::new();
        for goal in self.open() {
            if self.is_late() {
                break;
            }
            let budget = session.full();
            match session.prove(goal, budget, true) {
                session::Proof::Unreachable => self.claim(&mut session, goal, bounds),
                session::Proof::Bounded(bounded) => {
                    raise.extend(bounded.kinds.iter().copied());
                    let bounds = session.encoding.bounds();
                    self.found.bounded.insert(goal, bounds, bounded);
                }
                session::Proof::Stopped(kinds) => raise.extend(kinds),
            }
        }
        self.close(&session);
        raise
    }

    /// Tries to find a scope for goals that executions reach only if they are cut: inputs with
    /// small integers may be enumerable.
    fn enumerate(&mut self) {
        for (bounds, goals) in self.found.bounded.cut(&self.open()) {
            let Ok(mut session) = self.open_proofs(bounds) else {
                continue;
            };
            for goal in goals {
                if self.is_late() {
                    break;
                }
                let budget = session.brief();
                let scope = session.enumerated(goal, budget);
                self.found.bounded.set_scope(goal, scope);
            }
            self.close(&session);
        }
    }

    /// Records that a goal is dead, with the certainty that the facts of the proof justify.
    fn claim(&mut self, session: &mut Session<'p>, goal: GoalId, bounds: Bounds) {
        if let Some(facts) = session.rests_on(goal) {
            self.found
                .dead
                .insert(goal, (Strength::given(&facts), Cause::Unknown));
            self.found.proved_at.insert(goal, bounds);
        }
    }

    /// Tries to prove goals dead from the proof obligations of the unit and the postconditions of
    /// its callees.
    fn prove_given_assertions(&mut self, bounds: Bounds) {
        if self.open().is_empty() || !self.options.prove {
            return;
        }
        let Some(mut session) = self.with_facts(bounds, false) else {
            return;
        };
        // Each goal is explained by the assumptions that its proof needs.
        for goal in self.open() {
            if self.is_late() {
                break;
            }
            if let Some(facts) = explain::core(&mut session, goal, explain::Rest::Assertions) {
                self.found
                    .dead
                    .insert(goal, (Strength::given(&facts), Cause::Facts(facts)));
            }
        }
        self.close(&session);
    }

    fn with_facts(&mut self, bounds: Bounds, definitions: bool) -> Option<Session<'p>> {
        let started = dtest_limits::clock::now();
        let encoding = encode::encode_facts(
            self.program,
            self.procedure.callable,
            self.type_args,
            bounds,
            definitions,
        );
        self.found.times.encoding += started.elapsed();
        encoding
            .ok()
            .filter(|e| !e.exhausted)
            .map(|e| Session::new(e, self.options))
    }

    /// Searches for the reasons of all claims.
    fn explain(&mut self) {
        // Goals without a proof become claims within bounds.
        for (goal, (bounds, bounded)) in self.found.bounded.iter() {
            if let Some(scope) = bounded.scope
                && !self.found.reached.contains(&goal)
                && !self.found.dead.contains_key(&goal)
            {
                let (bounds, raise) = (*bounds, bounded.kinds.clone());
                let strength = Strength::WithinBounds {
                    scope,
                    bounds,
                    raise,
                };
                self.found.dead.insert(goal, (strength, Cause::Unknown));
            }
        }
        // An execution found later takes precedence.
        self.found
            .dead
            .retain(|g, _| !self.found.reached.contains(g));
        self.roots();
        // One session explains all goals that were proved at the same bounds.
        let mut by_bounds: Vec<(Bounds, Vec<GoalId>)> = Vec::new();
        for (goal, (strength, cause)) in &self.found.dead {
            let bounds = match strength {
                Strength::WithinBounds { bounds, .. } => Some(*bounds),
                Strength::Proved | Strength::GivenAssertions | Strength::GivenAssumptions => {
                    self.found.proved_at.get(goal).copied()
                }
            };
            let (Some(bounds), Cause::Unknown) = (bounds, cause) else {
                continue;
            };
            match by_bounds.iter_mut().find(|(b, _)| *b == bounds) {
                Some((_, goals)) => goals.push(*goal),
                None => by_bounds.push((bounds, vec![*goal])),
            }
        }
        for (bounds, goals) in by_bounds {
            // With the values of variables as facts, the reasons are more precise. But fewer loops
            // have a fixed length then, so that a proof may be lost.
            for definitions in [true, false] {
                self.explain_at(bounds, &goals, definitions);
            }
        }
    }

    fn explain_at(&mut self, bounds: Bounds, goals: &[GoalId], definitions: bool) {
        let is_unknown =
            |s: &Self, g: &GoalId| matches!(s.found.dead.get(g), Some((_, Cause::Unknown)));
        let goals: Vec<GoalId> = goals
            .iter()
            .copied()
            .filter(|g| is_unknown(self, g))
            .collect();
        if goals.is_empty() || self.is_late() {
            return;
        }
        let Some(mut session) = self.with_facts(bounds, definitions) else {
            return;
        };
        // The kind of the claim determines the facts that its explanation may use.
        for goal in goals {
            let Some((strength, cause)) = self.found.dead.get_mut(&goal) else {
                continue;
            };
            let rest = match strength {
                Strength::WithinBounds { .. } => explain::Rest::Bounds,
                Strength::Proved => explain::Rest::Nothing,
                Strength::GivenAssumptions => explain::Rest::Assumptions,
                Strength::GivenAssertions => explain::Rest::Assertions,
            };
            if let Some(facts) = explain::core(&mut session, goal, rest) {
                *cause = Cause::Facts(facts);
            }
        }
        self.close(&session);
    }

    /// Replaces the reason of goals inside another dead goal: they need no explanation of their
    /// own.
    fn roots(&mut self) {
        let dead: SortedMap<GoalId, u8> = self
            .found
            .dead
            .iter()
            .map(|(g, (s, _))| (*g, rank(s)))
            .collect();
        let orphans: SortedSet<GoalId> = self
            .found
            .dead
            .iter()
            .filter(|(_, (_, c))| *c == Cause::NoPath)
            .map(|(g, _)| *g)
            .collect();
        // A goal inside another dead goal gets that goal as its reason.
        for (goal, (strength, cause)) in &mut self.found.dead {
            if *cause == Cause::NoPath {
                if let Some(outer) = self.graph.first_before(*goal, |g| orphans.contains(g)) {
                    *cause = Cause::Inside(outer);
                }
                continue;
            }
            // The enclosing claim must be at least as certain.
            let as_sure = |g: &GoalId| dead.get(g).is_some_and(|r| *r >= rank(strength));
            if let Some(outer) = self.graph.nearest_dominator(*goal, as_sure) {
                *cause = Cause::Inside(outer);
            }
        }
    }

    fn close(&mut self, session: &Session<'p>) {
        let stats = session.stats();
        self.found.queries += stats.queries;
        self.found.times.solver += stats.time;
    }

    fn finish(self) -> DeadResult {
        let late = self.is_late();
        let found = self.found;
        found.times.total = self.start.elapsed();
        let on_a_path = self.graph.on_a_path();
        // Goals without a path are dead for every type.
        let orphans: SortedSet<GoalId> = found
            .dead
            .keys()
            .filter(|g| {
                self.graph
                    .place(**g)
                    .is_some_and(|b| !on_a_path.contains(&b))
            })
            .copied()
            .collect();
        let is_finite = self.type_args.contains(&Type::Bool);
        let mut goals = Vec::new();
        // The exits of endless loops are not reported.
        for (goal, _) in self.program.goals(self.procedure.callable) {
            if self.idle.contains(&goal) {
                continue;
            }
            // Executions first, then proofs.
            let verdict = match found.dead.remove(&goal) {
                _ if found.reached.contains(&goal) => fails::verdict(found, &self.graph, goal),
                _ if found.by_choice.contains(&goal) => Verdict::OnlyByChoice,
                // A proof for `bool` need not hold for every type.
                Some((
                    Strength::Proved | Strength::GivenAssertions | Strength::GivenAssumptions,
                    cause,
                )) if is_finite && !orphans.contains(&goal) => {
                    let bounds = found
                        .proved_at
                        .get(&goal)
                        .copied()
                        .unwrap_or(self.options.start);
                    Verdict::Dead {
                        strength: Strength::WithinBounds {
                            scope: Scope::default(),
                            bounds,
                            raise: SortedSet::new(),
                        },
                        cause,
                    }
                }
                Some((strength, cause)) => Verdict::Dead { strength, cause },
                None => Verdict::Open(why_open(found, goal, late)),
            };
            goals.push((goal, verdict));
        }
        let notes = self
            .procedure
            .type_params
            .iter()
            .zip(self.type_args)
            .map(|(p, t)| {
                format!(
                    "type parameter {} is {}",
                    self.program.typed[*p].name,
                    self.program.typed.show_type(t)
                )
                .into()
            });
        DeadResult {
            unit: self.procedure.callable,
            goals,
            notes: notes.collect(),
            queries: found.queries,
            times: found.times,
            timed_out: late,
        }
    }
}

/// The exit blocks of `while true` loops. Control is not meant to reach them, and the code after
/// the loop is a goal of its own.
fn idle(procedure: &ir::Procedure) -> SortedSet<GoalId> {
    let is_true = |e: &ir::Expr| matches!(e.kind, ExprKind::Literal(Literal::Bool(true)));
    let ends = procedure.blocks.iter().filter_map(|b| match &b.terminator {
        Terminator::Branch { cond, els, .. } if is_true(cond) => Some(*els),
        Terminator::Branch { .. }
        | Terminator::Goto(_)
        | Terminator::Choose { .. }
        | Terminator::Return
        | Terminator::Stop => None,
    });
    let is_end = |b: &ir::BlockId| {
        let goal = procedure.block(*b).and_then(|b| b.goal.as_ref());
        matches!(
            goal.map(|g| &g.reason),
            Some(GoalReason::Branch {
                decision: Decision::Loop,
                value: false,
                ..
            })
        )
    };
    ends.filter(is_end).map(GoalId::Block).collect()
}

/// Locations of assumptions in compiled code.
fn assumptions(program: &ir::Program) -> SortedSet<Span> {
    let stmts = program
        .procedures
        .values()
        .flat_map(|p| &p.blocks)
        .flat_map(|b| &b.stmts);
    let conditions = stmts.filter_map(|s| {
        if let StmtKind::Assume { cond, .. } = &s.kind {
            Some([s.span, cond.span])
        } else {
            None
        }
    });
    conditions.flatten().collect()
}

fn rank(strength: &Strength) -> u8 {
    match strength {
        Strength::Proved => 3,
        Strength::GivenAssertions => 2,
        Strength::GivenAssumptions => 1,
        Strength::WithinBounds { .. } => 0,
    }
}

fn why_open(found: &Found, goal: GoalId, late: bool) -> OpenReason {
    // A doubt names a concrete execution, which is the most helpful reason.
    if let Some(doubt) = found.doubtful.get(&goal) {
        return doubt.clone();
    }
    match found.reasons.first() {
        Some(reason) => OpenReason::Unsupported(reason.clone()),
        None if found.gave_up.contains(&goal) => OpenReason::Search(Unsettled::SolverLimit),
        None if late => OpenReason::Search(Unsettled::UnitsTime),
        None if found.refuted.contains_key(&goal) => OpenReason::Search(Unsettled::Unconfirmed),
        None if let Some((bounds, bounded)) = found.bounded.get(goal) => {
            OpenReason::Cut(Cut::at(bounds, &bounded.kinds))
        }
        None => OpenReason::Search(Unsettled::NotExcluded),
    }
}
