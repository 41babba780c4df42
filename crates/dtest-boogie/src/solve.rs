//! From the conditions of a path to a model in which every quantified fact that matters was decided.

use std::rc::Rc;
use std::time::Duration;

use dafny_syntax::source::Span;
use dtest_engine::smt::{Answer, Budget, Const, Node, Solver, Sort, Term};
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashSet;

use crate::model::{Model, term_parts};
use crate::quantifiers::FactId;
use crate::value::{BaseId, Value};
use crate::world::{Of, Origin, Res, Stop, World};

/// What is known of a path.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Values with which it is taken.
    Model(Rc<Model>),
    /// It is never taken.
    Infeasible,
    /// That is not known.
    Undecided(Stop),
}

/// The solver with what it knows already.
pub(crate) struct Session {
    solver: Solver,
    asserted: usize,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self { solver: Solver::new(0, false), asserted: 0 }
    }
}

const BUDGET: Budget = Budget { rlimit: 8_000_000, timeout: Duration::from_secs(10) };
/// Elements of a type that nobody defines: as many as there are tried first, and last before any number may be.
const FEW: i64 = 32;
const MANY: i64 = 256;
/// Rounds of asking and adding instances.
const ROUNDS: usize = 400;

/// What matters for a path.
#[derive(Default)]
struct Cone {
    vars: FxHashSet<Term>,
    facts: Vec<FactId>,
    entries: Vec<(BaseId, usize)>,
    /// What switches on the rules that were unfolded.
    switches: Vec<Term>,
}

impl<'p> World<'p> {
    /// Everything that the truth of these terms rests on.
    fn cone(&self, path: &[Term]) -> Cone {
        let mut cone = Cone::default();
        let mut open: Vec<Term> = path.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            let node = self.terms.node(t);
            open.extend(term_parts(node));
            if !matches!(node, Node::Var(_)) {
                continue;
            }
            cone.vars.insert(t);
            match self.origins.get(&t) {
                Some(Origin::Fact(f)) => {
                    cone.facts.push(*f);
                    open.extend(self.facts.get(f.0 as usize).into_iter().flat_map(|f| f.lemmas.iter().copied()));
                }
                Some(Origin::Entry(base, i)) => {
                    cone.entries.push((*base, *i));
                    if let Some(entry) = self.base_of(*base).entries.get(*i) {
                        let keys = entry.key.iter().flat_map(|k| k.1.iter());
                        open.extend(keys.filter_map(|v| if let Value::Term(t) = v { Some(*t) } else { None }));
                        if let Some((switch, lemma)) = entry.lemma {
                            cone.switches.push(switch);
                            open.push(lemma);
                        }
                    }
                }
                Some(Origin::Tag(_) | Origin::Element | Origin::Choice) | None => {}
            }
        }
        cone.facts.sort_unstable();
        cone.entries.sort_unstable();
        cone.switches.sort_unstable();
        cone
    }

    fn ask(&mut self, session: &mut Session, path: &[Term], cone: &Cone, extra: &[Term]) -> Answer {
        for lemma in self.lemmas.iter().skip(session.asserted) {
            session.solver.assert(&self.terms, *lemma);
        }
        session.asserted = self.lemmas.len();
        let assumptions: Vec<Term> = path.iter().chain(&cone.switches).chain(extra).copied().filter(|t| *t != self.terms.tt).collect();
        session.solver.check(&self.terms, &assumptions, BUDGET)
    }

    /// A model of the conditions, small where that is easy to have.
    pub(crate) fn solve(&mut self, session: &mut Session, path: &[Term], small: bool) -> Res<Outcome> {
        let first = self.solve_with(session, path, &[])?;
        if !small || !matches!(first, Outcome::Model(_)) {
            return Ok(first);
        }
        for size in [0, 1, 2, 5, 20] {
            let bounds = self.bounds(path, size);
            if let Outcome::Model(model) = self.solve_with(session, path, &bounds)? {
                return Ok(Outcome::Model(model));
            }
        }
        Ok(first)
    }

    /// Every number that is chosen is at most so large.
    fn bounds(&mut self, path: &[Term], size: i64) -> Vec<Term> {
        let cone = self.cone(path);
        let mut vars: Vec<Term> = cone.vars.into_iter().filter(|t| self.is_chosen(*t)).collect();
        vars.sort_unstable();
        let mut out = Vec::new();
        for v in vars {
            let (low, high) = (self.terms.int(-size), self.terms.int(size));
            out.push(self.terms.le(low, v));
            out.push(self.terms.le(v, high));
        }
        out
    }

    fn is_chosen(&self, t: Term) -> bool {
        self.terms.sort(t) == Sort::Int
            && match self.origins.get(&t) {
                Some(Origin::Choice) => true,
                Some(Origin::Entry(base, _)) => self.base_of(*base).of == Of::Var,
                Some(Origin::Fact(_) | Origin::Tag(_) | Origin::Element) | None => false,
            }
    }

    /// Makes numbers smaller, one after the other, as far as a model allows.
    pub(crate) fn smallest(
        &mut self,
        session: &mut Session,
        path: &[Term],
        model: Rc<Model>,
        order: &[Term],
        queries: usize,
    ) -> Res<Rc<Model>> {
        let mut best = model;
        let mut fixed: Vec<Term> = Vec::new();
        let mut left = queries;
        for t in order {
            if self.terms.sort(*t) != Sort::Int || self.terms.as_const(*t).is_some() {
                continue;
            }
            let Const::Int(mut now) = self.value_of(*t, &best)? else { continue };
            let mut low = BigInt::from(0);
            while left > 0 && now.abs() > low {
                left -= 1;
                let middle: BigInt = (&low + now.abs() - 1i32) / 2i32;
                let (a, b) = (self.terms.int(-middle.clone()), self.terms.int(middle.clone()));
                let (above, below) = (self.terms.le(a, *t), self.terms.le(*t, b));
                let mut extra = fixed.clone();
                extra.extend([above, below]);
                match self.solve_with(session, path, &extra)? {
                    Outcome::Model(found) => {
                        if let Const::Int(n) = self.value_of(*t, &found)? {
                            now = n;
                        }
                        best = found;
                    }
                    Outcome::Infeasible | Outcome::Undecided(_) => low = middle + 1,
                }
            }
            let value = self.terms.int(now);
            fixed.push(self.terms.eq(*t, value));
        }
        Ok(best)
    }

    fn solve_with(&mut self, session: &mut Session, path: &[Term], extra: &[Term]) -> Res<Outcome> {
        if path.contains(&self.terms.ff) || extra.contains(&self.terms.ff) {
            return Ok(Outcome::Infeasible);
        }
        let unfolded = self.rules.unfolded;
        let mut universe = Some(FEW);
        for _ in 0..ROUNDS {
            let cone = self.cone(path);
            let few = universe.map_or_else(Vec::new, |n| self.few_elements(&cone, n));
            let all: Vec<Term> = extra.iter().chain(&few).copied().collect();
            let model = match self.ask(session, path, &cone, &all) {
                Answer::Sat(values) => values,
                // That there are so few elements was only tried.
                Answer::Unsat(core) if core.iter().any(|t| few.contains(t)) => {
                    universe = universe.map(|n| n * 2).filter(|n| *n <= MANY);
                    continue;
                }
                Answer::Unsat(_) => return Ok(Outcome::Infeasible),
                Answer::Unknown(_) => return Ok(Outcome::Undecided(Stop::Limit("effort of the solver"))),
            };
            let counts = self.bases.iter().map(|b| b.entries.len()).collect();
            let model = Rc::new(Model::new(model, &cone.vars, counts, self.hints.clone()));
            match self.refine(&cone, &model) {
                Ok(false) => return Ok(Outcome::Model(model)),
                Ok(true) => {}
                Err(stop) => return Ok(Outcome::Undecided(stop)),
            }
            if self.rules.unfolded - unfolded > self.limits.unfoldings {
                return Ok(Outcome::Undecided(Stop::Limit("unfoldings of recursive functions")));
            }
        }
        Ok(Outcome::Undecided(Stop::Limit("rounds of instances")))
    }

    /// Types that nobody defines have so few elements: else each fact could ask for another one, without end.
    fn few_elements(&mut self, cone: &Cone, count: i64) -> Vec<Term> {
        let mut vars: Vec<Term> = cone.vars.iter().filter(|t| self.elements.contains(t)).copied().collect();
        vars.sort_unstable();
        let most = self.terms.int(count - 1);
        vars.into_iter().map(|t| self.terms.le(t, most)).collect()
    }

    /// Adds what the model breaks; whether there was anything.
    fn refine(&mut self, cone: &Cone, model: &Rc<Model>) -> Res<bool> {
        let mut changed = false;
        for (base, i) in &cone.entries {
            changed |= self.refine_entry(*base, *i, model)?;
        }
        if changed {
            return Ok(true);
        }
        let mut open: Option<Stop> = None;
        for fact in &cone.facts {
            match self.refine_fact(*fact, model) {
                Ok(more) => changed |= more,
                Err(stop @ Stop::Undecided(_)) => open = Some(stop),
                Err(stop) => return Err(stop),
            }
        }
        match open {
            Some(stop) if !changed => Err(stop),
            Some(_) | None => Ok(changed),
        }
    }

    /// What a function gave is what its rules say.
    fn refine_entry(&mut self, base: BaseId, i: usize, model: &Rc<Model>) -> Res<bool> {
        let Of::Function(f) = self.base_of(base).of else { return Ok(false) };
        if self.rules.get(f).is_none() {
            return Ok(false);
        }
        let Some((key, value, is_done)) = self.base_of(base).entries.get(i).map(|e| (e.key.clone(), e.value, e.expanded)) else {
            return Ok(false);
        };
        if is_done {
            return Ok(false);
        }
        let key = self.under(model, |w| w.concrete_key(&key))?;
        let by_rules = match self.by_rules(base, &key, model) {
            Ok(found) => found,
            // To be unfolded.
            Err(Stop::Undecided(_) | Stop::Limit(_)) => None,
            Err(other) => return Err(other),
        };
        if let Some(by_rules) = by_rules {
            let mine = self.under(model, |w| w.concretized(value))?;
            if mine == by_rules {
                return Ok(false);
            }
        }
        let Some(lemma) = self.unfold(base, i)? else { return Ok(false) };
        let switch = self.terms.fresh("rule", Sort::Bool);
        let guarded = self.terms.implies(switch, lemma);
        self.lemmas.push(guarded);
        if let Some(entry) = self.bases.get_mut(base.0 as usize).and_then(|b| b.entries.get_mut(i)) {
            entry.expanded = true;
            entry.lemma = Some((switch, lemma));
        }
        Ok(true)
    }

    fn refine_fact(&mut self, id: FactId, model: &Rc<Model>) -> Res<bool> {
        let Some(fact) = self.facts.get(id.0 as usize) else { return Ok(false) };
        let (proxy, universal) = (fact.proxy, fact.universal);
        let holds = self.holds(proxy, model)?;
        if holds != universal {
            return self.witness(id);
        }
        let limit = self.limits.instances;
        if let Some(all) = self.candidates_under(id, model, limit)? {
            let mut changed = false;
            for values in all {
                changed |= self.instance(id, values)?;
            }
            return Ok(changed);
        }
        let verdict = self.decide(id, model)?;
        if verdict.holds == universal {
            return Ok(false);
        }
        let Some(witness) = verdict.witness else { return Err(Stop::Undecided(Span::default())) };
        let before: Vec<usize> = self.bases.iter().map(|b| b.entries.len()).collect();
        let added = self.instance(id, witness.clone())?;
        for (i, n) in before.into_iter().enumerate() {
            let Some(base) = self.bases.get(i).filter(|b| b.entries.len() > n) else { continue };
            // What the fact says of the element itself is a better guess than what it says of others.
            let is_own = |e: &crate::world::Entry| e.key.iter().all(|k| k.1.iter().all(|v| witness.contains(v)));
            let own = base.entries.iter().enumerate().skip(n).find(|(_, e)| is_own(e)).map_or(n, |(j, _)| j);
            self.hints.insert(BaseId(i as u32), own);
        }
        if self.facts.get(id.0 as usize).is_some_and(|f| f.instances.len() > 60) {
            let span = self.facts.get(id.0 as usize).map_or_else(Span::default, |f| f.span);
            return Err(Stop::Undecided(span));
        }
        if added { Ok(true) } else { Err(Stop::Undecided(self.facts.get(id.0 as usize).map_or_else(Span::default, |f| f.span))) }
    }
}
