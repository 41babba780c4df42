//! `if` and `match` expressions.

use crate::typed::{Expr, ExprCase, ExprKind, Pattern, Type};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

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
        let mut phases = self.patterns_first();
        let cases = cases
            .iter()
            .map(|c| {
                let mark = self.st.scope.open();
                let how = Binding {
                    mutable: false,
                    ghost: false,
                    constants: true,
                    widen: false,
                    depth: Depth::Whole,
                };
                let pattern = self.pattern_of_case(&c.pattern, &scrutinee.ty, how, &mut phases);
                self.attributes(&c.attributes);
                let body = self.branch(&c.body, hint, &join, None);
                self.case_ends(&mut phases);
                self.st.scope.close(mark);
                ExprCase {
                    pattern,
                    body,
                    span: c.span,
                }
            })
            .collect();
        self.match_ends(phases);
        mk(
            ExprKind::Match {
                scrutinee: boxed(scrutinee),
                cases,
            },
            join,
            span,
        )
    }

    /// Starts the cases of a `match`.
    pub(super) fn patterns_first(&self) -> Phases {
        Phases {
            start: self.found_so_far(),
            wrong_patterns: Vec::new(),
            case: None,
        }
    }

    /// Resolves the pattern of a case.
    pub(super) fn pattern_of_case(
        &mut self,
        pattern: &ast::Pattern,
        ty: &Type,
        how: Binding,
        phases: &mut Phases,
    ) -> Pattern {
        let before = self.cx.diagnostics.len();
        let pattern = self.pattern(pattern, ty, how);
        let is_alternative = |d: &&Diagnostic| {
            matches!(
                d.id,
                "resolve/pattern-binds" | "resolve/pattern-alternatives"
            )
        };
        let (alternatives, others): (Vec<_>, Vec<_>) = self
            .cx
            .diagnostics
            .iter()
            .skip(before)
            .filter(|d| d.is_error())
            .partition(is_alternative);
        phases.wrong_patterns.extend(others.into_iter().cloned());
        phases.case = (!alternatives.is_empty()).then(|| self.found_so_far());
        pattern
    }

    /// Ends a case. The older type system does not resolve the body after wrong alternatives.
    pub(super) fn case_ends(&mut self, phases: &mut Phases) {
        if let Some(mark) = phases.case.take() {
            self.forget_since(mark);
        }
    }

    /// Ends the cases. The older type system first checks the patterns of all cases, and resolves
    /// nothing else of them if it finds an error.
    pub(super) fn match_ends(&mut self, phases: Phases) {
        if phases.wrong_patterns.is_empty() {
            return;
        }
        self.forget_since(phases.start);
        if !self.cx.program.options.type_system_refresh {
            self.cx.diagnostics.extend(phases.wrong_patterns);
        }
    }

    fn found_so_far(&self) -> Found {
        Found {
            diagnostics: self.cx.diagnostics.len(),
            late: self.st.late.len(),
            needs: self.st.needs.len(),
            tests: self.st.tests.len(),
            pending: self.st.pending.len(),
        }
    }

    /// Removes the errors and requirements that were found since then.
    fn forget_since(&mut self, mark: Found) {
        if self.cx.program.options.type_system_refresh {
            return;
        }
        self.cx.diagnostics.truncate(mark.diagnostics);
        self.st.late.truncate(mark.late);
        self.st.needs.truncate(mark.needs);
        self.st.tests.truncate(mark.tests);
        self.st.pending.truncate(mark.pending);
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

/// The errors and requirements up to a place.
#[derive(Clone, Copy)]
struct Found {
    diagnostics: usize,
    late: usize,
    needs: usize,
    tests: usize,
    pending: usize,
}

/// The phases in which the older type system resolves a `match`.
pub(super) struct Phases {
    /// Everything found before the first case.
    start: Found,
    /// The errors of patterns, except those of alternatives.
    wrong_patterns: Vec<Diagnostic>,
    /// Everything found before the body of a case with wrong alternatives.
    case: Option<Found>,
}
