//! Obligations: which of them some execution breaks, which hold, and how sure that is.
//!
//! The program is one in which nothing is ghost and every obligation is a goal that is reached where it is broken
//! ([`ir::Criterion::Obligation`]). A unit goes through small inputs, then, for growing bounds, models of the solver in which
//! choices are free, a proof over the unconstrained encoding for what is left, and inputs again with choices that look random. Every
//! violation is an execution of the interpreter ([`judge`]), whose inputs are made smaller by trial.

mod explore;
mod follow;
mod shade;
#[cfg(test)]
mod tests;
mod validate;

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::api::{Bounds, Options, Times};
use super::bounded::AllBounded;
use super::effort::Effort;
use super::graph::Graph;
use super::session::{self, Bounded, Session, Verdict as Query};
use super::{instantiate, seeds, shrink, small, type_arguments};
use crate::encode::{self, BoundKind, Mode, Scope};
use crate::interp::{Chosen, Failure, Guide, Inputs, Interp, Limits, Resolution};
use crate::ir::{self, ExprKind, GoalId, ObligationKind, StmtKind};
use crate::reason::{Cut, OpenReason, Reason, Reasons, Stopped, Unsettled};
use crate::smt;
use dafny_resolve::typed::{CallableId, Literal, Type};
use dafny_syntax::source::{Name, Span};
use dtest_sorted::{SortedMap, SortedSet};
pub use explore::{Ended, Exploration, Explore, Explored, Strategy, explore, replay};
pub use follow::{follow, trace};
use validate::Validator;

/// Something that nobody runs or checks, on which an execution rests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Given {
    /// What somebody answered for a callable whose code is not Dafny's, or is not there.
    Answer(CallableId),
    /// An obligation that comes before and of which it is not known whether the execution keeps it. Why it is not known.
    Undecided(Span, Reason),
    /// An obligation that the execution breaks before and that is disregarded: nothing is known of executions that keep it.
    Disregarded(ObligationKind, Span),
}

/// An execution that violates an obligation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// What it starts from.
    pub inputs: Inputs,
    /// How it ends.
    pub failure: Failure,
    /// The choices that lead there ([`crate::interp::Resolution::Again`]); `None`: those of the rule for choices.
    pub choices: Option<Vec<Chosen>>,
    /// What it rests on; empty: it is an execution of the program, whatever else is so.
    pub given: Vec<Given>,
}

impl Violation {
    /// Whether it rests on nothing.
    pub fn is_certain(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether it rests on it that obligations are disregarded which its execution breaks before.
    pub fn is_behind(&self) -> bool {
        self.given
            .iter()
            .any(|g| matches!(g, Given::Disregarded(..)))
    }
}

/// What became of an obligation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// An execution breaks it.
    Violated(Box<Violation>),
    /// No execution breaks it first, whatever the sizes of inputs and the lengths of executions.
    Holds,
    /// No execution comes to it, whatever the sizes of inputs and the lengths of executions, so that nothing is known of what it says.
    NotReached,
    /// No execution from these inputs breaks it first: each was followed to its end, and some come to it.
    HoldsWithin {
        /// The inputs.
        scope: Scope,
        /// The bounds in force.
        bounds: Bounds,
        /// The kinds that stand in the way of a proof and that the search may not raise; empty: what stopped it are not the bounds.
        raise: SortedSet<BoundKind>,
        /// Whether the solver gave up on larger ones.
        gave_up: bool,
    },
    /// Nothing is known.
    Open(OpenReason),
}

/// The outcome for a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// The unit.
    pub unit: CallableId,
    /// Every obligation of the unit, in order.
    pub obligations: Vec<(GoalId, Verdict)>,
    /// Violations of obligations that stand elsewhere: in what the unit calls, and in contracts.
    pub others: Vec<Violation>,
    /// What a user should know, in sentences.
    pub notes: Vec<Name>,
    /// Executions.
    pub executions: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Where the time went.
    pub times: Times,
    /// What it cost, in points.
    pub points: u64,
    /// Whether it cost as much as it may.
    pub is_spent: bool,
    /// Whether the clock stopped the search ([`Options::timeout`]): another run may find more.
    pub timed_out: bool,
}

impl CheckResult {
    /// A result in which nothing is known of any obligation, for one reason.
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
    /// What is known by this search or by another one, of the obligations that this one looked at.
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

/// Whether a verdict goes before another one on the same obligation. What an execution shows goes before all else.
fn says_more(a: &Verdict, b: &Verdict) -> bool {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Violated(v) if v.is_certain() => 4,
        Verdict::Violated(_) => 3,
        Verdict::Holds | Verdict::NotReached => 2,
        Verdict::HoldsWithin { .. } => 1,
        Verdict::Open(_) => 0,
    };
    rank(a) > rank(b)
}

/// Models of one obligation, at one size of the bounds, that the interpreter may refute before it is left alone.
const ATTEMPTS: usize = 4;
/// Sizes of the bounds at which all models of an obligation may be refuted.
const MAX_REFUTED: u32 = 2;
/// Executions that do not end within the limits before small inputs are left alone.
const MAX_ENDLESS: u32 = 3;
/// Obligations on which short queries gave up that are asked once more, at most.
const AGAIN: usize = 4;
/// Small inputs that are executed at least: what breaks need not be an obligation of the unit, and some obligations are not known before.
const LEAST: usize = 12;
/// All small inputs of a size that are executed, at most; the part of what the unit may cost that they may, and the instructions that they may
/// in any case.
const MAX_SMALL: usize = 2_048;
const SMALL_PARTS: u64 = 8;
const MIN_SMALL: u64 = 8_000_000;
/// Inputs that are kept for other resolutions of choices.
const MAX_INPUTS: usize = 16;
/// Small inputs, and resolutions of choices, with which executions go on after obligations that they break.
const BEHIND: usize = 16;
/// Smaller inputs that are tried for what is broken behind another obligation.
const SHRINKS: u32 = 64;
/// Of these, those that are executed with other choices where no obligation is left to be looked at.
const OTHERWISE: usize = 2;
/// Resolutions that are tried of each.
const RESOLUTIONS: u64 = 24;

/// Looks for executions of `unit` that break its obligations. The program was lowered with obligations as goals. Runs on the calling thread, with a
/// solver context of its own.
pub fn check_unit(program: &ir::Program, unit: CallableId, options: &Options) -> CheckResult {
    check_obligations(program, unit, options, &|_| true)
}

/// The same for those obligations of `unit` that are wanted. No less is known of them than where all are looked at with as much effort: what is found on the way to
/// others may break them. Where none is, small inputs show what the unit breaks in what it calls.
pub fn check_obligations(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
) -> CheckResult {
    let alone = look_for(program, unit, options, is_wanted);
    let is_settled = |verdict: &Verdict| match verdict {
        Verdict::Violated(v) => v.is_certain(),
        Verdict::Holds | Verdict::NotReached => true,
        Verdict::HoldsWithin { .. } | Verdict::Open(_) => false,
    };
    if alone.obligations.len() == program.goals(unit).len()
        || alone
            .obligations
            .iter()
            .all(|(_, verdict)| is_settled(verdict))
    {
        return alone;
    }
    alone.or(look_for(program, unit, options, &|_| true))
}

fn look_for(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
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
    {
        let mut search = Search::new(
            program, procedure, &type_args, options, is_wanted, &mut found,
        );
        search.try_seeds(options.seeds as usize);
        if search.open().is_empty() {
            search.choose_otherwise();
            search.shrink();
            return search.finish();
        }
    }
    // The interpreter stays on its side of the context's border.
    smt::with_fresh_context(|| {
        let mut found = found;
        let mut search = Search::new(
            program, procedure, &type_args, options, is_wanted, &mut found,
        );
        search.run();
        search.finish()
    })
}

/// What executions of `unit` break, from inputs that somebody else chose, by the rule for choices and by others: the obligation of the unit, where it is
/// one of its own, and how. Inputs that may not be given break nothing.
pub fn broken_by(
    program: &ir::Program,
    unit: CallableId,
    options: &Options,
    all: &[Inputs],
) -> Vec<(Option<GoalId>, Violation)> {
    let Some(procedure) = program.procedures.get(&unit) else {
        return Vec::new();
    };
    let limits = Limits {
        steps: options.fuel,
        ..Limits::default()
    };
    let judge = Validator::new(Interp::new(program, limits), procedure, options.asked);
    let mut broken = Vec::new();
    for inputs in all {
        let seen = judge.judge(inputs, &Resolution::Rule);
        broken.extend(seen.broken);
        if seen.is_free {
            broken.extend(
                (0..OTHERWISE as u64)
                    .filter_map(|seed| judge.judge(inputs, &judge.random(seed)).broken),
            );
        }
    }
    broken
}

/// The verdict on a test whose execution checks every proof obligation.
#[derive(Clone, Debug)]
pub enum Replay {
    /// No obligation is known to be violated.
    Kept,
    /// A precondition or a type of a parameter does not hold: it could not be evaluated where ghost code is not executed.
    NotAdmissible,
    /// The execution violates an obligation, and this depends on no assumption.
    Violates(Box<Violation>),
}

/// Executes the inputs of tests in the program in which every proof obligation is executed.
pub struct Replayer<'p> {
    program: &'p ir::Program,
    facts: Arc<validate::ProgramFacts>,
    fuel: u64,
}

impl<'p> Replayer<'p> {
    /// For a program that was lowered with obligations as goals. `fuel` is the limit of steps of one execution.
    pub fn new(program: &'p ir::Program, fuel: u64) -> Self {
        Self {
            program,
            facts: Arc::new(validate::ProgramFacts::new(program)),
            fuel,
        }
    }

    /// What each of the inputs of a unit turns out to be, where choices follow the rule for choices.
    pub fn replay<'i>(
        &self,
        unit: CallableId,
        all: impl IntoIterator<Item = &'i Inputs>,
    ) -> Vec<Replay> {
        let all = all.into_iter();
        let Some(procedure) = self.program.procedures.get(&unit) else {
            return all.map(|_| Replay::Kept).collect();
        };
        let limits = Limits {
            steps: self.fuel,
            ..Limits::default()
        };
        let interp = Interp::new(self.program, limits);
        let judge = Validator::sharing(
            Arc::clone(&self.facts),
            interp,
            procedure,
            super::Asked::default(),
        );
        let replay = |inputs: &Inputs| {
            if !judge.may_be_given(inputs) {
                return Replay::NotAdmissible;
            }
            match judge.judge(inputs, &Resolution::Rule).broken {
                Some((_, violation)) if violation.is_certain() => {
                    Replay::Violates(Box::new(violation))
                }
                Some(_) | None => Replay::Kept,
            }
        };
        all.map(replay).collect()
    }
}

/// What is known so far.
#[derive(Debug, Default)]
struct Found {
    violations: SortedMap<GoalId, Violation>,
    others: Vec<Violation>,
    holds: SortedSet<GoalId>,
    /// What is known of obligations that no execution breaks unless it crosses a bound, with the largest bounds at which that is known.
    bounded: AllBounded,
    /// Obligations that no execution comes to, with the inputs of which that is known; without inputs: of all.
    not_reached: SortedMap<GoalId, Option<Scope>>,
    refuted: SortedMap<GoalId, u32>,
    /// Obligations that inputs break of which it is not known whether they may be given.
    doubtful: SortedMap<GoalId, OpenReason>,
    /// Obligations on which the solver gave up, with the bounds at which it did.
    gave_up: SortedMap<GoalId, Bounds>,
    /// Those of them where the clock stopped it.
    stopped: SortedSet<GoalId>,
    /// Inputs of executions in which something was chosen.
    inputs: Vec<Inputs>,
    /// Obligations that executions come to while they break none.
    come_to: SortedSet<GoalId>,
    /// What could not be encoded or executed.
    reasons: Reasons,
    /// Whether an encoding was given up because it was too large.
    is_exhausted: bool,
    endless: u32,
    executions: u64,
    queries: u64,
    times: Times,
}

impl Found {
    /// Adds a violation of an obligation that stands elsewhere. One that rests on nothing goes before one that rests on something.
    fn add_elsewhere(&mut self, violation: Violation) {
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

    /// Adds what was broken in a search of its own, and what that cost.
    fn add(&mut self, other: Self) {
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

struct Search<'p, 'a> {
    program: &'p ir::Program,
    procedure: &'p ir::Procedure,
    /// What the type parameters stand for.
    type_args: Vec<Type>,
    options: &'a Options,
    /// The obligations that are looked at.
    wanted: SortedSet<GoalId>,
    /// Those of which nothing comes to their places but what breaks them: that no case applies.
    at_once: SortedSet<GoalId>,
    /// Whether those are all there are.
    is_whole: bool,
    graph: Graph,
    judge: Validator<'p>,
    effort: Effort,
    found: &'a mut Found,
    start: Instant,
}

/// What an execution showed.
struct Executed {
    /// The obligation of the unit that it breaks.
    broken: Option<GoalId>,
    /// Whether it depends on choices.
    is_free: bool,
}

/// Whether an encoding can be searched.
enum Size {
    Fits,
    /// The tree of calls is too large to follow all of it.
    Overflows,
    /// It has too many terms, or the unit cannot be encoded.
    Exhausted,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(
        program: &'p ir::Program,
        procedure: &'p ir::Procedure,
        type_args: &[Type],
        options: &'a Options,
        is_wanted: &(dyn Fn(&ir::Goal) -> bool + Sync),
        found: &'a mut Found,
    ) -> Self {
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        let judge = Validator::new(Interp::new(program, limits), procedure, options.asked);
        let (graph, effort) = (Graph::new(program, procedure), Effort::new(options));
        let goals = program.goals(procedure.callable);
        let count = goals.len();
        let wanted: SortedSet<GoalId> = goals
            .into_iter()
            .filter(|(_, g)| is_wanted(g))
            .map(|(id, _)| id)
            .collect();
        let is_whole = wanted.len() == count;
        let at_once = at_once(procedure);
        let type_args = type_args.to_vec();
        Self {
            program,
            procedure,
            type_args,
            options,
            wanted,
            at_once,
            is_whole,
            graph,
            judge,
            effort,
            found,
            start: crate::clock::now(),
        }
    }

    fn is_over(&self) -> bool {
        self.is_late() || self.effort.is_spent(self.judge.interp().steps())
    }

    fn is_late(&self) -> bool {
        crate::memory::is_short() || self.start.elapsed() > self.options.timeout
    }

    /// Obligations that nothing is settled about, the last ones first.
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
        self.orphans();
        self.grow();
        self.ask_again();
        self.try_other_types();
        self.resolve_otherwise();
        if !self.open().is_empty() {
            self.try_seeds(self.options.enumerate as usize);
        }
        self.try_small();
        self.enumerate();
        self.go_on();
        self.shrink();
    }

    /// Looks for what is broken where the type parameters stand for other types: by small inputs, and by models within the first bounds.
    fn try_other_types(&mut self) {
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
            let known = std::mem::replace(
                self.found,
                Found {
                    violations,
                    ..Found::default()
                },
            );
            self.try_seeds(LEAST);
            // What cannot be encoded is left to small inputs.
            let _size = self.look_for(self.options.start);
            self.type_args = own;
            let found = std::mem::replace(self.found, known);
            self.found.add(found);
        }
    }

    /// Obligations in code that no path of the source leads to.
    fn orphans(&mut self) {
        let on_a_path = self.graph.on_a_path();
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

    fn try_seeds(&mut self, count: usize) {
        let all = seeds::seeds(
            self.program,
            self.judge.interp(),
            self.procedure,
            &self.type_args,
            count,
        );
        for (tried, inputs) in all.into_iter().enumerate() {
            let is_enough = self.open().is_empty()
                && (tried >= LEAST || !self.is_whole && !self.wanted.is_empty());
            if is_enough || self.is_over() || self.found.endless >= MAX_ENDLESS {
                break;
            }
            self.execute(&inputs, &Resolution::Rule);
        }
    }

    /// Executes all small inputs, as far as the unit can afford it. What the solver could not follow, such as a precondition that recurs
    /// over a tree, small inputs that satisfy it show.
    fn try_small(&mut self) {
        if self.open().is_empty() || self.is_late() {
            return;
        }
        let steps = self.judge.interp().steps();
        let most = steps + self.effort.instructions_of_part(SMALL_PARTS).max(MIN_SMALL);
        for size in 0..=small::MAX_SIZE {
            let (start, timeout) = (self.start, self.options.timeout);
            let interp = self.judge.interp();
            let afford = || interp.steps() < most && start.elapsed() <= timeout;
            let (program, procedure) = (self.program, self.procedure);
            let mut all = small::Enumeration::new(program, interp, procedure, &self.type_args);
            let listed = all.as_mut().and_then(|all| {
                // Smaller values come first, and are needed beside larger ones.
                (0..size).try_for_each(|smaller| all.of_size(smaller, 0, &afford).map(|_| ()))?;
                all.of_size(size, MAX_SMALL, &afford)
            });
            let Some(listed) = listed else { return };
            for inputs in listed {
                let is_affordable = self.judge.interp().steps() < most && !self.is_late();
                if self.open().is_empty() || !is_affordable || self.found.endless >= MAX_ENDLESS {
                    return;
                }
                self.execute(&inputs, &Resolution::Rule);
            }
        }
    }

    /// Looks behind obligations that are broken: at what their executions break next, as if these held. What was proved is left as it is where
    /// some execution comes to it: it holds because those before it do.
    fn go_on(&mut self) {
        if self.found.violations.is_empty() && self.found.others.is_empty() {
            return;
        }
        let again = |v: &Violation| {
            (
                v.inputs.clone(),
                v.choices
                    .clone()
                    .map_or(Resolution::Rule, Resolution::Again),
            )
        };
        let mut all: Vec<(Inputs, Resolution)> = self
            .found
            .violations
            .values()
            .chain(&self.found.others)
            .map(again)
            .collect();
        let random = all.first().map(|(inputs, _)| inputs.clone());
        let seeds = seeds::seeds(
            self.program,
            self.judge.interp(),
            self.procedure,
            &self.type_args,
            BEHIND,
        );
        all.extend(seeds.into_iter().map(|inputs| (inputs, Resolution::Rule)));
        all.extend(
            random
                .into_iter()
                .flat_map(|inputs| (0..BEHIND as u64).map(move |seed| (inputs.clone(), seed)))
                .map(|(inputs, seed)| (inputs, self.judge.random(seed))),
        );
        for (inputs, choices) in all {
            if self.is_late() || !self.wanted.iter().any(|goal| self.is_hidden(*goal)) {
                return;
            }
            self.found.executions += 1;
            for (obligation, violation) in self.judge.judge_on(&inputs, &choices) {
                if self.is_hidden(obligation) {
                    self.found.violations.insert(obligation, violation);
                    self.found.holds.remove(&obligation);
                }
            }
        }
    }

    /// Whether an obligation may be broken behind others.
    fn is_hidden(&self, goal: GoalId) -> bool {
        let is_kept = self.found.holds.contains(&goal) && self.found.come_to.contains(&goal);
        !is_kept && !self.found.violations.contains_key(&goal)
    }

    /// Notes what an execution breaks, if it breaks something.
    fn execute(&mut self, inputs: &Inputs, choices: &Resolution) -> Executed {
        let started = crate::clock::now();
        let seen = self.judge.judge(inputs, choices);
        self.found.times.interpreter += started.elapsed();
        self.found.executions += 1;
        if seen.is_free && *choices == Resolution::Rule && self.found.inputs.len() < MAX_INPUTS {
            self.found.inputs.push(inputs.clone());
        }
        self.found.endless += u32::from(seen.is_endless);
        self.found
            .come_to
            .extend(seen.come_to.iter().map(|probe| GoalId::Probe(*probe)));
        self.found.reasons.extend(seen.blocked);
        if let Some((obligation, reason)) = seen.doubtful {
            self.found.doubtful.entry(obligation).or_insert(reason);
        }
        let is_free = seen.is_free;
        let nothing = Executed {
            broken: None,
            is_free,
        };
        let Some((obligation, violation)) = seen.broken else {
            return nothing;
        };
        let Some(obligation) = obligation else {
            self.found.add_elsewhere(violation);
            return nothing;
        };
        let is_better = self
            .found
            .violations
            .get(&obligation)
            .is_none_or(|known| violation.is_certain() && !known.is_certain());
        if is_better {
            self.found.violations.insert(obligation, violation);
        }
        // What an execution shows goes before what was proved.
        self.found.holds.remove(&obligation);
        Executed {
            broken: Some(obligation),
            is_free,
        }
    }

    /// Executes what a model of the solver proposes: its inputs by the rule for choices, then by its own choices, then by others.
    fn follow(&mut self, inputs: &Inputs, guide: Guide, goal: GoalId) -> bool {
        let by_rule = self.execute(inputs, &Resolution::Rule);
        by_rule.broken == Some(goal)
            || by_rule.is_free
                && (self.execute(inputs, &Resolution::Guided(guide)).broken == Some(goal)
                    || self.execute_freely(inputs, goal))
    }

    /// Executes inputs with other choices than by the rule, until the obligation is broken.
    fn execute_freely(&mut self, inputs: &Inputs, goal: GoalId) -> bool {
        for seed in 0..RESOLUTIONS {
            if self.is_over() {
                break;
            }
            let resolution = self.judge.random(seed);
            if self.execute(inputs, &resolution).broken == Some(goal) {
                return true;
            }
        }
        false
    }

    /// Looks for what other resolutions of choices break than the one that executions so far followed.
    fn resolve_otherwise(&mut self) {
        for inputs in self.found.inputs.clone() {
            for seed in 0..RESOLUTIONS {
                if self.is_over() {
                    return;
                }
                if self.open().is_empty() {
                    return self.choose_otherwise();
                }
                let resolution = self.judge.random(seed);
                self.execute(&inputs, &resolution);
            }
        }
    }

    /// Looks for what other resolutions of choices break that is no obligation of the unit, or is not known before: a variable that nobody
    /// assigned. A few of them, where nothing else is left to look for.
    fn choose_otherwise(&mut self) {
        if !self.is_whole {
            return;
        }
        for inputs in self
            .found
            .inputs
            .iter()
            .take(OTHERWISE)
            .cloned()
            .collect::<Vec<_>>()
        {
            for seed in 0..RESOLUTIONS {
                if self.is_over() || self.found.endless >= MAX_ENDLESS {
                    return;
                }
                let resolution = self.judge.random(seed);
                self.execute(&inputs, &resolution);
            }
        }
    }

    /// Asks the solver, with growing bounds.
    fn grow(&mut self) {
        let mut bounds = self.options.start;
        let mut first = true;
        while !self.open().is_empty() && !self.is_over() {
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
            let raise = match self.options.prove && !exhausted {
                true => self.prove(
                    bounds,
                    std::mem::take(&mut first),
                    &self.open(),
                    Session::brief,
                ),
                false => BoundKind::ALL.into_iter().collect(),
            };
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

    /// Looks for executions that break open obligations, unless the encoding grows too large.
    fn look_for(&mut self, bounds: Bounds) -> Size {
        let mut session = match self.open_session(bounds) {
            Ok(session) => session,
            Err(size) => return size,
        };
        for goal in self.open() {
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
            self.ask(&mut session, goal, bounds, Session::come_briefly);
        }
        self.close(&session);
        Size::Fits
    }

    /// A solver that knows all executions within some bounds, with every choice free.
    ///
    /// # Errors
    /// How the encoding is too large.
    fn open_session(&mut self, bounds: Bounds) -> Result<Session<'p>, Size> {
        let started = crate::clock::now();
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
                self.effort.spent.terms += encoding.terms().work() as u64;
                Ok(Session::new(encoding, self.options))
            }
            Err(reason) => {
                self.found.reasons.insert(reason);
                Err(Size::Exhausted)
            }
        }
    }

    /// Asks once more for a few obligations on which short queries gave up, with queries that may cost as much as one may.
    fn ask_again(&mut self) {
        let open = self
            .open()
            .into_iter()
            .filter(|g| !self.found.violations.contains_key(g));
        let gave_up = open
            .filter_map(|g| Some((*self.found.gave_up.get(&g)?, g)))
            .take(AGAIN);
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
                    self.ask(&mut session, *goal, bounds, Session::come_patiently);
                }
            }
            self.close(&session);
            goals.retain(|goal| {
                !self.found.violations.contains_key(goal) && !self.found.holds.contains(goal)
            });
            if self.options.prove && !goals.is_empty() {
                self.prove(bounds, true, &goals, Session::full);
            }
        }
    }

    /// Asks for inputs that lead to an obligation that is broken.
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
        // What the rule for choices took is not all that may be chosen.
        let all_seen = session.encoding.is_complete();
        let stopped = session.stats().stopped;
        for attempt in 0..ATTEMPTS {
            match query(session, goal) {
                Query::Unreachable => {
                    // That no execution within the bounds breaks it says nothing of those that are cut: a claim is left to [`Self::prove`].
                    if attempt == 0
                        && all_seen
                        && session.rests_on(goal).is_some_and(|facts| facts.is_empty())
                    {
                        self.found.holds.insert(goal);
                        self.come(session, goal, None);
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
                Query::Unknown => {
                    self.found.gave_up.insert(goal, bounds);
                    if session.stats().stopped > stopped {
                        self.found.stopped.insert(goal);
                    }
                    return;
                }
                Query::Model(model) => {
                    let model = session.smaller_to(goal, model);
                    let broken = match session.encoding.decode_freely(&model) {
                        Some((inputs, guide)) => self.follow(&inputs, guide, goal),
                        None if session.encoding.is_undecodable() => break,
                        None => false,
                    };
                    if broken || self.is_over() {
                        return;
                    }
                    session.block(goal, &model);
                }
            }
        }
        *self.found.refuted.entry(goal).or_default() += 1;
    }

    /// A solver that knows all executions, and more where they are cut.
    ///
    /// # Errors
    /// The kinds of bounds that may help if there is no scope.
    fn open_proofs(&mut self, bounds: Bounds) -> Result<Session<'p>, SortedSet<BoundKind>> {
        let started = crate::clock::now();
        let encode = |bounds| {
            encode::encode(
                self.program,
                self.procedure.callable,
                &self.type_args,
                bounds,
                Mode::Havoc,
            )
        };
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

    /// Asks for proofs. The result: the kinds of bounds that stopped them.
    fn prove(
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
                session::Proof::Unreachable => {
                    if session.rests_on(goal).is_some_and(|facts| facts.is_empty()) {
                        self.found.holds.insert(goal);
                        self.come(&mut session, goal, None);
                    }
                }
                session::Proof::Bounded(bounded) => {
                    raise.extend(bounded.kinds.iter().copied());
                    let bounds = session.encoding.bounds();
                    self.found.bounded.insert(goal, bounds, bounded);
                }
                session::Proof::Stopped(kinds) => raise.extend(kinds),
            }
            self.effort.spent.solver += session.take_spent();
        }
        self.close(&session);
        raise
    }

    /// Looks for inputs within the bounds of which executions can be enumerated, where some executions are cut: those with small integers.
    /// Then for obligations that hold of inputs none of which comes to them.
    fn enumerate(&mut self) {
        let mut at: SortedMap<Bounds, Vec<GoalId>> = SortedMap::new();
        for goal in self.open() {
            let is_known =
                |bounded: &Bounded| bounded.scope.is_some() && self.found.come_to.contains(&goal);
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
                let scope = known.or_else(|| session.enumerated(goal, budget));
                self.found.bounded.set_scope(goal, scope);
                if let Some(scope) = scope {
                    self.come(&mut session, goal, Some(scope));
                }
                self.effort.spent.solver += session.take_spent();
            }
            self.close(&session);
        }
    }

    /// Looks for an execution that comes to an obligation which none breaks, of inputs within a scope or of all: where there is none, nothing
    /// is known of what the obligation says.
    fn come(&mut self, session: &mut Session<'p>, goal: GoalId, scope: Option<Scope>) {
        if self.at_once.contains(&goal) {
            self.found.come_to.insert(goal);
            return;
        }
        let (place, budget) = (session.place(goal), session.brief());
        for _ in 0..ATTEMPTS {
            if self.found.come_to.contains(&goal) || self.is_over() {
                return;
            }
            match session.come_within(goal, place, budget) {
                Query::Unreachable => {
                    if session.never_comes(place, scope, budget) {
                        self.found.not_reached.insert(goal, scope);
                    }
                    return;
                }
                Query::Unknown => return,
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

    /// Makes the inputs of violations smaller, as long as they break the same.
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
            let mut left = SHRINKS;
            let smaller = shrink::shrink_inputs(violation.inputs.clone(), |inputs| {
                if violation.is_behind() {
                    left = left.checked_sub(1)?;
                    let mut behind = self.judge.judge_on(inputs, &choices).into_iter();
                    return behind
                        .find(|(obligation, found)| {
                            *obligation == goal && found.given == violation.given
                        })
                        .map(|(_, found)| found);
                }
                let (obligation, found) = self.judge.judge(inputs, &choices).broken?;
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
        let steps = self.judge.interp().steps();
        let (points, is_spent) = (self.effort.points(steps), self.effort.is_spent(steps));
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
            let verdict = match found.violations.remove(&goal) {
                Some(violation) => Verdict::Violated(Box::new(violation)),
                None if found.holds.contains(&goal) => {
                    let is_reached =
                        !found.not_reached.contains_key(&goal) || found.come_to.contains(&goal);
                    match (is_narrow, is_reached) {
                        (false, true) => Verdict::Holds,
                        (false, false) => Verdict::NotReached,
                        // What holds of one type need not hold of another.
                        (true, true) => Verdict::HoldsWithin {
                            scope: Scope::default(),
                            bounds: self.options.caps,
                            raise: SortedSet::new(),
                            gave_up: false,
                        },
                        (true, false) => Verdict::Open(OpenReason::NotReached(Scope::default())),
                    }
                }
                None => self::within(found, goal, &self.options.caps)
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

    /// What stopped the search, and what allows more.
    fn stopped(&self, late: bool) -> Unsettled {
        match (late, self.options.part > 1) {
            (true, _) => Unsettled::TimeOver,
            (false, false) => Unsettled::CostOver,
            (false, true) => Unsettled::PartOfCostOver,
        }
    }
}

/// The obligations that stand where they are broken, so that nothing comes there which keeps them.
fn at_once(procedure: &ir::Procedure) -> SortedSet<GoalId> {
    let probes = procedure.blocks.iter().flat_map(|b| &b.stmts);
    let always = probes.filter_map(|stmt| {
        if let StmtKind::Probe { probe, cond } = &stmt.kind {
            let is_true = matches!(cond.kind, ExprKind::Literal(Literal::Bool(true)));
            is_true.then_some(GoalId::Probe(*probe))
        } else {
            None
        }
    });
    always.collect()
}

/// The claim that an obligation holds of inputs within bounds; `None`: their executions were not all followed, or none is known to come to it.
fn within(found: &Found, goal: GoalId, caps: &Bounds) -> Option<Verdict> {
    let (bounds, bounded) = found.bounded.get(goal)?;
    let is_clear = found.reasons.is_empty() && !found.doubtful.contains_key(&goal);
    let scope = bounded
        .scope
        .filter(|_| is_clear && found.come_to.contains(&goal))?;
    let is_at_cap = |kind: &BoundKind| bounds.of(*kind) >= caps.of(*kind);
    Some(Verdict::HoldsWithin {
        scope,
        bounds: *bounds,
        raise: bounded.kinds.iter().copied().filter(is_at_cap).collect(),
        gave_up: bounded.gave_up || found.is_exhausted || found.gave_up.contains_key(&goal),
    })
}

fn why_open(found: &Found, goal: GoalId, stopped: Option<Unsettled>) -> OpenReason {
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
