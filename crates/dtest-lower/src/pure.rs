//! Pure forms of `match`, of bindings and of statements in expressions.
//!
//! [`super::branch`] lowers the same constructs to blocks, in executed code.

use super::expr::{checked, checked_as};
use super::pattern::Taken;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, Type};
use dafny_source::Span;
use dtest_ir::reason::Construct;
use dtest_ir::{self as ir, Expr};

impl<'p> Lowerer<'p> {
    pub(super) fn pure_match(
        &mut self,
        scrutinee: &'p typed::Expr,
        cases: &'p [typed::ExprCase],
        ty: Type,
        span: Span,
    ) -> Expr {
        let mut shared = Vec::new();
        let subject = self.expr(scrutinee);
        // The subject occurs in every test and in the bindings.
        let subject = self.share(subject, "$match", &mut shared);
        let certain = self.last_is_certain(&cases.iter().map(|c| &c.pattern).collect::<Vec<_>>());
        let mut lowered: Vec<(Option<Expr>, Expr)> = Vec::new();
        let mut gone = Taken::default();
        for case in cases {
            // Constructors that earlier cases cover need no test.
            let test = self.pattern_test(&case.pattern, &subject, &gone.ctors);
            self.add_taken(&case.pattern, &mut gone);
            let mut bindings = Vec::new();
            self.admitted_bindings(
                &case.pattern,
                &self.in_case(&case.pattern, &subject),
                &mut bindings,
            );
            let body = self.expr(&case.body);
            self.goals.add_case(body.span, case.pattern.span);
            lowered.push((test, build::lets(bindings, body)));
        }
        let applies = |test: Expr, body: Expr| checked_as(ir::Check::Case, span, test, body);
        let nothing = || {
            applies(
                build::boolean(false, span),
                build::unsupported(Construct::MatchWithoutCases, ty.clone(), span),
            )
        };
        let mut lowered = lowered.into_iter().rev();
        // The last case needs no test if it matches everything that is left; otherwise, a failed
        // match is an error.
        let last = match lowered.next() {
            None => nothing(),
            Some((Some(test), body)) if !certain => applies(test, body),
            Some((_, body)) => body,
        };
        let whole = lowered.fold(last, |rest, (test, body)| match test {
            Some(test) => build::choose(test, body, rest, ty.clone(), span),
            None => body,
        });
        build::lets(shared, whole)
    }

    /// Lowers `var p := e; body`. In executed code the variables are assigned.
    pub(super) fn let_in(
        &mut self,
        ghost: bool,
        bindings: &'p [(typed::Pattern, typed::Expr)],
        body: &'p typed::Expr,
    ) -> Expr {
        if self.evaluation.is_executed {
            self.assign_let(ghost, bindings);
            return self.expr(body);
        }
        let mut bound = Vec::new();
        let mut tests = Vec::new();
        for (pattern, value) in bindings {
            let value = self.expr(value);
            if Self::sole_variable(pattern).is_some() {
                self.admitted_bindings(pattern, &value, &mut bound);
                continue;
            }
            let value = self.share(value, "$let", &mut bound);
            tests.extend(self.pattern_test(pattern, &value, &[]));
            self.admitted_bindings(pattern, &value, &mut bound);
        }
        let body = self.expr(body);
        build::lets(
            bound,
            tests.into_iter().rev().fold(body, |body, test| {
                checked_as(ir::Check::Case, test.span, test, body)
            }),
        )
    }

    pub(super) fn pure_let_or_fail(
        &mut self,
        l: &'p typed::LetOrFail,
        ty: Type,
        span: Span,
    ) -> Expr {
        let value = self.expr(&l.value);
        let temp = self.bind(l.temp);
        let cond = self.expr(&l.is_failure);
        let failed = self.expr(&l.propagate);
        let mut bound = Vec::new();
        let mut test = None;
        if let (Some(pattern), Some(extract)) = (&l.pattern, &l.extract) {
            let extracted = self.expr(extract);
            let extracted = self.share(extracted, "$extracted", &mut bound);
            test = self.pattern_test(pattern, &extracted, &[]);
            self.admitted_bindings(pattern, &extracted, &mut bound);
        }
        let body = self.expr(&l.body);
        let body = match test {
            Some(test) => checked(test, body),
            None => body,
        };
        let rest = build::choose(cond, failed, build::lets(bound, body), ty, span);
        build::lets(vec![(temp, value)], rest)
    }

    /// Lowers a statement before an expression. In pure contexts its assertions become checks;
    /// proofs have no effect.
    pub(super) fn after_stmt(&mut self, stmt: &'p typed::Stmt, body: &'p typed::Expr) -> Expr {
        use typed::StmtKind as S;
        if self.evaluation.is_executed {
            self.stmt(stmt);
            return self.expr(body);
        }
        // In a pure context, a statement can only check or assume something before the value is
        // computed.
        match &stmt.kind {
            S::Assert {
                cond, by: Some(by), ..
            } if self.rests_on_assumption(by) => {
                let cond = self.expr(cond);
                let body = self.expr(body);
                checked_as(ir::Check::Assume, stmt.span, cond, body)
            }
            S::Assert { cond, .. } | S::Expect { cond, .. } => {
                let cond = self.expr(cond);
                let body = self.expr(body);
                checked(cond, body)
            }
            S::Assume(cond) => {
                let cond = self.expr(cond);
                let body = self.expr(body);
                checked_as(ir::Check::Assume, stmt.span, cond, body)
            }
            // A calculation that relies on assumptions is assumed itself.
            S::Calc { steps, hints } => {
                let is_assumed = hints.iter().any(|hint| self.rests_on_assumption(hint));
                let check = if is_assumed {
                    ir::Check::Assume
                } else {
                    ir::Check::Assert
                };
                let steps = self.exprs(steps);
                let body = self.expr(body);
                steps
                    .into_iter()
                    .rev()
                    .fold(body, |body, step| checked_as(check, step.span, step, body))
            }
            // A lemma without a proof contributes its claims as assumptions.
            S::Call { call, .. } if self.is_assumed(call.callee) => {
                let claims = self.claims_of(call, stmt.span);
                let body = self.expr(body);
                claims.into_iter().rev().fold(body, |body, claim| {
                    checked_as(ir::Check::Assume, stmt.span, claim, body)
                })
            }
            // Of other lemmas only the preconditions matter here: their claims are true.
            S::Call { call, .. } if self.has_obligations() => {
                let args = self.call_args(call);
                let holds = build::boolean(true, stmt.span);
                let holds = self.with_preconditions(call.callee, &call.type_args, &args, holds);
                let body = self.expr(body);
                if build::is_atom(&holds) {
                    return body;
                }
                let is_called = self.temp("$called", Type::Bool, stmt.span);
                build::lets(vec![(is_called, holds)], body)
            }
            S::Block(_)
            | S::Print(_)
            | S::VarDecl(_)
            | S::Assign { .. }
            | S::AssignPattern { .. }
            | S::Call { .. }
            | S::SuchThat { .. }
            | S::AssignOrFail(_)
            | S::If { .. }
            | S::IfCase(_)
            | S::While { .. }
            | S::WhileCase { .. }
            | S::For { .. }
            | S::Forall { .. }
            | S::Match { .. }
            | S::Break { .. }
            | S::Return
            | S::Yield
            | S::Modify { .. }
            | S::Reveal(_)
            | S::Error => self.expr(body),
        }
    }
}
