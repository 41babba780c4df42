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

mod add_tests;
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
mod neighbours;
mod optimal;
mod outcome;
mod parts;
mod paths;
pub mod pool;
pub mod portable;
mod purposes;
pub mod random;
mod relations;
mod remake;
pub mod resolutions;
pub mod scenarios;
mod seeds;
mod sequences;
mod session;
mod shrink;
mod shrink_integers;
mod simpler;
pub mod small;
mod solve;
pub mod specimen;
mod states;
mod steer;
mod strengthen;
mod structural;
mod suite;
mod texts;
mod unalias;
mod validate;

pub use api::*;

#[cfg(test)]
mod criteria_tests;
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
use dtest_encode::Fact;
use dtest_interp::{Inputs, Interp, Limits};
use dtest_ir::reason::{Reasons, Stopped};
use dtest_ir::{self as ir, Criterion, GoalId};
use dtest_limits::memory;
use dtest_mutants::Mutation;
use dtest_smt::{self as smt, ThreadClock};
use dtest_sorted::{SortedMap, SortedSet};
use effort::Effort;
use graph::Graph;
use instantiate::type_arguments;
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
            let (start, since, type_args, accepted, steps) = (
                search.start,
                search.since,
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
                search.since = since;
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
    /// Whether the unit is too large to encode, even at the least bounds.
    is_too_large: bool,
    /// Results for goals that executions reach only by crossing a bound.
    bounded: AllBounded,
    /// The last bounds, and whether they are the highest ones; `None` if the search ended before.
    ended: Option<(Bounds, bool)>,
    start: Instant,
    /// Start of the time for the current criterion.
    since: ThreadClock,
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
            is_too_large: false,
            bounded: AllBounded::default(),
            ended: None,
            start: dtest_limits::clock::now(),
            since: ThreadClock::start(),
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
        // Large units get executions before the solver, which may use up their time.
        let is_large = self.program.call_tree_size(self.procedure.callable) > LARGE_TREE_CALLS;
        if is_large {
            self.steer();
        }
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
        // What the solver did not decide may be reached by following executions.
        if !is_large {
            self.steer();
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
        self.since = ThreadClock::start();
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
            self.since.is_past(self.options.timeout) || self.options.until.is_some_and(is_after);
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
        let largest = match self.asked.collection {
            None => Constants::of(program, procedure, Reach::FAR).largest_size(),
            Some(_) => None,
        };
        if let Some(largest) = largest.filter(|n| *n > self.caps.collection) {
            options.caps.collection = largest;
            if self.asked.unroll.is_none() {
                options.caps.unroll = self.caps.unroll.max(largest);
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
