//! Quantified facts. A quantifier whose variables have known bounds is expanded. Any other is
//! represented by a truth value (proxy), which instances and witnesses connect to its meaning. The
//! truth value is decided under a model before anything depends on it.
//!
//! Key types: [`Fact`], [`Claim`], [`Verdict`]. Key functions: [`World::quantified`],
//! [`World::instance`], [`World::witness`], [`World::decide`].

mod bounds;
mod decide;

pub(crate) use bounds::Shapes;

use boogie_resolve::typed::{Quantifier, Type};
use boogie_syntax::ast::Binder;
use dafny_source::Span;
use dtest_smt::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Env;
use crate::value::{EnvId, Key, MapId, MapNode, Shared, Value};
use crate::world::{Origin, Res, Stop, World};

/// The id of a fact of a [`World`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FactId(pub(crate) u32);

/// The meaning of a fact.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Claim<'p> {
    /// A quantifier with its environment.
    Quantified(Shared<'p>, EnvId),
    /// The equality of two maps.
    Same(MapId, MapId),
}

/// A quantified fact.
#[derive(Debug)]
pub(crate) struct Fact<'p> {
    pub(crate) claim: Claim<'p>,
    /// The truth value of the fact.
    pub(crate) proxy: Term,
    pub(crate) universal: bool,
    pub(crate) span: Span,
    pub(crate) instances: FxHashSet<Vec<Value>>,
    /// The lemmas that connect the truth value to the meaning.
    pub(crate) lemmas: Vec<Term>,
    /// Whether the fact has a witness: of its violation if it is universal, otherwise of its truth.
    pub(crate) has_witness: bool,
}

/// The truth of a fact under a model, with the values that prove it if it is a violated universal
/// or a satisfied existential fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    pub(crate) holds: bool,
    pub(crate) witness: Option<Vec<Value>>,
    /// Whether the witness is one of finitely many candidates.
    pub(crate) bounded: bool,
}

/// Values for which a fact contradicts its truth value in a model.
#[derive(Debug, Default)]
pub(crate) struct Counterexamples {
    /// Values with a certain contradiction.
    pub(crate) sure: Vec<Vec<Value>>,
    /// Values for which the fact cannot be evaluated.
    pub(crate) open: Vec<Vec<Value>>,
}

impl<'p> World<'p> {
    /// Evaluates a quantifier.
    pub(crate) fn quantified(&mut self, q: &'p Quantifier, env: &Env, span: Span) -> Res<Term> {
        let universal = q.binder == Binder::Forall;
        let limit = self.limits.instances;
        if let Some(all) = self.candidates(q, env, limit)? {
            return self.expanded(q, env, all, universal);
        }
        let seen = self.capture(q, env);
        // Under a model, the quantifier is decided at once, if all values in its environment are
        // known.
        if let Some(model) = self.concrete.clone() {
            let captured = self.arena.captured(seen).clone();
            if !captured
                .vars
                .iter()
                .chain(&captured.old)
                .all(|(_, v)| self.is_settled(*v))
            {
                return Err(Stop::Undecided(span));
            }
            let fact = self.fact(Claim::Quantified(Shared(q), seen), universal, span);
            let verdict = self.decide(fact, &model)?;
            return Ok(self.terms.bool(verdict.holds));
        }
        let fact = self.fact(Claim::Quantified(Shared(q), seen), universal, span);
        self.proxy(fact)
    }

    /// Whether a value contains no solver variables except those of unknown maps, which the model
    /// determines.
    fn is_settled(&self, v: Value) -> bool {
        match v {
            Value::Term(_) | Value::Data(_) => self.is_known(v),
            Value::Map(m) => match self.arena.map_node(m) {
                MapNode::Base(_, path) => {
                    path.iter().all(|k| k.1.iter().all(|x| self.is_settled(*x)))
                }
                MapNode::Store(below, key, value) => {
                    self.is_settled(*value)
                        && key.1.iter().all(|x| self.is_settled(*x))
                        && self.is_settled(Value::Map(*below))
                }
                MapNode::Ite(..) => false,
                MapNode::Lambda(_, env) => self
                    .arena
                    .captured(*env)
                    .vars
                    .iter()
                    .all(|(_, x)| self.is_settled(*x)),
                MapNode::Constant(x) => self.is_settled(*x),
            },
        }
    }

    fn proxy(&mut self, fact: FactId) -> Res<Term> {
        self.facts
            .get(fact.0 as usize)
            .map(|f| f.proxy)
            .ok_or(Stop::Limit("facts"))
    }

    fn fact(&mut self, claim: Claim<'p>, universal: bool, span: Span) -> FactId {
        if let Some(id) = self.fact_index.get(&claim) {
            return *id;
        }
        let id = FactId(self.facts.len() as u32);
        let proxy = self.terms.fresh("fact", Sort::Bool);
        self.origins.insert(proxy, Origin::Fact(id));
        self.facts.push(Fact {
            claim: claim.clone(),
            proxy,
            universal,
            span,
            instances: FxHashSet::default(),
            lemmas: Vec::new(),
            has_witness: false,
        });
        self.fact_index.insert(claim, id);
        id
    }

    /// Returns the condition that two maps are equal.
    pub(crate) fn maps_equal(&mut self, a: MapId, b: MapId) -> Res<Term> {
        let (root_a, keys_a, is_plain_a) = self.root(a);
        let (root_b, keys_b, is_plain_b) = self.root(b);
        let same_root = root_a == root_b
            || matches!((self.arena.map_node(root_a), self.arena.map_node(root_b)), (MapNode::Constant(x), MapNode::Constant(y)) if x == y);
        // With a common root, maps can only differ at the updated indices.
        if same_root && is_plain_a && is_plain_b {
            let Some(ty) = self.map_type(root_a) else {
                return Err(Stop::Limit("types of maps"));
            };
            let mut all = self.terms.tt;
            for key in keys_a.into_iter().chain(keys_b) {
                let element = element_type(&ty, &key.0);
                let (x, y) = (
                    self.select(a, &key, &element)?,
                    self.select(b, &key, &element)?,
                );
                let same = self.eq(x, y)?;
                all = self.terms.and(all, same);
            }
            return Ok(all);
        }
        // Equality is symmetric: the ordered pair identifies the fact.
        let claim = if a < b {
            Claim::Same(a, b)
        } else {
            Claim::Same(b, a)
        };
        if let Some(model) = self.concrete.clone() {
            if !self.is_settled(Value::Map(a)) || !self.is_settled(Value::Map(b)) {
                return Err(Stop::Undecided(Span::default()));
            }
            let fact = self.fact(claim, true, Span::default());
            let verdict = self.decide(fact, &model)?;
            return Ok(self.terms.bool(verdict.holds));
        }
        let fact = self.fact(claim, true, Span::default());
        self.proxy(fact)
    }

    /// Returns the root of a map below its updates, the updated indices, and whether no conditional
    /// map is in between.
    fn root(&self, m: MapId) -> (MapId, Vec<Key>, bool) {
        let (mut at, mut keys) = (m, Vec::new());
        loop {
            match self.arena.map_node(at) {
                MapNode::Store(below, key, _) => {
                    keys.push(key.clone());
                    at = *below;
                }
                MapNode::Base(..) | MapNode::Lambda(..) | MapNode::Constant(_) => {
                    return (at, keys, true);
                }
                MapNode::Ite(..) => return (at, keys, false),
            }
        }
    }

    pub(crate) fn map_type(&self, m: MapId) -> Option<Type> {
        let mut at = m;
        loop {
            match self.arena.map_node(at) {
                MapNode::Base(base, path) => {
                    let mut ty = self.base_of(*base).ty.clone()?;
                    for (types, _) in path {
                        ty = element_type(&ty, types);
                    }
                    return Some(ty);
                }
                MapNode::Store(below, ..) | MapNode::Ite(_, below, _) => at = *below,
                MapNode::Lambda(q, env) => {
                    let types: FxHashMap<_, _> =
                        self.arena.captured(*env).types.iter().cloned().collect();
                    let args =
                        q.0.vars
                            .iter()
                            .map(|v| crate::types::substitute(&self.program.var(*v).ty, &types))
                            .collect();
                    let result = crate::types::substitute(&q.0.body.ty, &types);
                    let map = boogie_resolve::typed::MapType {
                        params: q.0.type_params.clone(),
                        args,
                        result,
                    };
                    return Some(Type::Map(std::sync::Arc::new(map)));
                }
                MapNode::Constant(_) => return None,
            }
        }
    }

    /// Returns the types of the variables of a claim.
    fn variables_of(&self, claim: &Claim<'p>) -> Res<Vec<Type>> {
        match claim {
            Claim::Quantified(q, env) => {
                let types: FxHashMap<_, _> =
                    self.arena.captured(*env).types.iter().cloned().collect();
                Ok(q.0
                    .vars
                    .iter()
                    .map(|v| crate::types::substitute(&self.program.var(*v).ty, &types))
                    .collect())
            }
            Claim::Same(a, b) => match self.map_type(*a).or_else(|| self.map_type(*b)) {
                Some(Type::Map(m)) if m.params.is_empty() => Ok(m.args.clone()),
                Some(_) | None => Err(Stop::Undecided(Span::default())),
            },
        }
    }

    /// Returns the types of the variables of a fact.
    pub(crate) fn variable_types(&self, fact: FactId) -> Res<Vec<Type>> {
        self.facts
            .get(fact.0 as usize)
            .map_or(Err(Stop::Limit("facts")), |f| self.variables_of(&f.claim))
    }

    /// Returns the meaning of a claim for these values.
    fn said_of(&mut self, claim: &Claim<'p>, values: &[Value]) -> Res<Term> {
        match claim {
            Claim::Quantified(q, env) => {
                let mut inner = self.restored(*env);
                inner
                    .bound
                    .extend(q.0.vars.iter().copied().zip(values.iter().copied()));
                self.term(&q.0.body, &inner)
            }
            Claim::Same(a, b) => {
                let ty = self
                    .map_type(*a)
                    .or_else(|| self.map_type(*b))
                    .ok_or(Stop::Undecided(Span::default()))?;
                let element = element_type(&ty, &[]);
                let key = (Vec::new(), values.to_vec());
                let (x, y) = (
                    self.select(*a, &key, &element)?,
                    self.select(*b, &key, &element)?,
                );
                self.eq(x, y)
            }
        }
    }

    /// Adds the instance of a fact for these values. Returns whether it is new.
    pub(crate) fn instance(&mut self, fact: FactId, values: Vec<Value>) -> Res<bool> {
        let Some(f) = self.facts.get(fact.0 as usize) else {
            return Ok(false);
        };
        if f.instances.contains(&values) {
            return Ok(false);
        }
        let (claim, proxy, universal) = (f.claim.clone(), f.proxy, f.universal);
        let said = self.said_of(&claim, &values)?;
        // A universal fact implies its instances; an existential fact is implied by them.
        let lemma = if universal {
            self.terms.implies(proxy, said)
        } else {
            self.terms.implies(said, proxy)
        };
        let types = self.variables_of(&claim)?;
        let is_value = self.are_in_types(&values, &types);
        let lemma = self.terms.implies(is_value, lemma);
        self.lemmas.push(lemma);
        if let Some(f) = self.facts.get_mut(fact.0 as usize) {
            f.instances.insert(values);
            f.lemmas.push(lemma);
        }
        Ok(true)
    }

    /// Adds a fresh witness to a fact: of its violation if it is universal, otherwise of its truth.
    /// Returns whether it is new.
    pub(crate) fn witness(&mut self, fact: FactId) -> Res<bool> {
        let Some(f) = self.facts.get(fact.0 as usize) else {
            return Ok(false);
        };
        // Each fact needs only one witness.
        if f.has_witness {
            return Ok(false);
        }
        let (claim, proxy, universal) = (f.claim.clone(), f.proxy, f.universal);
        let mut values = Vec::new();
        for ty in self.variables_of(&claim)? {
            values.push(self.unknown(&"witness".into(), &ty)?);
        }
        // The body of the fact for the witness is a lemma guarded by the proxy of the fact.
        self.witness = Some(fact);
        let said = self.said_of(&claim, &values);
        self.witness = None;
        let said = said?;
        let not_said = self.terms.not(said);
        // A false universal fact has a counterexample; a true existential one has an example.
        let lemma = if universal {
            self.terms.or(proxy, not_said)
        } else {
            self.terms.implies(proxy, said)
        };
        self.lemmas.push(lemma);
        if let Some(f) = self.facts.get_mut(fact.0 as usize) {
            f.has_witness = true;
            f.lemmas.push(lemma);
        }
        Ok(true)
    }
}

/// Returns the element type of a map.
pub(crate) fn element_type(ty: &Type, types: &[Type]) -> Type {
    match ty {
        Type::Map(m) => {
            let with: FxHashMap<_, _> = m
                .params
                .iter()
                .copied()
                .zip(types.iter().cloned())
                .collect();
            crate::types::substitute(&m.result, &with)
        }
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Constructor(..)
        | Type::Var(_)
        | Type::Meta(_) => ty.clone(),
    }
}
