//! Solving: finds a model of a path's conditions in which every relevant quantified fact is
//! decided.
//!
//! Key type: [`Session`]. Key functions: [`World::solve`], which tries small numbers first;
//! [`World::solve_with`], the loop of asking the solver and refining; [`World::refine`], which adds
//! the instances and unfoldings that the model violates.

use std::rc::Rc;
use std::time::Duration;

use boogie_resolve::typed::Type;
use dafny_source::Span;
use dtest_smt::{Answer, Assignment, Budget, Const, Node, Solver, Sort, Term};
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Model, Walk};
use crate::quantifiers::FactId;
use crate::value::{BaseId, Value};
use crate::world::{Of, Origin, Res, Stop, World};

/// The result for a path.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A model with which the path is taken.
    Model(Rc<Model>),
    /// No execution takes the path.
    Infeasible,
    /// The question is undecided, for the given reason.
    Undecided(Stop),
}

/// The result of one attempt.
enum Tried {
    /// The result, independent of the additional assumptions of the attempt.
    Known(Outcome),
    /// There may be a model with larger numbers.
    TooSmall,
    /// There is no model with the additional conditions.
    NotWith,
}

/// The assumptions of an attempt, in addition to the conditions of the path.
#[derive(Clone)]
struct Asked {
    extra: Vec<Term>,
    /// The variables that `extra` fixes.
    fixed: FxHashSet<Term>,
    /// The limit of the other numbers.
    size: Option<i64>,
    /// The number of smaller limits that are known to be too small.
    too_small: usize,
    budget: Budget,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            extra: Vec::new(),
            fixed: FxHashSet::default(),
            size: None,
            too_small: 0,
            budget: BUDGET,
        }
    }
}

/// A solver with the lemmas asserted so far.
pub(crate) struct Session {
    solver: Solver,
    asserted: usize,
    /// The effort of the solver at the last query.
    spent: u64,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self {
            solver: Solver::new(0, false),
            asserted: 0,
            spent: 0,
        }
    }
}

/// The budget of a query.
const BUDGET: Budget = Budget {
    rlimit: 8_000_000,
    timeout: Duration::from_secs(10),
};
/// The budget for minimizing a number, which is optional.
const SMALL: Budget = Budget {
    rlimit: 200_000,
    timeout: Duration::from_secs(2),
};
/// The limit of failed queries for minimizing.
const HARD: usize = 2;
/// The number of elements of an undefined type: the first limit and the last one, before any number
/// is allowed.
const FEW: i64 = 32;
const MANY: i64 = 256;
/// The limits of the number of elements of a finite undefined type, before any number is allowed.
/// The first one makes all types infinite.
const FINITE: [i64; 3] = [0, 4, 32];
/// The limits of numbers in the search for small ones, before any number is allowed.
const SIZES: [i64; 6] = [0, 1, 2, 4, 10, 100];
/// The limit of rounds of asking the solver and adding instances.
const ROUNDS: usize = 400;

/// The limit of recursive unfoldings in one round.
const UNFOLDED: usize = 64;
/// The limit of instances of one fact in one round.
const BATCH: usize = 256;

/// The terms at which maps and functions were read, by their values.
#[derive(Default)]
struct Indices {
    numbers: FxHashMap<Term, Term>,
    elements: FxHashMap<Term, Term>,
    known: FxHashSet<Term>,
}

/// The cone of influence of a path: variables, facts and values of functions.
#[derive(Default)]
struct Cone {
    vars: FxHashSet<Term>,
    facts: Vec<FactId>,
    entries: Vec<(BaseId, usize)>,
    /// The literals that enable unfolded rules.
    switches: Vec<Term>,
}

impl Cone {
    fn sorted(mut self) -> Self {
        self.facts.sort_unstable();
        self.entries.sort_unstable();
        self.switches.sort_unstable();
        self
    }
}

impl<'p> World<'p> {
    /// Returns everything that the truth of the terms may depend on.
    fn cone(&self, path: &[Term]) -> Cone {
        let mut cone = Cone::default();
        let mut open: Vec<Term> = path.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            let node = self.terms.node(t);
            if matches!(node, Node::Var(_)) {
                open.extend(self.enter(&mut cone, t));
            } else {
                open.extend(node.children());
            }
        }
        cone.sorted()
    }

    /// Returns the part of a cone that the truth of the terms depends on under a model.
    fn decisive_cone(&self, path: &[Term], model: &Model) -> Cone {
        let (mut cone, mut walk) = (Cone::default(), Walk::from(path.iter().copied()));
        while let Some(v) = walk.next(self, model) {
            self.enter(&mut cone, v)
                .into_iter()
                .for_each(|t| walk.add(t));
        }
        cone.sorted()
    }

    /// Adds a variable to a cone. Returns the terms that constrain it.
    fn enter(&self, cone: &mut Cone, v: Term) -> Vec<Term> {
        cone.vars.insert(v);
        let mut said = Vec::new();
        match self.origins.get(&v) {
            Some(Origin::Fact(f)) => {
                cone.facts.push(*f);
                said.extend(
                    self.facts
                        .get(f.0 as usize)
                        .into_iter()
                        .flat_map(|f| f.lemmas.iter().copied()),
                );
            }
            Some(Origin::Entry(base, i)) => {
                cone.entries.push((*base, *i));
                if let Some(entry) = self.base_of(*base).entries.get(*i) {
                    let keys = entry.key.iter().flat_map(|k| k.1.iter());
                    said.extend(keys.filter_map(|v| {
                        if let Value::Term(t) = v {
                            Some(*t)
                        } else {
                            None
                        }
                    }));
                    if let Some((switch, lemma)) = entry.lemma {
                        cone.switches.push(switch);
                        said.push(lemma);
                    }
                }
            }
            Some(Origin::Tag(_) | Origin::Element | Origin::Choice) | None => {}
        }
        said
    }

    /// Creates the model from the solver's values, and the part of the cone that the path depends
    /// on. Values of facts and functions with rules outside of that part are dropped, because they
    /// need not be correct.
    fn model_of(
        &self,
        path: &[Term],
        cone: &Cone,
        mut values: Assignment,
        too_small: usize,
    ) -> (Cone, Rc<Model>) {
        // A variable that the solver leaves open may have any value.
        for v in &cone.vars {
            values
                .entry(*v)
                .or_insert_with(|| Const::zero(self.terms.sort(*v)));
        }
        let counts: Vec<usize> = self.bases.iter().map(|b| b.entries.len()).collect();
        let whole = Model::new(
            values.clone(),
            &cone.vars,
            counts.clone(),
            self.hints.clone(),
        );
        let rests = self.decisive_cone(path, &whole);
        let is_free = |t: &Term| match self.origins.get(t) {
            Some(Origin::Fact(_)) => false,
            Some(Origin::Entry(base, _)) => match self.base_of(*base).of {
                Of::Function(f) => self.rules.get(f).is_none(),
                Of::Var | Of::ByZero => true,
            },
            Some(Origin::Tag(_) | Origin::Element | Origin::Choice) | None => true,
        };
        let kept = cone
            .vars
            .iter()
            .copied()
            .filter(|t| rests.vars.contains(t) || is_free(t))
            .collect();
        (
            rests,
            Rc::new(
                Model::new(values, &kept, counts, self.hints.clone()).with_too_small(too_small),
            ),
        )
    }

    fn ask(
        &mut self,
        session: &mut Session,
        path: &[Term],
        cone: &Cone,
        extra: &[Term],
        budget: Budget,
    ) -> Answer {
        for lemma in self.lemmas.iter().skip(session.asserted) {
            session.solver.assert(&self.terms, *lemma);
        }
        session.asserted = self.lemmas.len();
        let assumptions: Vec<Term> = path
            .iter()
            .chain(&cone.switches)
            .chain(extra)
            .copied()
            .filter(|t| *t != self.terms.tt)
            .collect();
        let answer = session.solver.check(&self.terms, &assumptions, budget);
        let spent = session.solver.stats().spent;
        self.account.solver += spent - session.spent;
        session.spent = spent;
        self.take_stock();
        answer
    }

    /// Finds a model of the conditions, with small numbers if possible. `before` is a model of a
    /// prefix of them: limits that were too small for the prefix are skipped. With `kept`, the
    /// values of `before` are tried first, because a new condition usually affects only a part of
    /// the path.
    pub(crate) fn solve(
        &mut self,
        session: &mut Session,
        path: &[Term],
        before: &Model,
        kept: bool,
    ) -> Res<Outcome> {
        // Excluding small numbers may be expensive, and is not worth much.
        let budget = |size: Option<i64>| if size.is_some() { SMALL } else { BUDGET };
        let sizes = || SIZES.into_iter().map(Some).chain([None]);
        // Cheapest first: change one number of the old model, then keep its values, then start from
        // scratch.
        if let Some(model) = self.changed(path, before)? {
            return Ok(Outcome::Model(model));
        }
        if kept {
            let fixed = Asked {
                too_small: before.too_small,
                ..self.fixed(before)
            };
            for size in sizes() {
                match self.solve_with(
                    session,
                    path,
                    &Asked {
                        size,
                        budget: budget(size),
                        ..fixed.clone()
                    },
                )? {
                    Tried::Known(found @ (Outcome::Model(_) | Outcome::Infeasible)) => {
                        return Ok(found);
                    }
                    Tried::Known(Outcome::Undecided(_)) if size.is_some() => {}
                    Tried::TooSmall => {}
                    Tried::NotWith | Tried::Known(Outcome::Undecided(_)) => break,
                }
            }
        }
        for (too_small, size) in sizes().enumerate().skip(before.too_small) {
            match self.solve_with(
                session,
                path,
                &Asked {
                    size,
                    too_small,
                    budget: budget(size),
                    ..Asked::default()
                },
            )? {
                Tried::Known(Outcome::Undecided(_)) if size.is_some() => {}
                Tried::Known(found) => return Ok(found),
                Tried::TooSmall | Tried::NotWith => {}
            }
        }
        Ok(Outcome::Undecided(Stop::Limit("solver effort")))
    }

    /// Tries the model `before` with the single number that the last condition fixes. Only if
    /// nothing but numbers matters.
    fn changed(&mut self, path: &[Term], before: &Model) -> Res<Option<Rc<Model>>> {
        let Some((var, number)) = path.last().and_then(|t| self.fixes(*t)) else {
            return Ok(None);
        };
        let cone = self.cone(path);
        if !cone.facts.is_empty()
            || !cone.entries.is_empty()
            || !cone.vars.iter().all(|v| self.is_chosen(*v))
        {
            return Ok(None);
        }
        let mut values: Assignment = before.given().into_iter().collect();
        values.insert(var, Const::Int(number));
        let (_, model) = self.model_of(path, &cone, values, before.too_small);
        for t in path {
            if !self.holds(*t, &model)? {
                return Ok(None);
            }
        }
        Ok(Some(model))
    }

    /// Returns the variable that an equality fixes, and its value.
    pub(crate) fn fixes(&mut self, t: Term) -> Option<(Term, BigInt)> {
        let Node::Eq(a, b) = *self.terms.node(t) else {
            return None;
        };
        if self.terms.sort(a) != Sort::Int {
            return None;
        }
        let difference = self.terms.sub(a, b);
        let (mut var, mut number) = (difference, BigInt::from(0));
        if let Node::Lin(k, parts) = self.terms.node(difference)
            && let [(only, factor)] = &**parts
        {
            (var, number) = (*only, -k / factor);
        }
        matches!(self.terms.node(var), Node::Var(_)).then_some((var, number))
    }

    /// Returns the assumptions that fix the chosen values of a model.
    fn fixed(&mut self, model: &Model) -> Asked {
        let chosen = |t: &Term| !matches!(self.origins.get(t), Some(Origin::Fact(_)) | None);
        let mut vars: Vec<(Term, Const)> = model
            .given()
            .into_iter()
            .filter(|(t, _)| chosen(t))
            .collect();
        vars.sort_by_key(|(t, _)| *t);
        let equal = |(t, c): (Term, Const)| {
            let c = self.terms.constant(c);
            self.terms.eq(t, c)
        };
        let fixed = vars.iter().map(|(t, _)| *t).collect();
        Asked {
            extra: vars.into_iter().map(equal).collect(),
            fixed,
            ..Asked::default()
        }
    }

    /// Returns the conditions that limit every chosen number that is not fixed.
    fn bounds(&mut self, cone: &Cone, size: i64, fixed: &FxHashSet<Term>) -> Vec<Term> {
        let mut vars: Vec<Term> = cone
            .vars
            .iter()
            .copied()
            .filter(|t| self.is_chosen(*t) && !fixed.contains(t))
            .collect();
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
            && !self.elements.contains(&t)
            && match self.origins.get(&t) {
                Some(Origin::Choice) => true,
                Some(Origin::Entry(base, _)) => self.base_of(*base).of == Of::Var,
                Some(Origin::Fact(_) | Origin::Tag(_) | Origin::Element) | None => false,
            }
    }

    /// Minimizes numbers one after the other, by binary search.
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
        let (mut left, mut failures) = (queries, 0);
        for t in order {
            // Only integers have a size that can be reduced.
            if self.terms.sort(*t) != Sort::Int || self.terms.as_const(*t).is_some() {
                continue;
            }
            let Const::Int(mut now) = self.value_of(*t, &best)? else {
                continue;
            };
            // Binary search for the least absolute value, within the number of queries.
            let mut low = BigInt::from(0);
            while left > 0 && failures < HARD && now.abs() > low {
                left -= 1;
                let middle: BigInt = (&low + now.abs() - 1i32) / 2i32;
                let (a, b) = (
                    self.terms.int(-middle.clone()),
                    self.terms.int(middle.clone()),
                );
                let (above, below) = (self.terms.le(a, *t), self.terms.le(*t, b));
                let mut extra = fixed.clone();
                extra.extend([above, below]);
                match self.solve_with(
                    session,
                    path,
                    &Asked {
                        extra,
                        budget: SMALL,
                        ..Asked::default()
                    },
                )? {
                    Tried::Known(Outcome::Model(found)) => {
                        if let Const::Int(n) = self.value_of(*t, &found)? {
                            now = n;
                        }
                        best = found;
                    }
                    // Undecided queries count as failures; too many of them end the search.
                    Tried::Known(Outcome::Undecided(_)) => {
                        failures += 1;
                        low = middle + 1;
                    }
                    Tried::Known(Outcome::Infeasible) | Tried::NotWith | Tried::TooSmall => {
                        low = middle + 1
                    }
                }
            }
            // Later numbers must not make this one larger again.
            let value = self.terms.int(now);
            fixed.push(self.terms.eq(*t, value));
        }
        Ok(best)
    }

    /// Finds a model of the conditions and the additional assumptions.
    fn solve_with(&mut self, session: &mut Session, path: &[Term], asked: &Asked) -> Res<Tried> {
        let Asked {
            extra,
            fixed,
            size,
            too_small,
            budget,
        } = asked;
        if path.contains(&self.terms.ff) {
            return Ok(Tried::Known(Outcome::Infeasible));
        }
        let unfolded = self.rules.unfolded;
        let mut universe = Some(FEW);
        let mut sizes = FINITE.iter().copied().map(Some).chain([None]);
        let mut finite = sizes.next().flatten();
        for _ in 0..ROUNDS {
            if let Some(limit) = self.account.over {
                return Ok(Tried::Known(Outcome::Undecided(Stop::Limit(limit))));
            }
            // The cone grows with every refinement, so that it is recomputed in each round.
            let cone = self.cone(path);
            let few = universe.map_or_else(Vec::new, |n| self.few_elements(&cone, n));
            let small = size.map_or_else(Vec::new, |n| self.bounds(&cone, n, fixed));
            let sized = finite.map_or_else(Vec::new, |n| self.sizes_up_to(&cone, n));
            let asked = [extra.as_slice(), &few, &small, &sized];
            let all: Vec<Term> = asked.into_iter().flatten().copied().collect();
            let values = match self.ask(session, path, &cone, &all, *budget) {
                Answer::Sat(values) => values,
                // The small number of elements was an assumption: relax it.
                Answer::Unsat(core) if core.iter().any(|t| few.contains(t)) => {
                    universe = universe.map(|n| n * 2).filter(|n| *n <= MANY);
                    continue;
                }
                // The infinity or size of types was an assumption: relax it.
                Answer::Unsat(core) if core.iter().any(|t| sized.contains(t)) => {
                    finite = sizes.next().flatten();
                    continue;
                }
                Answer::Unsat(core) if core.iter().any(|t| small.contains(t)) => {
                    return Ok(Tried::TooSmall);
                }
                Answer::Unsat(core) if core.iter().any(|t| extra.contains(t)) => {
                    return Ok(Tried::NotWith);
                }
                Answer::Unsat(_) => return Ok(Tried::Known(Outcome::Infeasible)),
                Answer::Unknown(_) => {
                    return Ok(Tried::Known(Outcome::Undecided(Stop::Limit(
                        "solver effort",
                    ))));
                }
            };
            // A model counts only if all facts and rules hold under it.
            let (rests, model) = self.model_of(path, &cone, values, *too_small);
            match self.refine(&rests, &model) {
                Ok(false) => return self.confirmed(path, model).map(Tried::Known),
                Ok(true) => {}
                Err(stop) => return Ok(Tried::Known(Outcome::Undecided(stop))),
            }
            if self.rules.unfolded - unfolded > self.limits.unfoldings {
                return Ok(Tried::Known(Outcome::Undecided(Stop::Limit(
                    "unfoldings of recursive functions",
                ))));
            }
        }
        Ok(Tried::Known(Outcome::Undecided(Stop::Limit(
            "instantiation rounds",
        ))))
    }

    /// Returns the model if the conditions hold under it according to facts and rules, independent
    /// of the solver's values for them.
    fn confirmed(&mut self, path: &[Term], model: Rc<Model>) -> Res<Outcome> {
        for t in path {
            match self.holds(*t, &model) {
                Ok(true) => {}
                Ok(false) => return Ok(Outcome::Undecided(Stop::Limit("instantiation rounds"))),
                Err(stop @ (Stop::Undecided(_) | Stop::Limit(_))) => {
                    return Ok(Outcome::Undecided(stop));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(Outcome::Model(model))
    }

    /// Returns the assumptions that undefined types with a relevant size are infinite or have at
    /// most this number of elements.
    fn sizes_up_to(&mut self, cone: &Cone, count: i64) -> Vec<Term> {
        let mut sizes: Vec<Term> = self
            .sizes
            .values()
            .filter(|t| cone.vars.contains(t))
            .copied()
            .collect();
        sizes.sort_unstable();
        let most = self.terms.int(count);
        sizes.into_iter().map(|t| self.terms.le(t, most)).collect()
    }

    /// Returns the assumptions that undefined types have few elements. Otherwise facts could
    /// require new elements without end.
    fn few_elements(&mut self, cone: &Cone, count: i64) -> Vec<Term> {
        let mut vars: Vec<Term> = cone
            .vars
            .iter()
            .filter(|t| self.elements.contains(t))
            .copied()
            .collect();
        vars.sort_unstable();
        let most = self.terms.int(count - 1);
        vars.into_iter().map(|t| self.terms.le(t, most)).collect()
    }

    /// Adds the lemmas that the model violates. Returns whether there were any.
    fn refine(&mut self, cone: &Cone, model: &Rc<Model>) -> Res<bool> {
        let mut changed = false;
        for (base, i) in &cone.entries {
            changed |= self.refine_entry(*base, *i, model)?;
        }
        // Rules of functions come first: facts may depend on the values.
        if changed || cone.facts.is_empty() {
            return Ok(changed);
        }
        let indices = self.indices(cone, model)?;
        let mut open: Option<Stop> = None;
        for fact in &cone.facts {
            match self.refine_fact(*fact, model, &indices) {
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

    /// Unfolds the rules of a function for a value that contradicts them.
    fn refine_entry(&mut self, base: BaseId, i: usize, model: &Rc<Model>) -> Res<bool> {
        let Of::Function(f) = self.base_of(base).of else {
            return Ok(false);
        };
        if self.rules.get(f).is_none() {
            return Ok(false);
        }
        let Some((key, value, is_done)) = self
            .base_of(base)
            .entries
            .get(i)
            .map(|e| (e.key.clone(), e.value, e.expanded))
        else {
            return Ok(false);
        };
        if is_done {
            return Ok(false);
        }
        let key = self.under(model, |w| w.concrete_key(&key))?;
        let by_rules = match self.by_rules(base, &key, model) {
            Ok(found) => found,
            // The value has to be unfolded.
            Err(Stop::Undecided(_) | Stop::Limit(_)) => None,
            Err(other) => return Err(other),
        };
        let mut steps = 1;
        if let Some(by_rules) = by_rules {
            let mine = self.under(model, |w| w.concretized(value))?;
            if mine == by_rules {
                return Ok(false);
            }
            steps = UNFOLDED;
        }
        // The values that the model reaches by unfolding are unfolded at once: otherwise each step
        // would take a query.
        let (mut open, mut count) = (vec![(base, i)], 0);
        while let Some((base, i)) = open.pop().filter(|_| count < steps) {
            let Some(lemma) = self.unfolded(base, i)? else {
                continue;
            };
            count += 1;
            match self.decisive(lemma, model) {
                Ok(next) => open.extend(next),
                Err(Stop::Undecided(_) | Stop::Limit(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(count > 0)
    }

    /// Adds what the rules say about an entry, under a literal that is assumed whenever the entry
    /// matters.
    fn unfolded(&mut self, base: BaseId, i: usize) -> Res<Option<Term>> {
        if self.base_of(base).entries.get(i).is_none_or(|e| e.expanded) {
            return Ok(None);
        }
        let Some(lemma) = self.unfold(base, i)? else {
            return Ok(None);
        };
        let lemma = match self.is_in_domain(base, i) {
            Some(is_in_domain) => self.terms.implies(is_in_domain, lemma),
            None => lemma,
        };
        let switch = self.terms.fresh("rule", Sort::Bool);
        let guarded = self.terms.implies(switch, lemma);
        self.lemmas.push(guarded);
        if let Some(entry) = self
            .bases
            .get_mut(base.0 as usize)
            .and_then(|b| b.entries.get_mut(i))
        {
            entry.expanded = true;
            entry.lemma = Some((switch, lemma));
        }
        Ok(Some(lemma))
    }

    /// Returns the condition that the arguments of a function's entry are in the parameter types;
    /// `None` for entries of maps.
    fn is_in_domain(&mut self, base: BaseId, i: usize) -> Option<Term> {
        let ((f, types), _) = self.functions.iter().find(|(_, id)| **id == base)?;
        let function = self.program.function(*f);
        let with: FxHashMap<_, _> = function
            .type_params
            .iter()
            .copied()
            .zip(types.iter().cloned())
            .collect();
        let types: Vec<Type> = function
            .params
            .iter()
            .map(|p| crate::types::substitute(&self.program.var(*p).ty, &with))
            .collect();
        let entry = self.base_of(base).entries.get(i)?;
        let args = entry.key.first().map(|k| k.1.clone())?;
        Some(self.are_in_types(&args, &types))
    }

    /// Returns the function values that the solver does not know yet and that the truth of a term
    /// depends on under a model.
    fn decisive(&mut self, t: Term, model: &Rc<Model>) -> Res<Vec<(BaseId, usize)>> {
        self.value_of(t, model)?;
        let (mut walk, mut out) = (Walk::from([t]), Vec::new());
        while let Some(v) = walk.next(self, model) {
            if let Some(Origin::Entry(base, i)) = self.origins.get(&v).copied()
                && !model.is_solved(v)
                && matches!(self.base_of(base).of, Of::Function(_))
            {
                out.push((base, i));
            }
        }
        Ok(out)
    }

    /// Returns the terms at which maps and functions were read, by their values, separately for
    /// numbers and elements.
    fn indices(&mut self, cone: &Cone, model: &Rc<Model>) -> Res<Indices> {
        let mut terms: Vec<Term> = Vec::new();
        for (base, i) in &cone.entries {
            let Some(entry) = self.base_of(*base).entries.get(*i) else {
                continue;
            };
            let keys = entry.key.iter().flat_map(|k| k.1.iter());
            terms.extend(keys.filter_map(|v| {
                if let Value::Term(t) = v {
                    Some(*t)
                } else {
                    None
                }
            }));
        }
        terms.sort_unstable();
        terms.dedup();
        let mut out = Indices::default();
        for t in terms {
            let c = self.value_of(t, model)?;
            let c = self.terms.constant(c);
            // An index that is a constant is already known by its value.
            if c == t {
                out.known.insert(c);
            } else {
                let by_value = if self.elements.contains(&t) {
                    &mut out.elements
                } else {
                    &mut out.numbers
                };
                by_value.entry(c).or_insert(t);
            }
        }
        Ok(out)
    }

    /// Adds the instance of a fact for the terms that have these values, which is also useful for
    /// other models; otherwise for the values themselves.
    fn instance_like(&mut self, id: FactId, values: Vec<Value>, indices: &Indices) -> Res<bool> {
        let types = self.variable_types(id)?;
        let like = |(v, ty): (&Value, &Type)| match v {
            Value::Term(t) if !indices.known.contains(t) => {
                let by_value = if self.is_numbered(ty) {
                    &indices.elements
                } else {
                    &indices.numbers
                };
                let found = by_value
                    .get(t)
                    .copied()
                    .filter(|x| self.terms.sort(*x) == self.terms.sort(*t));
                found.map_or(*v, Value::Term)
            }
            Value::Term(_) | Value::Map(_) | Value::Data(_) => *v,
        };
        let terms: Vec<Value> = values.iter().zip(&types).map(like).collect();
        Ok(self.instance(id, terms)? || self.instance(id, values)?)
    }

    fn refine_fact(&mut self, id: FactId, model: &Rc<Model>, indices: &Indices) -> Res<bool> {
        let Some(fact) = self.facts.get(id.0 as usize) else {
            return Ok(false);
        };
        let (proxy, universal) = (fact.proxy, fact.universal);
        let holds = self.holds(proxy, model)?;
        // If the truth value denies a universal fact, a witness has to exist.
        if holds != universal {
            return self.witness(id);
        }
        if let Some(found) = self.counterexamples(id, model, BATCH)? {
            let is_broken = !found.sure.is_empty();
            let mut changed = false;
            for values in found.sure {
                changed |= self.instance_like(id, values, indices)?;
            }
            // Instances that cannot be evaluated are left to the solver, whose model then satisfies
            // them.
            for values in found.open {
                changed |= self.instance(id, values)?;
            }
            let span = self
                .facts
                .get(id.0 as usize)
                .map_or_else(Span::default, |f| f.span);
            return if is_broken && !changed {
                Err(Stop::Undecided(span))
            } else {
                Ok(changed)
            };
        }
        let verdict = self.decide(id, model)?;
        if verdict.holds == universal {
            return Ok(false);
        }
        let Some(witness) = verdict.witness else {
            return Err(Stop::Undecided(Span::default()));
        };
        let before: Vec<usize> = self.bases.iter().map(|b| b.entries.len()).collect();
        let added = self.instance_like(id, witness.clone(), indices)?;
        for (i, n) in before.into_iter().enumerate() {
            let Some(base) = self.bases.get(i).filter(|b| b.entries.len() > n) else {
                continue;
            };
            // The fact at the element itself is a better default for other elements.
            let is_own = |e: &crate::world::Entry| {
                e.key
                    .iter()
                    .all(|k| k.1.iter().all(|v| witness.contains(v)))
            };
            let own = base
                .entries
                .iter()
                .enumerate()
                .skip(n)
                .find(|(_, e)| is_own(e))
                .map_or(n, |(j, _)| j);
            self.hints.insert(BaseId(i as u32), own);
        }
        if self
            .facts
            .get(id.0 as usize)
            .is_some_and(|f| f.instances.len() > 60)
        {
            let span = self
                .facts
                .get(id.0 as usize)
                .map_or_else(Span::default, |f| f.span);
            return Err(Stop::Undecided(span));
        }
        if added {
            Ok(true)
        } else {
            Err(Stop::Undecided(
                self.facts
                    .get(id.0 as usize)
                    .map_or_else(Span::default, |f| f.span),
            ))
        }
    }
}
