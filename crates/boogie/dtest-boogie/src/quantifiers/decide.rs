//! The truth of quantified facts under a model.
//!
//! [`World::decide`] tries the values of the model first, and asks the solver about the remaining
//! ones within a budget of their own. [`World::counterexamples`] returns values for which a fact
//! contradicts its truth value.

use super::{Claim, Counterexamples, FactId, Verdict, element_type};
use crate::eval::Env;
use crate::model::Model;
use crate::value::{EnvId, MapId, Value};
use crate::world::{Res, Stop, World};
use boogie_resolve::typed::{Expr, ExprKind, Quantifier, Type};
use boogie_syntax::ast::{BinOp, Binder};
use dafny_source::Span;
use dtest_smt::{Answer, Budget, Const, Solver, Sort, Term};
use num_bigint::BigInt;
use std::rc::Rc;
use std::time::Duration;

/// The budget for deciding a single fact.
const QUERY: Budget = Budget {
    rlimit: 2_000_000,
    timeout: Duration::from_secs(10),
};

/// A query about a single fact.
struct Query {
    vars: Vec<Term>,
    /// The conditions on the variables.
    known: Term,
}

impl<'p> World<'p> {
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
    pub(super) fn answer(&mut self, wanted: Term) -> Answer {
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
