//! `if` and `match` as expressions.

use crate::source::Span;
use crate::syntax::ast;
use crate::typed::{Expr, ExprCase, ExprKind, Type};

use super::Resolver;
use super::expr::{boxed, mk};
use super::pattern::Binding;

impl Resolver<'_> {
    pub(super) fn if_expr(&mut self, guard: &ast::Guard, then: &ast::Expr, els: &ast::Expr, hint: Option<&Type>, span: Span) -> Expr {
        let join = self.joined(hint);
        match guard {
            ast::Guard::Expr(cond) => {
                let cond = self.condition(cond);
                let then = self.branch(then, hint, &join);
                let els = self.branch(els, hint, &join);
                mk(ExprKind::If { cond: boxed(cond), then: boxed(then), els: boxed(els) }, join, span)
            }
            ast::Guard::Binding { vars, cond } => {
                let mark = self.st.scope.len();
                let vars = self.such_that(vars, cond, span);
                let then = self.branch(then, hint, &join);
                self.st.scope.truncate(mark);
                let els = self.branch(els, hint, &join);
                mk(ExprKind::IfBinding { vars, then: boxed(then), els: boxed(els) }, join, span)
            }
            ast::Guard::Star | ast::Guard::Skeleton => {
                let cond = mk(ExprKind::Wildcard, Type::Bool, span);
                let then = self.branch(then, hint, &join);
                let els = self.branch(els, hint, &join);
                mk(ExprKind::If { cond: boxed(cond), then: boxed(then), els: boxed(els) }, join, span)
            }
        }
    }

    /// A branch whose type flows into the join; what other branches gave helps where nothing else is expected.
    fn branch(&mut self, e: &ast::Expr, hint: Option<&Type>, join: &Type) -> Expr {
        let x = match hint {
            Some(h) => self.expr(e, Some(h)),
            None => {
                let h = join.clone();
                self.expr(e, Some(&h))
            }
        };
        self.merge(&x, join);
        x
    }

    pub(super) fn match_expr(&mut self, scrutinee: &ast::Expr, cases: &[ast::ExprCase], hint: Option<&Type>, span: Span) -> Expr {
        let scrutinee = self.expr(scrutinee, None);
        self.known_scrutinee(&scrutinee);
        let join = self.joined(hint);
        let cases = cases
            .iter()
            .map(|c| {
                let mark = self.st.scope.len();
                let pattern =
                    self.pattern(&c.pattern, &scrutinee.ty, Binding { mutable: false, ghost: false, constants: true, widen: false });
                let body = self.branch(&c.body, hint, &join);
                self.st.scope.truncate(mark);
                ExprCase { pattern, body, span: c.span }
            })
            .collect();
        mk(ExprKind::Match { scrutinee: boxed(scrutinee), cases }, join, span)
    }

    pub(super) fn known_scrutinee(&mut self, scrutinee: &Expr) {
        if self.st.inf.is_unbound(&scrutinee.ty) {
            self.settle();
        }
    }
}
