//! Bounds of quantified variables, and the values within them.
//!
//! A search through the body of a quantifier ([`Finder`]) collects comparisons of its variables with
//! other expressions, also within inlined functions. A [`Shape`] has an order of the variables in
//! which each is bounded by earlier ones, if there is one; only then a quantifier is expanded.

use crate::eval::Env;
use crate::functions::variables;
use crate::value::Value;
use crate::world::{Res, World};
use boogie_resolve::typed::{Expr, ExprKind, FunctionId, Program, Quantifier, Type, VarId};
use boogie_syntax::ast::{BinOp, Binder};
use dtest_smt::Term;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::rc::Rc;

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

impl<'p> World<'p> {
    pub(super) fn shape(&mut self, q: &'p Quantifier) -> Rc<Shape<'p>> {
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
    pub(super) fn candidates(
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

    pub(super) fn expanded(
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
}
