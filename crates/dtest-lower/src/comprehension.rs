//! Lowering of bound variables, comprehensions and choices in expressions.
//!
//! [`Lowerer::quantified`] lowers bound variables with their range and the bounds that the resolver
//! found.

use super::frames::only_if;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, Type};
use dafny_source::Span;
use dtest_ir::{self as ir, Expr, ExprKind, Op};

impl<'p> Lowerer<'p> {
    /// Lowers a map comprehension; if obligations are goals, adds a check that no key gets two
    /// values (reference manual, section 9.31.8).
    pub(super) fn map_comprehension(
        &mut self,
        vars: &'p typed::Quantified,
        key: &'p typed::Expr,
        value: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let is_plain =
            matches!((&key.kind, &vars.vars[..]), (typed::ExprKind::Local(k), [v]) if k == v);
        let (q, k, v) = self.pure(|l| (l.quantified(vars), l.expr(key), l.expr(value)));
        // A second copy of the bound variables ranges over the entries that may give the same key
        // another value.
        let other = (!is_plain && self.has_obligations())
            .then(|| self.pure(|l| (l.quantified(vars), l.expr(key), l.expr(value))));
        let whole = build::expr(
            ExprKind::MapComp(q.clone(), Box::new(k.clone()), Box::new(v.clone())),
            ty,
            span,
        );
        let Some((other, other_key, other_value)) = other else {
            return whole;
        };
        let differ = build::op(Op::Ne, vec![k, other_key], Type::Bool, key.span);
        let same = build::op(Op::Eq, vec![v, other_value], Type::Bool, key.span);
        let all = |vars, body| {
            build::expr(
                ExprKind::Quantifier {
                    forall: true,
                    vars,
                    body: Box::new(body),
                },
                Type::Bool,
                key.span,
            )
        };
        let cond = all(q, all(other, build::or(differ, same)));
        only_if(ir::Check::Aliasing, Some(cond), whole)
    }

    /// Declares and lowers bound variables with their range.
    pub(super) fn quantified(&mut self, q: &'p typed::Quantified) -> ir::Quantified {
        self.pure(|l| {
            let vars = q.vars.iter().map(|v| l.bind(*v)).collect();
            let range = q.range.as_ref().map(|r| l.boxed(r));
            let bounds = match &q.bounds {
                Some(bs) => Some(
                    bs.iter()
                        .map(|b| (l.local(b.var), l.domain(&b.domain)))
                        .collect(),
                ),
                None => l.by_types(q),
            };
            ir::Quantified {
                vars,
                range,
                bounds,
            }
        })
    }

    /// Returns the domains of bound variables whose types are type parameters or reference types;
    /// `None` if another variable is among them. A type parameter has few values if it is
    /// instantiated with a small type. References range over the allocated objects: functions, which
    /// must not depend on these, cannot quantify over them without a bound.
    fn by_types(&mut self, q: &'p typed::Quantified) -> Option<Vec<(ir::Var, ir::Domain)>> {
        let program = self.program;
        let domain = |v: &typed::LocalId| {
            if let ty @ Type::Param(_) = &program[*v].ty {
                Some((*v, ir::Domain::AllValues(ty.clone())))
            } else if program.is_reference(&program[*v].ty) {
                Some((*v, ir::Domain::Allocated))
            } else {
                None
            }
        };
        let domains: Option<Vec<_>> = q.vars.iter().map(domain).collect();
        Some(
            domains?
                .into_iter()
                .map(|(v, d)| (self.local(v), d))
                .collect(),
        )
    }

    fn domain(&mut self, domain: &'p typed::Domain) -> ir::Domain {
        match domain {
            typed::Domain::IntRange { low, high } => ir::Domain::IntRange {
                low: low.as_ref().map(|e| self.boxed(e)),
                high: high.as_ref().map(|e| self.boxed(e)),
            },
            typed::Domain::Exact(e) => ir::Domain::Exact(self.boxed(e)),
            typed::Domain::Elements(e) => ir::Domain::Elements(self.boxed(e)),
            typed::Domain::SubsetsOf(e) => ir::Domain::SubsetsOf(self.boxed(e)),
            typed::Domain::PrefixesOf(e) => ir::Domain::PrefixesOf(self.boxed(e)),
            typed::Domain::AllValues(t) => ir::Domain::AllValues(t.clone()),
            typed::Domain::SubtermsOf(e) => ir::Domain::SubtermsOf(self.boxed(e)),
        }
    }

    pub(super) fn let_such_that(
        &mut self,
        vars: &'p typed::Quantified,
        body: &'p typed::Expr,
        span: Span,
    ) -> Expr {
        if self.evaluation.is_executed {
            self.choose_values(vars, span);
            return self.expr(body);
        }
        let unique = self.unique_choice(vars, span);
        let vars = self.quantified(vars);
        let body = self.expr(body);
        let ty = body.ty.clone();
        let value = build::expr(ExprKind::LetSuchThat(vars, Box::new(body)), ty, span);
        only_if(ir::Check::Unique, unique, value)
    }
}
