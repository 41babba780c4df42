//! Proof obligations by execution: which of them some execution violates, which are proved, and the
//! certainty of that.
//!
//! [`check_unit`] is the entry point. The program is lowered without ghost code, and every
//! obligation is a goal that is reached where it is violated ([`ir::Criterion::Obligation`]). A
//! unit is executed on small inputs; then, with growing bounds, on inputs of models in which
//! choices are free; the remaining obligations are tried to be proved over the encoding with
//! unconstrained cuts; at last, inputs are executed again with pseudo-random choices. Every
//! violation is an execution of the interpreter ([`validate`]), whose inputs are then simplified.
//! An execution always takes precedence over a proof.

mod all_inputs;
mod executions;
mod explore;
mod follow;
mod found;
mod pooled;
mod proofs;
mod replay;
mod shade;
#[cfg(test)]
mod tests;
mod validate;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::api::{Bounds, Options, Times};
use super::effort::Effort;
use super::graph::Graph;
use super::pool::Pool;
use super::session::{Session, Verdict as Query};
use super::{instantiate, shrink, type_arguments};
use dafny_resolve::typed::{CallableId, Literal, Type};
use dafny_source::{Name, Span};
use dtest_encode::{self as encode, BoundKind, Fact, Scope};
use dtest_interp::{Chosen, Failure, Inputs, Interp, Limits, Resolution};
use dtest_ir::reason::{OpenReason, Reason, Stopped, Unsettled};
use dtest_ir::{self as ir, Expr, ExprKind, GoalId, GoalReason, ObligationKind, StmtKind};
use dtest_smt::{self as smt, ThreadClock};
use dtest_sorted::{SortedMap, SortedSet};
pub use explore::{Ended, Exploration, Explore, Explored, Strategy, explore, replay};
pub use follow::{follow, trace};
use found::{Found, why_open, within};
pub use replay::{Replay, Replayer, broken_by};
use validate::Validator;

/// An assumption that a violation depends on: something that is neither executed nor checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Given {
    /// The result of a stub for a callable without a Dafny body.
    Answer(CallableId),
    /// An earlier obligation that the interpreter could not decide, with the reason.
    Undecided(Span, Reason),
    /// An earlier obligation that the execution violates and that is disregarded: nothing is known
    /// of executions that satisfy it.
    Disregarded(ObligationKind, Span),
}

/// An execution that violates an obligation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The inputs of the unit.
    pub inputs: Inputs,
    /// The violation at the end of the execution.
    pub failure: Failure,
    /// The choices that lead to the violation ([`dtest_interp::Resolution::Again`]). `None` for
    /// those of the rule for choices.
    pub choices: Option<Vec<Chosen>>,
    /// The assumptions. If there are none, the execution is one of the program without doubt.
    pub given: Vec<Given>,
}

impl Violation {
    /// Whether the violation depends on no assumption.
    pub fn is_certain(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether the violation is behind others: its execution violates earlier obligations, which
    /// are disregarded.
    pub fn is_behind(&self) -> bool {
        self.given
            .iter()
            .any(|g| matches!(g, Given::Disregarded(..)))
    }
}

/// The result for an obligation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Some execution violates it.
    Violated(Box<Violation>),
    /// Proved: no execution of any length violates it first, from inputs of any size.
    Holds,
    /// Proved under assumptions that nothing checks here: contracts of code without a body, and
    /// `assume` statements.
    HoldsAssuming(Vec<Fact>),
    /// Proved unreachable: no execution reaches the obligation, so that its condition does not
    /// matter.
    NotReached,
    /// Proved within bounds: no execution from these inputs violates it first. Each was followed to
    /// its end, and some reach it.
    HoldsWithin {
        /// The bounds of the inputs.
        scope: Scope,
        /// The bounds of the encoding.
        bounds: Bounds,
        /// The kinds of bounds that a proof depends on and that the search may not raise. Empty if
        /// bounds are not the obstacle.
        raise: SortedSet<BoundKind>,
        /// Whether the solver gave up on larger bounds.
        gave_up: bool,
    },
    /// Undecided, for this reason.
    Open(OpenReason),
}

impl Verdict {
    /// Whether a proof rests on nothing but `assume` statements, in the unit itself or in code that
    /// it calls.
    pub fn holds_by_statements(&self) -> bool {
        matches!(self, Self::HoldsAssuming(facts)
            if facts.iter().all(|fact| matches!(fact, Fact::Assume(_))))
    }
}

/// The result for a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// The unit.
    pub unit: CallableId,
    /// Every obligation of the unit, in order.
    pub obligations: Vec<(GoalId, Verdict)>,
    /// Violations of obligations of other declarations: of callees and of contracts.
    pub others: Vec<Violation>,
    /// Remarks for the user, as sentences.
    pub notes: Vec<Name>,
    /// Number of executions.
    pub executions: u64,
    /// Number of queries to the solver.
    pub queries: u64,
    /// Wall-clock times by stage.
    pub times: Times,
    /// The cost in points.
    pub points: u64,
    /// Whether the budget was exhausted.
    pub is_spent: bool,
    /// Whether the clock stopped the search ([`Options::timeout`]): another run may find more.
    pub timed_out: bool,
}

impl CheckResult {
    /// A result in which every obligation is undecided for the same reason.
    pub fn unsupported(program: &ir::Program, unit: CallableId, reason: &Reason) -> Self {
        let obligations = program
            .goals(unit)
            .into_iter()
            .map(|(g, _)| (g, Verdict::Open(OpenReason::LeftOut(reason.clone()))))
            .collect();
        Self {
            unit,
            obligations,
            others: Vec::new(),
            notes: Vec::new(),
            executions: 0,
            queries: 0,
            times: Times::default(),
            points: 0,
            is_spent: false,
            timed_out: false,
        }
    }
}

impl CheckResult {
    /// Merges the verdicts of another search into the obligations of this one.
    fn or(mut self, other: Self) -> Self {
        let mut known: SortedMap<GoalId, Verdict> = other.obligations.into_iter().collect();
        for (goal, verdict) in &mut self.obligations {
            if let Some(better) = known.remove(goal).filter(|other| says_more(other, verdict)) {
                *verdict = better;
            }
        }
        self.executions += other.executions;
        self.queries += other.queries;
        self.points += other.points;
        self.times.interpreter += other.times.interpreter;
        self.times.encoding += other.times.encoding;
        self.times.solver += other.times.solver;
        self.times.total += other.times.total;
        self.is_spent |= other.is_spent;
        self.timed_out |= other.timed_out;
        self
    }
}

/// Whether a verdict takes precedence over another one on the same obligation. Executions take
/// precedence over proofs.
fn says_more(a: &Verdict, b: &Verdict) -> bool {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Violated(v) if v.is_certain() => 5,
        Verdict::Violated(_) => 4,
        Verdict::Holds | Verdict::NotReached => 3,
        Verdict::HoldsAssuming(_) => 2,
        Verdict::HoldsWithin { .. } => 1,
        Verdict::Open(_) => 0,
    };
    rank(a) > rank(b)
}

/// Maximum number of models of an obligation per bounds that the interpreter may refute.
const MAX_ATTEMPTS: usize = 4;
/// Number of bounds at which all models of an obligation may be refuted.
const MAX_REFUTED: u32 = 2;
/// Number of executions without an end after which no more small inputs are executed.
const MAX_ENDLESS: u32 = 3;
/// Maximum number of obligations that are tried again with long queries after short ones failed.
const MAX_ASKED_AGAIN: usize = 4;
/// Minimum number of small inputs that are executed: violations may be of obligations of other
/// declarations, or of obligations that are not known statically.
const MIN_INPUTS: usize = 12;
/// Maximum number of simplifications of a violation behind others.
const MAX_SHRINKS_BEHIND: u32 = 64;
/// Number of kept inputs that are executed with other choices even if no obligation is open.
const MAX_INPUTS_OTHERWISE: usize = 2;

/// Searches for executions of `unit` that violate its obligations. The program must be lowered with
/// obligations as goals. Runs on the calling thread, with a solver context of its own.
pub fn check_unit(program: &ir::Program, unit: CallableId, options: &Options) -> CheckResult {
    check_obligations(program, unit, options, &|_| true, None)
}

/// The same for the wanted obligations of `unit` only. If some stay undecided, all obligations are
/// searched for, because inputs that are found for others may violate them: so nothing is lost
/// compared with [`check_unit`]. If none is wanted, small inputs still show violations in callees.
/// Inputs of the `pool` are executed, too.
pub fn check_obligations(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
    pool: Option<&Pool>,
) -> CheckResult {
    let pooled = pool.map_or(&[][..], |pool| pool.inputs(unit));
    // The wanted obligations get the whole budget first.
    let alone = look_for(program, unit, options, is_wanted, pooled, Stages::All);
    let is_settled = |verdict: &Verdict| match verdict {
        Verdict::Violated(v) => v.is_certain(),
        Verdict::Holds | Verdict::HoldsAssuming(_) | Verdict::NotReached => true,
        Verdict::HoldsWithin { .. } | Verdict::Open(_) => false,
    };
    // A second search is useful only if it adds obligations and some wanted ones are undecided.
    if alone.obligations.len() == program.goals(unit).len()
        || alone
            .obligations
            .iter()
            .all(|(_, verdict)| is_settled(verdict))
    {
        return alone;
    }
    alone.or(look_for(
        program,
        unit,
        options,
        &|_| true,
        pooled,
        Stages::All,
    ))
}

/// Searches for executions of `unit` that violate the wanted obligations, and for nothing else:
/// obligations without a violation are undecided.
pub fn find_violations(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
) -> CheckResult {
    let options = Options {
        prove: false,
        ..options.clone()
    };
    look_for(program, unit, &options, is_wanted, &[], Stages::Violations)
}

/// The stages of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stages {
    /// Violations, proofs and claims within bounds.
    All,
    /// Violations alone.
    Violations,
}

fn look_for(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
    pooled: &[Inputs],
    stages: Stages,
) -> CheckResult {
    let Some(procedure) = program.procedures.get(&unit) else {
        return CheckResult::unsupported(program, unit, &Stopped::NoBody.into());
    };
    let options = &options.for_unit(program, procedure);
    let type_args = match type_arguments(program, unit) {
        Ok(type_args) => type_args,
        Err(reason) => return CheckResult::unsupported(program, unit, &reason),
    };
    let mut found = Found::default();
    // Small inputs need no solver. Often they decide every obligation.
    {
        let mut search = Search::new(
            program, procedure, &type_args, options, is_wanted, pooled, &mut found,
        );
        search.try_seeds(options.seeds as usize);
        if search.open().is_empty() {
            search.choose_otherwise();
            search.shrink();
            return search.finish();
        }
    }
    // Proofs by induction have a solver of their own: what a solver has seen changes what it finds
    // within the budget of a later query.
    let found = smt::with_fresh_context(|| {
        let mut found = found;
        let mut search = Search::new(
            program, procedure, &type_args, options, is_wanted, pooled, &mut found,
        );
        search.try_pooled();
        search.prove_by_invariants();
        found
    });
    // The search borrows an interpreter, which does not cross into the solver's context. The
    // results do.
    smt::with_fresh_context(|| {
        let mut found = found;
        let mut search = Search::new(
            program, procedure, &type_args, options, is_wanted, pooled, &mut found,
        );
        match stages {
            Stages::All => search.run(),
            Stages::Violations => search.run_for_violations(),
        }
        search.finish()
    })
}

struct Search<'p, 'a> {
    program: &'p ir::Program,
    procedure: &'p ir::Procedure,
    /// The type arguments.
    type_args: Vec<Type>,
    options: &'a Options,
    /// The obligations that are searched for.
    wanted: SortedSet<GoalId>,
    /// Obligations whose place is reached only by violating them, such as a missing case.
    at_once: SortedSet<GoalId>,
    /// The obligations that follow each obligation in its statement.
    behind: SortedMap<GoalId, SortedSet<GoalId>>,
    /// Whether all obligations of the unit are wanted.
    is_whole: bool,
    /// The inputs that the program itself has for the unit.
    pooled: &'a [Inputs],
    graph: Graph,
    validator: Validator<'p>,
    effort: Effort,
    found: &'a mut Found,
    start: Instant,
    /// The safety net: the processor time, so that the load of the machine makes no difference.
    clock: ThreadClock,
}

/// The result of an execution.
struct Executed {
    /// The obligation of the unit that it violates.
    broken: Option<GoalId>,
    /// Whether it made nondeterministic choices.
    is_free: bool,
    /// Whether nothing is unknown of the inputs ([`validate::Seen::is_whole`]).
    is_whole: bool,
}

/// The size of an encoding.
enum Size {
    Fits,
    /// A call tree that is too large to follow all calls.
    Overflows,
    /// Too many terms, or a unit that cannot be encoded.
    Exhausted,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(
        program: &'p ir::Program,
        procedure: &'p ir::Procedure,
        type_args: &[Type],
        options: &'a Options,
        is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
        pooled: &'a [Inputs],
        found: &'a mut Found,
    ) -> Self {
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        let validator = Validator::new(Interp::new(program, limits), procedure, options.asked);
        let (graph, effort) = (Graph::new(program, procedure), Effort::new(options));
        let goals = program.goals(procedure.callable);
        let count = goals.len();
        let wanted: SortedSet<GoalId> = goals
            .into_iter()
            .filter(|(_, g)| is_wanted(g))
            .map(|(id, _)| id)
            .collect();
        let is_whole = wanted.len() == count;
        // Some obligations are reached only by violating them.
        let at_once = at_once(procedure);
        let type_args = type_args.to_vec();
        Self {
            program,
            procedure,
            type_args,
            options,
            wanted,
            at_once,
            behind: behind(procedure),
            is_whole,
            pooled,
            graph,
            validator,
            effort,
            found,
            start: dtest_limits::clock::now(),
            clock: ThreadClock::start(),
        }
    }

    fn is_over(&self) -> bool {
        self.is_late() || self.effort.is_spent(self.validator.steps())
    }

    fn is_late(&self) -> bool {
        dtest_limits::memory::is_short() || self.clock.is_past(self.options.timeout)
    }

    /// Wanted obligations without a final result, from the end of the procedure. A violation with
    /// assumptions is not final.
    fn open(&self) -> Vec<GoalId> {
        let is_settled = |g: &GoalId| {
            self.found
                .violations
                .get(g)
                .is_some_and(Violation::is_certain)
                || self.found.holds.contains(g)
        };
        self.graph
            .goals_from_the_end()
            .filter(|g| self.wanted.contains(g) && !is_settled(g))
            .collect()
    }

    fn run(&mut self) {
        // Cheap steps first: dead code, small bounds, then the more expensive sources.
        self.orphans();
        self.grow();
        self.try_changes();
        self.ask_again();
        self.try_other_types();
        self.resolve_otherwise();
        if !self.open().is_empty() {
            // Small inputs by enumeration, without the solver.
            self.try_seeds(self.options.enumerate as usize);
        }
        self.try_small();
        self.enumerate();
        self.execute_all_inputs();
        // Violations behind others and simplification come last, because they depend on all
        // results.
        self.search_behind_violations();
        self.shrink();
    }

    /// Searches for violations without proofs and claims within bounds.
    fn run_for_violations(&mut self) {
        self.grow();
        self.try_changes();
        self.ask_again();
        if !self.open().is_empty() {
            self.try_seeds(self.options.enumerate as usize);
        }
        self.try_small();
        self.shrink();
    }

    /// Searches for violations under other type arguments: by small inputs, and by models within
    /// the first bounds.
    fn try_other_types(&mut self) {
        // Types are tried as long as some wanted obligation has no violation.
        for types in instantiate::other_arguments(self.program, self.procedure, &self.type_args) {
            if self.is_over()
                || self
                    .wanted
                    .iter()
                    .all(|goal| self.found.violations.contains_key(goal))
            {
                return;
            }
            let own = std::mem::replace(&mut self.type_args, types);
            let violations = std::mem::take(&mut self.found.violations);
            // Only violations may be carried over: results such as proofs hold for these types
            // alone.
            let known = std::mem::replace(
                self.found,
                Found {
                    violations,
                    ..Found::default()
                },
            );
            self.try_seeds(MIN_INPUTS);
            // If the unit cannot be encoded, the small inputs have to suffice.
            let _size = self.look_for(self.options.start);
            self.type_args = own;
            let found = std::mem::replace(self.found, known);
            self.found.add(found);
        }
    }

    /// Records that obligations in code without a path from the entry hold.
    fn orphans(&mut self) {
        let on_a_path = self.graph.on_a_path();
        // An obligation without a path to it holds, whatever its condition.
        for goal in self.open() {
            if self
                .graph
                .place(goal)
                .is_some_and(|b| !on_a_path.contains(&b))
            {
                self.found.holds.insert(goal);
                if !self.at_once.contains(&goal) {
                    self.found.not_reached.insert(goal, None);
                }
            }
        }
    }

    /// Searches with growing bounds.
    fn grow(&mut self) {
        let mut bounds = self.options.start;
        let mut first = true;
        while !self.open().is_empty() && !self.is_over() {
            // Overflowing encodings are repeated with rationed calls.
            let exhausted = match self.look_for(bounds) {
                Size::Overflows => {
                    bounds = bounds.rationed();
                    continue;
                }
                Size::Exhausted => true,
                Size::Fits => false,
            };
            if self.open().is_empty() || self.is_over() {
                return;
            }
            // A failed proof names the bounds to raise.
            let raise = match self.options.prove && !exhausted {
                true => self.prove(
                    bounds,
                    std::mem::take(&mut first),
                    &self.open(),
                    Session::brief,
                ),
                false => BoundKind::ALL.into_iter().collect(),
            };
            // Larger bounds cannot help an obligation on which the solver gave up, or whose models
            // were refuted repeatedly.
            let settled = |g: &GoalId| {
                self.found.gave_up.contains_key(g)
                    || self.found.refuted.get(g).is_some_and(|n| *n >= MAX_REFUTED)
            };
            let next = bounds.raised(&raise, &self.options.caps);
            if next == bounds || exhausted || self.open().iter().all(settled) {
                return;
            }
            bounds = next;
        }
    }

    /// Searches for executions that violate open obligations, unless the encoding is too large.
    fn look_for(&mut self, bounds: Bounds) -> Size {
        let mut session = match self.open_session(bounds) {
            Ok(session) => session,
            Err(size) => return size,
        };
        for goal in self.open() {
            // Goals that cannot be decided by larger bounds are skipped.
            let left = self.found.gave_up.contains_key(&goal)
                || self
                    .found
                    .refuted
                    .get(&goal)
                    .is_some_and(|n| *n >= MAX_REFUTED);
            let is_settled =
                self.found.violations.contains_key(&goal) || self.found.holds.contains(&goal);
            if self.is_over() {
                break;
            }
            if left || is_settled {
                continue;
            }
            // Short queries first. Those that fail are asked again later with the full budget.
            self.ask(&mut session, goal, bounds, Session::pass_briefly);
        }
        self.close(&session);
        Size::Fits
    }

    /// Opens a session that has all executions within the bounds, with every choice free.
    ///
    /// # Errors
    /// The size, if the encoding is too large.
    fn open_session(&mut self, bounds: Bounds) -> Result<Session<'p>, Size> {
        let started = dtest_limits::clock::now();
        let encoded = encode::encode_free(
            self.program,
            self.procedure.callable,
            &self.type_args,
            bounds,
            self.options.rounds,
        );
        self.found.times.encoding += started.elapsed();
        match encoded {
            Ok(encoding) if encoding.overflows && !bounds.is_rationed() => Err(Size::Overflows),
            Ok(encoding) if encoding.exhausted => {
                self.found.is_exhausted = true;
                self.found.reasons.extend(encoding.reasons.iter().cloned());
                Err(Size::Exhausted)
            }
            Ok(encoding) => {
                // The cost of building terms counts, even if no query follows.
                self.effort.spent.terms += encoding.terms().work() as u64;
                Ok(Session::new(encoding, self.options))
            }
            Err(reason) => {
                self.found.reasons.insert(reason);
                Err(Size::Exhausted)
            }
        }
    }

    /// Asks again for a few obligations on which short queries gave up, with the full budget of a
    /// query.
    fn ask_again(&mut self) {
        let open = self
            .open()
            .into_iter()
            .filter(|g| !self.found.violations.contains_key(g));
        let gave_up = open
            .filter_map(|g| Some((*self.found.gave_up.get(&g)?, g)))
            .take(MAX_ASKED_AGAIN);
        // Goals are grouped by bounds, so that they share an encoding.
        let mut again: SortedMap<Bounds, Vec<GoalId>> = SortedMap::new();
        gave_up.for_each(|(bounds, goal)| again.entry(bounds).or_default().push(goal));
        for (bounds, mut goals) in again {
            if self.is_over() {
                return;
            }
            let Ok(mut session) = self.open_session(bounds) else {
                continue;
            };
            for goal in &goals {
                if !self.is_over() {
                    self.ask(&mut session, *goal, bounds, Session::pass_with_full_budget);
                }
            }
            self.close(&session);
            goals.retain(|goal| {
                !self.found.violations.contains_key(goal) && !self.found.holds.contains(goal)
            });
            // A proof may succeed with a larger budget, too.
            if self.options.prove && !goals.is_empty() {
                self.prove(bounds, true, &goals, Session::full);
            }
        }
    }

    /// Asks for inputs that violate an obligation, and accounts for the cost.
    fn ask(
        &mut self,
        session: &mut Session<'p>,
        goal: GoalId,
        bounds: Bounds,
        query: fn(&mut Session<'p>, GoalId) -> Query,
    ) {
        self.ask_for(session, goal, bounds, query);
        self.effort.spent.solver += session.take_spent();
    }

    fn ask_for(
        &mut self,
        session: &mut Session<'p>,
        goal: GoalId,
        bounds: Bounds,
        query: fn(&mut Session<'p>, GoalId) -> Query,
    ) {
        // An encoding is complete only if it has every choice, not only that of the rule.
        let all_seen = session.encoding.is_complete();
        let stopped = session.stats().stopped;
        for attempt in 0..MAX_ATTEMPTS {
            match query(session, goal) {
                Query::Unreachable => {
                    // Without a model, nothing is known about executions that are cut. A claim
                    // about them is left to [`Self::prove`].
                    let proof = (attempt == 0 && all_seen).then(|| session.rests_on(goal));
                    if let Some(Some(facts)) = proof {
                        self.add_proof(session, goal, facts);
                    } else if let (0, Some(why)) = (attempt, session.encoding.narrowed.first()) {
                        self.found
                            .doubtful
                            .entry(goal)
                            .or_insert_with(|| OpenReason::LeftOut(why.clone()));
                    } else if attempt == 0 {
                        self.found
                            .bounded
                            .insert_enumerated(goal, &session.encoding);
                    }
                    return;
                }
                // The bounds are recorded, because the query is repeated at the same bounds.
                Query::Unknown => {
                    self.found.gave_up.insert(goal, bounds);
                    if session.stats().stopped > stopped {
                        self.found.stopped.insert(goal);
                    }
                    return;
                }
                Query::Model(model) => {
                    // Smaller values first, and only then the decoding: users read these inputs.
                    let model = session.smaller_to(goal, model);
                    let broken = match session.encoding.decode_freely(&model) {
                        Some((inputs, guide)) => self.follow(&inputs, guide, goal),
                        None if session.encoding.is_undecodable() => break,
                        None => false,
                    };
                    if broken || self.is_over() {
                        return;
                    }
                    // The next model must have other inputs.
                    session.block(goal, &model);
                }
            }
        }
        *self.found.refuted.entry(goal).or_default() += 1;
    }

    /// Simplifies the inputs of violations as long as they violate the same obligation under no
    /// more assumptions.
    fn shrink(&mut self) {
        let goals: Vec<GoalId> = self.found.violations.keys().copied().collect();
        for goal in goals {
            let Some(violation) = self.found.violations.get(&goal).cloned() else {
                continue;
            };
            if self.is_late() {
                return;
            }
            let choices = violation
                .choices
                .clone()
                .map_or(Resolution::Rule, Resolution::Again);
            let mut left = MAX_SHRINKS_BEHIND;
            let smaller = shrink::shrink_inputs(violation.inputs.clone(), |inputs| {
                // Violations behind others need the exact same assumptions: they were found by
                // continuing after these.
                if violation.is_behind() {
                    left = left.checked_sub(1)?;
                    let mut behind = self.validator.validate_on(inputs, &choices).into_iter();
                    return behind
                        .find(|(obligation, found)| {
                            *obligation == goal && found.given == violation.given
                        })
                        .map(|(_, found)| found);
                }
                let (obligation, found) = self.validator.validate(inputs, &choices).broken?;
                // A smaller violation must not depend on more assumptions.
                (obligation == Some(goal) && found.given <= violation.given).then_some(found)
            });
            if let Some(smaller) = smaller {
                self.found.violations.insert(goal, smaller);
            }
        }
    }

    fn close(&mut self, session: &Session<'p>) {
        let stats = session.stats();
        self.found.queries += stats.queries;
        self.found.times.solver += stats.time;
    }

    fn finish(self) -> CheckResult {
        let late = self.is_late();
        let steps = self.validator.steps();
        let (points, is_spent) = (self.effort.points(steps), self.effort.is_spent(steps));
        // The reason for stopping applies to all obligations without a better reason.
        let stopped = if late || is_spent {
            Some(self.stopped(late))
        } else {
            None
        };
        let found = self.found;
        found.times.total = self.start.elapsed();
        let is_narrow = !self.type_args.is_empty();
        let mut obligations = Vec::new();
        for (goal, _) in self.program.goals(self.procedure.callable) {
            if !self.wanted.contains(&goal) {
                continue;
            }
            // Executions first, then proofs, then claims within bounds.
            let verdict = match found.violations.remove(&goal) {
                Some(violation) => Verdict::Violated(Box::new(violation)),
                None if found.holds.contains(&goal) => {
                    let is_reached =
                        !found.not_reached.contains_key(&goal) || found.reached.contains(&goal);
                    match (is_narrow, is_reached) {
                        (false, true) => match found.rests_on.remove(&goal) {
                            Some(facts) => Verdict::HoldsAssuming(facts),
                            None => Verdict::Holds,
                        },
                        (false, false) => Verdict::NotReached,
                        // A proof for one type argument need not hold for others.
                        (true, true) => Verdict::HoldsWithin {
                            scope: Scope::default(),
                            bounds: self.options.caps,
                            raise: SortedSet::new(),
                            gave_up: false,
                        },
                        (true, false) => Verdict::Open(OpenReason::NotReached(Scope::default())),
                    }
                }
                None => within(found, goal, &self.options.caps)
                    .unwrap_or_else(|| Verdict::Open(why_open(found, goal, stopped))),
            };
            obligations.push((goal, verdict));
        }
        let notes = self
            .procedure
            .type_params
            .iter()
            .zip(&self.type_args)
            .map(|(p, t)| crate::describe::type_argument(self.program, *p, t));
        CheckResult {
            unit: self.procedure.callable,
            obligations,
            others: std::mem::take(&mut found.others),
            notes: notes.collect(),
            executions: found.executions,
            queries: found.queries,
            times: found.times,
            points,
            is_spent,
            timed_out: late,
        }
    }

    /// The budget that stopped the search.
    fn stopped(&self, late: bool) -> Unsettled {
        match (late, self.options.part > 1) {
            (true, _) => Unsettled::TimeOver,
            (false, false) => Unsettled::CostOver,
            (false, true) => Unsettled::PartOfCostOver,
        }
    }
}

/// Obligations whose place is reached only by violating them: their probe is always shown, or it
/// stands behind all cases, of which one has to apply. An `assert false` is none of them: if nothing
/// reaches it, it says nothing.
fn at_once(procedure: &ir::Procedure) -> SortedSet<GoalId> {
    let probes = procedure.blocks.iter().flat_map(|b| &b.stmts);
    let is_case = |probe: u32| {
        let goal = procedure.probes.get(probe as usize);
        goal.is_some_and(|g| {
            let GoalReason::Broken { obligation, .. } = &g.reason else {
                return false;
            };
            *obligation == ObligationKind::Case
        })
    };
    let always = probes.filter_map(|stmt| {
        if let StmtKind::Probe { probe, cond } = &stmt.kind {
            let is_literal = |e: &Expr, value: bool| {
                matches!(e.kind, ExprKind::Literal(Literal::Bool(b)) if b == value)
            };
            let is_behind_cases = || {
                let ExprKind::Op(ir::Op::Not, args) = &cond.kind else {
                    return false;
                };
                is_case(*probe) && args.iter().all(|e| is_literal(e, false))
            };
            (is_literal(cond, true) || is_behind_cases()).then_some(GoalId::Probe(*probe))
        } else {
            None
        }
    });
    always.collect()
}

/// The obligations that follow each obligation in its statement.
fn behind(procedure: &ir::Procedure) -> SortedMap<GoalId, SortedSet<GoalId>> {
    let mut behind: SortedMap<GoalId, SortedSet<GoalId>> = SortedMap::new();
    for block in &procedure.blocks {
        // The probes of a statement stand before it, in the order of evaluation.
        let mut earlier: Vec<GoalId> = Vec::new();
        for stmt in &block.stmts {
            let StmtKind::Probe { probe, .. } = &stmt.kind else {
                earlier.clear();
                continue;
            };
            let goal = GoalId::Probe(*probe);
            for before in &earlier {
                behind.entry(*before).or_default().insert(goal);
            }
            earlier.push(goal);
        }
    }
    behind
}
