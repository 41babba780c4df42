//! Lowering of lambdas and of values that are computed on demand.
//!
//! [`Lowerer::closure`] lowers the parts of a lambda in a scope of their own, which captures the
//! variables of the scopes around it.

use super::frames::only_if;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, Type};
use dafny_source::Span;
use dtest_ir::reason::Construct;
use dtest_ir::{self as ir, Expr, ExprKind, Var};

/// The parts of a lambda, lowered in its scope.
pub(super) struct LambdaParts {
    pub(super) params: Vec<Var>,
    pub(super) requires: Vec<ir::Clause>,
    /// The objects that the lambda may read.
    pub(super) reads: Vec<Expr>,
    pub(super) body: Expr,
}

/// A lambda at the place of its value.
pub(super) struct Closure {
    /// The index of the lambda in the program.
    pub(super) lambda: u32,
    /// The captured values.
    pub(super) captures: Vec<Expr>,
}

impl<'p> Lowerer<'p> {
    /// Adds a lambda to the program; `parts` lowers its parts.
    pub(super) fn closure(
        &mut self,
        span: Span,
        parts: impl FnOnce(&mut Self) -> LambdaParts,
    ) -> Closure {
        // The body of a lambda is not executed at its place, so its control flow gives no blocks.
        let (parts, closed) = self.pure(|l| {
            l.scopes.open_lambda();
            let parts = parts(l);
            (parts, l.scopes.close_lambda())
        });
        // Captured variables get their values where the lambda stands.
        let captures = closed.outer.into_iter().map(|v| self.var(v, span));
        let captures = captures.collect();
        let lambda = self.added.lambda(ir::Lambda {
            type_params: self.scopes.type_params().to_vec(),
            vars: closed.vars,
            captures: closed.inner,
            params: parts.params,
            requires: parts.requires,
            reads: parts.reads,
            body: parts.body,
            span,
        });
        Closure { lambda, captures }
    }

    /// Lowers a value that is computed on demand, as a lambda without parameters.
    fn delayed(&mut self, value: &'p typed::Expr, ty: Type, span: Span) -> Expr {
        let Closure { lambda, captures } = self.closure(span, |l| LambdaParts {
            params: Vec::new(),
            requires: Vec::new(),
            reads: Vec::new(),
            // Its obligations are checked where the value is written, not where it is computed.
            body: l.without_obligations(|l| l.expr(value)),
        });
        build::expr(ExprKind::Delay { lambda, captures }, ty, span)
    }

    fn lambda(&mut self, lambda: &'p typed::Lambda, span: Span) -> ExprKind {
        let Closure {
            lambda: index,
            captures,
        } = self.closure(span, |l| {
            let params: Vec<Var> = lambda.params.iter().map(|p| l.bind(*p)).collect();
            let requires = l.clauses(&lambda.requires);
            let reads = l.lambda_reads(&lambda.reads);
            let body = l.within_reads(&lambda.reads, |l| {
                let body = l.in_any_state(|l| l.expr(&lambda.body));
                l.taking(lambda, &params, body)
            });
            LambdaParts {
                params,
                requires,
                reads,
                body,
            }
        });
        ExprKind::Lambda {
            lambda: index,
            captures,
        }
    }

    /// Lowers a lambda, behind the evaluation of its body where that is an obligation.
    pub(super) fn lambda_value(&mut self, lambda: &'p typed::Lambda, ty: Type, span: Span) -> Expr {
        let evaluated = self.evaluated_body(lambda, span);
        let value = build::expr(self.lambda(lambda, span), ty, span);
        only_if(ir::Check::WellFormed, evaluated, value)
    }

    /// Lowers a delayed argument. Its well-formedness is checked now, although its computation is
    /// delayed.
    pub(super) fn delayed_argument(
        &mut self,
        value: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let evaluated = self.evaluated_delayed(value);
        let delayed = self.delayed(value, ty, span);
        only_if(ir::Check::WellFormed, evaluated, delayed)
    }

    /// Lowers the `reads` clause of a lambda to a set of objects, which is evaluated with the
    /// captured values.
    fn lambda_reads(&mut self, reads: &'p [typed::Frame]) -> Vec<Expr> {
        let objects = reads.iter().map(|f| {
            let frame = self.frame(f);
            frame.object.unwrap_or_else(|| {
                build::unsupported(Construct::LambdaReadsAll, Type::Error, f.span)
            })
        });
        objects.collect()
    }

    /// Restricts the body of a lambda to the written parameter types, if obligations are goals: the
    /// inferred type of a variable that holds the lambda may be wider.
    fn taking(&self, lambda: &typed::Lambda, params: &[Var], body: Expr) -> Expr {
        if !self.has_obligations() {
            return body;
        }
        let written = lambda
            .params
            .iter()
            .zip(params)
            .zip(&lambda.has_type)
            .filter(|(_, written)| **written);
        written.fold(body, |body, ((local, var), _)| {
            let local = &self.program[*local];
            let base = self.program.strip_subset(&local.ty);
            let value = build::expr(ExprKind::Var(*var), base.clone(), local.span);
            let is_of_type = || {
                build::expr(
                    ExprKind::Is(Box::new(value), local.ty.clone()),
                    Type::Bool,
                    local.span,
                )
            };
            let cond = self.may_miss(&base, &local.ty).then(is_of_type);
            only_if(
                ir::Check::Type,
                cond.map(|c| Expr {
                    span: local.span,
                    ..c
                }),
                body,
            )
        })
    }
}
