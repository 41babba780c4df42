//! Obligations of deferred code, which executions evaluate later or never: bodies of lambdas, for
//! all arguments, and delayed arguments of constructors of codatatypes.
//!
//! Dafny's verifier checks both at their place. Therefore, an evaluation ([`Check::WellFormed`]) of
//! the body precedes the expression; only its violations matter, not its value. This evaluation
//! does not follow recursive calls: their arguments are evaluated, and the callee's preconditions
//! are checked. The callee's body has its obligations in the callee, and a co-recursive call need
//! not terminate.

use super::frames::only_if;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, CallableId, Type};
use dafny_source::Span;
use dtest_ir::{Check, ContractPart, Expr, ExprKind, LATER_STATE, Op, Quantified, Var};

impl<'p> Lowerer<'p> {
    /// Returns the evaluation of a lambda's body for all arguments that satisfy its precondition.
    /// `None` if it cannot violate anything, or if obligations are not goals here.
    pub(super) fn evaluated_body(&mut self, lambda: &'p typed::Lambda, span: Span) -> Option<Expr> {
        if !self.has_deferred() {
            return None;
        }
        self.pure(|l| {
            let vars: Vec<Var> = lambda.params.iter().map(|p| l.bind(*p)).collect();
            let (range, body) = l.within_reads(&lambda.reads, |l| {
                l.in_any_state(|l| {
                    let requires = lambda.requires.iter().map(|c| l.expr(&c.cond));
                    let requires: Vec<Expr> = requires.collect();
                    let range = requires.into_iter().reduce(build::and);
                    (range, l.expr(&lambda.body))
                })
            });
            let body = l.evaluated(body).or_else(|| {
                // The precondition has obligations of its own.
                let is_atom = range.as_ref().is_none_or(build::is_atom);
                (!is_atom).then(|| build::boolean(true, span))
            })?;
            // The body is evaluated in the states of its applications. They are the values of a
            // variable without bounds: a violation in this state is one, but no evaluation in this
            // state alone decides the obligation, and no proof may rest on it.
            let parts = || range.iter().chain([&body]);
            let mut vars = vars;
            if parts().any(|e| e.reads_state(l.program)) {
                vars.push(l.temp(LATER_STATE, Type::Int, span));
            }
            if vars.is_empty() {
                return Some(match range {
                    Some(range) => implies(range, body),
                    None => body,
                });
            }
            let vars = Quantified {
                vars,
                range: range.map(Box::new),
                bounds: None,
            };
            let kind = ExprKind::Quantifier {
                forall: true,
                vars,
                body: Box::new(body),
            };
            Some(build::expr(kind, Type::Bool, span))
        })
    }

    /// Returns the evaluation of a delayed argument.
    pub(super) fn evaluated_delayed(&mut self, value: &'p typed::Expr) -> Option<Expr> {
        if !self.has_deferred() {
            return None;
        }
        self.pure(|l| {
            let value = l.expr(value);
            l.evaluated(value)
        })
    }

    /// Whether deferred code has obligations here. Inside a lambda it has none: they belong to the
    /// body that is evaluated before the lambda.
    fn has_deferred(&self) -> bool {
        self.has_obligations() && self.callable.id.is_some() && !self.scopes.is_in_lambda()
    }

    /// Returns a condition that is true and whose evaluation has the same violations as that of
    /// `e`, without following recursive calls whose results are not used. `None` if there are no
    /// violations.
    fn evaluated(&mut self, e: Expr) -> Option<Expr> {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.evaluated_here(e))
    }

    fn evaluated_here(&mut self, e: Expr) -> Option<Expr> {
        let span = e.span;
        // A total expression has nothing to evaluate.
        if is_total(&e) {
            return None;
        }
        if !self.recurses(&e) {
            return Some(self.completed(e));
        }
        let whole = |kind: ExprKind| build::expr(kind, Type::Bool, span);
        // The structure around recursive calls is kept, so that checks still apply; the calls
        // themselves are reduced to their preconditions.
        match e.kind {
            ExprKind::If(cond, then, els) => {
                let [then, els] = [then, els].map(|e| self.evaluated_or_true(*e));
                Some(whole(ExprKind::If(cond, Box::new(then), Box::new(els))))
            }
            ExprKind::Let(v, value, body) => {
                let body = self.evaluated_or_true(*body);
                Some(whole(ExprKind::Let(v, value, Box::new(body))))
            }
            ExprKind::LetSuchThat(q, body) => {
                let body = self.evaluated_or_true(*body);
                Some(whole(ExprKind::LetSuchThat(q, Box::new(body))))
            }
            ExprKind::Checked(check, clause, inner) => {
                let inner = self.evaluated_or_true(*inner);
                Some(whole(ExprKind::Checked(check, clause, Box::new(inner))))
            }
            // A constructor is well-formed if its arguments are.
            ExprKind::Op(Op::Construct(_) | Op::Tuple | Op::Display(_), parts) => {
                let parts = parts
                    .into_iter()
                    .filter_map(|p| self.evaluated(p))
                    .collect();
                all(parts)
            }
            ExprKind::Call {
                callee,
                type_args,
                args,
                label: None,
            } if self.is_recursive(callee) => {
                let mut bindings = Vec::new();
                let mut parts = Vec::new();
                let mut atoms = Vec::new();
                // Arguments with recursive calls cannot be shared, since they would be evaluated.
                for arg in args {
                    if self.recurses(&arg) {
                        parts.extend(self.evaluated(arg.clone()));
                        atoms.push(arg);
                    } else {
                        atoms.push(self.share(arg, "$argument", &mut bindings));
                    }
                }
                let holds = build::boolean(true, span);
                parts.push(self.with_preconditions(callee, &type_args, &atoms, holds));
                Some(build::lets(bindings, all(parts)?))
            }
            kind @ (ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Op(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Old(..)
            | ExprKind::Call { .. }
            | ExprKind::Apply(..)
            | ExprKind::ReadElement(..)
            | ExprKind::ReadField(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Const { .. }
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::FunctionRef { .. }
            | ExprKind::OfContract { .. }
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::Unsupported(_)) => Some(self.completed(Expr {
                kind,
                ty: e.ty,
                span,
            })),
        }
    }

    fn evaluated_or_true(&mut self, e: Expr) -> Expr {
        let span = e.span;
        self.evaluated(e)
            .unwrap_or_else(|| build::boolean(true, span))
    }

    /// Returns an expression that evaluates `e` and yields true.
    fn completed(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let var = self.temp("$evaluated", e.ty.clone(), span);
        build::lets(vec![(var, e)], build::boolean(true, span))
    }

    /// Returns an expression that checks the preconditions of a call and yields `value`. Errors are
    /// reported at its place.
    pub(super) fn with_preconditions(
        &self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Expr],
        value: Expr,
    ) -> Expr {
        let span = value.span;
        let clauses: Vec<_> = (0..).zip(&self.program[callee].spec.requires).collect();
        clauses.into_iter().rev().fold(value, |rest, (i, clause)| {
            let kind = ExprKind::OfContract {
                callee,
                part: ContractPart::Requires(i),
                type_args: type_args.to_vec(),
                args: args.to_vec(),
            };
            let holds = build::expr(kind, Type::Bool, span);
            only_if(Check::Precondition(clause.span), Some(holds), rest)
        })
    }

    fn is_recursive(&self, callee: CallableId) -> bool {
        self.callable
            .id
            .is_some_and(|c| self.program.is_recursive_call(c, callee))
    }

    /// Whether a part of the expression is a recursive call.
    fn recurses(&self, e: &Expr) -> bool {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if let ExprKind::Call { callee, .. } = e.kind
                && self.is_recursive(callee)
            {
                return true;
            }
            work.extend(e.children());
        }
        false
    }
}

/// Whether the form of an expression shows that its evaluation violates nothing.
fn is_total(e: &Expr) -> bool {
    matches!(
        &e.kind,
        ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::FunctionRef { receiver: None, .. }
            | ExprKind::Const { object: None, .. }
    ) || build::is_atom(e)
}

fn implies(a: Expr, b: Expr) -> Expr {
    let span = b.span;
    build::expr(
        ExprKind::Implies(Box::new(a), Box::new(b)),
        Type::Bool,
        span,
    )
}

/// Returns the conjunction; `None` if there are no parts.
fn all(parts: Vec<Expr>) -> Option<Expr> {
    parts.into_iter().reduce(build::and)
}
