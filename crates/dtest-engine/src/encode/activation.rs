//! Activations of what an entry calls: under which conditions they are entered, and what they reach.
//!
//! Every activation is encoded relative to its own entry, and once for all calls with the same arguments in the same heap. Its goals
//! are conditions relative to that entry too; only at the end are they put under the condition that some call enters the
//! activation. So a tree of calls whose arguments coincide costs as much as the graph of its different calls.

use super::shared::Path;
use super::value::Sym;
use super::{BoundKind, Encoder, MAX_NESTING, Mode, walk};
use crate::ir::{CallId, Criterion, GoalId, Inlined, System};
use crate::smt::Term;
use dafny_resolve::typed::{Attributes, CallableId};
use dafny_syntax::source::Span;
use dtest_sorted::{SortedMap, SortedSet};

/// The activations of one encoding of an entry.
#[derive(Debug)]
pub(super) struct Activations<'p> {
    unit: CallableId,
    /// What counts beside the unit, where that is an entry.
    system: Option<&'p System>,
    /// What of other callables counts as the unit's own code, call by call.
    inlined: Option<&'p Inlined>,
    /// In the order in which they were begun; the first is the unit's own.
    all: Vec<Activation>,
    /// Those under way, innermost last; `None`: a specification is evaluated.
    open: Vec<Option<Open>>,
    /// In the order in which they ended: what one calls ended before it.
    ended: Vec<usize>,
    /// Calls by way of shared copies.
    links: Vec<Link>,
}

/// A call by way of a copy with an entry of its own.
#[derive(Debug)]
struct Link {
    caller: usize,
    when: Term,
    /// The copy.
    activation: usize,
    entry: Entry,
}

/// What makes a call one of a shared copy.
#[derive(Debug)]
pub(super) struct Entry {
    /// Variables of the copy: parameters, and what the objects hold that it looks at.
    pub(super) variables: Vec<Sym>,
    /// What they are at the call.
    pub(super) values: Vec<Sym>,
    /// What is assumed of the variables.
    pub(super) assumed: Term,
    /// Whether an execution may make one call only by way of the copy, since that makes objects.
    pub(super) is_single: bool,
}

#[derive(Debug)]
struct Activation {
    /// What runs in it; `None`: the unit itself.
    callable: Option<CallableId>,
    /// Its own goals, and when they are reached.
    goals: Vec<(GoalId, Term)>,
    /// The same of calls that are not followed: what they were seen to reach.
    seen: Vec<(GoalId, Term)>,
    /// When each branch is taken, where it counts.
    edges: Vec<Term>,
    /// Paths through it, feasible or not.
    paths: u64,
    /// When an `expect` halts the program.
    halted: Term,
    /// Who calls it.
    calls: Vec<Call>,
}

/// A call of an activation.
#[derive(Clone, Copy, Debug)]
struct Call {
    caller: usize,
    when: Term,
    /// Where it stands, if it is told from calls elsewhere.
    site: Option<Span>,
}

/// An activation under way.
#[derive(Clone, Copy, Debug)]
struct Open {
    activation: usize,
    /// How many of the conditions under way lie before its entry.
    before: usize,
    /// When the one around it calls it; none: several calls share it.
    when: Option<Term>,
}

impl<'p> Activations<'p> {
    /// With the activation of the unit itself under way.
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

    /// Whether a callable's own blocks are walked where it is called.
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
    /// Whether what a callable reaches is asked for, beside the outermost activation.
    pub(super) fn is_counted(&self, callable: CallableId) -> bool {
        self.activations.as_ref().is_some_and(|a| a.walks(callable))
    }

    /// Begins an activation. `None`: nobody asks for what it reaches.
    pub(super) fn begin(&mut self) -> Option<usize> {
        let when = self
            .bounds
            .is_rationed()
            .then(|| self.here())
            .flatten()
            .map(|(_, when)| when);
        self.begin_at(when)
    }

    /// The same for one that several calls share, or that is called under a condition.
    pub(super) fn begin_at(&mut self, when: Option<Term>) -> Option<usize> {
        let (before, never) = (self.conditions.len(), self.t.ff);
        let a = self.activations.as_mut()?;
        let activation = a.all.len();
        a.all.push(Activation::new(never));
        a.open.push(Some(Open {
            activation,
            before,
            when,
        }));
        Some(activation)
    }

    /// Ends an activation of a callable that reached these goals of its own, and was halted under a condition.
    pub(super) fn end(
        &mut self,
        activation: Option<usize>,
        callable: CallableId,
        reached: walk::Reached,
    ) {
        let (Some(i), Some(a)) = (activation, self.activations.as_mut()) else {
            return;
        };
        a.open.pop();
        a.ended.push(i);
        let unit = a.unit;
        let is_followed = a.inlined.is_some_and(|i| i.followed.contains(&callable));
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

    /// What is encoded here calls an activation, which has ended, under the condition at hand; `site`: where the call stands, if it is told
    /// apart.
    pub(super) fn enters(&mut self, activation: Option<usize>, site: Option<Span>) {
        let Some(i) = activation else { return };
        let Some((caller, when)) = self.here().filter(|(_, when)| *when != self.t.ff) else {
            return;
        };
        if let Some(activation) = self.activations.as_mut().and_then(|a| a.all.get_mut(i)) {
            activation.calls.push(Call { caller, when, site });
            self.inner_paths = self.inner_paths.saturating_mul(activation.paths);
        }
    }

    /// The same by way of a copy with an entry of its own.
    pub(super) fn links(&mut self, activation: Option<usize>, site: Option<Span>, entry: Entry) {
        self.enters(activation, site);
        let (Some((caller, when)), Some(activation)) = (self.here(), activation) else {
            return;
        };
        if let Some(a) = &mut self.activations {
            a.links.push(Link {
                caller,
                when,
                activation,
                entry,
            });
        }
    }

    /// What is encoded here reaches goals under a further condition.
    pub(super) fn reaches(&mut self, goals: &[GoalId], cond: Term) {
        let Some((here, when)) = self.here() else {
            return;
        };
        let reached = self.t.and(when, cond);
        if let Some(activation) = self.activations.as_mut().and_then(|a| a.all.get_mut(here)) {
            activation.seen.extend(goals.iter().map(|g| (*g, reached)));
        }
    }

    /// The activation under way, and when it comes to what is encoded at the moment. `None`: that is no compiled code.
    fn here(&mut self) -> Option<(usize, Term)> {
        let here = self
            .activations
            .as_ref()
            .and_then(|a| a.open.last().copied())??;
        let since: Vec<Term> = self.conditions.iter().skip(here.before).copied().collect();
        let since = self.t.all(since);
        Some((here.activation, self.t.and(since, self.guard)))
    }

    /// The calls under way since the last copy that several calls share.
    pub(super) fn path(&mut self) -> Option<Path> {
        let here = self.here()?;
        let mut path = vec![here];
        let open = self.activations.as_ref().map_or(&[][..], |a| &a.open);
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

    /// Evaluates something that is no compiled code: what it calls is not reached by it.
    pub(super) fn in_specification<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        if let Some(a) = &mut self.activations {
            a.open.push(None);
        }
        self.specifying += 1;
        let result = work(self);
        self.specifying -= 1;
        if let Some(a) = &mut self.activations {
            a.open.pop();
        }
        result
    }

    /// How deep calls of a callable may nest: what its own attribute `{:testInline N}` says, N activations in each other, else the
    /// bound in force.
    pub(super) fn deepest(&self, callable: CallableId) -> u32 {
        let unrolled = self
            .activations
            .as_ref()
            .and_then(|a| a.system)
            .and_then(|_| self.typed()[callable].attribute("testInline")?.unrolling());
        unrolled.map_or(self.bounds.inline, |n| n.saturating_sub(1))
    }

    /// Adds to `reached` what activations of the entry's callees reach, and inner ones of its own, and what is reached call by call; their
    /// branches, where these count; to `ends`, when they are halted.
    pub(super) fn settle_activations(&mut self, all: &mut walk::Reached, ends: &mut Term) {
        let Some(mut a) = self.activations.take() else {
            return;
        };
        let reached = &mut all.goals;
        let mut by_call: Vec<SortedMap<CallId, Term>> = vec![SortedMap::new(); a.all.len()];
        let mut entered = vec![self.t.ff; a.all.len()];
        if let Some(root) = entered.first_mut() {
            *root = self.t.tt;
        }
        // Callers end after what they call; the unit itself is the last.
        for i in std::iter::once(&0).chain(a.ended.iter().rev()) {
            let Some(activation) = a.all.get(*i) else {
                continue;
            };
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
        // Earlier calls by way of the copies that make objects.
        let mut earlier: SortedMap<usize, Term> = SortedMap::new();
        for Link {
            caller,
            when,
            activation,
            entry,
        } in std::mem::take(&mut a.links)
        {
            let caller = entered.get(caller).copied().unwrap_or(self.t.ff);
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
            self.facts.push(fact);
        }
        if self.mode == Mode::Havoc {
            self.doubt(&a, reached);
        }
    }

    /// By which calls, of those that are told apart, an activation is entered, and when; `by_call` has it of its callers.
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
                let here = self.t.and(entered, call.when);
                let before = found.get(&by).copied().unwrap_or(self.t.ff);
                let now = self.t.or(before, here);
                found.insert(by, now);
            }
        }
        found
    }

    /// Adds that a goal is reached where an activation is entered and comes there.
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

    /// In search of a proof: what lies past a bound, or cannot be encoded, may call anything, and comes to all that lies in callees; of an
    /// entry, also to its own goals.
    fn doubt(&mut self, a: &Activations<'_>, reached: &mut SortedMap<GoalId, Term>) {
        if a.system.is_none() && a.inlined.is_none_or(|i| i.calls.is_empty()) {
            return;
        }
        let all = self.crossed.clone();
        let beyond = self.past(&all);
        // How deep calls nest is no matter for one that is followed.
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

    /// That a bound of one of these kinds is crossed, or may be for what cannot be encoded.
    fn past(&mut self, kinds: &SortedSet<BoundKind>) -> Term {
        let mut beyond = if self.reasons.is_empty() && !self.exhausted {
            self.t.ff
        } else {
            self.t.tt
        };
        for kind in kinds {
            for literals in [&self.limits, &self.cuts] {
                let limit = literals.get(kind).copied().unwrap_or(self.t.tt);
                let crossed = self.t.not(limit);
                beyond = self.t.or(beyond, crossed);
            }
        }
        beyond
    }

    /// Whether every call on the way of one that is told apart is followed, so far as the nesting of calls decides it.
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
