//! `if` and `match` expressions.

use crate::typed::{Expr, ExprCase, ExprKind, Type};
use dafny_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::Span;

use super::Resolver;
use super::Round;
use super::expr::{boxed, mk};
use super::infer::VarKind;
use super::pattern::{Binding, Depth};

impl Resolver<'_> {
    pub(super) fn if_expr(
        &mut self,
        guard: &ast::Guard,
        then: &ast::Expr,
        els: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        // All branches flow into one inference variable, which becomes their join.
        let join = self.joined(hint);
        let keyword = Span::new(span.start, span.start + 2);
        match guard {
            ast::Guard::Expr(cond) => {
                let cond = self.condition(cond);
                let then = self.branch(then, hint, &join, Some(keyword));
                let els = self.branch(els, hint, &join, Some(keyword));
                mk(
                    ExprKind::If {
                        cond: boxed(cond),
                        then: boxed(then),
                        els: boxed(els),
                    },
                    join,
                    span,
                )
            }
            ast::Guard::Binding { vars, cond } => {
                let mark = self.st.scope.open();
                let vars = self.such_that(vars, cond, span);
                let then = self.branch(then, hint, &join, Some(keyword));
                self.st.scope.close(mark);
                let els = self.branch(els, hint, &join, Some(keyword));
                mk(
                    ExprKind::IfBinding {
                        vars,
                        then: boxed(then),
                        els: boxed(els),
                    },
                    join,
                    span,
                )
            }
            ast::Guard::Star | ast::Guard::Skeleton => {
                let cond = mk(ExprKind::Wildcard, Type::Bool, span);
                let then = self.branch(then, hint, &join, Some(keyword));
                let els = self.branch(els, hint, &join, Some(keyword));
                mk(
                    ExprKind::If {
                        cond: boxed(cond),
                        then: boxed(then),
                        els: boxed(els),
                    },
                    join,
                    span,
                )
            }
        }
    }

    /// Resolves a branch and lets its type flow into the join. Without an expected type, the join
    /// of the earlier branches is the hint. `place` is the span of the error if the branches
    /// disagree; the default is the branch.
    fn branch(
        &mut self,
        e: &ast::Expr,
        hint: Option<&Type>,
        join: &Type,
        place: Option<Span>,
    ) -> Expr {
        let x = match hint {
            Some(h) => self.expr(e, Some(h)),
            None => {
                let h = join.clone();
                self.expr(e, Some(&h))
            }
        };
        let round = self.round_of(Round::Supertype, join, &x.ty);
        self.expect_in(round, &x.ty, join, (x.span, place.unwrap_or(x.span)));
        x
    }

    pub(super) fn match_expr(
        &mut self,
        scrutinee: &ast::Expr,
        cases: &[ast::ExprCase],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let scrutinee = self.expr(scrutinee, None);
        let join = self.joined(hint);
        if !self.known_scrutinee(&scrutinee, span) {
            return mk(
                ExprKind::Match {
                    scrutinee: boxed(scrutinee),
                    cases: Vec::new(),
                },
                Type::Error,
                span,
            );
        }
        let cases = cases
            .iter()
            .map(|c| {
                let mark = self.st.scope.open();
                let pattern = self.pattern(
                    &c.pattern,
                    &scrutinee.ty,
                    Binding {
                        mutable: false,
                        ghost: false,
                        constants: true,
                        widen: false,
                        depth: Depth::Whole,
                    },
                );
                self.attributes(&c.attributes);
                let body = self.branch(&c.body, hint, &join, None);
                self.st.scope.close(mark);
                ExprCase {
                    pattern,
                    body,
                    span: c.span,
                }
            })
            .collect();
        mk(
            ExprKind::Match {
                scrutinee: boxed(scrutinee),
                cases,
            },
            join,
            span,
        )
    }

    /// Requires that the type of a matched expression is known before its patterns are resolved.
    /// Returns false after reporting that it is not.
    pub(super) fn known_scrutinee(&mut self, scrutinee: &Expr, span: Span) -> bool {
        if self.st.inf.is_unbound(&scrutinee.ty) {
            self.settle();
        }
        // With `--type-system-refresh`, the patterns may determine the type.
        if self.st.inf.kind(&scrutinee.ty) != Some(VarKind::Any)
            || self.cx.program.options.type_system_refresh
        {
            return true;
        }
        let d = Diagnostic::error(
            "resolve/underspecified-type",
            span,
            "the type of the matched expression is not known here",
        );
        self.report(d.with_help("add a type annotation to the declaration of the variable"));
        false
    }
}
