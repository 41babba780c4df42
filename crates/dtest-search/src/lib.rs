//! The search for test cases: goals × solver × interpreter.
//!
//! [`search_unit`] is the entry point, `Search` has the state of one unit's search. Every model of
//! the solver is only a candidate: it is decoded, checked against types and preconditions and
//! executed by the interpreter ([`validate`]). Only goals that this execution reaches count as
//! covered. A unit passes through these stages:
//!
//! 1. A few small inputs are validated without the solver ([`seeds`]).
//! 2. With growing bounds, an encoding and an incremental solver ([`session`]) are asked for each
//!    open goal in reverse topological order. A model is grown to reach further open goals, and
//!    refuted models are blocked.
//! 3. Open goals are proved unreachable over an encoding without cuts. The unsat core of a failed
//!    proof names the bounds to raise.
//! 4. More inputs are enumerated where the encoding or the interpreter could not follow the
//!    program.
//! 5. The suite is reduced ([`suite`]), its inputs are simplified ([`unalias`], [`shrink`]) and
//!    diversified ([`diversify`]), and tests are moved to inputs that kill more mutants
//!    ([`strengthen`]).
//!
//! The hard part is the honesty of results: a goal without a test gets the status that the weakest
//! step of its search justifies, and a goal that exceeds a budget is never reported as unreachable.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//! use dafny_resolve::{resolve_text, typed::Options};
//! use dtest_ir::Criteria;
//!
//! let source = "method Sign(x: int) returns (r: int) { if x < 0 { r := -1; } else { r := 1; } }";
//! let (_, program, _) = resolve_text("sign.dfy", source, Options::default());
//! let program = dtest_lower::lower_for(Arc::new(program), Criteria::default());
//! let unit = &dtest_lower::units::units(&program.typed, |_| true)[0];
//! let result = dtest_search::search_unit(&program, unit.callable, &dtest_search::Options::default());
//! assert_eq!(result.tests.len(), 2);
//! ```
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod api;
mod asked;
mod bounded;
pub mod check;
mod coherent;
pub mod configured_inputs;
mod constants;
pub mod construct;
mod cut_after;
pub mod dead;
pub mod describe;
mod diversify;
mod effort;
mod enlarge_collections;
mod enrich;
mod exhaust;
mod finish;
mod graph;
mod hunt;
mod infect;
mod instantiate;
mod limits;
mod local;
mod long_inputs;
mod mutate;
mod optimal;
mod outcome;
mod parts;
mod paths;
pub mod pool;
pub mod portable;
pub mod random;
mod relations;
pub mod resolutions;
pub mod scenarios;
mod seeds;
mod sequences;
mod session;
mod shrink;
mod shrink_integers;
pub mod small;
pub mod specimen;
mod states;
mod strengthen;
mod structural;
mod suite;
mod texts;
mod unalias;
mod validate;

pub use api::*;

#[cfg(test)]
mod inlined_tests;
#[cfg(test)]
mod larger_tests;
#[cfg(test)]
mod long_inputs_tests;
#[cfg(test)]
mod mutant_tests;
#[cfg(test)]
mod sequences_tests;
#[cfg(test)]
mod system_tests;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::time::{Duration, Instant};

use bounded::AllBounded;
use constants::{Constants, Reach};
use dafny_resolve::typed::{self, AttributeArg, Attributes, Body, CallableId, CallableKind, Type};
use dtest_desugar::ExternalCode as _;
use dtest_encode::{self as encode, BoundKind, Encoding, Fact, Mode};
use dtest_interp::{Inputs, Interp, Limits};
use dtest_ir::reason::{Reason, Reasons, Stopped};
use dtest_ir::{self as ir, Criterion, GoalId};
use dtest_limits::memory;
use dtest_mutants::Mutation;
use dtest_smt as smt;
use dtest_sorted::{SortedMap, SortedSet};
use effort::Effort;
use graph::Graph;
use instantiate::type_arguments;
use resolutions::Resolutions;
use session::{Session, Verdict};
use validate::{Candidate, Validator};

/// Searches for inputs of `unit` that reach its goals. Runs on the calling thread, with a solver
/// context of its own.
pub fn search_unit(program: &ir::Program, unit: CallableId, options: &Options) -> UnitResult {
    search_unit_with(program, unit, options, None)
}

/// The same, with inputs from the pool of the program.
pub fn search_unit_with(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    pool: Option<&pool::Pool>,
) -> UnitResult {
    let Some(procedure) = program.procedures.get(&unit) else {
        return UnitResult::unsupported(program, unit, &Stopped::NoBody.into());
    };
    let options = &options.for_unit(program, procedure);
    match type_arguments(program, unit) {
        Ok(type_args) => {
            let mut search = Search::new(program, procedure, type_args, options).drawing_from(pool);
            search.try_seeds(options.seeds as usize);
            // A smaller suite can exist only if there are several tests.
            let improvable = options.minimize == Minimize::Optimal && search.accepted.len() > 1;
            search.settle_only_execution();
            if search.open().is_empty() && !improvable && !search.wants_paths() {
                search.minimize();
                return search.finish();
            }
            // Solver terms belong to a context, and the search borrows the interpreter. The second
            // search gets a fresh context, takes over the results of the first one, and continues.
            let (start, type_args, accepted, steps) = (
                search.start,
                search.type_args,
                search.accepted,
                search.validator.interp().steps(),
            );
            let known = (
                search.validator.findings,
                search.validator.blocked,
                search.validator.blocked_goals,
                search.validator.paths,
            );
            smt::with_fresh_context(|| {
                let mut search =
                    Search::new(program, procedure, type_args, options).drawing_from(pool);
                search.start = start;
                search.since = start;
                search.effort.spent.instructions = steps;
                (
                    search.validator.findings,
                    search.validator.blocked,
                    search.validator.blocked_goals,
                    search.validator.paths,
                ) = known;
                accepted.into_iter().for_each(|t| search.accept(t));
                search.run()
            })
        }
        Err(reason) => UnitResult::unsupported(program, unit, &reason),
    }
}

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

/// Number of executions without an end, if none ended, after which no more inputs are executed.
const MAX_ENDLESS: u32 = 12;

/// Size of a call tree, in calls in the text, from which on the interpreter keeps summaries of
/// callees.
const LARGE_TREE_CALLS: u64 = 2_000;

/// Size of a call tree from which on the encoding follows only some of the calls.
const HUGE_TREE_CALLS: u64 = 50_000;

/// Number of tests for a unit without a Dafny body, unless its contract has more goals.
const MAX_OPAQUE_TESTS: usize = 6;

/// The state of the search for one unit.
///
/// Invariants: `covered` is the union of the goals of `accepted`; a goal is open if it is neither
/// in `covered` nor in `status`.
struct Search<'p> {
    program: &'p ir::Program,
    procedure: &'p ir::Procedure,
    options: &'p Options,
    type_args: Vec<Type>,
    graph: Graph,
    validator: Validator<'p>,
    accepted: Vec<Candidate>,
    covered: SortedSet<GoalId>,
    status: SortedMap<GoalId, GoalStatus>,
    /// Goals whose models the interpreter refuted, with the number of bounds at which that
    /// happened.
    refuted: SortedMap<GoalId, u32>,
    /// Goals that executions within the bounds pass only by breaking one of these assumptions of
    /// the program.
    failing: SortedMap<GoalId, Vec<Fact>>,
    /// Goals that, according to the solver, are reached only past a violation: the index of its
    /// finding.
    past_findings: SortedMap<GoalId, usize>,
    /// Goals at which the solver gave up. Larger bounds are not tried, because they are harder.
    gave_up: SortedSet<GoalId>,
    /// Goals at whose proof the solver gave up.
    unproved: SortedSet<GoalId>,
    /// The criterion whose goals are searched for; `None` means those of all criteria.
    stage: Option<Criterion>,
    /// Whether small changes of known inputs were tried.
    mutated: bool,
    effort: Effort,
    /// Whether the encoding resolved a nondeterministic choice by the rule for choices where Dafny
    /// allows other results.
    choices: bool,
    /// Results for goals that executions reach only by crossing a bound.
    bounded: AllBounded,
    /// The last bounds, and whether they are the highest ones; `None` if the search ended before.
    ended: Option<(Bounds, bool)>,
    start: Instant,
    /// Start of the time for the current criterion.
    since: Instant,
    late: Cell<bool>,
    /// Bounds of the last encoding.
    bounds: Bounds,
    /// Whether the search for surviving mutants was cut while it made progress.
    is_cut: bool,
    /// Mutants that are equivalent to the unit.
    equivalent: Vec<(Mutation, Equivalence)>,
    claims: Vec<dafny_source::Name>,
    least: Option<usize>,
    notes: Vec<dafny_source::Name>,
    queries: u64,
    times: Times,
    transcript: Option<String>,
    short: Cell<bool>,
}

impl<'p> Search<'p> {
    fn new(
        program: &'p ir::Program,
        procedure: &'p ir::Procedure,
        type_args: Vec<Type>,
        options: &'p Options,
    ) -> Self {
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        let interp = Interp::new(program, limits);
        // Equal calls of a large tree are executed once, by their summaries.
        let calls = program.call_tree_size(procedure.callable);
        if calls > LARGE_TREE_CALLS || options.start.is_rationed() {
            interp.summarise();
        }
        Self {
            program,
            procedure,
            options,
            graph: Graph::new(program, procedure),
            validator: Validator::new(interp, procedure, options.asked),
            type_args,
            accepted: Vec::new(),
            covered: SortedSet::new(),
            status: SortedMap::new(),
            refuted: SortedMap::new(),
            failing: SortedMap::new(),
            past_findings: SortedMap::new(),
            gave_up: SortedSet::new(),
            unproved: SortedSet::new(),
            stage: None,
            mutated: false,
            effort: Effort::new(options),
            choices: false,
            bounded: AllBounded::default(),
            ended: None,
            start: dtest_limits::clock::now(),
            since: dtest_limits::clock::now(),
            late: Cell::new(false),
            // A full encoding of a huge tree would overflow anyway.
            bounds: if calls > HUGE_TREE_CALLS {
                options.start.rationed()
            } else {
                options.start
            },
            is_cut: false,
            equivalent: Vec::new(),
            claims: Vec::new(),
            least: None,
            notes: Vec::new(),
            queries: 0,
            times: Times::default(),
            transcript: options.transcript.then(String::new),
            short: Cell::new(false),
        }
    }

    /// The same search, with inputs from a pool.
    fn drawing_from(mut self, pool: Option<&'p pool::Pool>) -> Self {
        self.validator.pool = pool;
        self
    }

    fn run(mut self) -> UnitResult {
        let mut reasons = Reasons::default();
        let start = self.bounds;
        for (i, criterion) in self.criteria().into_iter().enumerate() {
            self.stage = Some(criterion);
            // Every criterion after the first one starts with the first bounds and a fresh budget.
            if i > 0 {
                self.bounds = if self.bounds.is_rationed() {
                    start.rationed()
                } else {
                    start
                };
                self.renew();
            }
            reasons.extend(self.seek());
        }
        self.stage = None;
        self.settle(&reasons);
        if self.wants_paths() {
            self.paths();
        }
        self.minimize();
        self.finish()
    }

    /// The criteria that have open goals, the default one first. Each gets a budget of its own, so
    /// that the results of one criterion do not depend on the others.
    fn criteria(&self) -> SortedSet<Criterion> {
        let open = self.open();
        open.into_iter()
            .filter_map(|g| self.program.criterion(self.procedure.callable, g))
            .collect()
    }

    /// Searches for the open goals of the current criterion. Returns the reasons why something
    /// could not be encoded.
    fn seek(&mut self) -> Reasons {
        let reasons = if self.open().is_empty() {
            Reasons::default()
        } else {
            self.solve()
        };
        // Enumeration helps where the solver's view of the unit is incomplete.
        if !self.open().is_empty()
            && (!reasons.is_empty() || !self.refuted.is_empty() || self.validator.blocked.is_some())
        {
            self.try_seeds(self.options.enumerate as usize);
        }
        // Random changes do not depend on the encoding and are cheap compared with queries.
        if !self.open().is_empty() && !self.mutated {
            self.mutate();
        }
        // Goals before hard code, goals that need longer inputs than the bounds allow, and goals
        // that only other choices reach need searches of their own.
        self.cover_by_long_inputs();
        self.cover_before_the_rest();
        self.resolve_otherwise(&reasons);
        reasons
    }

    /// Starts a new budget and a new time limit.
    fn renew(&mut self) {
        let steps = self.validator.interp().steps();
        self.effort.renew(self.options, steps);
        self.since = dtest_limits::clock::now();
        self.mutated = false;
    }

    /// Whether the search has to stop.
    fn is_over(&self) -> bool {
        self.is_spent() || self.is_endless()
    }

    /// Whether the unit's budget is exhausted. The clock is a safety net.
    fn is_spent(&self) -> bool {
        self.effort.is_spent(self.validator.interp().steps()) || self.is_late()
    }

    /// The budget that stops the search. If none is exhausted, it is that of a query.
    fn used_up(&self) -> Budget {
        if self.is_short() {
            Budget::Memory
        } else if self.is_late() {
            Budget::Clock
        } else if self.effort.is_spent(self.validator.interp().steps()) {
            Budget::Unit
        } else {
            Budget::Query
        }
    }

    fn is_late(&self) -> bool {
        let is_after = |end| dtest_limits::clock::now() > end;
        let is_late =
            self.since.elapsed() > self.options.timeout || self.options.until.is_some_and(is_after);
        self.late.set(self.late.get() || is_late);
        self.is_short() || is_late
    }

    /// Whether memory was short at some time during the search.
    fn is_short(&self) -> bool {
        self.short.set(self.short.get() || memory::is_short());
        self.short.get()
    }

    /// Open goals of the current criterion, in reverse topological order.
    fn open(&self) -> Vec<GoalId> {
        let unit = self.procedure.callable;
        let is_wanted = |g: &GoalId| {
            self.stage.is_none_or(|s| {
                self.program
                    .criterion(unit, *g)
                    .is_none_or(|criterion| criterion == s)
            })
        };
        let is_open = |g: &GoalId| !self.covered.contains(g) && !self.status.contains_key(g);
        self.graph
            .goals_from_the_end()
            .filter(|g| is_open(g) && is_wanted(g))
            .collect()
    }

    /// Accepts a candidate, unless an accepted one reaches all of its goals.
    fn accept(&mut self, mut candidate: Candidate) {
        // A path is a goal only once a validated candidate takes it.
        if self.wants_paths() {
            let path = self.validator.number_path(&candidate.execution.path);
            if !candidate.covers.contains(&path) {
                candidate.covers.push(path);
                candidate.order.push(path);
            }
        }
        // Without a body, goals cannot distinguish inputs: different inputs are accepted up to a
        // limit.
        if self.is_opaque() {
            let is_new = self.accepted.iter().all(|t| {
                t.inputs.args != candidate.inputs.args || t.inputs.heap != candidate.inputs.heap
            });
            if is_new
                && (self.accepted.len() < MAX_OPAQUE_TESTS
                    || candidate.covers.iter().any(|b| !self.covered.contains(b)))
            {
                self.covered.extend(candidate.covers.iter().copied());
                self.accepted.push(candidate);
            }
            return;
        }
        // A candidate whose goals an accepted one covers adds nothing.
        if self
            .accepted
            .iter()
            .any(|t| candidate.covers.iter().all(|b| t.covers.contains(b)))
        {
            return;
        }
        self.covered.extend(candidate.covers.iter().copied());
        self.accepted.push(candidate);
    }

    /// Whether hardly any execution ends within the limits. Each such execution is expensive.
    fn is_endless(&self) -> bool {
        self.accepted.is_empty() && self.validator.endless >= MAX_ENDLESS
    }

    /// Whether the code under test is linked Rust. Its blocks are unknown, so that several inputs
    /// are worth more than one.
    fn is_opaque(&self) -> bool {
        let unit = self.procedure.callable;
        matches!(self.program.typed[unit].body, Body::None) && self.program.typed.is_linked(unit)
    }

    /// Validates up to `count` small inputs without the solver, and inputs whose objects are in
    /// states that calls lead to.
    fn try_seeds(&mut self, count: usize) {
        // States that calls lead to come first, because they make realistic tests.
        let states = self.validator.given(&self.type_args);
        let mut all = states::inputs(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            &|ty| states.of(ty),
        );
        all.extend(seeds::seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            count,
        ));
        all.extend_from_slice(self.validator.pooled());
        // Short executions first: those that take long may use up what all others need.
        self.validator.keep_short(&self.accepted);
        let long = self.try_all(all);
        self.validator.interp().keep_short(None);
        self.try_all(long.into_iter().take(MAX_ENDLESS as usize).collect());
    }

    /// Validates inputs while goals are open. Returns those whose executions were cut because they
    /// take long.
    fn try_all(&mut self, all: Vec<Inputs>) -> Vec<Inputs> {
        let (mut made_up, mut long) = (Vec::new(), Vec::new());
        for inputs in all {
            // Linked code needs several tests even if every goal is covered.
            let is_enough = self.open().is_empty()
                && (!self.is_opaque() || self.accepted.len() >= MAX_OPAQUE_TESTS);
            if is_enough || self.is_over() {
                break;
            }
            let cut = self.validator.cut;
            let candidate = self.validator.validate(inputs.clone());
            if self.validator.cut > cut {
                long.push(inputs);
            }
            if let Some(candidate) = candidate {
                // Inputs of the pool, which come last, may reach the same goals with objects that
                // calls lead to.
                if self.validator.is_made_up(&candidate) {
                    made_up.push(candidate);
                } else {
                    self.accept(candidate);
                }
            }
        }
        for candidate in made_up {
            let is_covered = candidate.covers.iter().all(|g| self.covered.contains(g));
            if !is_covered || self.is_opaque() {
                self.accept(candidate);
            }
        }
        long
    }

    /// Decides all goals of a unit that has only one execution: it has no inputs, and the execution
    /// depends on no choice and no stub.
    fn settle_only_execution(&mut self) {
        let is_constructor =
            self.program.typed[self.procedure.callable].kind == CallableKind::Constructor;
        if self.procedure.params.len() != usize::from(is_constructor) || self.validator.is_free {
            return;
        }
        for goal in self.open() {
            // The single execution decides each goal: by its violation, by its obstacle, or by its
            // end.
            let found = self
                .validator
                .findings
                .iter()
                .position(|f| f.blocks.contains(&goal));
            let status = if let Some(i) = found {
                GoalStatus::OnlyByFinding(i)
            } else if let Some(reason) = &self.validator.blocked {
                GoalStatus::Unsupported(
                    self.validator
                        .blocked_goals
                        .get(&goal)
                        .unwrap_or(reason)
                        .clone(),
                )
            } else if self.accepted.is_empty() {
                continue;
            } else {
                GoalStatus::UnreachableProved {
                    why: "there are no inputs, and the only execution does not reach it".into(),
                }
            };
            self.status.insert(goal, status);
        }
    }

    /// Asks the solver, with growing bounds. Returns the reasons why something could not be
    /// encoded.
    fn solve(&mut self) -> Reasons {
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
            // No larger bounds: each open goal gets the status of the most specific obstacle. If
            // something was not encoded, or choices were resolved, nothing is known and the goals
            // stay open.
            if next == bounds || exhausted {
                self.enumerate(&self.open());
                self.ended = searched
                    .map(|bounds| (bounds, !exhausted && !hopeless && !bounds.is_rationed()));
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
                    if reasons.is_empty() && !self.choices {
                        self.status.insert(goal, status);
                    }
                }
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

    /// Searches for open goals that are reached only if choices are resolved differently from the
    /// rule that tests follow.
    fn resolve_otherwise(&mut self, reasons: &Reasons) {
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
    fn encode(&mut self, bounds: Bounds, mode: Mode) -> Result<Encoding<'p>, Reason> {
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
    fn cut(&mut self) -> Result<Encoding<'p>, Reason> {
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
    fn reach_all(
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
    fn claim(&mut self, session: &mut Session<'p>, goal: GoalId, why: String) {
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
    fn explain_bad_end(&mut self, session: &mut Session<'p>, goal: GoalId) {
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
    fn is_found(&self, goal: GoalId) -> bool {
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
    fn validate(
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
    fn reach(&mut self, session: &mut Session<'p>, goal: GoalId, hard: bool) -> bool {
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
    fn prove(&mut self, bounds: Bounds, undecided: &SortedSet<GoalId>) -> SortedSet<BoundKind> {
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

    /// Searches for the minimum suite if [`Minimize::Optimal`] is set, and claims the result.
    fn minimize(&mut self) {
        if self.options.minimize != Minimize::Optimal
            || self.is_opaque()
            || self.accepted.is_empty()
        {
            return;
        }
        suite::reduce(&mut self.accepted);
        // Each test takes exactly one path. With a test for every path, the suite cannot be
        // smaller.
        let is_minimal =
            self.accepted.len() < 2 || self.validator.paths.len() == self.accepted.len();
        let least = if is_minimal {
            self.accepted.len()
        } else {
            // Only the solver can show whether fewer tests suffice.
            match self.cut() {
                Ok(encoding) if !encoding.exhausted && !self.wants_paths() => {
                    let mut session = Session::new(encoding, self.options);
                    let known = &self.accepted;
                    let outcome = optimal::improve(
                        &mut session,
                        &mut self.validator,
                        &self.graph,
                        known,
                        self.options,
                    );
                    self.close(&mut session);
                    if let Some(candidates) = outcome.smaller {
                        self.accepted = candidates;
                    }
                    outcome.least
                }
                Ok(_) | Err(_) => 1,
            }
        };
        self.least = Some(least);
        let count = self.accepted.len();
        let tests = if count == 1 {
            "1 test".to_owned()
        } else {
            format!("{count} tests")
        };
        self.claims.push(match least.cmp(&count) {
            std::cmp::Ordering::Less => {
                format!("{tests}, of which at least {least} are needed").into()
            }
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => format!(
                "{tests}, the minimum that reaches these goals within the bounds ({})",
                self.bounds
            )
            .into(),
        });
    }

    fn close(&mut self, session: &mut Session<'p>) {
        let stats = session.stats();
        self.queries += stats.queries;
        self.times.solver += stats.time;
        self.effort.spent.solver += session.take_spent();
        if let (Some(all), Some(text)) = (&mut self.transcript, session.transcript()) {
            all.push_str(text);
        }
    }
}

impl Options {
    /// The options with the maximum bounds that the unit's conditions need. If a condition compares
    /// the size of a collection with a constant, the maximum size of collections rises to the
    /// constant. The maximum number of loop iterations rises too, because a loop may iterate over
    /// the collection.
    fn for_unit(&self, program: &ir::Program, procedure: &ir::Procedure) -> Self {
        let mut options = self.clone();
        if let Some(limit) = time_limit(&program.typed, procedure.callable) {
            // The limit of the whole run takes precedence.
            options.timeout = match self.until {
                Some(_) => limit.min(self.timeout),
                None => limit,
            };
        }
        // A configured collection size takes precedence over the sizes in the program.
        let sizes = if self.asked.collection.is_none() {
            Constants::of(program, procedure, Reach::FAR).sizes
        } else {
            SortedSet::new()
        };
        if let Some(largest) = sizes.last().filter(|n| **n > self.caps.collection) {
            options.caps.collection = *largest;
            if self.asked.unroll.is_none() {
                options.caps.unroll = self.caps.unroll.max(*largest);
            }
        }
        options
    }
}

/// The time limit in seconds that `{:timeLimit N}` sets for a unit. `0`, which means no limit to
/// Dafny, is ignored: every search has a limit.
fn time_limit(program: &typed::Program, unit: CallableId) -> Option<Duration> {
    let [AttributeArg::Int(seconds)] = program[unit].attribute("timeLimit")?.args.as_slice() else {
        return None;
    };
    u64::try_from(seconds)
        .ok()
        .filter(|s| *s > 0)
        .map(Duration::from_secs)
}
