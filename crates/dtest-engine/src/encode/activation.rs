//! Activations of what an entry calls: under which conditions they are entered, and what they reach.
//!
//! Every activation is encoded relative to its own entry, and once for all calls with the same arguments in the same heap. Its goals
//! are conditions relative to that entry too; only at the end are they put under the condition that some call enters the
//! activation. So a tree of calls whose arguments coincide costs as much as the graph of its different calls.

use std::collections::BTreeMap;

use super::shared::Path;
use super::value::Sym;
use super::{Encoder, Mode, walk};
use crate::ir::{GoalId, System};
use crate::smt::Term;
use dafny_resolve::typed::{Attributes, CallableId};

/// The activations of one encoding of an entry.
#[derive(Debug)]
pub(super) struct Activations<'p> {
    unit: CallableId,
    /// What counts beside the unit, where that is an entry.
    system: Option<&'p System>,
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
    /// Goals, and when they are reached.
    goals: Vec<(GoalId, Term)>,
    /// When an `expect` halts the program.
    halted: Term,
    /// Who calls it, and when.
    calls: Vec<(usize, Term)>,
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
    pub(super) fn of(unit: CallableId, system: Option<&'p System>, never: Term) -> Self {
        let open = vec![Some(Open { activation: 0, before: 0, when: None })];
        Self { unit, system, all: vec![Activation::new(never)], open, ended: Vec::new(), links: Vec::new() }
    }
}

impl Activation {
    fn new(never: Term) -> Self {
        Self { goals: Vec::new(), halted: never, calls: Vec::new() }
    }
}

impl<'p> Encoder<'p> {
    /// Whether what a callable reaches is asked for, beside the outermost activation.
    pub(super) fn is_counted(&self, callable: CallableId) -> bool {
        self.activations.as_ref().is_some_and(|a| a.system.is_some_and(|s| a.unit == callable || s.has(callable)))
    }

    /// Begins an activation. `None`: nobody asks for what it reaches.
    pub(super) fn begin(&mut self) -> Option<usize> {
        let when = self.bounds.is_rationed().then(|| self.here()).flatten().map(|(_, when)| when);
        self.begin_at(when)
    }

    /// The same for one that several calls share, or that is called under a condition.
    pub(super) fn begin_at(&mut self, when: Option<Term>) -> Option<usize> {
        let (before, never) = (self.conditions.len(), self.t.ff);
        let a = self.activations.as_mut()?;
        let activation = a.all.len();
        a.all.push(Activation::new(never));
        a.open.push(Some(Open { activation, before, when }));
        Some(activation)
    }

    /// Ends an activation of a callable that reached these goals of its own, and was halted under a condition.
    pub(super) fn end(&mut self, activation: Option<usize>, callable: CallableId, reached: walk::Reached) {
        let (Some(i), Some(a)) = (activation, self.activations.as_mut()) else { return };
        a.open.pop();
        a.ended.push(i);
        let unit = a.unit;
        let goal = |(goal, cond): (GoalId, Term)| {
            let goal = match goal {
                GoalId::Block(b) => GoalId::block_of(unit, callable, b),
                GoalId::Probe(p) => GoalId::probe_of(unit, callable, p),
                other @ (GoalId::Way(_) | GoalId::Path(_) | GoalId::BlockIn(..) | GoalId::ProbeIn(..)) => other,
            };
            (goal, cond)
        };
        if let Some(activation) = a.all.get_mut(i) {
            activation.halted = reached.halted.unwrap_or(activation.halted);
            activation.goals.extend(reached.goals.into_iter().map(goal));
        }
    }

    /// What is encoded here calls an activation, which has ended, under the condition at hand.
    pub(super) fn enters(&mut self, activation: Option<usize>) {
        let Some(i) = activation else { return };
        let Some((here, when)) = self.here().filter(|(_, when)| *when != self.t.ff) else { return };
        if let Some(activation) = self.activations.as_mut().and_then(|a| a.all.get_mut(i)) {
            activation.calls.push((here, when));
        }
    }

    /// The same by way of a copy with an entry of its own.
    pub(super) fn links(&mut self, activation: Option<usize>, entry: Entry) {
        self.enters(activation);
        let (Some((caller, when)), Some(activation)) = (self.here(), activation) else { return };
        if let Some(a) = &mut self.activations {
            a.links.push(Link { caller, when, activation, entry });
        }
    }

    /// What is encoded here reaches goals under a further condition.
    pub(super) fn reaches(&mut self, goals: &[GoalId], cond: Term) {
        let Some((here, when)) = self.here() else { return };
        let reached = self.t.and(when, cond);
        if let Some(activation) = self.activations.as_mut().and_then(|a| a.all.get_mut(here)) {
            activation.goals.extend(goals.iter().map(|g| (*g, reached)));
        }
    }

    /// The activation under way, and when it comes to what is encoded at the moment. `None`: that is no compiled code.
    fn here(&mut self) -> Option<(usize, Term)> {
        let here = self.activations.as_ref().and_then(|a| a.open.last().copied())??;
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
            let [Some(outer), Some(inner)] = pair else { break };
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
        let unrolled =
            self.activations.as_ref().and_then(|a| a.system).and_then(|_| self.typed()[callable].attribute("testInline")?.unrolling());
        unrolled.map_or(self.bounds.inline, |n| n.saturating_sub(1))
    }

    /// Adds to `reached` what activations of the entry's callees reach, and inner ones of its own; to `ends`, when they are
    /// halted.
    pub(super) fn settle_activations(&mut self, reached: &mut BTreeMap<GoalId, Term>, ends: &mut Term) {
        let Some(a) = self.activations.take() else { return };
        let mut entered = vec![self.t.ff; a.all.len()];
        if let Some(root) = entered.first_mut() {
            *root = self.t.tt;
        }
        // Callers end after what they call; the unit itself is the last.
        for i in std::iter::once(&0).chain(a.ended.iter().rev()) {
            let Some(activation) = a.all.get(*i) else { continue };
            let mut some = self.t.ff;
            for (caller, when) in &activation.calls {
                let caller = entered.get(*caller).copied().unwrap_or(self.t.ff);
                let here = self.t.and(caller, *when);
                some = self.t.or(some, here);
            }
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
            for (goal, cond) in &activation.goals {
                let here = self.t.and(some, *cond);
                let before = reached.get(goal).copied().unwrap_or(self.t.ff);
                let now = self.t.or(before, here);
                reached.insert(*goal, now);
            }
        }
        // Earlier calls by way of the copies that make objects.
        let mut earlier: BTreeMap<usize, Term> = BTreeMap::new();
        for Link { caller, when, activation, entry } in a.links {
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
        if self.mode == Mode::Havoc && a.system.is_some() {
            self.doubt(reached);
        }
    }

    /// In search of a proof: what lies past a bound, or cannot be encoded, may call anything.
    fn doubt(&mut self, reached: &mut BTreeMap<GoalId, Term>) {
        let mut beyond = if self.reasons.is_empty() && !self.exhausted { self.t.ff } else { self.t.tt };
        for kind in self.crossed.clone() {
            let limit = self.limits.get(&kind).copied().unwrap_or(self.t.tt);
            let crossed = self.t.not(limit);
            beyond = self.t.or(beyond, crossed);
        }
        for cond in reached.values_mut() {
            *cond = self.t.or(*cond, beyond);
        }
    }
}
