//! Evaluation of expressions to symbolic values.
//!
//! Key type: [`Env`], the variables in scope. Key function: [`World::eval`].

use std::rc::Rc;

use boogie_resolve::typed::{
    ConstructorId, Expr, ExprKind, Literal, Type, TypeVar, VarId, VarKind,
};
use boogie_syntax::ast::{BinOp, Binder};
use dafny_source::Span;
use dtest_smt::{Sort, Term};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::types::substitute;
use crate::value::{Captured, DataId, DataNode, EnvId, Key, MapId, MapNode, Shared, Value};
use crate::world::{Res, Stop, World};

/// The variables and types in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    pub(crate) now: Rc<FxHashMap<VarId, Value>>,
    /// The global variables at the entry of the procedure.
    pub(crate) old: Rc<FxHashMap<VarId, Value>>,
    pub(crate) bound: Vec<(VarId, Value)>,
    pub(crate) types: Rc<FxHashMap<TypeVar, Type>>,
    /// The constants of the program whose values the path fixes.
    pub(crate) fixed: Rc<FxHashMap<VarId, Value>>,
    pub(crate) in_old: bool,
}

impl Env {
    pub(crate) fn with(&self, more: impl IntoIterator<Item = (VarId, Value)>) -> Self {
        let mut env = self.clone();
        env.bound.extend(more);
        env
    }
}

impl<'p> World<'p> {
    pub(crate) fn eval(&mut self, e: &'p Expr, env: &Env) -> Res<Value> {
        self.deeper(|w| w.eval_parts(e, env))
    }

    pub(crate) fn term(&mut self, e: &'p Expr, env: &Env) -> Res<Term> {
        match self.eval(e, env)? {
            Value::Term(t) => Ok(t),
            Value::Map(_) | Value::Data(_) => {
                self.unsupported("this operation on maps or datatypes", e.span)
            }
        }
    }

    fn map(&mut self, e: &'p Expr, env: &Env) -> Res<MapId> {
        match self.eval(e, env)? {
            Value::Map(m) => Ok(m),
            Value::Term(_) | Value::Data(_) => self.unsupported("maps of this type", e.span),
        }
    }

    pub(crate) fn ground(&self, ty: &Type, env: &Env) -> Type {
        substitute(ty, &env.types)
    }

    /// Evaluates an expression by its kind.
    fn eval_parts(&mut self, e: &'p Expr, env: &Env) -> Res<Value> {
        Ok(match &e.kind {
            ExprKind::Literal(l) => self.literal(l, e.span)?,
            ExprKind::Var(v) => return self.variable(*v, env, e.span),
            ExprKind::Call(f, types, args) => {
                let mut values = Vec::with_capacity(args.len());
                for a in args {
                    values.push(self.eval(a, env)?);
                }
                let types = types.iter().map(|t| self.ground(t, env)).collect();
                return self.call(*f, types, values, e.span);
            }
            // In `old`, variables refer to the entry state of the procedure.
            ExprKind::Old(inner) => {
                let mut before = env.clone();
                before.in_old = true;
                return self.eval(inner, &before);
            }
            ExprKind::ToInt(a) => {
                let t = self.number(a, Sort::Real, env, e.span)?;
                Value::Term(self.terms.floor(t))
            }
            ExprKind::ToReal(a) => {
                let t = self.number(a, Sort::Int, env, e.span)?;
                Value::Term(self.terms.to_real(t))
            }
            // A lambda stays symbolic; it is evaluated at the indices that are read.
            ExprKind::Quantifier(q) if q.binder == Binder::Lambda => {
                let captured = self.capture(q, env);
                Value::Map(self.arena.map(MapNode::Lambda(Shared(q), captured)))
            }
            ExprKind::Quantifier(q) => Value::Term(self.quantified(q, env, e.span)?),
            ExprKind::Let(vars, values, body) => {
                let mut inner = env.clone();
                // Values are evaluated in the outer scope: a `let` is not recursive.
                for (v, value) in vars.iter().zip(values) {
                    let value = self.eval(value, env)?;
                    inner.bound.push((*v, value));
                }
                return self.eval(body, &inner);
            }
            ExprKind::If(c, a, b) => return self.conditional(c, a, b, env),
            ExprKind::Not(a) => {
                let a = self.term(a, env)?;
                Value::Term(self.terms.not(a))
            }
            ExprKind::Neg(a) => {
                let t = self.term(a, env)?;
                Value::Term(self.negative(t, e.span)?)
            }
            ExprKind::Binary(op, a, b) => return self.binary(*op, a, b, env, e.span),
            ExprKind::Select(m, types, args) => {
                let m = self.map(m, env)?;
                let key = self.key(types, args, env)?;
                let ty = self.ground(&e.ty, env);
                return self.select(m, &key, &ty);
            }
            ExprKind::Store(m, types, args, value) => {
                let m = self.map(m, env)?;
                let key = self.key(types, args, env)?;
                let value = self.eval(value, env)?;
                Value::Map(self.store(m, key, value))
            }
            ExprKind::Extract(a, high, low) => {
                let t = self.term(a, env)?;
                Value::Term(self.extract(t, *high, *low, e.span)?)
            }
            // Several constructors may have the field; the value determines which one is meant.
            ExprKind::Field(a, fields) => {
                let Value::Data(d) = self.eval(a, env)? else {
                    return self.unsupported("this field", e.span);
                };
                return self.field_of_any(d, fields);
            }
            ExprKind::FieldUpdate(a, fields, value) => {
                let Value::Data(d) = self.eval(a, env)? else {
                    return self.unsupported("this field", e.span);
                };
                let value = self.eval(value, env)?;
                self.with_field(d, fields, value)?
            }
            ExprKind::Is(a, c) => {
                let Value::Data(d) = self.eval(a, env)? else {
                    return self.unsupported("this test", e.span);
                };
                Value::Term(self.is_made_by(d, *c)?)
            }
            ExprKind::Code => return self.unsupported("code expressions", e.span),
        })
    }

    /// Evaluates the operand of a conversion between integers and reals. The term language has no
    /// floating-point numbers, which the same conversions apply to.
    fn number(&mut self, e: &'p Expr, sort: Sort, env: &Env, span: Span) -> Res<Term> {
        let t = self.term(e, env)?;
        if self.terms.sort(t) != sort {
            return self.unsupported("floating-point numbers", span);
        }
        Ok(t)
    }

    /// Evaluates a conditional. A constant condition avoids evaluating the other side, which may
    /// not terminate.
    fn conditional(&mut self, c: &'p Expr, a: &'p Expr, b: &'p Expr, env: &Env) -> Res<Value> {
        let c = self.term(c, env)?;
        if c == self.terms.tt {
            return self.eval(a, env);
        }
        if c == self.terms.ff {
            return self.eval(b, env);
        }
        let (a, b) = (self.eval(a, env)?, self.eval(b, env)?);
        self.ite(c, a, b)
    }

    fn negative(&mut self, t: Term, span: Span) -> Res<Term> {
        match self.terms.sort(t) {
            Sort::Real => {
                let zero = self
                    .terms
                    .real(num_rational::BigRational::from_integer(BigInt::from(0)));
                Ok(self.terms.rsub(zero, t))
            }
            Sort::Int => {
                let zero = self.terms.int(0);
                Ok(self.terms.sub(zero, t))
            }
            Sort::Bool | Sort::Bv(_) => self.unsupported("this negation", span),
        }
    }

    /// Reads a field that several constructors may have.
    fn field_of_any(&mut self, d: DataId, fields: &[(ConstructorId, usize)]) -> Res<Value> {
        let mut result = None;
        for (c, i) in fields.iter().rev() {
            let value = self.field(d, *c, *i)?;
            result = Some(match result {
                None => value,
                Some(other) => {
                    let is = self.is_made_by(d, *c)?;
                    self.ite(is, value, other)?
                }
            });
        }
        result.ok_or(Stop::Limit("fields"))
    }

    /// Updates a field of a value, for every constructor that has it.
    fn with_field(
        &mut self,
        d: DataId,
        fields: &[(ConstructorId, usize)],
        value: Value,
    ) -> Res<Value> {
        let mut result = Value::Data(d);
        for (c, i) in fields {
            let mut parts = Vec::new();
            for j in 0..self.program.constructor(*c).fields.len() {
                parts.push(if j == *i {
                    value
                } else {
                    self.field(d, *c, j)?
                });
            }
            let made = Value::Data(self.arena.data(DataNode::Made(*c, parts)));
            let is = self.is_made_by(d, *c)?;
            result = self.ite(is, made, result)?;
        }
        Ok(result)
    }

    fn literal(&mut self, l: &Literal, span: Span) -> Res<Value> {
        // Strings are numbered by their text, so that equal literals are equal.
        Ok(Value::Term(match l {
            Literal::Bool(b) => self.terms.bool(*b),
            Literal::Int(n) => self.terms.int(BigInt::from(n.clone())),
            Literal::Real(r) => self.terms.real(r.clone()),
            Literal::Bv(_, 0) => return self.unsupported("bitvectors without bits", span),
            Literal::Bv(n, w) => self.terms.bv(*w, n.clone()),
            Literal::Opaque(text) if text.starts_with('"') => {
                let n = self.rules.strings.len();
                let n = *self.rules.strings.entry(text.clone()).or_insert(n);
                self.terms.int(n)
            }
            Literal::Opaque(_) => return self.unsupported("floating-point numbers", span),
        }))
    }

    pub(crate) fn variable(&mut self, v: VarId, env: &Env, span: Span) -> Res<Value> {
        if let Some((_, value)) = env.bound.iter().rev().find(|(b, _)| *b == v) {
            return Ok(*value);
        }
        let var = self.program.var(v);
        let found = match var.kind {
            VarKind::Constant => env
                .fixed
                .get(&v)
                .or_else(|| env.now.get(&v))
                .or_else(|| self.constants.get(&v))
                .copied(),
            VarKind::Global if env.in_old => env.old.get(&v).copied(),
            VarKind::Global | VarKind::In | VarKind::Out | VarKind::Local | VarKind::Bound => {
                env.now.get(&v).copied()
            }
        };
        let Some(value) = found else {
            let text = self.program.type_text(&var.ty);
            return self.unsupported(format!("values of type `{text}`"), span);
        };
        if var.kind == VarKind::Constant && self.concrete.is_some() {
            self.concretized(value)
        } else {
            Ok(value)
        }
    }

    fn key(&mut self, types: &'p [Type], args: &'p [Expr], env: &Env) -> Res<Key> {
        let mut values = Vec::with_capacity(args.len());
        for a in args {
            values.push(self.eval(a, env)?);
        }
        Ok((types.iter().map(|t| self.ground(t, env)).collect(), values))
    }

    /// Evaluates an element of a lambda.
    pub(crate) fn apply(&mut self, q: Shared<'p>, env: EnvId, key: &Key) -> Res<Value> {
        let mut inner = self.restored(env);
        let types = Rc::make_mut(&mut inner.types);
        types.extend(q.0.type_params.iter().copied().zip(key.0.iter().cloned()));
        inner
            .bound
            .extend(q.0.vars.iter().copied().zip(key.1.iter().copied()));
        self.eval(&q.0.body, &inner)
    }

    /// Captures the environment of a quantifier as a value, so that equal environments are equal.
    pub(crate) fn capture(&mut self, q: &'p boogie_resolve::typed::Quantifier, env: &Env) -> EnvId {
        let free = self.shapes.free(q);
        let mut captured = Captured {
            in_old: env.in_old,
            ..Captured::default()
        };
        for v in free.iter() {
            if let Some((_, value)) = env.bound.iter().rev().find(|(b, _)| b == v) {
                captured.vars.push((*v, *value));
                continue;
            }
            match self.program.var(*v).kind {
                VarKind::Constant => captured.vars.extend(
                    env.fixed
                        .get(v)
                        .or_else(|| env.now.get(v))
                        .map(|x| (*v, *x)),
                ),
                VarKind::Global => {
                    captured.vars.extend(env.now.get(v).map(|x| (*v, *x)));
                    captured.old.extend(env.old.get(v).map(|x| (*v, *x)));
                }
                VarKind::In | VarKind::Out | VarKind::Local | VarKind::Bound => {
                    captured.vars.extend(env.now.get(v).map(|x| (*v, *x)))
                }
            }
        }
        captured.types = env.types.iter().map(|(v, t)| (*v, t.clone())).collect();
        captured.types.sort();
        self.arena.env(captured)
    }

    /// Restores the environment of a captured quantifier.
    pub(crate) fn restored(&self, env: EnvId) -> Env {
        let captured = self.arena.captured(env);
        Env {
            now: Rc::new(captured.vars.iter().copied().collect()),
            old: Rc::new(captured.old.iter().copied().collect()),
            bound: Vec::new(),
            types: Rc::new(captured.types.iter().cloned().collect()),
            fixed: Rc::default(),
            in_old: captured.in_old,
        }
    }

    fn binary(&mut self, op: BinOp, a: &'p Expr, b: &'p Expr, env: &Env, span: Span) -> Res<Value> {
        let x = self.eval(a, env)?;
        // If the left side decides, the right side is not evaluated: definitions may be recursive.
        for (decides, by, result) in [
            (BinOp::And, self.terms.ff, self.terms.ff),
            (BinOp::Or, self.terms.tt, self.terms.tt),
            (BinOp::Implies, self.terms.ff, self.terms.tt),
        ] {
            if (op, x) == (decides, Value::Term(by)) {
                return Ok(Value::Term(result));
            }
        }
        let y = self.eval(b, env)?;
        if matches!(op, BinOp::Eq | BinOp::Iff | BinOp::Ne) {
            // Values of different types are different.
            let same = if self.ground(&a.ty, env) == self.ground(&b.ty, env) {
                self.eq(x, y)?
            } else {
                self.terms.ff
            };
            return Ok(Value::Term(if op == BinOp::Ne {
                self.terms.not(same)
            } else {
                same
            }));
        }
        let (Value::Term(x), Value::Term(y)) = (x, y) else {
            return self.unsupported("this operation", span);
        };
        Ok(Value::Term(self.operator(op, x, y, span)?))
    }

    fn operator(&mut self, op: BinOp, x: Term, y: Term, span: Span) -> Res<Term> {
        let sort = self.terms.sort(x);
        Ok(match (op, sort) {
            (BinOp::And, _) => self.terms.and(x, y),
            (BinOp::Or, _) => self.terms.or(x, y),
            (BinOp::Implies, _) => self.terms.implies(x, y),
            (BinOp::Lt, Sort::Int) => self.terms.lt(x, y),
            (BinOp::Le, Sort::Int) => self.terms.le(x, y),
            (BinOp::Gt, Sort::Int) => self.terms.lt(y, x),
            (BinOp::Ge, Sort::Int) => self.terms.le(y, x),
            (BinOp::Le, Sort::Real) => self.terms.rle(x, y),
            (BinOp::Ge, Sort::Real) => self.terms.rle(y, x),
            // Strict order on reals is expressed by the negation of the reversed weak order.
            (BinOp::Lt, Sort::Real) => {
                let le = self.terms.rle(y, x);
                self.terms.not(le)
            }
            (BinOp::Gt, Sort::Real) => {
                let le = self.terms.rle(x, y);
                self.terms.not(le)
            }
            (BinOp::Add, Sort::Int) => self.terms.add(x, y),
            (BinOp::Sub, Sort::Int) => self.terms.sub(x, y),
            (BinOp::Mul, Sort::Int) => self.terms.mul(x, y),
            (BinOp::Add, Sort::Real) => self.terms.radd(x, y),
            (BinOp::Sub, Sort::Real) => self.terms.rsub(x, y),
            (BinOp::Mul, Sort::Real) => self.terms.rmul(x, y),
            (BinOp::Div | BinOp::Mod, Sort::Int) => self.divide(op, x, y)?,
            (BinOp::RealDiv, _) => self.divide_reals(x, y)?,
            (BinOp::Concat, Sort::Bv(m)) => {
                let Sort::Bv(n) = self.terms.sort(y) else {
                    return self.unsupported("this concatenation", span);
                };
                // The term language has no concatenation, so it is expressed by integer arithmetic.
                let (high, low) = (self.terms.bv_to_int(x), self.terms.bv_to_int(y));
                let factor = self.terms.int(BigInt::from(1) << n);
                let high = self.terms.mul(high, factor);
                let sum = self.terms.add(high, low);
                self.terms.int_to_bv(m + n, sum)
            }
            (BinOp::Pow, _) => return self.unsupported("`**`", span),
            (
                BinOp::Iff
                | BinOp::Eq
                | BinOp::Ne
                | BinOp::Lt
                | BinOp::Le
                | BinOp::Gt
                | BinOp::Ge
                | BinOp::Below
                | BinOp::Concat
                | BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::Div
                | BinOp::Mod,
                _,
            ) => return self.unsupported("this operation", span),
        })
    }

    fn divide(&mut self, op: BinOp, x: Term, y: Term) -> Res<Term> {
        let zero = self.terms.int(0);
        let by_zero = self.terms.eq(y, zero);
        let is_div = op == BinOp::Div;
        if by_zero == self.terms.ff {
            return Ok(if is_div {
                self.terms.div(x, y)
            } else {
                self.terms.modulo(x, y)
            });
        }
        let other = self.by_zero(if is_div { "div0" } else { "mod0" }, x, &Type::Int)?;
        if by_zero == self.terms.tt {
            return Ok(other);
        }
        let result = if is_div {
            self.terms.div(x, y)
        } else {
            self.terms.modulo(x, y)
        };
        Ok(self.terms.ite(by_zero, other, result))
    }

    fn divide_reals(&mut self, x: Term, y: Term) -> Res<Term> {
        let mut real = |t: Term| {
            if self.terms.sort(t) == Sort::Int {
                self.terms.to_real(t)
            } else {
                t
            }
        };
        let (x, y) = (real(x), real(y));
        let zero = self
            .terms
            .real(num_rational::BigRational::from_integer(BigInt::from(0)));
        let by_zero = self.terms.eq(y, zero);
        if by_zero == self.terms.ff {
            return Ok(self.terms.rdiv(x, y));
        }
        let other = self.by_zero("/0", x, &Type::Real)?;
        if by_zero == self.terms.tt {
            return Ok(other);
        }
        let result = self.terms.rdiv(x, y);
        Ok(self.terms.ite(by_zero, other, result))
    }

    pub(crate) fn extract(&mut self, t: Term, high: u32, low: u32, span: Span) -> Res<Term> {
        if high <= low {
            return self.unsupported("bitvectors without bits", span);
        }
        let n = self.terms.bv_to_int(t);
        let factor = self.terms.int(BigInt::from(1) << low);
        let shifted = self.terms.div(n, factor);
        Ok(self.terms.int_to_bv(high - low, shifted))
    }
}
