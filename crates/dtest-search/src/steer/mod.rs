//! The search by executions alone: inputs are changed where their last execution compared them.
//!
//! Units that call much code are too large for the solver, and random changes rarely satisfy a
//! precondition of ten clauses. An execution says what it depends on: it compares values, and the
//! comparison that ended it is often the only one in the way. Each comparison proposes changes of
//! the inputs, of objects, and of results of external code ([`flips`]), after which it may have the
//! other result. Inputs whose execution compares something with a new result are *leads* and are
//! changed further, also inputs whose precondition does not hold yet. This is concolic search with
//! the operands instead of a path condition (REDQUEEN: see [`dtest_interp::Comparison`]).
//!
//! Nothing is claimed of these inputs: they are validated like any others, and goals that they do
//! not reach keep their status.

pub(crate) mod constrained;
mod flips;
mod sites;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Search;
use super::configured_inputs::alone;
use super::constants::Constants;
use super::mutate::Mutator;
use super::pool;
use super::seeds::{self, Maker};
use super::shrink::drop_garbage;
use super::states::{self, put};
use super::validate::{Candidate, Watched};
use dafny_resolve::typed::{CallableId, CallableKind, Program, Type};
use dtest_interp::{Answer, Comparison, Inputs, Interp};
use dtest_ir::{Criterion, GoalId};
use dtest_sorted::SortedSet;
use dtest_value::{Heap, Value};
use flips::{Change, Flipper};
use sites::{Site, sites, with};

/// Number of seeds, and of pooled inputs among the first ones.
const MAX_SEEDS: usize = 60;
/// Maximum number of executions, and of those in a row without a new result of a comparison.
const MAX_EXECUTIONS: usize = 12_000;
const MAX_IDLE: usize = 900;
/// Divisor of the unit's budget that the executions may use.
const BUDGET_DIVISOR: u64 = 4;
/// Maximum number of inputs whose execution was cut that are executed again with a higher limit.
const MAX_LONG: usize = 12;
/// Maximum number of leads.
const MAX_LEADS: usize = 300;
/// Maximum number of further changes for the sake of one, and of inputs for each.
const MAX_FURTHER: u32 = 2;
const MAX_FOLLOWED: usize = 8;
/// Maximum number of leads that come as far as the best, with other operands of the comparison that
/// is in the way.
const MAX_MORE: u32 = 40;
/// Maximum number of changes of the most advanced lead before its turn is that of any other.
const MAX_TRIES_OF_BEST: u32 = 200;
/// Maximum number of leads for one result of a comparison.
const MAX_ALIKE: u32 = 6;
/// Maximum number of truth values of external code that a lead changes before anything else.
const MAX_ANSWERED: usize = 8;
/// Maximum number of changes that a lead proposes for comparisons whose other result is known.
const MAX_KNOWN: usize = 40;
/// Maximum number of changes that are completed so that constrained types hold.
const MAX_REPAIRS: usize = 200;
/// Maximum number of small values of one type, and nesting of their parts.
const MAX_SMALL: usize = 3;
const DEPTH: u32 = 2;

/// Inputs to execute: a change of others. The changed inputs are made when their turn comes, since
/// most proposals are never executed and the heaps of all of them would not fit into memory.
struct Proposal {
    basis: Rc<Basis>,
    change: Change,
    /// The lead that the inputs are to go beyond, and the number of changes of it that were needed
    /// so far, if they are to.
    aim: Option<(usize, u32)>,
}

/// Inputs that proposals change.
struct Basis {
    inputs: Inputs,
    sites: Vec<Site>,
}

/// Inputs whose execution showed something new.
struct Lead {
    inputs: Inputs,
    /// The comparisons that are not changed yet; the next one is the last.
    comparisons: Vec<Comparison>,
    /// The results of all comparisons by place.
    results: FxHashSet<(u64, bool)>,
    proposed: VecDeque<Proposal>,
    /// The progress of the inputs.
    level: Level,
    /// The comparisons that the first violated clause ended with, the last one at the end.
    obstacles: Vec<Comparison>,
    tries: u32,
    /// Number of comparisons that were changed although their other result is known.
    known: usize,
    /// Whether the truth values of external code were changed.
    is_answered: bool,
    /// Whether the values that are no operands were changed.
    is_varied: bool,
}

/// The progress of inputs towards the precondition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Level {
    /// Whether the precondition holds.
    is_admitted: bool,
    /// Number of types and clauses that hold before the first that does not.
    held: usize,
    /// Number of different comparisons that the first violated clause executes before it is
    /// violated. A clause like `Valid()` is a conjunction of many.
    places: usize,
    /// Number of comparisons that it executes.
    count: usize,
}

impl Level {
    fn of(watched: &Watched) -> Self {
        Self {
            is_admitted: watched.is_admitted,
            held: watched.held,
            places: watched.obstacle.places,
            count: watched.obstacle.count,
        }
    }

    /// The level without the progress within a clause.
    fn clauses(self) -> (bool, usize) {
        (self.is_admitted, self.held)
    }
}

/// The state of the search.
#[derive(Default)]
struct Leads {
    all: Vec<Lead>,
    /// The results of comparisons by place, the goals, and other observations.
    seen: FxHashSet<(u64, u64)>,
    /// For each place whose comparisons always had the same result, the number of leads for it.
    known: FxHashMap<u64, u32>,
    tried: FxHashSet<u64>,
    /// The highest level so far, and the number of leads that differ from it only in the operands of
    /// the comparison that is in the way.
    reached: Level,
    more: u32,
    obstacles: FxHashSet<u64>,
    /// The number of changes that may still be completed so that types hold.
    repairs: usize,
}

impl Search<'_> {
    /// Searches for goals without a test by changing inputs where executions compare them.
    pub(super) fn steer(&mut self) {
        if self.stage == Some(Criterion::Mutant) || self.is_opaque() || self.options.enumerate == 0
        {
            return;
        }
        let wanted: SortedSet<GoalId> = self.not_reached(false).into_iter().collect();
        if wanted.is_empty() || self.is_late() {
            return;
        }
        let mut mutator = Mutator::new(
            self.program,
            self.procedure,
            &self.type_args,
            self.options.seed,
        );
        self.validator.watches = true;
        self.validator.interp().note_comparisons(true);
        self.validator.keep_short(&self.accepted);
        let made_up = self.follow_leads(&wanted, &mut mutator);
        self.validator.interp().keep_short(None);
        self.validator.interp().note_comparisons(false);
        self.validator.watches = false;
        // Objects that no calls are known for are used only where nothing else reaches a goal.
        for candidate in made_up {
            if candidate.covers.iter().any(|g| !self.covered.contains(g)) {
                self.take(candidate);
            }
        }
    }

    /// Executes inputs until all wanted goals are covered or nothing new happens. Returns the
    /// candidates with made-up objects.
    fn follow_leads(
        &mut self,
        wanted: &SortedSet<GoalId>,
        mutator: &mut Mutator<'_>,
    ) -> Vec<Candidate> {
        let mut leads = Leads {
            repairs: MAX_REPAIRS,
            ..Leads::default()
        };
        let first = self.first_leads().into_iter();
        let mut first: VecDeque<Proposal> = first.map(Proposal::free).collect();
        let (mut made_up, mut idle) = (Vec::new(), 0);
        let mut long: Vec<Proposal> = Vec::new();
        let limit =
            self.validator.interp().steps() + self.effort.instructions_of_part(BUDGET_DIVISOR);
        for _ in 0..MAX_EXECUTIONS {
            let is_done = wanted.iter().all(|g| self.covered.contains(g));
            let is_spent = self.validator.interp().steps() > limit || self.is_late();
            if is_done || is_spent {
                break;
            }
            let mut next = match first.pop_front() {
                Some(proposal) => Some(proposal),
                None if idle > MAX_IDLE => None,
                None => leads.propose(self.validator.interp(), mutator),
            };
            // Long executions only when short ones lead to nothing new.
            if next.is_none() && !long.is_empty() && self.validator.lengthen() {
                leads.forget(&long);
                first.extend(long.drain(..));
                (next, idle) = (first.pop_front(), 0);
            }
            let Some(proposal) = next else {
                break;
            };
            let aim = proposal.aim;
            let inputs = proposal.inputs(self.validator.interp(), &mut leads.repairs);
            let Some(inputs) = inputs.filter(|inputs| leads.tried.insert(print(inputs))) else {
                idle += 1;
                continue;
            };
            let cut = self.validator.cut;
            let candidate = self.validator.validate(inputs.clone());
            if self.validator.cut > cut && long.len() < MAX_LONG {
                long.push(Proposal::free(inputs.clone()));
            }
            let Some(watched) = self.validator.watched.take() else {
                idle += 1;
                continue;
            };
            if leads.is_new(&watched) {
                leads.add(&self.program.typed, &inputs, watched);
                idle = 0;
            } else {
                idle += 1;
                if let Some(aim) = aim {
                    leads.follow_up(self.validator.interp(), mutator, (&inputs, &watched), aim);
                }
            }
            let Some(candidate) = candidate else { continue };
            if candidate.covers.iter().any(|g| !self.covered.contains(g)) {
                if self.validator.is_made_up(&candidate) {
                    made_up.push(candidate);
                } else {
                    self.take(candidate);
                }
            }
        }
        made_up
    }

    /// The first inputs: those of tests, objects in states that calls lead to, small inputs, and
    /// inputs of the pool.
    fn first_leads(&mut self) -> Vec<Inputs> {
        let mut all: Vec<Inputs> = self.accepted.iter().map(|t| t.inputs.clone()).collect();
        all.extend_from_slice(self.validator.pooled());
        let states = self.validator.given(&self.type_args);
        let (interp, procedure) = (self.validator.interp(), self.procedure);
        let of = |ty: &Type| states.of(ty);
        all.extend(states::inputs(
            self.program,
            interp,
            procedure,
            &self.type_args,
            &of,
        ));
        let seeds = seeds::seeds(self.program, interp, procedure, &self.type_args, MAX_SEEDS);
        all.extend(seeds.into_iter().map(drop_garbage));
        // Only values that the inputs hold can be changed.
        let is_constructor =
            self.program.typed[procedure.callable].kind == CallableKind::Constructor;
        for inputs in &mut all {
            let made = match inputs.args.first() {
                Some(Value::Ref(id)) if is_constructor => Some(*id),
                Some(_) | None => None,
            };
            pool::complete(interp, &mut inputs.heap, made);
        }
        all
    }
}

impl Proposal {
    /// Inputs without an aim.
    fn free(inputs: Inputs) -> Self {
        let basis = Rc::new(Basis {
            inputs,
            sites: Vec::new(),
        });
        Self {
            basis,
            change: Vec::new(),
            aim: None,
        }
    }

    /// The changed inputs. `None` if the change does not fit to them. A change that breaks the type
    /// of a value around it is completed, as long as there are repairs left.
    fn inputs(self, interp: &Interp<'_>, repairs: &mut usize) -> Option<Inputs> {
        let Basis { inputs, sites } = &*self.basis;
        if self.change.is_empty() {
            return Some(inputs.clone());
        }
        let mut out = inputs.clone();
        if let [(at, value)] = &self.change[..]
            && let site = sites.get(*at)?
            && let Some((site, value)) = constrained::repaired(interp, sites, site, value, repairs)
        {
            return Some(drop_garbage(with(out, site, value)?));
        }
        for (at, value) in self.change {
            out = with(out, sites.get(at)?, value)?;
        }
        Some(drop_garbage(out))
    }
}

impl Leads {
    /// Records the observations of an execution. Returns whether one of them is new.
    fn is_new(&mut self, watched: &Watched) -> bool {
        let mut is_new = false;
        for c in &watched.comparisons {
            is_new |= self.seen.insert((c.place, u64::from(c.holds)));
            // Other operands may be the ones that can be changed.
            if !self.seen.contains(&(c.place, u64::from(!c.holds))) {
                let leads = self.known.entry(c.place).or_default();
                *leads += 1;
                is_new |= *leads <= MAX_ALIKE;
            }
        }
        for goal in &watched.goals {
            is_new |= self.seen.insert((hashed(goal), 2));
        }
        // A quantifier that comes to a later value before it fails compares at the same places.
        let level = Level::of(watched);
        let rank = |l: Level| (l.clauses(), l.places);
        if rank(level) > rank(self.reached) {
            is_new = true;
            self.more = 0;
        } else if rank(level) == rank(self.reached) && !level.is_admitted && self.more < MAX_MORE {
            let obstacle = watched.obstacle.comparisons.last();
            let is_other = obstacle.is_some_and(|c| self.obstacles.insert(hashed(c)));
            is_new |= is_other;
            self.more += u32::from(is_other);
        }
        self.reached = self.reached.max(level);
        is_new
            | self
                .seen
                .insert((watched.held as u64, 3 + u64::from(watched.is_admitted)))
    }

    /// Adds a lead.
    fn add(&mut self, program: &Program, inputs: &Inputs, watched: Watched) {
        if self.all.len() >= MAX_LEADS {
            return;
        }
        let results = watched.comparisons.iter();
        let results = results.map(|c| (c.place, c.holds)).collect();
        let inputs = with_answers(program, inputs, &watched);
        let level = Level::of(&watched);
        let comparisons = self.worth_changing(watched.comparisons);
        self.all.push(Lead {
            inputs,
            results,
            level,
            obstacles: watched.obstacle.comparisons,
            comparisons,
            proposed: VecDeque::new(),
            tries: 0,
            known: 0,
            is_answered: false,
            is_varied: false,
        });
    }

    /// The comparisons that a lead may change later: those whose other result was never seen, and
    /// the last ones of the others. Their operands take most of a lead's memory.
    fn worth_changing(&self, mut all: Vec<Comparison>) -> Vec<Comparison> {
        let is_frontier = |c: &Comparison| !self.seen.contains(&(c.place, u64::from(!c.holds)));
        let known = all.iter().filter(|c| !is_frontier(c)).count();
        let mut surplus = known.saturating_sub(MAX_KNOWN);
        all.retain(|c| {
            let is_dropped = surplus > 0 && !is_frontier(c);
            surplus -= usize::from(is_dropped);
            !is_dropped
        });
        all
    }

    /// Allows inputs to be executed again.
    fn forget(&mut self, proposals: &[Proposal]) {
        for proposal in proposals {
            self.tried.remove(&print(&proposal.basis.inputs));
        }
    }

    /// Proposes further changes of inputs that were to go beyond a lead and did not even come to its
    /// end: the first comparison with another result is in the way.
    fn follow_up(
        &mut self,
        interp: &Interp<'_>,
        mutator: &mut Mutator<'_>,
        (inputs, watched): (&Inputs, &Watched),
        (at, changes): (usize, u32),
    ) {
        let Some(lead) = self.all.get_mut(at).filter(|_| changes < MAX_FURTHER) else {
            return;
        };
        let is_other = |c: &&Comparison| {
            !lead.results.contains(&(c.place, c.holds))
                && lead.results.contains(&(c.place, !c.holds))
        };
        let Some(comparison) = watched.comparisons.iter().find(is_other) else {
            return;
        };
        let inputs = with_answers(&interp.program().typed, inputs, watched);
        let aim = Some((at, changes + 1));
        let further = changed(interp, mutator, &inputs, aim, |sites, values| {
            Flipper::new(&interp.program().typed, sites, values).flips(comparison)
        });
        for proposal in further.into_iter().take(MAX_FOLLOWED).rev() {
            lead.proposed.push_front(proposal);
        }
    }

    /// The lead that is changed next: mostly one of the most advanced, each in turn; sometimes any,
    /// because the way of the most advanced ones may end.
    fn choose(&self, draw: usize) -> Option<usize> {
        let best = self.all.iter().map(|l| l.level).max()?;
        let is_among = |l: &Lead| match draw {
            0 | 1 => true,
            2 | 3 => l.level == best && l.tries < MAX_TRIES_OF_BEST,
            _ => l.level.clauses() == best.clauses(),
        };
        let least = |is_among: &dyn Fn(&Lead) -> bool| {
            let all = self.all.iter().enumerate().filter(|(_, l)| is_among(l));
            all.min_by_key(|(_, l)| l.tries).map(|(i, _)| i)
        };
        least(&is_among).or_else(|| least(&|_| true))
    }

    /// The next inputs to execute.
    fn propose(&mut self, interp: &Interp<'_>, mutator: &mut Mutator<'_>) -> Option<Proposal> {
        let chosen = self.choose(mutator.random.below(8))?;
        let lead = self.all.get_mut(chosen)?;
        lead.tries += 1;
        if let Some(proposal) = lead.proposed.pop_front() {
            return Some(proposal);
        }
        // A false `Valid()` of a mock ends a precondition without a comparison. Large inputs have
        // hundreds of comparisons, so that it would be changed too late after them.
        if !std::mem::replace(&mut lead.is_answered, true) {
            let all = changed(interp, mutator, &lead.inputs, None, |sites, _| {
                answered(sites)
            });
            lead.proposed.extend(all);
            if let Some(proposal) = lead.proposed.pop_front() {
                return Some(proposal);
            }
        }
        // What violates the first clause comes before all other comparisons.
        let is_frontier = |c: &Comparison| !self.seen.contains(&(c.place, u64::from(!c.holds)));
        if let Some(obstacle) = lead.obstacles.pop() {
            lead.comparisons.retain(|c| *c != obstacle);
            let aim = is_frontier(&obstacle).then_some((chosen, 0));
            let all = changed(interp, mutator, &lead.inputs, aim, |sites, values| {
                Flipper::new(&interp.program().typed, sites, values).flips(&obstacle)
            });
            lead.proposed.extend(all);
            if let Some(proposal) = lead.proposed.pop_front() {
                return Some(proposal);
            }
        }
        // Comparisons whose other result was never seen come before all others.
        let at = lead.comparisons.iter().rposition(is_frontier).or_else(|| {
            let may_go_on = lead.known < MAX_KNOWN && mutator.random.flip();
            lead.comparisons.len().checked_sub(1).filter(|_| may_go_on)
        });
        if let Some(at) = at {
            let comparison = lead.comparisons.remove(at);
            let is_beyond = is_frontier(&comparison);
            lead.known += usize::from(!is_beyond);
            let aim = is_beyond.then_some((chosen, 0));
            let all = changed(interp, mutator, &lead.inputs, aim, |sites, values| {
                Flipper::new(&interp.program().typed, sites, values).flips(&comparison)
            });
            lead.proposed.extend(all);
        } else if !std::mem::replace(&mut lead.is_varied, true) {
            let all = changed(interp, mutator, &lead.inputs, None, |sites, mut values| {
                varied(sites, &mut values)
            });
            lead.proposed.extend(all);
        }
        let proposed = lead.proposed.pop_front();
        Some(proposed.unwrap_or_else(|| Proposal::free(mutator.changed(interp, &lead.inputs))))
    }
}

/// The inputs with the results of external code that an execution used. Results that were proposed
/// and refused stay, so that their contract can be satisfied step by step.
fn with_answers(program: &Program, inputs: &Inputs, watched: &Watched) -> Inputs {
    let mut out = inputs.clone();
    let mut of_methods: FxHashMap<CallableId, usize> = FxHashMap::default();
    for answer in &watched.answers {
        let is_like = |a: &&Answer| a.callee == answer.callee && a.type_args == answer.type_args;
        let is_given = if program[answer.callee].kind.is_function() {
            let mut alike = out.answers.iter().filter(is_like);
            alike.any(|a| a.args == answer.args)
        } else {
            // The results of a method belong to its calls in order.
            let count = of_methods.entry(answer.callee).or_default();
            *count += 1;
            let given = out.answers.iter().filter(|a| a.callee == answer.callee);
            given.count() >= *count
        };
        if !is_given {
            out.answers.push(answer.clone());
        }
    }
    out
}

/// Proposals of the changes that are found for the sites of inputs.
fn changed<'a>(
    interp: &'a Interp<'_>,
    mutator: &'a mut Mutator<'_>,
    inputs: &Inputs,
    aim: Option<(usize, u32)>,
    find: impl FnOnce(&[Site], Small<'_, '_, '_>) -> Vec<Change>,
) -> Vec<Proposal> {
    let program = &interp.program().typed;
    let sites = sites(program, &mutator.types, inputs);
    // New values may need objects, which are added to the heap of all changed inputs.
    let mut inputs = inputs.clone();
    let small = Small {
        interp,
        mutator,
        heap: &mut inputs.heap,
    };
    let changes = find(&sites, small);
    let basis = Rc::new(Basis { inputs, sites });
    let proposal = |change| Proposal {
        basis: Rc::clone(&basis),
        change,
        aim,
    };
    changes.into_iter().map(proposal).collect()
}

/// Changes of the truth values that external code and mocks returned, the last ones first.
fn answered(sites: &[Site]) -> Vec<Change> {
    let results = sites.iter().enumerate().rev();
    let other = |(i, site): (usize, &Site)| {
        let Value::Bool(b) = &site.value else {
            return None;
        };
        site.is_result().then(|| vec![(i, Value::Bool(!b))])
    };
    results.filter_map(other).take(MAX_ANSWERED).collect()
}

/// Changes of values that no comparison has as operands: truth values and constructors.
fn varied(sites: &[Site], values: &mut Small<'_, '_, '_>) -> Vec<Change> {
    let mut changes = Vec::new();
    for (i, site) in sites.iter().enumerate() {
        if let Value::Bool(b) = &site.value {
            changes.push(vec![(i, Value::Bool(!b))]);
        } else if let Value::Datatype(d) = &site.value {
            let others = flips::Values::of_others(values, &site.ty, d.ctor);
            changes.extend(others.into_iter().map(|other| vec![(i, other)]));
        }
    }
    changes
}

/// Small values of types. Their objects are added to a heap.
struct Small<'a, 'p, 'm> {
    interp: &'a Interp<'p>,
    mutator: &'a mut Mutator<'m>,
    heap: &'a mut Heap,
}

impl Small<'_, '_, '_> {
    fn any_plain(&mut self, ty: &Type) -> Option<Value> {
        self.mutator.any_small(self.interp, ty)
    }
}

impl flips::Values for Small<'_, '_, '_> {
    fn program(&self) -> &dtest_ir::Program {
        self.interp.program()
    }

    fn small(&mut self, ty: &Type) -> Vec<Value> {
        let program = self.interp.program();
        if program.typed.holds_no_references(ty) {
            let mut all: Vec<Value> = self.interp.default_value(ty).into_iter().collect();
            all.extend((0..MAX_SMALL).filter_map(|_| self.any_plain(ty)));
            return all;
        }
        let mut heap = Heap::default();
        let constants = Constants::default();
        let values = Maker::new(program, self.interp, &constants).values(ty, DEPTH, &mut heap);
        let first = values.iter().take(MAX_SMALL);
        first
            .filter_map(|v| put(&alone(v, &heap), self.heap))
            .collect()
    }

    fn any(&mut self, ty: &Type) -> Option<Value> {
        match self.interp.program().typed.holds_no_references(ty) {
            true => self.any_plain(ty),
            false => self.small(ty).into_iter().next(),
        }
    }

    fn may_have_type(&self, value: &Value, ty: &Type) -> bool {
        let truth = self.interp.value_has_type(value, ty, &Heap::default());
        !truth.is_false()
    }
}

/// A number that tells inputs apart.
fn print(inputs: &Inputs) -> u64 {
    let held: Vec<&Value> = inputs.heap.contents().collect();
    let results: Vec<_> = inputs
        .answers
        .iter()
        .map(|a| (&a.args, &a.results))
        .collect();
    hashed(&(&inputs.args, held, results))
}

fn hashed(value: &impl std::hash::Hash) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
