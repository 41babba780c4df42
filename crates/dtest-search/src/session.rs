//! A session: one encoding with one incremental solver.
//!
//! [`Session::reach`] and [`Session::reach_hard`] ask for models that reach a goal,
//! [`Session::grow`] and [`Session::smaller`] improve a model, [`Session::prove`] and
//! [`Session::enumerated`] ask for proofs that a goal is unreachable. Conditions are named by
//! Boolean literals (`name`), and queries are sets of assumed literals: the solver keeps what it
//! learned, and unsat cores name the literals that a proof needs.

use std::time::Duration;

use num_bigint::BigInt;

use super::api::Options;
use super::graph::Graph;
use dtest_encode::{BoundKind, Encoding, Fact, Facts, Hint, Scope};
use dtest_ir::GoalId;
use dtest_smt::{Answer, Assignment, Budget, Evaluator, Solver, SolverStats, Sort, Term};
use dtest_sorted::{SortedMap, SortedSet};

/// Maximum number of models that are tried for one goal.
pub(super) const MAX_ATTEMPTS: usize = 5;
/// Maximum number of failed queries from scratch in one session.
const MAX_FAILED_AFRESH: u32 = 2;
/// Resource limit of a short query. Most queries are answered within it.
const SHORT_RLIMIT: u32 = 200_000;
/// Wall-clock limits of a query, a safety net behind its resource limit: per unit of resource, and
/// in total.
const TIME_PER_UNIT: Duration = Duration::from_micros(7);
const MAX_QUERY_TIME: Duration = Duration::from_secs(4);
/// Maximum number of times that a model is grown to reach further goals.
const MAX_GROWTH: usize = 16;
/// Maximum number of facts that are dropped one by one to minimize an unsat core.
const MAX_DROPPED: usize = 20;
/// Maximum number of input terms for which small values are preferred. For more, the preference
/// costs more than it helps.
const MAX_HINTS: usize = 400;
/// Bounds on the magnitude of integer inputs for which enumeration is tried if it fails for all
/// integers.
const INTEGER_BOUNDS: [u32; 2] = [8, 2];

/// The solver's answer for a goal.
pub(super) enum Verdict {
    /// Inputs that may reach the goal.
    Model(Assignment),
    /// No inputs within the bounds reach it.
    Unreachable,
    /// The solver gave up.
    Unknown,
}

impl Verdict {
    fn of(answer: Answer) -> Self {
        match answer {
            Answer::Sat(model) => Self::Model(model),
            Answer::Unsat(_) => Self::Unreachable,
            Answer::Unknown(_) => Self::Unknown,
        }
    }
}

/// The result of a proof attempt.
pub(super) enum Proof {
    /// No execution reaches the goal.
    Unreachable,
    /// No execution that is followed to its end reaches the goal.
    Bounded(Bounded),
    /// No proof. Raising these kinds of bounds may help.
    Stopped(SortedSet<BoundKind>),
}

/// The result for a goal that executions reach only by crossing a bound.
#[derive(Debug)]
pub(super) struct Bounded {
    /// The kinds of bounds that the proof depends on.
    pub(super) kinds: SortedSet<BoundKind>,
    /// The inputs from which no execution of any length reaches the goal. `None` if some execution
    /// from inputs within the bounds may be cut before it reaches the goal, so that nothing is
    /// known of any inputs.
    pub(super) scope: Option<Scope>,
    /// Whether the solver gave up on an unbounded proof.
    pub(super) gave_up: bool,
}

/// An encoding under an incremental solver, with a literal for every goal.
pub(super) struct Session<'p> {
    pub(super) encoding: Encoding<'p>,
    solver: Solver,
    budget: Budget,
    traps: SortedMap<GoalId, Term>,
    /// Literals that exclude refuted models of a goal. They are assumed only for that goal, so that
    /// results for other goals do not depend on them.
    refuted: SortedMap<GoalId, Vec<Term>>,
    ends: Term,
    /// Literals that bound the inputs, the tightest first.
    ladder: Vec<Term>,
    leaves: Vec<Term>,
    /// Literals of the program's assumptions. Every query assumes them, unless it asks which of
    /// them a result depends on.
    givens: Facts,
    /// Literals that bound integer inputs, once they are needed.
    numbers: Option<Vec<(u32, Term)>>,
    /// Remaining number of queries from scratch that may fail.
    afresh: u32,
    /// Solver resources that [`Self::take_spent`] has already reported.
    taken: u64,
}

impl<'p> Session<'p> {
    pub(super) fn new(mut encoding: Encoding<'p>, options: &Options) -> Self {
        // Assumptions on the inputs are asserted once. Everything else is assumed per query through
        // literals.
        let mut solver = Solver::new(options.seed, options.transcript);
        for fact in encoding.assumptions.clone() {
            solver.assert(encoding.terms(), fact);
        }
        // One literal per goal: a query selects the goal by assuming its literal.
        let mut traps = SortedMap::new();
        for (block, reached) in encoding.reached.clone() {
            let literal = name(&mut encoding, &mut solver, &label(block), reached);
            traps.insert(block, literal);
        }
        let ends = encoding.ends;
        let ends = name(&mut encoding, &mut solver, "ends", ends);
        let ladder = ladder(&mut encoding, &mut solver);
        let leaves = encoding.leaves();
        let budget = budget(options);
        let givens = encoding.givens.clone();
        let refuted = SortedMap::new();
        Self {
            encoding,
            solver,
            budget,
            traps,
            refuted,
            ends,
            ladder,
            leaves,
            givens,
            numbers: None,
            afresh: MAX_FAILED_AFRESH,
            taken: 0,
        }
    }

    pub(super) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }

    /// Solver resources used since the last call.
    pub(super) fn take_spent(&mut self) -> u64 {
        // The solver counts in total, so that the difference to the last report is new.
        let now = self.solver.stats().spent;
        now - std::mem::replace(&mut self.taken, now)
    }

    pub(super) fn transcript(&self) -> Option<&str> {
        self.solver.transcript()
    }

    pub(super) fn trap(&self, goal: GoalId) -> Term {
        self.traps
            .get(&goal)
            .copied()
            .unwrap_or(self.encoding.terms().ff)
    }

    /// The assumptions for a useful model of a goal: the goal is reached, and refuted models are
    /// excluded.
    fn way_to(&self, goal: GoalId) -> Vec<Term> {
        std::iter::once(self.trap(goal))
            .chain(self.refuted.get(&goal).into_iter().flatten().copied())
            .collect()
    }

    /// The same assumptions for executions that end well.
    fn good_way_to(&self, goal: GoalId) -> Vec<Term> {
        std::iter::once(self.ends)
            .chain(self.way_to(goal))
            .collect()
    }

    fn check(&mut self, assumptions: &[Term]) -> Answer {
        self.check_within(assumptions, self.budget)
    }

    /// A check whose answer only improves tests, with a tenth of the budget.
    fn check_briefly(&mut self, assumptions: &[Term]) -> Answer {
        // Improvements of tests must not use up the budget for goals.
        let budget = Budget {
            rlimit: self.budget.rlimit / 10,
            timeout: self.budget.timeout / 10,
        };
        self.check_within(assumptions, budget)
    }

    fn check_within(&mut self, assumptions: &[Term], budget: Budget) -> Answer {
        let all: Vec<Term> = assumptions
            .iter()
            .chain(self.givens.values())
            .copied()
            .collect();
        self.check_these(&all, budget)
    }

    /// A check of the given assumptions only, without the program's own assumptions.
    fn check_these(&mut self, assumptions: &[Term], budget: Budget) -> Answer {
        let ff = self.encoding.terms().ff;
        // Trivial assumptions are decided here, because the solver only accepts literals.
        if assumptions.contains(&ff) {
            return Answer::Unsat(vec![ff]);
        }
        let tt = self.encoding.terms().tt;
        let assumptions: Vec<Term> = assumptions.iter().copied().filter(|t| *t != tt).collect();
        self.solver
            .check(self.encoding.terms(), &assumptions, budget)
    }

    /// Asks for inputs whose execution passes the goal and ends well, by a short query.
    pub(super) fn reach(&mut self, goal: GoalId) -> Verdict {
        let (way, budget) = (self.good_way_to(goal), self.brief());
        Verdict::of(self.check_within(&way, budget))
    }

    /// Harder queries for a goal at which a short query gave up: from scratch, then without the
    /// rest of the execution after the goal, then with the full budget.
    pub(super) fn reach_hard(&mut self, goal: GoalId) -> Verdict {
        let (way, good, budget) = (self.way_to(goal), self.good_way_to(goal), self.brief());
        // From scratch, the solver can use simplifications that are not available incrementally.
        match self.afresh(&good) {
            Verdict::Unknown => match Verdict::of(self.check_within(&way, budget)) {
                Verdict::Unknown => Verdict::of(self.check(&good)),
                known @ (Verdict::Model(_) | Verdict::Unreachable) => known,
            },
            known @ (Verdict::Model(_) | Verdict::Unreachable) => known,
        }
    }

    /// The budget of a short query.
    pub(super) fn brief(&self) -> Budget {
        Budget {
            rlimit: self.budget.rlimit.min(SHORT_RLIMIT),
            ..self.budget
        }
    }

    /// The full budget of a query.
    pub(super) fn full(&self) -> Budget {
        self.budget
    }

    /// Asks for inputs whose execution passes the goal, however it ends, by a short query.
    pub(super) fn pass_briefly(&mut self, goal: GoalId) -> Verdict {
        let (way, budget) = (self.way_to(goal), self.brief());
        Verdict::of(self.check_within(&way, budget))
    }

    /// The same with the full budget.
    pub(super) fn pass_with_full_budget(&mut self, goal: GoalId) -> Verdict {
        let way = self.way_to(goal);
        Verdict::of(self.check(&way))
    }

    /// The same with the full budget, and from scratch if the solver gives up.
    pub(super) fn pass(&mut self, goal: GoalId) -> Verdict {
        let way = self.way_to(goal);
        match Verdict::of(self.check(&way)) {
            Verdict::Unknown => self.afresh(&way),
            known @ (Verdict::Model(_) | Verdict::Unreachable) => known,
        }
    }

    /// The program's assumptions that keep every execution from the goal: a minimal set, which is
    /// empty if the goal is unreachable without them. `None` if an execution reaches the goal or
    /// the solver gives up.
    pub(super) fn rests_on(&mut self, goal: GoalId) -> Option<Vec<Fact>> {
        let trap = self.trap(goal);
        self.rest_of(&[trap])
    }

    /// The same for executions that reach the goal and end well.
    pub(super) fn end_rests_on(&mut self, goal: GoalId) -> Option<Vec<Fact>> {
        let always = [self.ends, self.trap(goal)];
        self.rest_of(&always)
    }

    /// Whether the program makes any assumption.
    pub(super) fn takes_for_granted(&self) -> bool {
        !self.givens.is_empty()
    }

    /// Obligations of which every execution that reaches the goal breaks at least one, in an
    /// encoding that has obligations as facts. `None` if an execution may break none of them,
    /// whatever is assumed, or the solver gives up.
    pub(super) fn breaks_one_of(&mut self, goal: GoalId) -> Option<Vec<Fact>> {
        // The obligations are facts of this encoding, so that an unsat core names them.
        let obligations = self.encoding.facts.clone();
        let trap = self.trap(goal);
        self.smallest(&[trap], &obligations)
    }

    fn rest_of(&mut self, always: &[Term]) -> Option<Vec<Fact>> {
        let givens = self.givens.clone();
        self.smallest(always, &givens)
    }

    /// A minimal set of facts that is inconsistent with `always`.
    fn smallest(&mut self, always: &[Term], facts: &Facts) -> Option<Vec<Fact>> {
        let mut core = self.core_of(always, facts, &facts.keys().copied().collect())?;
        // Often the facts are not needed at all, which one query decides.
        if core.len() > 1 && self.core_of(always, facts, &SortedSet::new()).is_some() {
            return Some(Vec::new());
        }
        // Deletion-based minimization. A fact whose removal leaves a satisfiable or unknown rest
        // stays.
        for fact in core.clone().into_iter().take(MAX_DROPPED) {
            let mut fewer = core.clone();
            if fewer.remove(&fact)
                && let Some(smaller) = self.core_of(always, facts, &fewer)
            {
                core = smaller;
            }
        }
        Some(core.into_iter().collect())
    }

    /// The unsat core: those of the `chosen` facts that the solver used to refute `always`. `None`
    /// if it was not refuted.
    fn core_of(
        &mut self,
        always: &[Term],
        facts: &Facts,
        chosen: &SortedSet<Fact>,
    ) -> Option<SortedSet<Fact>> {
        let relied = chosen.iter().filter_map(|f| facts.get(f));
        let all: Vec<Term> = always.iter().chain(relied).copied().collect();
        // Only the program's facts under test are assumed here, not those of `givens`.
        match self.check_these(&all, self.budget) {
            Answer::Unsat(core) => Some(
                chosen
                    .iter()
                    .filter(|f| facts.get(f).is_some_and(|t| core.contains(t)))
                    .copied()
                    .collect(),
            ),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }

    /// A model with smaller values that still passes the goal.
    pub(super) fn smaller_to(&mut self, goal: GoalId, model: Assignment) -> Assignment {
        let way = self.way_to(goal);
        self.smaller(&way, model)
    }

    /// A check under assumptions of which an unsat core may name the `facts`.
    pub(super) fn check_with(&mut self, always: &[Term], facts: &[Term]) -> Answer {
        let all: Vec<Term> = always.iter().chain(facts).copied().collect();
        self.check(&all)
    }

    /// A query from scratch. Few of them may fail per session, because they learn nothing for later
    /// queries.
    fn afresh(&mut self, assumptions: &[Term]) -> Verdict {
        if self.afresh == 0 {
            return Verdict::Unknown;
        }
        let all = assumptions.iter().chain(self.givens.values());
        let assumptions: Vec<Term> = all
            .copied()
            .filter(|t| *t != self.encoding.terms().tt)
            .collect();
        let verdict = Verdict::of(self.solver.check_afresh(
            self.encoding.terms(),
            &assumptions,
            self.budget,
        ));
        // Only failures use up the number of queries from scratch.
        self.afresh -= u32::from(matches!(verdict, Verdict::Unknown));
        verdict
    }

    /// Asks for any execution that ends well, except blocked ones.
    pub(super) fn any(&mut self) -> Verdict {
        Verdict::of(self.check(&[self.ends]))
    }

    /// A literal that an execution ends within the bounds: it returns, or it
    /// reaches one of these goals.
    pub(super) fn end_within_bounds(&mut self, goals: &[GoalId]) -> Term {
        let ends: Vec<Term> = goals
            .iter()
            .map(|g| self.trap(*g))
            .chain([self.ends])
            .collect();
        // A disjunction of the ends, nested from the back.
        let terms = self.encoding.terms_mut();
        let any = ends
            .into_iter()
            .rev()
            .fold(terms.ff, |any, end| terms.or(end, any));
        self.literal(any)
    }

    /// Asks for inputs and choices that satisfy all conditions.
    pub(super) fn model_of(&mut self, conditions: &[Term]) -> Verdict {
        Verdict::of(self.check(conditions))
    }

    /// A literal that is equivalent to a condition.
    pub(super) fn literal(&mut self, cond: Term) -> Term {
        name(&mut self.encoding, &mut self.solver, "cond", cond)
    }

    /// The branches taken in a model, in the order of the unrolled graph.
    pub(super) fn branches_of(&self, model: &Assignment) -> Vec<Term> {
        let mut eval = Evaluator::new(self.encoding.terms(), model);
        self.encoding
            .edges
            .iter()
            .copied()
            .filter(|t| eval.holds(*t))
            .collect()
    }

    /// A literal that an execution takes the path of a model: all of its branches.
    pub(super) fn path_of(&mut self, model: &Assignment) -> Term {
        let mut eval = Evaluator::new(self.encoding.terms(), model);
        // The path condition is the conjunction of the edges that the model takes.
        let taken: Vec<Term> = self
            .encoding
            .edges
            .iter()
            .copied()
            .filter(|t| eval.holds(*t))
            .collect();
        let path = self.encoding.terms_mut().all(taken);
        name(&mut self.encoding, &mut self.solver, "path", path)
    }

    /// Excludes all executions of a path (a blocking clause, Christ et al. 2012, section 5).
    pub(super) fn block_path(&mut self, path: Term) {
        let other = self.encoding.terms_mut().not(path);
        self.solver.assert(self.encoding.terms(), other);
    }

    /// Whether no execution reaches both goals.
    pub(super) fn excludes(&mut self, a: GoalId, b: GoalId) -> bool {
        let assumptions = [self.ends, self.trap(a), self.trap(b)];
        matches!(self.check_briefly(&assumptions), Answer::Unsat(_))
    }

    /// Grows a model: as long as the solver finds a model that reaches one more of the open goals,
    /// that model replaces it. One query asks for any of them. Returns the literals that hold, and
    /// the last model.
    pub(super) fn grow(
        &mut self,
        goal: GoalId,
        model: Assignment,
        open: &[GoalId],
        graph: &Graph,
    ) -> (Vec<Term>, Assignment) {
        let mut model = model;
        let mut must = self.reached_in(&model, open);
        must.insert(0, goal);
        for _ in 0..MAX_GROWTH {
            // Goals that the graph excludes together with those reached are left out of the query.
            let fits =
                |c: &GoalId| !must.contains(c) && must.iter().all(|m| graph.compatible(*c, *m));
            let further: Vec<Term> = open
                .iter()
                .filter(|c| fits(c))
                .map(|c| self.trap(*c))
                .collect();
            // The solver chooses one of the goals itself, so that one query serves for all of them.
            let terms = self.encoding.terms_mut();
            let any = further
                .into_iter()
                .rev()
                .fold(terms.ff, |any, trap| terms.or(trap, any));
            let any = name(&mut self.encoding, &mut self.solver, "any", any);
            let mut assumptions = self.literals(goal, &must);
            assumptions.push(any);
            let Answer::Sat(larger) = self.check_briefly(&assumptions) else {
                break;
            };
            // Invariant: `must` has exactly the goals that `model` reaches, the sought one first.
            model = larger;
            must = self.reached_in(&model, open);
            must.insert(0, goal);
        }
        (self.literals(goal, &must), model)
    }

    /// The assumptions for a model of `goal` that reaches all `goals`.
    fn literals(&self, goal: GoalId, goals: &[GoalId]) -> Vec<Term> {
        let others = goals.iter().filter(|g| **g != goal).map(|g| self.trap(*g));
        self.good_way_to(goal).into_iter().chain(others).collect()
    }

    fn reached_in(&self, model: &Assignment, goals: &[GoalId]) -> Vec<GoalId> {
        let mut eval = Evaluator::new(self.encoding.terms(), model);
        goals
            .iter()
            .copied()
            .filter(|b| self.encoding.reached.get(b).is_some_and(|t| eval.holds(*t)))
            .collect()
    }

    /// A model with smaller values that satisfies the same literals.
    pub(super) fn smaller(&mut self, must: &[Term], model: Assignment) -> Assignment {
        // The first satisfiable rung is the tightest one.
        for rung in self.ladder.clone() {
            let mut assumptions = must.to_vec();
            assumptions.push(rung);
            if let Answer::Sat(small) = self.check_briefly(&assumptions) {
                return small;
            }
        }
        model
    }

    /// Blocks the inputs of a model for this goal.
    pub(super) fn block(&mut self, goal: GoalId, model: &Assignment) {
        // The blocking clause covers all leaves that the model assigns.
        let mut same = self.encoding.terms().tt;
        for leaf in self.leaves.clone() {
            // The model holds for every value of a leaf that it leaves open.
            if let Some(value) = model.get(&leaf).cloned() {
                let terms = self.encoding.terms_mut();
                let value = terms.constant(value);
                let e = terms.eq(leaf, value);
                same = terms.and(same, e);
            }
        }
        // Refuted inputs are excluded for this goal only: for another goal they may be useful.
        let other = self.encoding.terms_mut().not(same);
        let other = name(&mut self.encoding, &mut self.solver, "other", other);
        self.refuted.entry(goal).or_default().push(other);
    }

    /// Tries to prove that no execution reaches the goal, whatever lies beyond the bounds.
    /// Otherwise returns the bounds to raise. The first query asks only within the bounds: it is
    /// easier, and its unsat core often proves the goal unreachable without bounds. The second
    /// query is skipped if the first one fails or `hopeful` is false.
    pub(super) fn prove(&mut self, goal: GoalId, budget: Budget, hopeful: bool) -> Proof {
        let trap = self.trap(goal);
        let crossed = self.encoding.crossed.clone();
        let (limits, cuts) = (self.limits(), self.cuts());
        // All literals of bounds are assumed, so that the core shows which of them the proof needs.
        let assumptions: Vec<Term> = std::iter::once(trap)
            .chain(limits.values().copied())
            .chain(cuts.values().copied())
            .collect();
        let Answer::Unsat(core) = self.check_within(&assumptions, budget) else {
            return Proof::Stopped(crossed);
        };
        // A proof whose core needs no literal of a bound is a proof beyond the bounds, too.
        let in_core = |literals: &SortedMap<BoundKind, Term>| -> SortedSet<BoundKind> {
            let needed = literals.iter().filter(|(_, t)| core.contains(t));
            needed.map(|(k, _)| *k).collect()
        };
        // Limits concern the inputs, cuts the executions: only the latter make a claim about inputs
        // impossible.
        let (limiting, cutting) = (in_core(&limits), in_core(&cuts));
        if limiting.is_empty() && cutting.is_empty() {
            return Proof::Unreachable;
        }
        let mut gave_up = false;
        if hopeful {
            // Unsat cores are not minimal, so that the proof may not need the bounds that they
            // name.
            match self.check_within(&[trap], budget) {
                Answer::Unsat(_) => return Proof::Unreachable,
                Answer::Sat(_) => {}
                Answer::Unknown(_) => gave_up = true,
            }
        }
        // A core without cuts means that every execution from inputs within the bounds was followed
        // to its end.
        let scope = cutting
            .is_empty()
            .then(|| self.scope(&limiting, None))
            .flatten();
        // Without a scope, the result only names the bounds to raise.
        Proof::Bounded(Bounded {
            kinds: limiting.into_iter().chain(cutting).collect(),
            scope,
            gave_up,
        })
    }

    /// Proves by enumeration that no execution from some inputs reaches the goal, and returns the
    /// bounds of these inputs: all within the encoding's bounds, or those whose integers are small.
    /// In [`Mode::Havoc`] an execution that is cut may reach everything, so that an unsatisfiable
    /// answer means that the enumeration was complete.
    ///
    /// [`Mode::Havoc`]: dtest_encode::Mode::Havoc
    pub(super) fn enumerated(&mut self, goal: GoalId, budget: Budget) -> Option<Scope> {
        let trap = self.trap(goal);
        let limits = self.limits();
        let all: Vec<Term> = std::iter::once(trap)
            .chain(limits.values().copied())
            .collect();
        let rungs = self.numbers();
        // All integers first, then ever smaller ranges: the first success is the strongest claim.
        for (most, small) in
            std::iter::once((None, None)).chain(rungs.into_iter().map(|(n, t)| (Some(n), Some(t))))
        {
            let assumptions: Vec<Term> = all.iter().copied().chain(small).collect();
            if let Answer::Unsat(core) = self.check_within(&assumptions, budget) {
                let limiting = limits
                    .iter()
                    .filter(|(_, t)| core.contains(t))
                    .map(|(k, _)| *k)
                    .collect();
                return self.scope(&limiting, most);
            }
        }
        None
    }

    /// The literals of the input bounds that the encoding has.
    fn limits(&self) -> SortedMap<BoundKind, Term> {
        // Only bounds that the encoding actually reached need a literal.
        let crossed = &self.encoding.crossed;
        let limits = self.encoding.limits.iter();
        limits
            .filter(|(k, _)| crossed.contains(k))
            .map(|(k, t)| (*k, *t))
            .collect()
    }

    /// The literals of the bounds at which executions are cut.
    fn cuts(&self) -> SortedMap<BoundKind, Term> {
        let cut = &self.encoding.cut;
        let cuts = self.encoding.cuts.iter();
        cuts.filter(|(k, _)| cut.contains(k))
            .map(|(k, t)| (*k, *t))
            .collect()
    }

    /// The inputs within the bounds of these kinds; `None` if the encoding leaves out some of them.
    fn scope(&self, kinds: &SortedSet<BoundKind>, numbers: Option<u32>) -> Option<Scope> {
        // Objects of further classes may be left out without a literal, so that no scope can be
        // claimed.
        let scope = Scope::of(&self.encoding.least_bounds(), kinds, numbers);
        (!self.encoding.is_partial).then_some(scope)
    }

    /// Literals that bound the magnitude of every integer input, with the largest bound first.
    fn numbers(&mut self) -> Vec<(u32, Term)> {
        if let Some(known) = &self.numbers {
            return known.clone();
        }
        // Only numbers are bounded. Sizes of collections are bounded by the encoding.
        let numbers: Vec<Term> = self
            .encoding
            .hints
            .iter()
            .filter_map(|hint| match hint {
                Hint::Number(t) => Some(*t),
                Hint::Char(_) | Hint::Size(_) => None,
            })
            .collect();
        let is_few = !numbers.is_empty() && numbers.len() <= MAX_HINTS;
        let sizes = INTEGER_BOUNDS.iter().filter(|_| is_few);
        let rungs: Vec<(u32, Term)> = sizes
            .map(|most| {
                let terms = self.encoding.terms_mut();
                let (least, high) = (terms.int(-i64::from(*most)), terms.int(i64::from(*most)));
                let inside: Vec<Term> = numbers
                    .iter()
                    .map(|t| {
                        let (a, b) = (terms.le(least, *t), terms.le(*t, high));
                        terms.and(a, b)
                    })
                    .collect();
                let all = terms.all(inside);
                (
                    *most,
                    name(&mut self.encoding, &mut self.solver, "numbers", all),
                )
            })
            .collect();
        self.numbers = Some(rungs.clone());
        rungs
    }

    /// A literal that an execution reaches an obligation, whether the obligation holds or is
    /// violated there.
    pub(super) fn place(&mut self, goal: GoalId) -> Term {
        let place = self.encoding.come.get(&goal).copied();
        let place = place.unwrap_or(self.encoding.terms().ff);
        name(&mut self.encoding, &mut self.solver, "come", place)
    }

    /// Asks for inputs and an execution within the bounds that reach a place, without those
    /// blocked for the goal.
    pub(super) fn reach_place(&mut self, goal: GoalId, place: Term, budget: Budget) -> Verdict {
        let excluded = self.refuted.get(&goal).into_iter().flatten().copied();
        let assumptions: Vec<Term> = std::iter::once(place)
            .chain(excluded)
            .chain(self.limits().into_values())
            .chain(self.cuts().into_values())
            .collect();
        Verdict::of(self.check_within(&assumptions, budget))
    }

    /// Whether no execution reaches a place, from inputs within a scope or from any inputs, even
    /// without the program's assumptions.
    pub(super) fn never_reaches(
        &mut self,
        place: Term,
        scope: Option<Scope>,
        budget: Budget,
    ) -> bool {
        let mut assumptions = vec![place];
        // Inputs outside of the scope are excluded by the same literals as in the proof.
        if let Some(scope) = scope {
            assumptions.extend(self.limits().into_values());
            let rungs = self.numbers().into_iter();
            assumptions.extend(
                rungs
                    .filter(|(n, _)| Some(*n) == scope.numbers)
                    .map(|(_, t)| t),
            );
        }
        matches!(self.check_these(&assumptions, budget), Answer::Unsat(_))
    }
}

/// The name of a goal's literal in a transcript.
fn label(goal: GoalId) -> String {
    match goal {
        GoalId::Block(b) => format!("reach_{}", b.0),
        GoalId::Probe(i) => format!("show_{i}"),
        GoalId::Way(i) => format!("way_{i}"),
        GoalId::Path(i) => format!("path_{i}"),
        GoalId::BlockIn(callee, b) => format!("reach_{}_of_{}", b.0, callee.0),
        GoalId::ProbeIn(callee, i) => format!("show_{i}_of_{}", callee.0),
        GoalId::BlockBy(call, callee, b) => format!("reach_{}_of_{}_by_{}", b.0, callee.0, call.0),
    }
}

/// The budget of one query. The resource limit does not count all work of nonlinear arithmetic, so
/// that the clock ends such queries.
pub(super) fn budget(options: &Options) -> Budget {
    Budget {
        rlimit: options.rlimit,
        timeout: options
            .timeout
            .min(MAX_QUERY_TIME)
            .min(TIME_PER_UNIT * options.rlimit),
    }
}

/// A Boolean variable that is equivalent to a condition. Constants are returned as they are.
fn name(encoding: &mut Encoding<'_>, solver: &mut Solver, text: &str, cond: Term) -> Term {
    let terms = encoding.terms_mut();
    // Constants are their own literals.
    if terms.as_bool(cond).is_some() {
        return cond;
    }
    let literal = terms.fresh(text, Sort::Bool);
    let same = terms.eq(literal, cond);
    solver.assert(encoding.terms(), same);
    literal
}

/// Literals that bound the inputs, from tight to loose.
fn ladder(encoding: &mut Encoding<'_>, solver: &mut Solver) -> Vec<Term> {
    let hints = encoding.hints.clone();
    if hints.is_empty() || hints.len() > MAX_HINTS {
        return Vec::new();
    }
    let mut rungs = Vec::new();
    // From the most readable values to printable ones.
    for (number, size, (low, high)) in [
        (2i64, 1i64, ('a', 'c')),
        (8, 2, ('a', 'z')),
        (100, 3, (' ', '~')),
    ] {
        let terms = encoding.terms_mut();
        // `rung` implies all small values. The implication leaves other queries unaffected.
        let rung = terms.fresh("small", Sort::Bool);
        let mut facts = Vec::with_capacity(hints.len());
        // Numbers, sizes and characters are bounded together: a rung fails or succeeds as a whole.
        for hint in &hints {
            let (t, least, most) = match hint {
                Hint::Number(t) => (*t, BigInt::from(-number), BigInt::from(number)),
                Hint::Size(t) => (*t, BigInt::from(0), BigInt::from(size)),
                Hint::Char(t) => (
                    *t,
                    BigInt::from(u32::from(low)),
                    BigInt::from(u32::from(high)),
                ),
            };
            let (least, most) = (terms.int(least), terms.int(most));
            let (a, b) = (terms.le(least, t), terms.le(t, most));
            let both = terms.and(a, b);
            facts.push(terms.implies(rung, both));
        }
        for fact in facts {
            solver.assert(encoding.terms(), fact);
        }
        rungs.push(rung);
    }
    rungs
}
