//! Activations of callees: the conditions under which they are entered, and the goals that they
//! reach.
//!
//! Every activation is encoded relative to its own entry, and once for all calls with the same
//! arguments in the same heap. The conditions of its goals are relative to that entry too. Only at
//! the end ([`Encoder::settle_activations`]) are they combined with the condition that some call
//! enters the activation. So a call tree with coinciding arguments costs as much as the graph of
//! its distinct calls.
//!
//! Key types: [`Activations`], [`Activation`], [`Link`].

use super::shared::Path;
use super::value::Sym;
use super::{BoundKind, Encoder, MAX_NESTING, Mode, walk};
use dafny_resolve::typed::{Attributes, CallableId};
use dafny_source::Span;
use dtest_ir::{CallId, Criterion, GoalId, Inlined, System};
use dtest_smt::Term;
use dtest_sorted::{SortedMap, SortedSet};

/// The activations of one encoding.
#[derive(Debug)]
pub(super) struct Activations<'p> {
    unit: CallableId,
    /// The callees whose goals count, if the unit is an entry.
    system: Option<&'p System>,
    /// The inlined calls of the unit.
    inlined: Option<&'p Inlined>,
    /// All activations in the order in which they were begun. The first is the unit's own.
    all: Vec<Activation>,
    /// The active activations, innermost last; `None` marks the evaluation of a specification.
    open: Vec<Option<Open>>,
    /// The activations in the order in which they ended: callees end before their callers.
    ended: Vec<usize>,
    /// The calls of shared copies.
    links: Vec<Link>,
}

/// A call of a shared copy, which has parameters of its own.
#[derive(Debug)]
struct Link {
    caller: usize,
    when: Term,
    /// The activation of the copy.
    activation: usize,
    entry: Entry,
}

/// The condition for being a call of a shared copy.
#[derive(Debug)]
pub(super) struct Entry {
    /// The variables of the copy: its parameters and the contents of the objects that it reads.
    pub(super) variables: Vec<Sym>,
    /// The values of these variables at the call.
    pub(super) values: Vec<Sym>,
    /// The assumptions about the variables.
    pub(super) assumed: Term,
    /// Whether an execution may use the copy for one call only, because it allocates objects.
    pub(super) is_single: bool,
}

/// The encoding of one activation of a callable, relative to its own entry.
#[derive(Debug)]
struct Activation {
    /// The callable; `None`: the unit itself.
    callable: Option<CallableId>,
    /// The goals within the activation and the conditions under which they are reached.
    goals: Vec<(GoalId, Term)>,
    /// The goals that calls without inlining were observed to reach, with their conditions.
    seen: Vec<(GoalId, Term)>,
    /// The conditions of the branches, if branches count.
    edges: Vec<Term>,
    /// The number of paths through the activation, feasible or not.
    paths: u64,
    /// The condition under which an `expect` halts the program.
    halted: Term,
    /// The calls that enter the activation.
    calls: Vec<Call>,
}

/// A call that enters an activation.
#[derive(Clone, Copy, Debug)]
struct Call {
    caller: usize,
    when: Term,
    /// The source of the call, if calls are distinguished by place.
    site: Option<Span>,
}

/// An active activation.
#[derive(Clone, Copy, Debug)]
struct Open {
    activation: usize,
    /// The number of path conditions before its entry.
    before: usize,
    /// The condition under which the enclosing activation calls it; `None`: it is shared by several
    /// calls.
    when: Option<Term>,
}

impl<'p> Activations<'p> {
    /// Starts with the activation of the unit itself.
    pub(super) fn of(
        unit: CallableId,
        (system, inlined): (Option<&'p System>, Option<&'p Inlined>),
        never: Term,
    ) -> Self {
        let open = vec![Some(Open {
            activation: 0,
            before: 0,
            when: None,
        })];
        Self {
            unit,
            system,
            inlined,
            all: vec![Activation::new(never)],
            open,
            ended: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Whether the blocks of a callable are walked at each of its calls.
    fn walks(&self, callable: CallableId) -> bool {
        let counts = self
            .system
            .is_some_and(|s| self.unit == callable || s.has(callable));
        counts || self.inlined.is_some_and(|i| i.followed.contains(&callable))
    }
}

impl Activation {
    fn new(never: Term) -> Self {
        let (goals, seen, edges, calls) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            callable: None,
            goals,
            seen,
            edges,
            paths: 1,
            halted: never,
            calls,
        }
    }
}

impl<'p> Encoder<'p> {
    /// Whether the goals of a callable count in activations other than the unit's own.
    pub(super) fn is_counted(&self, callable: CallableId) -> bool {
        self.calls
            .activations
            .as_ref()
            .is_some_and(|a| a.walks(callable))
    }

    /// Begins an activation; `None` if its goals are not needed.
    pub(super) fn begin(&mut self) -> Option<usize> {
        let when = self
            .bounds
            .is_rationed()
            .then(|| self.here())
            .flatten()
            .map(|(_, when)| when);
        self.begin_at(when)
    }

    /// Begins an activation that several calls share (`when` is `None`), or that is called under a
    /// condition.
    pub(super) fn begin_at(&mut self, when: Option<Term>) -> Option<usize> {
        let (before, never) = (self.path.conditions.len(), self.t.ff);
        let a = self.calls.activations.as_mut()?;
        let activation = a.all.len();
        a.all.push(Activation::new(never));
        a.open.push(Some(Open {
            activation,
            before,
            when,
        }));
        Some(activation)
    }

    /// Ends an activation of `callable`, which reached the given goals.
    pub(super) fn end(
        &mut self,
        activation: Option<usize>,
        callable: CallableId,
        reached: walk::Reached,
    ) {
        let (Some(i), Some(a)) = (activation, self.calls.activations.as_mut()) else {
            return;
        };
        a.open.pop();
        a.ended.push(i);
        let unit = a.unit;
        // Paths are counted only in callees whose calls the criterion distinguishes.
        let is_followed = a.inlined.is_some_and(|i| i.followed.contains(&callable));
        // Goals of the callee count for the unit, so they are renamed accordingly.
        let goal = |(goal, cond): (GoalId, Term)| {
            let goal = match goal {
                GoalId::Block(b) => GoalId::block_of(unit, callable, b),
                GoalId::Probe(p) => GoalId::probe_of(unit, callable, p),
                other @ (GoalId::Way(_)
                | GoalId::Path(_)
                | GoalId::BlockIn(..)
                | GoalId::ProbeIn(..)
                | GoalId::BlockBy(..)) => other,
            };
            (goal, cond)
        };
        if let Some(activation) = a.all.get_mut(i) {
            activation.callable = Some(callable);
            if is_followed && self.program.criteria.has(Criterion::Path) {
                (activation.edges, activation.paths) = (reached.edges, reached.paths.max(1));
            }
            activation.halted = reached.halted.unwrap_or(activation.halted);
            activation.goals.extend(reached.goals.into_iter().map(goal));
        }
    }

    /// Records that the current activation calls an activation, which has ended, under the current
    /// condition. `site` is the place of the call if calls are distinguished.
    pub(super) fn enters(&mut self, activation: Option<usize>, site: Option<Span>) {
        let Some(i) = activation else { return };
        let Some((caller, when)) = self.here().filter(|(_, when)| *when != self.t.ff) else {
            return;
        };
        if let Some(activation) = self
            .calls
            .activations
            .as_mut()
            .and_then(|a| a.all.get_mut(i))
        {
            activation.calls.push(Call { caller, when, site });
            self.work.inner_paths = self.work.inner_paths.saturating_mul(activation.paths);
        }
    }

    /// Records the call of a shared copy.
    pub(super) fn links(&mut self, activation: Option<usize>, site: Option<Span>, entry: Entry) {
        self.enters(activation, site);
        let (Some((caller, when)), Some(activation)) = (self.here(), activation) else {
            return;
        };
        if let Some(a) = &mut self.calls.activations {
            a.links.push(Link {
                caller,
                when,
                activation,
                entry,
            });
        }
    }

    /// Records that the current activation reaches goals under an additional condition.
    pub(super) fn reaches(&mut self, goals: &[GoalId], cond: Term) {
        let Some((here, when)) = self.here() else {
            return;
        };
        let reached = self.t.and(when, cond);
        if let Some(activation) = self
            .calls
            .activations
            .as_mut()
            .and_then(|a| a.all.get_mut(here))
        {
            activation.seen.extend(goals.iter().map(|g| (*g, reached)));
        }
    }

    /// Returns the current activation and the condition under which execution gets from its entry
    /// to the current point; `None` in specifications.
    fn here(&mut self) -> Option<(usize, Term)> {
        let here = self
            .calls
            .activations
            .as_ref()
            .and_then(|a| a.open.last().copied())??;
        let since: Vec<Term> = self
            .path
            .conditions
            .iter()
            .skip(here.before)
            .copied()
            .collect();
        let since = self.t.all(since);
        Some((here.activation, self.t.and(since, self.path.guard)))
    }

    /// Returns the chain of active calls since the last shared copy.
    pub(super) fn path(&mut self) -> Option<Path> {
        let here = self.here()?;
        let mut path = vec![here];
        let open = self.calls.activations.as_ref().map_or(&[][..], |a| &a.open);
        // The path consists of the call conditions of all open activations, from the innermost one
        // outwards.
        for pair in open.windows(2).rev() {
            let [Some(outer), Some(inner)] = pair else {
                break;
            };
            let Some(when) = inner.when else { break };
            path.push((outer.activation, when));
        }
        path.reverse();
        Some(path)
    }

    /// Evaluates a specification. Calls in it do not reach goals, because it is not compiled code.
    pub(super) fn in_specification<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        if let Some(a) = &mut self.calls.activations {
            a.open.push(None);
        }
        self.path.specifying += 1;
        let result = work(self);
        self.path.specifying -= 1;
        if let Some(a) = &mut self.calls.activations {
            a.open.pop();
        }
        result
    }

    /// Returns the limit of nested calls of a callable: the attribute `{:testInline N}`, which
    /// allows N nested activations, or the bound.
    pub(super) fn deepest(&self, callable: CallableId) -> u32 {
        let unrolled = self
            .calls
            .activations
            .as_ref()
            .and_then(|a| a.system)
            .and_then(|_| self.typed()[callable].attribute("testInline")?.unrolling());
        unrolled.map_or(self.bounds.inline, |n| n.saturating_sub(1))
    }

    /// Combines the relative conditions of all activations. Adds the goals that they reach to
    /// `all`, including goals of inlined calls and counted branches, and the conditions under which
    /// they halt to `ends`.
    pub(super) fn settle_activations(&mut self, all: &mut walk::Reached, ends: &mut Term) {
        let Some(mut a) = self.calls.activations.take() else {
            return;
        };
        let reached = &mut all.goals;
        let mut by_call: Vec<SortedMap<CallId, Term>> = vec![SortedMap::new(); a.all.len()];
        let mut entered = vec![self.t.ff; a.all.len()];
        if let Some(root) = entered.first_mut() {
            *root = self.t.tt;
        }
        // In reverse order of ending, callers come before their callees: their entry conditions are
        // known. The unit itself is the first.
        for i in std::iter::once(&0).chain(a.ended.iter().rev()) {
            let Some(activation) = a.all.get(*i) else {
                continue;
            };
            // An activation is entered if some caller is entered and makes the call.
            let mut some = self.t.ff;
            for call in &activation.calls {
                let caller = entered.get(call.caller).copied().unwrap_or(self.t.ff);
                let here = self.t.and(caller, call.when);
                some = self.t.or(some, here);
            }
            let told_apart = self.told_apart(&a, *i, &by_call);
            let some = match entered.get_mut(*i) {
                Some(root) if *i == 0 => *root,
                Some(slot) => {
                    *slot = some;
                    some
                }
                None => some,
            };
            // Conditions relative to the entry become absolute.
            let halted = self.t.and(some, activation.halted);
            *ends = self.t.or(*ends, halted);
            for (goal, cond) in activation.goals.iter().chain(&activation.seen) {
                self.reach(reached, *goal, some, *cond);
            }
            for edge in &activation.edges {
                let taken = self.t.and(some, *edge);
                if taken != self.t.ff {
                    all.edges.push(taken);
                }
            }
            // The same goals, once for each chain of calls that enters the activation.
            for (call, entered) in &told_apart {
                for (goal, cond) in &activation.goals {
                    if let Some((callee, block)) = goal.block(a.unit) {
                        self.reach(
                            reached,
                            GoalId::BlockBy(*call, callee, block),
                            *entered,
                            *cond,
                        );
                    }
                }
            }
            if let Some(slot) = by_call.get_mut(*i) {
                *slot = told_apart;
            }
        }
        // For every copy that allocates objects, the condition that an earlier call uses it. Two
        // calls of one execution must not share its objects.
        let mut earlier: SortedMap<usize, Term> = SortedMap::new();
        for Link {
            caller,
            when,
            activation,
            entry,
        } in std::mem::take(&mut a.links)
        {
            let caller = entered.get(caller).copied().unwrap_or(self.t.ff);
            // A call of a copy fixes the copy's variables to the values at the call.
            let called = self.t.and(caller, when);
            let same = self.all_equal(&entry.variables, &entry.values);
            let mut is_so = self.t.and(entry.assumed, same);
            if entry.is_single {
                let others = earlier.get(&activation).copied().unwrap_or(self.t.ff);
                let alone = self.t.not(others);
                is_so = self.t.and(is_so, alone);
                let some = self.t.or(others, called);
                earlier.insert(activation, some);
            }
            let fact = self.t.implies(called, is_so);
            self.assumed.facts.push(fact);
        }
        if self.mode == Mode::Havoc {
            self.doubt(&a, reached);
        }
    }

    /// Returns the distinguished calls that enter an activation, with the conditions. `by_call`
    /// contains these for its callers.
    fn told_apart(
        &mut self,
        a: &Activations<'_>,
        activation: usize,
        by_call: &[SortedMap<CallId, Term>],
    ) -> SortedMap<CallId, Term> {
        let mut found: SortedMap<CallId, Term> = SortedMap::new();
        let this = a.all.get(activation);
        let (Some(inlined), Some(callable)) = (a.inlined, this.and_then(|this| this.callable))
        else {
            return found;
        };
        // A call is identified by its site and by the way to its caller.
        for call in this.map_or(&[][..], |this| &this.calls) {
            let Some(site) = call.site else { continue };
            let outermost = (call.caller == 0).then_some((None, self.t.tt));
            let inner = by_call
                .get(call.caller)
                .into_iter()
                .flatten()
                .map(|(from, entered)| (Some(*from), *entered));
            for (from, entered) in outermost.into_iter().chain(inner) {
                let Some(by) = inlined.call(from, site, callable) else {
                    continue;
                };
                // Several activations may be the same call; any of them may have been entered.
                let here = self.t.and(entered, call.when);
                let before = found.get(&by).copied().unwrap_or(self.t.ff);
                let now = self.t.or(before, here);
                found.insert(by, now);
            }
        }
        found
    }

    /// Adds the condition that a goal is reached: the activation is entered and reaches it.
    pub(super) fn reach(
        &mut self,
        reached: &mut SortedMap<GoalId, Term>,
        goal: GoalId,
        entered: Term,
        cond: Term,
    ) {
        let here = self.t.and(entered, cond);
        let before = reached.get(&goal).copied().unwrap_or(self.t.ff);
        let now = self.t.or(before, here);
        reached.insert(goal, now);
    }

    /// Weakens unreachability for a sound proof. Code past a bound, or code that cannot be encoded,
    /// may call anything, and so reach every goal of callees; for an entry, also its own goals.
    fn doubt(&mut self, a: &Activations<'_>, reached: &mut SortedMap<GoalId, Term>) {
        if a.system.is_none() && a.inlined.is_none_or(|i| i.calls.is_empty()) {
            return;
        }
        let all = self.omissions.crossed.clone();
        let beyond = self.past(&all);
        // The nesting bound does not matter for a call that is inlined completely.
        let other = self.past(
            &all.into_iter()
                .filter(|kind| *kind != BoundKind::Inline)
                .collect(),
        );
        for goal in self.program.sought(a.unit) {
            let before = reached.get(&goal).copied().unwrap_or(self.t.ff);
            if a.system.is_some() || goal.callee().is_some() {
                let is_followed =
                    matches!(goal, GoalId::BlockBy(call, ..) if self.follows_to(a, call));
                let now = self.t.or(before, if is_followed { other } else { beyond });
                reached.insert(goal, now);
            }
        }
    }

    /// Returns the condition that a bound of one of these kinds is crossed; true if something
    /// cannot be encoded.
    fn past(&mut self, kinds: &SortedSet<BoundKind>) -> Term {
        // If something could not be encoded, nothing is known beyond.
        let mut beyond = if self.omissions.reasons.is_empty() && !self.work.exhausted {
            self.t.ff
        } else {
            self.t.tt
        };
        for kind in kinds {
            // Each bound that was not crossed leaves nothing beyond it.
            for literals in [&self.omissions.limits, &self.omissions.cuts] {
                let limit = literals.get(kind).copied().unwrap_or(self.t.tt);
                let crossed = self.t.not(limit);
                beyond = self.t.or(beyond, crossed);
            }
        }
        beyond
    }

    /// Whether every call in the chain of a distinguished call is inlined, by their nesting
    /// alone.
    fn follows_to(&self, a: &Activations<'_>, call: CallId) -> bool {
        let chain = a.inlined.map_or_else(Vec::new, |i| i.chain(call));
        let count = |callee: CallableId| {
            chain.iter().filter(|c| c.callee == callee).count() + usize::from(callee == a.unit)
        };
        chain.len() + 2 < MAX_NESTING as usize
            && chain
                .iter()
                .all(|c| count(c.callee) <= self.bounds.inline as usize)
    }
}
