//! Quantified facts. A quantifier whose variables have known bounds is expanded. Any other is
//! represented by a truth value (proxy), which instances and witnesses connect to its meaning. The
//! truth value is decided under a model before anything depends on it.
//!
//! Key types: [`Fact`], [`Claim`], [`Verdict`]. Key functions: [`World::quantified`],
//! [`World::instance`], [`World::witness`], [`World::decide`].

use std::rc::Rc;
use std::time::Duration;

use boogie_resolve::typed::{Expr, ExprKind, FunctionId, Program, Quantifier, Type, VarId};
use boogie_syntax::ast::{BinOp, Binder};
use dafny_source::Span;
use dtest_smt::{Answer, Budget, Const, Solver, Sort, Term};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Env;
use crate::functions::variables;
use crate::model::Model;
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

/// The parameters of an inlined function with their arguments, around an expression of its
/// definition.
#[derive(Debug)]
struct Scope<'p> {
    params: Vec<(VarId, &'p Expr)>,
    around: Option<Rc<Scope<'p>>>,
}

/// A bound of the form `expr + offset <= var` or `var <= expr + offset`.
#[derive(Clone, Debug)]
struct Bound<'p> {
    var: VarId,
    is_lower: bool,
    offset: i32,
    expr: &'p Expr,
    scope: Option<Rc<Scope<'p>>>,
    mentions: Vec<VarId>,
}

/// The bounds of a quantifier's variables, in an order in which each variable is bounded by earlier
/// ones; `None` if there is no such order.
#[derive(Debug, Default)]
pub(crate) struct Shape<'p> {
    order: Option<Vec<(VarId, Vec<Bound<'p>>)>>,
}

/// Cached properties of quantifiers.
#[derive(Debug, Default)]
pub(crate) struct Shapes<'p> {
    shapes: FxHashMap<*const Quantifier, Rc<Shape<'p>>>,
    free: FxHashMap<*const Quantifier, Rc<Vec<VarId>>>,
}

impl<'p> Shapes<'p> {
    /// Returns the free variables of a quantifier.
    pub(crate) fn free(&mut self, q: &'p Quantifier) -> Rc<Vec<VarId>> {
        let entry = self.free.entry(std::ptr::from_ref(q));
        Rc::clone(entry.or_insert_with(|| {
            let mut all = Vec::new();
            variables(&q.body, &mut all);
            all.retain(|v| !q.vars.contains(v));
            all.sort();
            all.dedup();
            Rc::new(all)
        }))
    }
}

/// A comparison operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl Comparison {
    fn of(op: BinOp) -> Option<Self> {
        match op {
            BinOp::Lt => Some(Self::Lt),
            BinOp::Le => Some(Self::Le),
            BinOp::Gt => Some(Self::Gt),
            BinOp::Ge => Some(Self::Ge),
            BinOp::Eq => Some(Self::Eq),
            BinOp::Ne => Some(Self::Ne),
            BinOp::Iff | BinOp::Implies | BinOp::And | BinOp::Or | BinOp::Below | BinOp::Concat => {
                None
            }
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Mod
            | BinOp::RealDiv
            | BinOp::Pow => None,
        }
    }

    /// Returns the negation.
    fn negated(self) -> Self {
        match self {
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
        }
    }

    /// Returns the comparison with swapped operands.
    fn flipped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
        }
    }
}

/// A search for bounds in the body of a quantifier.
struct Finder<'p, 'w> {
    program: &'p Program,
    inlined: &'w dyn Fn(FunctionId) -> bool,
    vars: &'p [VarId],
    out: Vec<Bound<'p>>,
    depth: usize,
}

impl<'p> Finder<'p, '_> {
    /// Resolves a parameter to its argument, repeatedly.
    fn resolved(e: &'p Expr, scope: &Option<Rc<Scope<'p>>>) -> (&'p Expr, Option<Rc<Scope<'p>>>) {
        let (mut e, mut scope) = (e, scope.clone());
        while let (ExprKind::Var(v), Some(s)) = (&e.kind, scope.clone()) {
            let Some((_, arg)) = s.params.iter().find(|(p, _)| p == v) else {
                break;
            };
            e = arg;
            scope = s.around.clone();
        }
        (e, scope)
    }

    /// Visits the conjuncts of `e`, or of its negation if `negated`.
    fn conjuncts(&mut self, e: &'p Expr, scope: &Option<Rc<Scope<'p>>>, negated: bool) {
        if self.depth > 64 {
            return;
        }
        self.depth += 1;
        match (&e.kind, negated) {
            (ExprKind::Binary(BinOp::And, a, b), false)
            | (ExprKind::Binary(BinOp::Or, a, b), true) => {
                self.conjuncts(a, scope, negated);
                self.conjuncts(b, scope, negated);
            }
            (ExprKind::Binary(BinOp::Implies, a, b), true) => {
                self.conjuncts(a, scope, false);
                self.conjuncts(b, scope, true);
            }
            (ExprKind::Not(a), _) => self.conjuncts(a, scope, !negated),
            (ExprKind::Binary(op, a, b), _) => self.comparison(*op, a, b, scope, negated),
            (ExprKind::Call(f, types, args), _) if types.is_empty() && (self.inlined)(*f) => {
                let function = self.program.function(*f);
                if let Some(body) = &function.body {
                    let params = function.params.iter().copied().zip(args).collect();
                    let inner = Some(Rc::new(Scope {
                        params,
                        around: scope.clone(),
                    }));
                    self.conjuncts(body, &inner, negated);
                }
            }
            _ => {}
        }
        self.depth -= 1;
    }

    fn comparison(
        &mut self,
        op: BinOp,
        a: &'p Expr,
        b: &'p Expr,
        scope: &Option<Rc<Scope<'p>>>,
        negated: bool,
    ) {
        let Some(op) = Comparison::of(op)
            .map(|c| if negated { c.negated() } else { c })
            .filter(|c| *c != Comparison::Ne)
        else {
            return;
        };
        if a.ty != Type::Int {
            return;
        }
        // A comparison bounds the variable on either side.
        for (x, other, flipped) in [(a, b, false), (b, a, true)] {
            let (x, _) = Self::resolved(x, scope);
            let ExprKind::Var(v) = &x.kind else { continue };
            if !self.vars.contains(v) {
                continue;
            }
            // A bound may not mention its own variable; other bound variables are allowed and
            // ordered later.
            let mut mentions = Vec::new();
            mentioned(other, scope, &mut mentions);
            mentions.retain(|m| self.vars.contains(m));
            if mentions.contains(v) {
                continue;
            }
            // A strict bound on integers is a weak bound that is shifted by one.
            let mut add = |is_lower: bool, is_strict: bool| {
                let offset = i32::from(is_strict) * if is_lower { 1 } else { -1 };
                self.out.push(Bound {
                    var: *v,
                    is_lower,
                    offset,
                    expr: other,
                    scope: scope.clone(),
                    mentions: mentions.clone(),
                });
            };
            match if flipped { op.flipped() } else { op } {
                Comparison::Lt => add(false, true),
                Comparison::Le => add(false, false),
                Comparison::Gt => add(true, true),
                Comparison::Ge => add(true, false),
                Comparison::Eq => {
                    add(true, false);
                    add(false, false);
                }
                Comparison::Ne => {}
            }
        }
    }
}

/// Adds the consequences of chained comparisons: from `i < j` and `j < n` follows `i + 1 < n`.
fn chained<'p>(mut bounds: Vec<Bound<'p>>, vars: &[VarId]) -> Vec<Bound<'p>> {
    // A chain is at most as long as the number of variables.
    for _ in 1..vars.len().min(8) {
        let mut more: Vec<Bound> = Vec::new();
        for link in &bounds {
            let (target, _) = Finder::resolved(link.expr, &link.scope);
            let ExprKind::Var(next) = &target.kind else {
                continue;
            };
            let onward = bounds.iter().filter(|b| {
                b.var == *next && b.is_lower == link.is_lower && !b.mentions.contains(&link.var)
            });
            more.extend(onward.map(|b| Bound {
                var: link.var,
                offset: link.offset + b.offset,
                ..b.clone()
            }));
        }
        more.retain(|m| !bounds.iter().any(|b| b.is_same(m)));
        if more.is_empty() || bounds.len() + more.len() > 256 {
            break;
        }
        bounds.extend(more);
    }
    bounds
}

impl Bound<'_> {
    fn is_same(&self, other: &Self) -> bool {
        self.var == other.var
            && self.is_lower == other.is_lower
            && self.offset == other.offset
            && std::ptr::eq(self.expr, other.expr)
            && self.scope.as_ref().map(Rc::as_ptr) == other.scope.as_ref().map(Rc::as_ptr)
            && self.mentions == other.mentions
    }
}

/// Collects the variables of an expression, with parameters resolved.
fn mentioned<'p>(e: &'p Expr, scope: &Option<Rc<Scope<'p>>>, out: &mut Vec<VarId>) {
    let mut all = Vec::new();
    variables(e, &mut all);
    for v in all {
        match scope.as_ref().and_then(|s| {
            s.params
                .iter()
                .find(|(p, _)| *p == v)
                .map(|(_, arg)| (*arg, s.around.clone()))
        }) {
            Some((arg, around)) => mentioned(arg, &around, out),
            None => out.push(v),
        }
    }
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

/// The budget for deciding a single fact.
const QUERY: Budget = Budget {
    rlimit: 2_000_000,
    timeout: Duration::from_secs(10),
};

impl<'p> World<'p> {
    fn shape(&mut self, q: &'p Quantifier) -> Rc<Shape<'p>> {
        let address = std::ptr::from_ref(q);
        if let Some(shape) = self.shapes.shapes.get(&address) {
            return Rc::clone(shape);
        }
        let rules = &self.rules;
        let inlined = |f: FunctionId| rules.inlined(f);
        let mut finder = Finder {
            program: self.program,
            inlined: &inlined,
            vars: &q.vars,
            out: Vec::new(),
            depth: 0,
        };
        // In a universal fact, the bounds are the negation of the body: `forall x :: low <= x ==>
        // …`.
        finder.conjuncts(&q.body, &None, q.binder == Binder::Forall);
        let bounds = chained(finder.out, &q.vars);
        let mut order: Vec<(VarId, Vec<Bound<'p>>)> = Vec::new();
        let finite = |w: &Self, v: VarId| {
            matches!(w.program.var(v).ty, Type::Bool)
                || matches!(w.program.var(v).ty, Type::Bv(n) if n <= 8)
        };
        // Choose the next variable whose bounds mention only variables chosen before.
        while order.len() < q.vars.len() {
            let next = q
                .vars
                .iter()
                .copied()
                .filter(|v| !order.iter().any(|(o, _)| o == v))
                .find_map(|v| {
                    let known: Vec<Bound<'p>> = bounds
                        .iter()
                        .filter(|b| {
                            b.var == v
                                && b.mentions.iter().all(|m| order.iter().any(|(o, _)| o == m))
                        })
                        .cloned()
                        .collect();
                    let both =
                        known.iter().any(|b| b.is_lower) && known.iter().any(|b| !b.is_lower);
                    (both || finite(self, v)).then_some((v, known))
                });
            match next {
                Some(found) => order.push(found),
                None => break,
            }
        }
        let order = (order.len() == q.vars.len() && q.type_params.is_empty()).then_some(order);
        let shape = Rc::new(Shape { order });
        self.shapes.shapes.insert(address, Rc::clone(&shape));
        shape
    }

    fn bound_value(&mut self, b: &Bound<'p>, env: &Env) -> Res<Option<BigInt>> {
        let env = self.scoped(b.scope.as_ref(), env)?;
        let t = self.term(b.expr, &env)?;
        Ok(self.terms.as_int(t).cloned())
    }

    fn scoped(&mut self, scope: Option<&Rc<Scope<'p>>>, env: &Env) -> Res<Env> {
        let Some(scope) = scope else {
            return Ok(env.clone());
        };
        let around = self.scoped(scope.around.as_ref(), env)?;
        let mut inner = around.clone();
        for (p, arg) in &scope.params {
            // Unknown arguments are left out; bounds that need them are then unknown.
            if let Ok(value) = self.eval(arg, &around) {
                inner.bound.push((*p, value));
            }
        }
        Ok(inner)
    }

    /// Returns all values of a quantifier's variables within the bounds, in its order; `None` if
    /// the bounds are unknown or allow too many values.
    fn candidates(
        &mut self,
        q: &'p Quantifier,
        env: &Env,
        limit: usize,
    ) -> Res<Option<Vec<Vec<Value>>>> {
        let shape = self.shape(q);
        let Some(order) = &shape.order else {
            return Ok(None);
        };
        let mut partial: Vec<Vec<(VarId, Value)>> = vec![Vec::new()];
        for (v, bounds) in order {
            let mut next = Vec::new();
            for chosen in partial {
                let inner = env.with(chosen.iter().copied());
                let Some(values) = self.range(*v, bounds, &inner, limit)? else {
                    return Ok(None);
                };
                for value in values {
                    let mut more = chosen.clone();
                    more.push((*v, value));
                    next.push(more);
                }
                if next.len() > limit {
                    return Ok(None);
                }
            }
            partial = next;
        }
        let sorted = |chosen: Vec<(VarId, Value)>| {
            q.vars
                .iter()
                .filter_map(|v| chosen.iter().find(|(c, _)| c == v).map(|(_, x)| *x))
                .collect::<Vec<Value>>()
        };
        Ok(Some(partial.into_iter().map(sorted).collect()))
    }

    /// Returns all values of a small type.
    fn all_of(&mut self, ty: &Type) -> Option<Vec<Value>> {
        match ty {
            Type::Bool => Some(vec![Value::Term(self.terms.ff), Value::Term(self.terms.tt)]),
            Type::Bv(w) if *w <= 8 => Some(
                (0..1u32 << w)
                    .map(|n| Value::Term(self.terms.bv(*w, n.into())))
                    .collect(),
            ),
            Type::Int | Type::Real | Type::Bv(_) | Type::Float(..) | Type::Opaque(_) => None,
            Type::Constructor(..) | Type::Var(_) | Type::Map(_) | Type::Meta(_) => None,
        }
    }

    fn range(
        &mut self,
        v: VarId,
        bounds: &[Bound<'p>],
        env: &Env,
        limit: usize,
    ) -> Res<Option<Vec<Value>>> {
        if let Some(all) = self.all_of(&self.program.var(v).ty) {
            return Ok(Some(all));
        }
        let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
        for b in bounds {
            // A bound that is not constant does not help here: other bounds may be.
            let Some(n) = self.bound_value(b, env)? else {
                continue;
            };
            let n = n + b.offset;
            if b.is_lower {
                low = Some(low.map_or(n.clone(), |l| l.max(n)));
            } else {
                high = Some(high.map_or(n.clone(), |h| h.min(n)));
            }
        }
        let (Some(low), Some(high)) = (low, high) else {
            return Ok(None);
        };
        let count = (&high - &low + 1i32).to_i64().unwrap_or(i64::MAX);
        if count > limit as i64 {
            return Ok(None);
        }
        let mut out = Vec::new();
        let mut n = low;
        while n <= high {
            out.push(Value::Term(self.terms.int(n.clone())));
            n += 1;
        }
        Ok(Some(out))
    }

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

    fn expanded(
        &mut self,
        q: &'p Quantifier,
        env: &Env,
        all: Vec<Vec<Value>>,
        universal: bool,
    ) -> Res<Term> {
        let mut result = self.terms.bool(universal);
        for values in all {
            let inner = env.with(q.vars.iter().copied().zip(values));
            let one = self.term(&q.body, &inner)?;
            result = if universal {
                self.terms.and(result, one)
            } else {
                self.terms.or(result, one)
            };
            if self.terms.as_bool(result) == Some(!universal) {
                break;
            }
        }
        Ok(result)
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

    /// Finds the candidates for which a fact contradicts its truth value in the model, up to
    /// `most`, and those that cannot be evaluated. `None` if the fact does not have finitely many
    /// candidates.
    pub(crate) fn counterexamples(
        &mut self,
        fact: FactId,
        model: &Rc<Model>,
        most: usize,
    ) -> Res<Option<Counterexamples>> {
        let Some(f) = self.facts.get(fact.0 as usize) else {
            return Ok(None);
        };
        let Claim::Quantified(q, env) = f.claim.clone() else {
            return Ok(None);
        };
        let universal = f.universal;
        let limit = self.limits.instances;
        self.under(model, |w| {
            let env = w.concrete_env(env)?;
            let Some(all) = w.candidates(q.0, &env, limit)? else {
                return Ok(None);
            };
            let mut out = Counterexamples::default();
            for values in all {
                let inner = env.with(q.0.vars.iter().copied().zip(values.iter().copied()));
                let said = match w.term(&q.0.body, &inner) {
                    Ok(t) => w.terms.as_bool(t),
                    Err(Stop::Undecided(_)) => None,
                    Err(other) => return Err(other),
                };
                match said {
                    Some(b) if b == universal => {}
                    Some(_) => out.sure.push(values),
                    None => out.open.push(values),
                }
                if out.sure.len() >= most {
                    break;
                }
            }
            Ok(Some(out))
        })
    }

    /// Evaluates under a model.
    pub(crate) fn under<T>(
        &mut self,
        model: &Rc<Model>,
        work: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let before = self.concrete.replace(Rc::clone(model));
        let result = self.deeper(work);
        self.concrete = before;
        result
    }

    fn concrete_env(&mut self, env: EnvId) -> Res<Env> {
        let mut env = self.restored(env);
        for map in [Rc::make_mut(&mut env.now), Rc::make_mut(&mut env.old)] {
            for value in map.values_mut() {
                *value = self.concretized(*value)?;
            }
        }
        Ok(env)
    }

    /// Decides a fact under a model.
    pub(crate) fn decide(&mut self, fact: FactId, model: &Rc<Model>) -> Res<Verdict> {
        let Some(f) = self.facts.get(fact.0 as usize) else {
            return Err(Stop::Limit("facts"));
        };
        let (claim, universal, span) = (f.claim.clone(), f.universal, f.span);
        let result = self.under(model, |w| match &claim {
            Claim::Quantified(q, env) => {
                let env = w.concrete_env(*env)?;
                let limit = w.limits.instances;
                // Finitely many candidates are evaluated one by one; otherwise the solver decides.
                if let Some(all) = w.candidates(q.0, &env, limit)? {
                    return w.decide_each(q.0, &env, all, universal);
                }
                if !q.0.type_params.is_empty() {
                    return Err(Stop::Undecided(span));
                }
                w.decide_by_solver(q.0, &env, universal, span)
            }
            Claim::Same(a, b) => w.decide_same(*a, *b),
        });
        match result {
            Err(Stop::Undecided(s)) if s == Span::default() => Err(Stop::Undecided(span)),
            other => other,
        }
    }

    fn decide_each(
        &mut self,
        q: &'p Quantifier,
        env: &Env,
        all: Vec<Vec<Value>>,
        universal: bool,
    ) -> Res<Verdict> {
        let mut open = None;
        for values in all {
            let inner = env.with(q.vars.iter().copied().zip(values.iter().copied()));
            let one = match self.term(&q.body, &inner) {
                Ok(t) => self.terms.as_bool(t),
                Err(Stop::Undecided(s)) => {
                    open = Some(s);
                    continue;
                }
                Err(other) => return Err(other),
            };
            match one {
                Some(b) if b != universal => {
                    return Ok(Verdict {
                        holds: b,
                        witness: Some(values),
                        bounded: true,
                    });
                }
                Some(_) => {}
                None => open = Some(q.body.span),
            }
        }
        match open {
            Some(span) => Err(Stop::Undecided(span)),
            None => Ok(Verdict {
                holds: universal,
                witness: None,
                bounded: true,
            }),
        }
    }

    fn decide_by_solver(
        &mut self,
        q: &'p Quantifier,
        env: &Env,
        universal: bool,
        span: Span,
    ) -> Res<Verdict> {
        // The bound variables become unknowns of a separate query under the current model.
        let mut query = Query {
            vars: Vec::new(),
            known: self.terms.tt,
        };
        let outer = self.query_vars(q, env, &mut query, span)?;
        let count = query.vars.len();
        let said = self.query_body(&q.body, &outer, universal, &mut query, span)?;
        // A universal quantifier is refuted by a model of its negation.
        let wanted = if universal {
            self.terms.not(said)
        } else {
            said
        };
        let wanted = self.terms.and(query.known, wanted);
        if wanted == self.terms.ff {
            return Ok(Verdict {
                holds: universal,
                witness: None,
                bounded: false,
            });
        }
        match self.answer(wanted) {
            Answer::Unsat(_) => Ok(Verdict {
                holds: universal,
                witness: None,
                bounded: false,
            }),
            // The model's values are witnesses.
            Answer::Sat(found) => {
                let mut values = Vec::new();
                for v in query.vars.into_iter().take(count) {
                    let sort = self.terms.sort(v);
                    let c = found.get(&v).cloned().unwrap_or_else(|| Const::zero(sort));
                    values.push(self.constant(c));
                }
                Ok(Verdict {
                    holds: !universal,
                    witness: Some(values),
                    bounded: false,
                })
            }
            Answer::Unknown(_) => Err(Stop::Undecided(span)),
        }
    }

    /// Asks the solver about a single fact.
    fn answer(&mut self, wanted: Term) -> Answer {
        let mut solver = Solver::new(0, false);
        solver.assert(&self.terms, wanted);
        let answer = solver.check(&self.terms, &[], QUERY);
        self.account.solver += solver.stats().spent;
        self.take_stock();
        answer
    }

    /// Creates solver variables for the variables of a quantifier.
    fn query_vars(
        &mut self,
        q: &'p Quantifier,
        env: &Env,
        query: &mut Query,
        span: Span,
    ) -> Res<Env> {
        let mut values = Vec::new();
        for v in &q.vars {
            let ty = self.ground(&self.program.var(*v).ty, env);
            let Some(sort) = self.sort(&ty) else {
                return Err(Stop::Undecided(span));
            };
            let t = self.terms.fresh("any", sort);
            let known = self.is_element_under_model(t, &ty)?;
            query.known = self.terms.and(query.known, known);
            query.vars.push(t);
            values.push((*v, Value::Term(t)));
        }
        Ok(env.with(values))
    }

    /// Evaluates the body of a quantifier. Inner quantifiers of the same kind contribute their
    /// variables to the query.
    fn query_body(
        &mut self,
        e: &'p Expr,
        env: &Env,
        universal: bool,
        query: &mut Query,
        span: Span,
    ) -> Res<Term> {
        match (&e.kind, universal) {
            (ExprKind::Quantifier(q), _)
                if q.binder != Binder::Lambda
                    && (q.binder == Binder::Forall) == universal
                    && q.type_params.is_empty() =>
            {
                if let Ok(Some(_)) = self.candidates(q, env, 64) {
                    return self.term(e, env);
                }
                let inner = self.query_vars(q, env, query, span)?;
                self.query_body(&q.body, &inner, universal, query, span)
            }
            (ExprKind::Binary(BinOp::Implies, a, b), true) => {
                let a = self.term(a, env)?;
                if a == self.terms.ff {
                    return Ok(self.terms.tt);
                }
                let b = self.query_body(b, env, universal, query, span)?;
                Ok(self.terms.implies(a, b))
            }
            (ExprKind::Binary(BinOp::And, a, b), _) => {
                let a = self.query_body(a, env, universal, query, span)?;
                if a == self.terms.ff {
                    return Ok(a);
                }
                let b = self.query_body(b, env, universal, query, span)?;
                Ok(self.terms.and(a, b))
            }
            _ => self.term(e, env),
        }
    }

    /// Returns the condition that a variable is the number of an element of its type, which has as
    /// many elements as the model says.
    fn is_element_under_model(&mut self, t: Term, ty: &Type) -> Res<Term> {
        if !self.is_numbered(ty) {
            return Ok(self.terms.tt);
        }
        let zero = self.terms.int(0);
        let mut known = self.terms.le(zero, t);
        let size = self.size_of(ty);
        if let Some(model) = self.concrete.clone()
            && let Const::Int(count) = self.value_of(size, &model)?
            && count > BigInt::from(0)
        {
            let count = self.terms.int(count);
            let is_below = self.terms.lt(t, count);
            known = self.terms.and(known, is_below);
        }
        Ok(known)
    }

    fn decide_same(&mut self, a: MapId, b: MapId) -> Res<Verdict> {
        let (Value::Map(a), Value::Map(b)) = (
            self.concretized(Value::Map(a))?,
            self.concretized(Value::Map(b))?,
        ) else {
            return Err(Stop::Undecided(Span::default()));
        };
        let ty = self
            .map_type(a)
            .or_else(|| self.map_type(b))
            .ok_or(Stop::Undecided(Span::default()))?;
        let Type::Map(map) = &ty else {
            return Err(Stop::Undecided(Span::default()));
        };
        // The comparison of elements is limited to indices that are scalars.
        if !map.params.is_empty() || map.args.iter().any(|t| self.sort(t).is_none()) {
            return Err(Stop::Undecided(Span::default()));
        }
        let element = element_type(&ty, &[]);
        let mut known = self.terms.tt;
        let mut values = Vec::new();
        // Two maps differ if they differ at some index, which the solver looks for.
        for ty in &map.args {
            let sort = self.sort(ty).unwrap_or(Sort::Int);
            let t = self.terms.fresh("any", sort);
            let is_element = self.is_element_under_model(t, ty)?;
            known = self.terms.and(known, is_element);
            values.push(Value::Term(t));
        }
        // The elements at an unknown index are compared.
        let key = (Vec::new(), values.clone());
        let (x, y) = (
            self.select(a, &key, &element)?,
            self.select(b, &key, &element)?,
        );
        let same = self.eq(x, y)?;
        let differ = self.terms.not(same);
        let wanted = self.terms.and(known, differ);
        if wanted == self.terms.ff {
            return Ok(Verdict {
                holds: true,
                witness: None,
                bounded: false,
            });
        }
        match self.answer(wanted) {
            Answer::Unsat(_) => Ok(Verdict {
                holds: true,
                witness: None,
                bounded: false,
            }),
            Answer::Sat(found) => {
                let mut out = Vec::new();
                for v in values {
                    if let Value::Term(t) = v {
                        let sort = self.terms.sort(t);
                        let c = found.get(&t).cloned().unwrap_or_else(|| Const::zero(sort));
                        out.push(self.constant(c));
                    }
                }
                Ok(Verdict {
                    holds: false,
                    witness: Some(out),
                    bounded: false,
                })
            }
            Answer::Unknown(_) => Err(Stop::Undecided(Span::default())),
        }
    }
}

/// A query about a single fact.
struct Query {
    vars: Vec<Term>,
    /// The conditions on the variables.
    known: Term,
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
