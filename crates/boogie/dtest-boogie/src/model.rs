//! Models: values of solver variables, completed by defaults for variables that were created after
//! the query.
//!
//! Key types: [`Model`]; [`Walk`], which visits only the variables that a value depends on. Key
//! functions: [`World::value_of`], [`World::concretized`].

use std::cell::RefCell;
use std::rc::Rc;

use boogie_resolve::typed::Type;
use dtest_smt::{Assignment, Const, Evaluator, Node, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::types::type_arguments;
use crate::value::{BaseId, Captured, DataNode, EnvId, Key, MapId, MapNode, Value};
use crate::world::{Of, Origin, Res, Stop, World};

/// The values of one execution.
#[derive(Debug, Default)]
pub(crate) struct Model {
    values: RefCell<Assignment>,
    memo: RefCell<FxHashMap<Term, Const>>,
    maps: RefCell<FxHashMap<MapId, MapId>>,
    envs: RefCell<FxHashMap<EnvId, EnvId>>,
    /// The entries of unknown maps and functions, by their indices.
    views: RefCell<FxHashMap<BaseId, Rc<View>>>,
    /// The variables with a value from the solver.
    solved: FxHashSet<Term>,
    /// The number of entries of each unknown map at the time of the query.
    counts: Vec<usize>,
    /// The entries whose elements are the default of their map.
    hints: FxHashMap<BaseId, usize>,
    /// The variables that are being completed.
    open: RefCell<FxHashSet<Term>>,
    /// The number of limits on numbers that are known to be too small, for a prefix of the path's
    /// conditions.
    pub(crate) too_small: usize,
}

/// The entries of an unknown map or function under a model.
pub(crate) type View = FxHashMap<Vec<Key>, Value>;

impl Model {
    /// Creates a model from the relevant values of the solver.
    pub(crate) fn new(
        values: Assignment,
        relevant: &FxHashSet<Term>,
        counts: Vec<usize>,
        hints: FxHashMap<BaseId, usize>,
    ) -> Self {
        let values: Assignment = values
            .into_iter()
            .filter(|(t, _)| relevant.contains(t))
            .collect();
        let solved = values.keys().copied().collect();
        Self {
            values: RefCell::new(values),
            solved,
            counts,
            hints,
            ..Self::default()
        }
    }

    /// Sets the number of limits that are known to be too small.
    pub(crate) fn with_too_small(self, too_small: usize) -> Self {
        Self { too_small, ..self }
    }

    /// Returns the value of a variable, if it has one.
    pub(crate) fn get(&self, t: Term) -> Option<Const> {
        self.values.borrow().get(&t).cloned()
    }

    pub(crate) fn set(&self, t: Term, c: Const) {
        self.values.borrow_mut().insert(t, c);
    }

    /// Returns the values from the solver.
    pub(crate) fn given(&self) -> Vec<(Term, Const)> {
        self.solved
            .iter()
            .filter_map(|t| Some((*t, self.get(*t)?)))
            .collect()
    }

    /// Whether the value of a variable is from the solver.
    pub(crate) fn is_solved(&self, t: Term) -> bool {
        self.solved.contains(&t)
    }
}

/// A walk over the variables that the values of terms depend on under a model: only the taken
/// branch of a conditional, and only the deciding operands of a conjunction or disjunction. Each
/// variable must have a value when the next one is requested.
pub(crate) struct Walk {
    open: Vec<Visit>,
    seen: FxHashSet<Term>,
}

enum Visit {
    Term(Term),
    /// One of two terms, selected by the value of the first.
    Branch(Term, Option<Term>, Option<Term>),
}

impl Walk {
    pub(crate) fn from(terms: impl IntoIterator<Item = Term>) -> Self {
        Self {
            open: terms.into_iter().map(Visit::Term).collect(),
            seen: FxHashSet::default(),
        }
    }

    /// Adds a term to the walk.
    pub(crate) fn add(&mut self, t: Term) {
        self.open.push(Visit::Term(t));
    }

    /// Returns the next variable.
    pub(crate) fn next(&mut self, world: &World, model: &Model) -> Option<Term> {
        while let Some(visit) = self.open.pop() {
            let t = match visit {
                Visit::Term(t) => t,
                // Only the branch that the model selects is relevant.
                Visit::Branch(condition, then, other) => {
                    let taken = if world.evaluated(condition, model) == Const::Bool(true) {
                        then
                    } else {
                        other
                    };
                    self.open.extend(taken.map(Visit::Term));
                    continue;
                }
            };
            // Terms are shared, so each is visited once.
            if !self.seen.insert(t) {
                continue;
            }
            let node = world.terms.node(t);
            if matches!(node, Node::Var(_)) {
                return Some(t);
            } else if let Node::Ite(c, a, b) = node {
                self.open
                    .extend([Visit::Branch(*c, Some(*a), Some(*b)), Visit::Term(*c)])
            } else if let Node::And(a, b) = node {
                // A short-circuit operand matters only if the other one does not decide.
                self.open
                    .extend([Visit::Branch(*a, Some(*b), None), Visit::Term(*a)])
            } else if let Node::Or(a, b) = node {
                self.open
                    .extend([Visit::Branch(*a, None, Some(*b)), Visit::Term(*a)])
            } else {
                self.open
                    .extend(node.children().into_iter().map(Visit::Term))
            }
        }
        None
    }
}

impl<'p> World<'p> {
    /// Evaluates a term under a model. Variables that the solver was not asked about are completed.
    pub(crate) fn value_of(&mut self, t: Term, model: &Rc<Model>) -> Res<Const> {
        if let Some(c) = self.terms.as_const(t) {
            return Ok(c.clone());
        }
        self.complete(t, model)?;
        Ok(self.evaluated(t, model))
    }

    /// Evaluates a term, all of whose relevant variables have values.
    fn evaluated(&self, t: Term, model: &Model) -> Const {
        let memo = model.memo.take();
        let values = model.values.borrow();
        let mut evaluator = Evaluator::resumed(&self.terms, &values, memo);
        let value = evaluator.value(t);
        let memo = evaluator.into_values();
        drop(values);
        model.memo.replace(memo);
        value
    }

    pub(crate) fn holds(&mut self, t: Term, model: &Rc<Model>) -> Res<bool> {
        Ok(matches!(self.value_of(t, model)?, Const::Bool(true)))
    }

    /// Completes the variables that the value of a term depends on.
    fn complete(&mut self, t: Term, model: &Rc<Model>) -> Res<()> {
        let mut walk = Walk::from([t]);
        while let Some(v) = walk.next(self, model) {
            if model.get(v).is_none() {
                let c = self.deeper(|w| w.completed(v, model))?;
                model.set(v, c);
            }
        }
        Ok(())
    }

    fn completed(&mut self, v: Term, model: &Rc<Model>) -> Res<Const> {
        let sort = self.terms.sort(v);
        // A variable that depends on itself has any value.
        if !model.open.borrow_mut().insert(v) {
            return Ok(Const::zero(sort));
        }
        let result = match self.origins.get(&v).copied() {
            Some(Origin::Entry(base, entry)) => self.completed_entry(base, entry, v, model),
            Some(Origin::Fact(fact)) => self
                .decide(fact, model)
                .map(|verdict| Const::Bool(verdict.holds)),
            Some(Origin::Tag(_) | Origin::Element | Origin::Choice) | None => Ok(Const::zero(sort)),
        };
        model.open.borrow_mut().remove(&v);
        result
    }

    fn completed_entry(
        &mut self,
        base: BaseId,
        entry: usize,
        v: Term,
        model: &Rc<Model>,
    ) -> Res<Const> {
        let Some(key) = self.base_of(base).entries.get(entry).map(|e| e.key.clone()) else {
            return Err(Stop::Limit("entries"));
        };
        let key = self.under(model, |w| w.concrete_key(&key))?;
        // In order of precedence: the solver's value for equal indices, the rules of the function,
        // the default of the map.
        let known = self.view(base, model)?.get(&key).copied();
        if let Some(Value::Term(t)) = known
            && let Some(c) = self.terms.as_const(t)
        {
            return Ok(c.clone());
        }
        if let Some(Value::Term(t)) = self.by_rules(base, &key, model)?
            && let Some(c) = self.terms.as_const(t)
        {
            return Ok(c.clone());
        }
        let sort = self.terms.sort(v);
        Ok(self
            .default_of(base, model)
            .filter(|c| c.sort() == sort)
            .unwrap_or_else(|| Const::zero(sort)))
    }

    /// Computes a value by the rules of a function under a model.
    pub(crate) fn by_rules(
        &mut self,
        base: BaseId,
        key: &[Key],
        model: &Rc<Model>,
    ) -> Res<Option<Value>> {
        let Of::Function(f) = self.base_of(base).of else {
            return Ok(None);
        };
        if self.rules.get(f).is_none() {
            return Ok(None);
        }
        let types = self
            .functions
            .iter()
            .find(|(_, id)| **id == base)
            .map(|((_, t), _)| t.clone())
            .unwrap_or_default();
        let args = key.first().map(|k| k.1.clone()).unwrap_or_default();
        self.under(model, |w| w.by_rules_only(f, types, args))
    }

    /// Returns the default element of an unknown map.
    fn default_of(&self, base: BaseId, model: &Model) -> Option<Const> {
        let entry = *model.hints.get(&base)?;
        match self.base_of(base).entries.get(entry)?.value {
            Value::Term(t) => self.terms.as_const(t).cloned().or_else(|| model.get(t)),
            Value::Map(_) | Value::Data(_) => None,
        }
    }

    /// Returns the entries of an unknown map with values from the solver. Elements that were read
    /// later have [`Self::default_value`].
    pub(crate) fn view(&mut self, base: BaseId, model: &Rc<Model>) -> Res<Rc<View>> {
        if let Some(known) = model.views.borrow().get(&base) {
            return Ok(Rc::clone(known));
        }
        let count = model.counts.get(base.0 as usize).copied().unwrap_or(0);
        let entries: Vec<(Vec<Key>, Value)> = self
            .base_of(base)
            .entries
            .iter()
            .take(count)
            .map(|e| (e.key.clone(), e.value))
            .collect();
        // Reads during the evaluation of indices see an empty map, which ends the recursion.
        model.views.borrow_mut().insert(base, Rc::default());
        let mut view = View::default();
        for (key, value) in entries {
            let has_value = match value {
                Value::Term(t) => model.is_solved(t),
                Value::Data(d) => match self.arena.data_node(d) {
                    DataNode::Unknown(tag, _) => model.is_solved(*tag),
                    DataNode::Made(..) | DataNode::Ite(..) => false,
                },
                Value::Map(_) => false,
            };
            if !has_value {
                continue;
            }
            let key = self.under(model, |w| w.concrete_key(&key))?;
            let value = self.under(model, |w| w.concretized(value))?;
            view.entry(key).or_insert(value);
        }
        let view = Rc::new(view);
        model.views.borrow_mut().insert(base, Rc::clone(&view));
        Ok(view)
    }

    pub(crate) fn concrete_key(&mut self, key: &[Key]) -> Res<Vec<Key>> {
        let mut out = Vec::with_capacity(key.len());
        for (types, values) in key {
            let mut known = Vec::with_capacity(values.len());
            for v in values {
                known.push(self.concretized(*v)?);
            }
            out.push((types.clone(), known));
        }
        Ok(out)
    }

    /// Reads an element of an unknown map under the current model. The indices may contain
    /// variables of a query.
    pub(crate) fn read_concrete(&mut self, base: BaseId, key: &[Key], ty: &Type) -> Res<Value> {
        let Some(model) = self.concrete.clone() else {
            return Err(Stop::Limit("models"));
        };
        let view = self.view(base, &model)?;
        let is_known = key.iter().all(|k| k.1.iter().all(|v| self.is_known(*v)));
        if is_known && let Some(value) = view.get(key) {
            return Ok(*value);
        }
        let default = self.default_value(base, ty, &model)?;
        if is_known {
            return Ok(default);
        }
        let mut entries: Vec<(&Vec<Key>, &Value)> = view.iter().collect();
        entries.sort();
        let mut result = default;
        for (other, value) in entries {
            let same = self.same_keys(key, other)?;
            result = self.ite(same, *value, result)?;
        }
        Ok(result)
    }

    fn default_value(&mut self, base: BaseId, ty: &Type, model: &Rc<Model>) -> Res<Value> {
        if let Some(sort) = self.sort(ty) {
            let c = self
                .default_of(base, model)
                .filter(|c| c.sort() == sort)
                .unwrap_or_else(|| Const::zero(sort));
            return Ok(self.constant(c));
        }
        self.first_value(ty, 0)
    }

    /// Returns a simple value of a type: of a datatype, by the constructor with the fewest fields.
    fn first_value(&mut self, ty: &Type, depth: usize) -> Res<Value> {
        if let Some(sort) = self.sort(ty) {
            return Ok(self.constant(Const::zero(sort)));
        }
        let all = self.constructors_of(ty);
        let Some(c) = all
            .into_iter()
            .min_by_key(|c| self.program.constructor(*c).fields.len())
            .filter(|_| depth < 20)
        else {
            return Err(Stop::Limit("datatype depth"));
        };
        let types = type_arguments(self.program.constructor(c), ty);
        let mut fields = Vec::new();
        for (_, ty) in &self.program.constructor(c).fields {
            let ty = crate::types::substitute(ty, &types);
            fields.push(match &ty {
                Type::Map(m) => {
                    let element = self.first_value(&m.result, depth + 1)?;
                    Value::Map(self.arena.map(MapNode::Constant(element)))
                }
                other @ (Type::Bool
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Float(..)
                | Type::Opaque(_)
                | Type::Constructor(..)
                | Type::Var(_)
                | Type::Meta(_)) => self.first_value(other, depth + 1)?,
            });
        }
        Ok(Value::Data(self.arena.data(DataNode::Made(c, fields))))
    }

    /// Evaluates a value under the current model.
    pub(crate) fn concretized(&mut self, v: Value) -> Res<Value> {
        let Some(model) = self.concrete.clone() else {
            return Ok(v);
        };
        match v {
            Value::Term(t) => {
                let c = self.value_of(t, &model)?;
                Ok(self.constant(c))
            }
            Value::Map(m) => {
                if let Some(known) = model.maps.borrow().get(&m) {
                    return Ok(Value::Map(*known));
                }
                let known = self.deeper(|w| w.concrete_map(m))?;
                model.maps.borrow_mut().insert(m, known);
                Ok(Value::Map(known))
            }
            Value::Data(d) => self.deeper(|w| w.concrete_data(d, 0)),
        }
    }

    fn concrete_map(&mut self, m: MapId) -> Res<MapId> {
        // Chains of updates are as long as executions: iterate.
        let (mut at, mut updates) = (m, Vec::new());
        let mut result = loop {
            match self.arena.map_node(at).clone() {
                MapNode::Store(below, key, value) => {
                    updates.push((key, value));
                    at = below;
                }
                MapNode::Ite(c, a, b) => {
                    let Value::Term(c) = self.concretized(Value::Term(c))? else {
                        return Err(Stop::Limit("models"));
                    };
                    at = if c == self.terms.tt { a } else { b };
                }
                MapNode::Base(base, path) => {
                    let path = self.concrete_key(&path)?;
                    break self.arena.map(MapNode::Base(base, path));
                }
                MapNode::Lambda(q, env) => {
                    let env = self.concrete_captured(env)?;
                    break self.arena.map(MapNode::Lambda(q, env));
                }
                MapNode::Constant(value) => {
                    let value = self.concretized(value)?;
                    break self.arena.map(MapNode::Constant(value));
                }
            }
        };
        let mut known: Vec<(Key, Value)> = Vec::with_capacity(updates.len());
        for (key, value) in updates {
            let key = self
                .concrete_key(std::slice::from_ref(&key))?
                .pop()
                .unwrap_or_default();
            known.push((key, self.concretized(value)?));
        }
        // With known indices, only the last update of each index counts, and the order does not
        // matter: normalize it, so that equal maps are identical.
        if known
            .iter()
            .all(|(k, _)| k.1.iter().all(|v| self.is_known(*v)))
        {
            let mut seen = FxHashSet::default();
            known.retain(|(k, _)| seen.insert(k.clone()));
            known.sort_by(|a, b| b.0.cmp(&a.0));
        }
        for (key, value) in known.into_iter().rev() {
            result = self.store(result, key, value);
        }
        Ok(result)
    }

    fn concrete_captured(&mut self, env: EnvId) -> Res<EnvId> {
        let Some(model) = self.concrete.clone() else {
            return Ok(env);
        };
        if let Some(known) = model.envs.borrow().get(&env) {
            return Ok(*known);
        }
        let Captured {
            vars,
            old,
            types,
            in_old,
        } = self.arena.captured(env).clone();
        let mut known = |values: Vec<_>| {
            values
                .into_iter()
                .map(|(v, x)| Ok((v, self.concretized(x)?)))
                .collect::<Res<Vec<_>>>()
        };
        let (vars, old) = (known(vars)?, known(old)?);
        let result = self.arena.env(Captured {
            vars,
            old,
            types,
            in_old,
        });
        model.envs.borrow_mut().insert(env, result);
        Ok(result)
    }

    fn concrete_data(&mut self, d: crate::value::DataId, depth: usize) -> Res<Value> {
        if depth > 100 {
            return Err(Stop::Limit("datatype depth"));
        }
        match self.arena.data_node(d).clone() {
            // Under a model, the condition is constant.
            DataNode::Ite(c, a, b) => {
                let Value::Term(c) = self.concretized(Value::Term(c))? else {
                    return Err(Stop::Limit("models"));
                };
                self.concrete_data(if c == self.terms.tt { a } else { b }, depth)
            }
            DataNode::Made(c, fields) => {
                let mut known = Vec::new();
                for f in fields {
                    known.push(self.concretized(f)?);
                }
                Ok(Value::Data(self.arena.data(DataNode::Made(c, known))))
            }
            DataNode::Unknown(tag, ty) => {
                let Some(model) = self.concrete.clone() else {
                    return Ok(Value::Data(d));
                };
                let all = self.constructors_of(&ty);
                // A constructor with few fields ends the recursion; the choice is recorded in the
                // model, so that later questions agree.
                if model.get(tag).is_none() {
                    let least = all
                        .iter()
                        .enumerate()
                        .min_by_key(|(_, c)| self.program.constructor(**c).fields.len())
                        .map_or(0, |(i, _)| i);
                    model.set(tag, Const::Int(least.into()));
                }
                let n = match model.get(tag) {
                    Some(Const::Int(n)) => usize::try_from(&n).unwrap_or(0),
                    Some(_) | None => 0,
                };
                let Some(c) = all.get(n).copied() else {
                    return Err(Stop::Limit("constructors"));
                };
                let mut known = Vec::new();
                for i in 0..self.program.constructor(c).fields.len() {
                    let field = self.field(d, c, i)?;
                    known.push(match field {
                        Value::Data(inner) => self.deeper(|w| w.concrete_data(inner, depth + 1))?,
                        Value::Term(_) | Value::Map(_) => self.concretized(field)?,
                    });
                }
                Ok(Value::Data(self.arena.data(DataNode::Made(c, known))))
            }
        }
    }
}
